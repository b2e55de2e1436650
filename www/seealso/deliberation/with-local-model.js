// Lets the local model that the reader chose go on after a quoted answer. An element takes it as its `deliberator`:
//
//   element.deliberator = withLocalModel();
//
// Nothing is fetched before an answer is there and a stored model is chosen; weights are never fetched here.

import { readSettings } from "../model/settings.js";
import { words } from "./words.js";

/** @returns {(answer: object, turn: object, signal: AbortSignal) => Promise<object|null>|null} */
export function withLocalModel() {
  const chosen = new Chosen();
  return (answer, turn, signal) => {
    const { model: key, device } = readSettings();
    return key && answer.status === "answered" ? goOn(chosen, { key, device }, answer, turn, signal) : null;
  };
}

/** The model that was loaded last, with the parts that run it. */
class Chosen {
  #parts = null;
  #key = "";
  #role = null;

  /** The parts, fetched once. */
  async parts() {
    this.#parts ??= Promise.all([import("./client.js"), import("./exchange.js"), import("./local.js"), import("./exchange-styles.js"),
      import("../model/client.js"), import("../model/store.js")])
      .then(([{ Deliberations }, { Exchange }, { localRole }, { exchangeStyles }, { LocalModel }, { Store }]) => (
        { deliberations: new Deliberations(), Exchange, localRole, exchangeStyles, model: new LocalModel(), Store }));
    return this.#parts;
  }

  /** What the store knows of a model. */
  async entry(key) {
    const { Store } = await this.parts();
    const stored = await (await Store.open()).list();
    return stored.find((record) => record.key === key)?.entry ?? null;
  }

  /** The model in the form that a deliberation wants, loaded where it is not. */
  async role({ key, device }, entry, options) {
    const { model, localRole } = await this.parts();
    if (this.#key !== `${key} ${device}`) {
      const { info } = await model.load({ key, device }, options);
      this.#role = localRole(model, { name: entry.title ?? entry.name, context: info.context, judge: entry.judge });
      this.#key = `${key} ${device}`;
    }
    return this.#role;
  }

  /** What is loaded is not to be trusted after a failure. */
  forget() {
    this.#key = "";
  }
}

async function goOn(chosen, wanted, answer, turn, signal) {
  const [parts, entry] = [await chosen.parts(), await chosen.entry(wanted.key)];
  if (!entry) {
    return null;
  }
  const exchange = new parts.Exchange(answer, turn, entry.title ?? entry.name);
  parts.exchangeStyles(turn.element);
  try {
    const begun = performance.now();
    const role = await chosen.role(wanted, entry, { signal, onProgress: (progress) => progress.stage === "loading" && exchange.loading(progress) });
    exchange.loaded(performance.now() - begun);
    const models = { expert: role, critic: role, synthesizer: role };
    // A small model is asked in few words, whatever the machine could do.
    const tier = readSettings().tier || entry.tier;
    const settings = tier ? { tier } : {};
    const done = await parts.deliberations.run(answer, models, settings, { signal, onStep: (step) => exchange.step(step) });
    exchange.done(done);
    const detail = { question: answer.question, deliberation: done };
    turn.element.dispatchEvent(new CustomEvent("see-also:deliberated", { detail, bubbles: true, composed: true }));
    return done;
  } catch (error) {
    if (error.code !== "stopped" && error.code !== "cancelled") {
      chosen.forget();
    }
    exchange.failed(error.message ? error : { code: "internal", message: words.crashed });
    return null;
  }
}
