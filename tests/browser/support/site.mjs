// The built site, copies of it that a test may change, and packs built for one test alone.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));

/** The folder that `cargo xtask build` assembles. */
export const SITE = resolve(process.env.SEEALSO_SITE || join(here, "../../../site"));

/** A folder that a test may write to; `remove` takes it away again. */
export async function temporary() {
  const folder = await mkdtemp(join(tmpdir(), "seealso-browser-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Copies the site into a folder, which is made. */
export async function copySite(to) {
  await mkdir(to, { recursive: true });
  await cp(SITE, to, { recursive: true });
  return to;
}

/** Builds the packs of a copied site anew, with its index split into files of about so many bytes. */
export async function splitIndex(site, fileBytes) {
  await run(await seealsoCommand(), ["build", join(site, "packs-static"), "--file-bytes", String(fileBytes)]);
  return readCatalog(site);
}

/** Writes a pack of the given files (path → text) and builds all packs of its folder. */
export async function writePack(packs, name, files) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(packs, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await run(await seealsoCommand(), ["build", packs]);
}

/** Runs the command, as it was built for these tests. */
export async function runSeealso(args) {
  return run(await seealsoCommand(), args);
}

/** The catalog of a copied site, as data, and where its index lies. */
export async function readCatalog(site) {
  const catalog = JSON.parse(await readFile(join(site, "packs-static/catalog.json"), "utf8"));
  return { catalog, index: join(site, "packs-static", catalog.index.path) };
}

/** Replaces the bytes of the index, and names their hash in the catalog. */
export async function replaceIndex(site, change) {
  const { catalog, index } = await readCatalog(site);
  const bytes = change(await readFile(index));
  Object.assign(catalog.index, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  await writeFile(index, bytes);
  await writeFile(join(site, "packs-static/catalog.json"), JSON.stringify(catalog));
}

/** The path of the command, as it was built for these tests. */
export async function seealsoCommand() {
  if (process.env.SEEALSO_BIN) {
    return process.env.SEEALSO_BIN;
  }
  const target = process.env.CARGO_TARGET_DIR || (await targetFolder());
  return join(target, "release/seealso");
}

async function targetFolder() {
  const options = { cwd: here, maxBuffer: 1 << 26 };
  const { stdout } = await run("cargo", ["metadata", "--no-deps", "--format-version", "1"], options);
  return JSON.parse(stdout).target_directory;
}
