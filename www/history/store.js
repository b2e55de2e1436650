// The turns of earlier visits, in this browser alone: a database of its own, with one record a turn.
//
// A turn is { at, packs, answer, deliberation?, own_knowledge?, writer? }: when it was, the address of its packs, the answer without
// the text of its pages, and what a model made of it.

const DATABASE = "seealso-history";
const TURNS = "turns";
/** So many are kept; older ones go. */
const MOST = 100;

/** The store. Opening it fails where a browser keeps nothing for the page, as in some private windows. */
export class HistoryStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** @returns {Promise<HistoryStore>} */
  static async open() {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TURNS, { autoIncrement: true });
    return new HistoryStore(await done(opening));
  }

  /** Keeps a turn, and forgets the oldest beyond the most; gives its key. */
  async add(turn) {
    const turns = this.#turns("readwrite");
    const key = await done(turns.add(turn));
    const keys = await done(turns.getAllKeys());
    for (const old of keys.slice(0, Math.max(0, keys.length - MOST))) {
      turns.delete(old);
    }
    return key;
  }

  /** Keeps a turn in the place of what is under that key; what was forgotten meanwhile, on another page too, stays so. */
  async replace(key, turn) {
    const turns = this.#turns("readwrite");
    if ((await done(turns.getKey(key))) !== undefined) {
      await done(turns.put(turn, key));
    }
  }

  /** The turns of these packs, the oldest first. */
  async all(packs) {
    const turns = await done(this.#turns("readonly").getAll());
    return turns.filter((turn) => turn.packs === packs);
  }

  /** Forgets all turns, of whatever packs. */
  async clear() {
    await done(this.#turns("readwrite").clear());
  }

  #turns(mode) {
    return this.#database.transaction(TURNS, mode).objectStore(TURNS);
  }
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
