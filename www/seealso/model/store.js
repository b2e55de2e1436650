// Where weights are kept: one folder a model in the origin private file system (OPFS), with a record beside its files.
// It is a file system in place of the Cache API because a download can be gone on with there, and since it writes
// several times faster (`cargo xtask bench weights` measures it).
//
// <folder>/<key>/record.json   what the model is, how far its files are, and the hashes of their chunks
// <folder>/<key>/0, 1, …       its files, in the order in which they are read; one that is not complete is a beginning

import { ModelError } from "./errors.js";
import { Sha256 } from "./sha256.js";

const FOLDER = "seealso-models";
const RECORD = "record.json";
const VERSION = 1;
/** How long to wait for a tab or a worker that is just going away to let go of a model. */
const PATIENCE_MS = 3000;
const RETRY_MS = 50;

/**
 * @typedef {object} FileRecord
 * @property {number|null} bytes its whole size, where known
 * @property {string|null} validator the ETag or Last-Modified of the download, to go on with the same file only
 * @property {string|null} sha256 what its bytes were found to hash to, once it is complete
 * @property {string[]} chunks the SHA-256 of each of its chunks, once it is complete
 * @property {boolean} complete
 * @typedef {object} ModelRecord
 * @property {number} version
 * @property {string} key
 * @property {import("./catalog.js").Entry} entry
 * @property {FileRecord[]} files
 * @property {boolean} complete
 * @typedef {object} Stored a model in the list
 * @property {string} key
 * @property {string} name its title
 * @property {import("./catalog.js").Entry} entry
 * @property {boolean} complete
 * @property {number} got bytes that are here
 * @property {number|null} bytes bytes that it has when complete
 * @property {string[]} sha256 of its files, once complete
 */

/** Names a model by its content where that is known, else by where it comes from. @param {import("./catalog.js").Entry} entry */
export function keyOf(entry) {
  const content = entry.files.map(({ url, bytes, sha256 }) => sha256 ?? `${url} ${bytes}`);
  return new Sha256().update(new TextEncoder().encode(JSON.stringify(content))).hex().slice(0, 32);
}

/** The store of this origin. Files are written in dedicated workers alone; all else works everywhere. */
export class Store {
  #folder;
  #locks;

  constructor(folder, locks) {
    this.#folder = folder;
    this.#locks = locks;
  }

  /** Opens the store. Fails with code "no-storage" where the browser keeps no files. */
  static async open({ storage = navigator.storage, locks = navigator.locks, name = FOLDER } = {}) {
    try {
      const root = await storage.getDirectory();
      return new Store(await root.getDirectoryHandle(name, { create: true }), locks);
    } catch {
      throw new ModelError("no-storage");
    }
  }

  /** All that is stored, complete or not, by name. @returns {Promise<Stored[]>} */
  async list() {
    const found = [];
    for await (const [key, handle] of this.#folder.entries()) {
      if (handle.kind === "directory") {
        found.push(await this.#describe(key, handle));
      }
    }
    return found.sort((a, b) => a.name.localeCompare(b.name) || a.key.localeCompare(b.key));
  }

  /** The record of a model; null where there is none that can be read. @returns {Promise<ModelRecord|null>} */
  async record(key) {
    const folder = await this.#folder.getDirectoryHandle(key).catch(() => null);
    return folder && readRecord(folder);
  }

  /** Keeps a record. @param {ModelRecord} record */
  async keep(record) {
    const folder = await this.#folder.getDirectoryHandle(record.key, { create: true });
    const handle = await folder.getFileHandle(RECORD, { create: true });
    await replace(handle, new TextEncoder().encode(JSON.stringify({ ...record, version: VERSION })));
  }

  /**
   * Takes over what a catalog says by now of models that are here: their titles, tiers and judges. One that is just being
   * downloaded or removed is left alone.
   * @param {Stored[]} stored @param {import("./catalog.js").Entry[]} entries
   */
  async renew(stored, entries) {
    for (const entry of entries) {
      const known = stored.find(({ key, complete }) => complete && key === keyOf(entry));
      if (known && JSON.stringify(known.entry) !== JSON.stringify(entry)) {
        await this.together(known.key, () => this.#renewRecord(known.key, entry)).catch(() => {});
      }
    }
  }

  async #renewRecord(key, entry) {
    const record = await this.record(key);
    if (record?.complete) {
      await this.keep({ ...record, entry });
    }
  }

  /** Opens a file of a model for writing at its end, making it where it is not there. In a dedicated worker only. */
  async append(key, index) {
    const folder = await this.#folder.getDirectoryHandle(key, { create: true });
    return new WritableFile(await accessHandle(await folder.getFileHandle(String(index), { create: true })));
  }

  /** Opens a file of a model for reading; null where it is not there. */
  async source(key, index) {
    try {
      const folder = await this.#folder.getDirectoryHandle(key);
      const handle = await folder.getFileHandle(String(index));
      // A handle reads several times faster than slices, but there are none outside of workers.
      const access = await handle.createSyncAccessHandle?.({ mode: "read-only" }).catch(() => null);
      return access ? new FastFile(access) : new SlowFile(await handle.getFile());
    } catch {
      return null;
    }
  }

  /** Removes a model. */
  async remove(key) {
    await this.alone(key, () => this.discard(key));
  }

  /** Removes all models. One that is in use stays, and the error says so once the others are gone. */
  async clear() {
    let failed = null;
    for await (const key of this.#folder.keys()) {
      await this.remove(key).catch((error) => {
        failed = error;
      });
    }
    if (failed) {
      throw failed;
    }
  }

  /** Removes a model that the caller has for itself. */
  async discard(key) {
    await retryWhileLocked(() => this.#folder.removeEntry(key, { recursive: true })).catch((error) => {
      if (error.name !== "NotFoundError") {
        throw new ModelError("busy");
      }
    });
  }

