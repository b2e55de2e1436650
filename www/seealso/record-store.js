// Records that this browser keeps for a page, in a database of their own: a bounded number of them, the oldest go first. Loaded by
// what keeps something, such as the history.

/** The store. Opening it fails where a browser keeps nothing for the page, as in some private windows. */
export class RecordStore {
  #database;
  #name;
  #most;

  constructor(database, name, most) {
    this.#database = database;
    this.#name = name;
    this.#most = most;
  }

  /**
   * @param {string} database
   * @param {string} name what the records are called in it
   * @param {number} most so many are kept
   * @returns {Promise<RecordStore>}
   */
  static async open(database, name, most) {
    const opening = indexedDB.open(database, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(name, { autoIncrement: true });
    return new RecordStore(await done(opening), name, most);
  }

  /** Keeps a record, and forgets the oldest beyond the most; gives its key. */
  async add(record) {
    const records = this.#records("readwrite");
    const key = await done(records.add(record));
    const keys = await done(records.getAllKeys());
    for (const old of keys.slice(0, Math.max(0, keys.length - this.#most))) {
      records.delete(old);
    }
    // A storage that is full may say so only now.
    await committed(records.transaction);
    return key;
  }

  /** Keeps a record in the place of what is under that key; what was forgotten meanwhile, on another page too, stays so. */
  async replace(key, record) {
    const records = this.#records("readwrite");
    if ((await done(records.getKey(key))) !== undefined) {
      await done(records.put(record, key));
    }
  }

  /** All records, the oldest first. */
  all() {
    return done(this.#records("readonly").getAll());
  }

  /** Forgets all. */
  async clear() {
    await done(this.#records("readwrite").clear());
  }

  /** Lets go of the database. */
  close() {
    this.#database.close();
  }

  #records(mode) {
    return this.#database.transaction(this.#name, mode).objectStore(this.#name);
  }
}

function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
