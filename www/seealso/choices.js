// What a reader chooses of how questions are answered: how much is read for them, and, where the site has what it takes, that pages
// are found by their meaning too. The scripts of the latter come when it is chosen, or was in an earlier visit.

import { fill, h } from "./dom.js";
import { words } from "./strings.js";

const STANDARD = "standard";
/** What www/seealso/stages/meaning.js remembers the choice by. */
const MEANING = "seealso-meaning";
/** What the catalog names where a browser can encode questions. */
const ENCODER = "encoder";

/** The choices. `element` is what to put into the document. */
export class Choices {
  element;
  #depth = h("select", { id: "depth", part: "depth" }, Object.entries(words.depths).map(([value, text]) => h("option", { value }, text)));
  #place = h("div", { class: "meaning", part: "meaning" });
  #engine;
  #chosen = null;
  #meaning = null;
  /** The opening of what an earlier visit chose. */
  #resuming = null;

  /** @param {() => import("./engine.js").Engine} engine */
  constructor(engine) {
    this.#engine = engine;
    this.depth = STANDARD;
    this.element = h("div", { class: "how", part: "choices" }, h("span", {}, h("label", { for: "depth" }, words.depth), this.#depth), this.#place);
  }

  /** How much is read before the reader chose: quick, standard or deep. What is none of these is the standard. */
  set depth(name) {
    if (name !== this.#chosen) {
      this.#chosen = name;
      this.#depth.value = name in words.depths ? name : STANDARD;
    }
  }

  /** Offers what the opened packs have. */
  offer({ stages }) {
    this.reset();
    if (stages.includes(ENCODER)) {
      this.#resuming = remembered() ? this.#open((meaning) => meaning.resume()) : this.#showButton();
    }
  }

  /** Offers nothing but the depth: other packs are to be opened. */
  reset() {
    this.#meaning?.close();
    this.#meaning = null;
    fill(this.#place);
  }

  /**
   * How the next question is asked, and what its stages are called. Vectors take an encoder, to which a reader agrees.
   * @param {string[]} stages that the site uses anyway
   */
  async how(stages) {
    await this.#resuming;
    return {
      ...(this.#depth.value !== STANDARD && { depth: this.#depth.value }),
      ...(stages.length > 0 && { stages, off: ["vectors", "rerank", "graph"], names: await stageNames() }),
      ...await this.#meaning?.how(stages),
    };
  }

  /** What encodes a question, where the reader agreed to it (`encoder` of Meaning). */
  async encoder() {
    await this.#resuming;
    return this.#meaning?.encoder();
  }

  #showButton() {
    fill(this.#place, h("button", { type: "button", class: "quiet", onclick: () => this.#open((meaning) => meaning.offer()) }, words.meaning));
  }

  async #open(begin) {
    try {
      const { Meaning } = await import("./stages/meaning.js");
      this.#meaning ??= new Meaning(this.#engine, this.#place);
      begin(this.#meaning);
    } catch {
      fill(this.#place, h("div", { class: "error", role: "alert" }, h("p", {}, words.failedDetails),
        h("button", { type: "button", onclick: () => this.#open(begin) }, words.retry)));
    }
  }
}

async function stageNames() {
  return (await import("./stages/words.js").catch(() => ({}))).stageNames;
}

function remembered() {
  try {
    return localStorage.getItem(MEANING) !== null;
  } catch {
    return false;
  }
}
