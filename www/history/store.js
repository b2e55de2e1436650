// The turns of earlier visits, in this browser alone: a database of its own, with one record a turn.
//
// A turn is { at, packs, answer, deliberation?, own_knowledge?, writer? }: when it was, the address of its packs, the answer without
// the text of its pages, and what a model made of it.

import { RecordStore } from "../seealso/record-store.js";

/** So many are kept; older ones go. */
const MOST = 100;

/** The store. Opening it fails where a browser keeps nothing for the page, as in some private windows. */
export class HistoryStore {
  #turns;

  constructor(turns) {
    this.#turns = turns;
  }

  /** @returns {Promise<HistoryStore>} */
  static async open() {
    return new HistoryStore(await RecordStore.open("seealso-history", "turns", MOST));
  }

  /** Keeps a turn, and forgets the oldest beyond the most; gives its key. */
  add(turn) {
    return this.#turns.add(turn);
  }

  /** Keeps a turn in the place of what is under that key; what was forgotten meanwhile, on another page too, stays so. */
  replace(key, turn) {
    return this.#turns.replace(key, turn);
  }

  /** The turns of these packs, the oldest first. */
  async all(packs) {
    return (await this.#turns.all()).filter((turn) => turn.packs === packs);
  }

  /** Forgets all turns, of whatever packs. */
  clear() {
    return this.#turns.clear();
  }
}
