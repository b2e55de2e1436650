// Search by meaning: the reader's consent to an encoder of stated size, and the encoder at work. Nothing of it is fetched before
// the consent. It is stored like any other model, under the hashes of its files, so a reader loads it once for all pages of an
// origin, and removes it where other models are removed, or here.

import { fill, focusOn, h } from "../dom.js";
import { totalBytes } from "../model/catalog.js";
import { LocalModel } from "../model/client.js";
import { DownloadBox } from "../model/download-box.js";
import { Store, keyOf } from "../model/store.js";
import { meaningStyles } from "./styles.js";
import { stageNames, words } from "./words.js";

/** Whether pages are to be found by their meaning, for later visits. */
const KEY = "seealso-meaning";

/**
 * Vectors, and the stages that the site names itself. Chunks are not among them otherwise: their index costs 50 to 130 KB more a
 * question, and finds no more. Where the encoder does not come, the answer says so.
 */
const byMeaning = (stages) => ({ stages: [...new Set([...stages, "vectors"])], off: [], names: stageNames });

/** The control. It fills a place that the element has for it. */
export class Meaning {
  #engine;
  #place;
  #model = new LocalModel();
  #said = h("p", { class: "note", role: "status" });
  #isOn = false;
  /** The encoder that the opened packs want: what the catalog of models would say of it, and its space. */
  #encoder = null;
  /** The loading of the encoder; it rejects where that failed. @type {Promise<void>|null} */
  #ready = null;

  /** @param {() => import("../engine.js").Engine} engine @param {HTMLElement} place */
  constructor(engine, place) {
    this.#engine = engine;
    this.#place = place;
    const { adoptedStyleSheets } = place.getRootNode();
    if (!adoptedStyleSheets.includes(meaningStyles)) {
      adoptedStyleSheets.push(meaningStyles);
    }
  }

  /** Says what it takes, and offers to load that; where it is here already, switches it on. */
  async offer() {
    fill(this.#place, h("p", { class: "note", role: "status" }, words.looking));
    try {
      if (await this.#isStored()) {
        this.#switchOn();
      } else {
        this.#showOffer();
      }
      focusOn(this.#place.querySelector("button, input"));
    } catch (error) {
      this.#fail(error, () => this.offer());
    }
  }

  /** Goes on from an earlier visit. What it takes is looked for with the first question. */
  resume() {
    this.#isOn = true;
    this.#showSwitch();
  }

  /**
   * How the next question is asked, and what its stages are called: nothing where pages are found by their words.
   * @param {string[]} stages that the site uses anyway
   */
  async how(stages) {
    // An encoder that failed has said so here, and the answer says so too.
    return this.#isOn ? { ...byMeaning(stages), ...await this.encoder().catch(() => null) } : {};
  }

  /**
   * What encodes a question: the space of the vectors, and a port that gives them for texts; null where it is switched off. Rejects
   * where it can't be loaded.
   */
  async encoder() {
    if (!this.#isOn) {
      return null;
    }
    try {
      if (!(await this.#isStored())) {
        // It was removed since the last visit, or the site has another one by now.
        this.#isOn = false;
        this.#showOffer();
        return null;
      }
      await (this.#ready ??= this.#load());
    } catch (error) {
      this.#ready = null;
      this.#fail(error, () => this.#switchOn());
      throw error;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = async ({ data: texts }) => port1.postMessage(await this.#embed(texts));
    return { space: this.#encoder.space, port: port2 };
  }

  /** Lets go of the encoder. */
  close() {
    this.#model.close();
    this.#ready = null;
  }

  async #embed(texts) {
    try {
      return { vectors: await this.#model.embed(texts) };
    } catch ({ message }) {
      // The next question starts its worker anew.
      this.#ready = null;
      return { error: message };
    }
  }

  /** Finds out what the packs want, and whether it is stored here. */
  async #isStored() {
    this.#encoder ??= entryOf(await this.#engine().encoder());
    const store = await Store.open();
    return (await store.record(keyOf(this.#encoder.entry)))?.complete === true;
  }

  #load() {
    return this.#model.load({ key: keyOf(this.#encoder.entry) });
  }

  #showOffer() {
    const { entry } = this.#encoder;
    const box = new DownloadBox(this.#model, (_message, stored) => {
      box.refresh(() => stored ?? null);
      if (stored?.complete) {
        this.#switchOn();
        focusOn(this.#place.querySelector("input"));
      }
    });
    box.offer(entry, null, null);
    fill(this.#place, h("p", { class: "note" }, words.about(entry.name, totalBytes(entry))), box.element,
      h("button", { type: "button", class: "quiet", onclick: () => this.#showSwitch() }, words.notNow));
  }

  #switchOn() {
    this.#isOn = true;
    remember(true);
    this.#said.textContent = words.loading;
    this.#showSwitch();
    this.#ready ??= this.#load();
    this.#ready.then(() => {
      this.#said.textContent = words.ready(totalBytes(this.#encoder.entry));
    }, (error) => {
      this.#ready = null;
      this.#fail(error, () => this.#switchOn());
    });
  }

  #switchOff() {
    this.#isOn = false;
    remember(false);
    this.close();
    this.#said.textContent = "";
    this.#showSwitch();
  }

  #showSwitch() {
    const input = h("input", { type: "checkbox", onchange: () => (input.checked ? this.offer() : this.#switchOff()) });
    input.checked = this.#isOn;
    fill(this.#place,
      h("div", { class: "row" }, h("label", {}, input, words.meaning),
        this.#isOn && h("button", { type: "button", class: "quiet", onclick: () => this.#remove() }, words.remove)),
      this.#said);
  }

  async #remove() {
    try {
      await this.#isStored();
      this.#switchOff();
      await (await Store.open()).remove(keyOf(this.#encoder.entry));
      this.#said.textContent = words.removed;
      focusOn(this.#place.querySelector("input"));
    } catch (error) {
      this.#fail(error, () => this.#remove());
    }
  }

  #fail(error, retry) {
    fill(this.#place, h("div", { class: "error", role: "alert", "data-code": error.code ?? "internal" },
      h("p", {}, error.message), h("button", { type: "button", onclick: retry }, words.retry)));
  }
}

/** What the store keeps of an encoder, and the space of its vectors. */
function entryOf(encoder) {
  if (!encoder) {
    throw Object.assign(new Error(words.noEncoder), { code: "no-encoder" });
  }
  const { name, space, scheme, files } = encoder;
  const entry = {
    name, title: words.encoder(name), kind: "encoder", files, format: "other", licence: "", architecture: "bert", context: null, tier: null,
    default: false, scheme,
  };
  return { entry, space };
}

function remember(isOn) {
  try {
    isOn ? localStorage.setItem(KEY, "1") : localStorage.removeItem(KEY);
  } catch {
    // It is off again in the next visit.
  }
}
