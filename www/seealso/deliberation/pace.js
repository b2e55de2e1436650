// How fast each role writes, from the moment of its first token: what was read before that is no writing.

import { words } from "./words.js";

/** A rate is told from so many tokens on; of fewer it would be a guess. */
const TELLING = 5;

/** The pace of the roles of one deliberation. */
export class Pace {
  #stages = new Map();
  #now;

  /** @param {() => number} now milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** A token came; how many that makes. */
  token(stage) {
    const now = this.#now();
    const { tokens = 0, first = now } = this.#stages.get(stage) ?? {};
    this.#stages.set(stage, { tokens: tokens + 1, first, last: now });
    return tokens + 1;
  }

  /** Its pace in words; empty where nothing was written. */
  told(stage) {
    const { tokens, first, last } = this.#stages.get(stage) ?? {};
    if (!tokens) {
      return "";
    }
    const seconds = (last - first) / 1000;
    return tokens < TELLING || seconds === 0 ? words.tokens(tokens) : words.rate(tokens, (tokens - 1) / seconds);
  }
}