  /** Runs `action` while nobody else reads or writes that model. Fails with "busy" where somebody does. */
  alone(key, action) {
    return this.#locked(key, "exclusive", action);
  }

  /** Runs `action` while nobody writes or removes that model. */
  together(key, action) {
    return this.#locked(key, "shared", action);
  }

  async #locked(key, mode, action) {
    if (!this.#locks) {
      return action();
    }
    let held = false;
    try {
      return await this.#locks.request(`seealso-model:${key}`, { mode, signal: AbortSignal.timeout(PATIENCE_MS) }, () => {
        held = true;
        return action();
      });
    } catch (error) {
      throw held ? error : new ModelError("busy");
    }
  }

  async #describe(key, folder) {
    const record = await readRecord(folder);
    let got = 0;
    for await (const [name, handle] of folder.entries()) {
      got += name === RECORD ? 0 : (await handle.getFile()).size;
    }
    const sizes = record?.files.map((file) => file.bytes) ?? [null];
    return {
      key,
      name: record?.entry.title ?? key,
      entry: record?.entry ?? null,
      complete: record?.complete ?? false,
      got,
      bytes: sizes.includes(null) ? null : sizes.reduce((sum, bytes) => sum + bytes, 0),
      sha256: record?.files.map((file) => file.sha256).filter(Boolean) ?? [],
    };
  }
}

/** A file that grows at its end. */
class WritableFile {
  #access;
  #size;

  constructor(access) {
    this.#access = access;
    this.#size = access.getSize();
  }

  get size() {
    return this.#size;
  }

  /** Appends bytes. Fails with "no-space" where they don't fit; what was there stays. */
  write(bytes) {
    let written;
    try {
      written = this.#access.write(bytes, { at: this.#size });
    } catch (error) {
      this.#access.truncate(this.#size);
      throw error.name === "QuotaExceededError" ? new ModelError("no-space") : error;
    }
    if (written < bytes.length) {
      this.#access.truncate(this.#size);
      throw new ModelError("no-space");
    }
    this.#size += written;
  }

  read(bytes, at) {
    return this.#access.read(bytes, { at });
  }

  /** Cuts the file to a size. */
  truncate(size) {
    this.#access.truncate(size);
    this.#size = size;
  }

  close() {
    try {
      this.#access.flush();
    } finally {
      this.#access.close();
    }
  }
}

class FastFile {
  #access;

  constructor(access) {
    this.#access = access;
    this.size = access.getSize();
  }

  async read(bytes, at) {
    return this.#access.read(bytes, { at });
  }

  close() {
    this.#access.close();
  }
}

class SlowFile {
  #file;

  constructor(file) {
    this.#file = file;
    this.size = file.size;
  }

  async read(bytes, at) {
    const read = await this.#file.slice(at, at + bytes.length).arrayBuffer();
    bytes.set(new Uint8Array(read));
    return read.byteLength;
  }

  close() {}
}

async function readRecord(folder) {
  try {
    const handle = await folder.getFileHandle(RECORD);
    const record = JSON.parse(await (await handle.getFile()).text());
    return record.version === VERSION && record.entry.files.length === record.files.length ? record : null;
  } catch {
    return null;
  }
}

/** Replaces what a file holds; at once, where the browser can. */
async function replace(handle, bytes) {
  try {
    if (handle.createWritable) {
      const writable = await handle.createWritable();
      await writable.write(bytes);
      await writable.close();
      return;
    }
    const access = await accessHandle(handle);
    try {
      access.truncate(0);
      access.write(bytes, { at: 0 });
      access.flush();
    } finally {
      access.close();
    }
  } catch (error) {
    throw error.name === "QuotaExceededError" ? new ModelError("no-space") : error;
  }
}

/** The handle of a worker that has just ended may linger for a moment. */
async function accessHandle(handle) {
  if (!handle.createSyncAccessHandle) {
    throw new ModelError("no-storage");
  }
  try {
    return await retryWhileLocked(() => handle.createSyncAccessHandle());
  } catch (error) {
    throw error.name === "NoModificationAllowedError" ? new ModelError("busy") : error;
  }
}

async function retryWhileLocked(action) {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return await action();
    } catch (error) {
      if (error.name !== "NoModificationAllowedError" || waited >= PATIENCE_MS) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
