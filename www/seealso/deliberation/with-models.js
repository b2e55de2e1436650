// Lets the models that the reader chose go on after a quoted answer. An element takes it as its `deliberator`:
//
//   element.deliberator = withModels();
//
// They are tried in order: a node that the reader agreed to, then the local model where one is stored; where all fail, the
// quoted answer stands, and the page says so. Nothing is fetched before an answer is there and somebody is to write;
// weights are never fetched here, and nothing is sent to a node without consent.

import { h } from "../dom.js";
import { readSettings } from "../model/settings.js";
import { putBelowQuoted } from "./place.js";
import { words } from "./words.js";

/**
 * @param {object} options
 * @param {string} [options.settings] the address of the page's settings, for a reader who has to agree first
 * @param {string} [options.models] the address of models.json, for a site that may be served while parts are being built
 * @returns {(answer: object, turn: object, signal: AbortSignal) => Promise<object|null>|null}
 */
export function withModels({ settings = "", models = "" } = {}) {
  return (answer, turn, signal) => {
    const chosen = readSettings();
    return chosen.writer !== "none" && answer.status === "answered" ? answerByModel(answer, turn, signal, settings, models) : null;
  };
}

async function answerByModel(answer, turn, signal, link, models) {
  let writers, exchange;
  try {
    const missing = models && await (await import("../model/parts.js")).missingParts(models);
    if (missing) {
      putBelowQuoted(turn, h("p", { class: "muted", role: "status", part: "parts" }, missing));
      return null;
    }
    [writers, exchange] = await begin(answer, turn, link);
  } catch (error) {
    putBelowQuoted(turn, h("p", { class: "setback", role: "alert", "data-code": error.code ?? "internal" }, words.notBegun(error.message)));
    return null;
  }
  for (const [at, writer] of writers.entries()) {
    try {
      exchange.begin(writer);
      const done = await writer.write(answer, exchange, signal);
      exchange.done(done);
      turn.element.dispatchEvent(new CustomEvent("see-also:deliberated", {
        detail: { question: answer.question, writer: writer.about, deliberation: done }, bubbles: true, composed: true }));
      return done;
    } catch (error) {
      if (error.code === "stopped" || error.code === "cancelled") {
        exchange.stopped();
        return null;
      }
      exchange.failed(error, writers[at + 1] ?? null);
    }
  }
  return null;
}

/** Who is to write, in order, and what shows it; neither is loaded before. */
async function begin(answer, turn, link) {
  const [{ writersFor }, { Exchange }, { exchangeStyles }] = await Promise.all([
    import("./writers.js"), import("./exchange.js"), import("./exchange-styles.js")]);
  exchangeStyles(turn.element);
  // Read anew: the reader may have chosen somebody else while the scripts came, or nobody.
  const settings = readSettings();
  const writers = settings.writer === "none" ? [] : await writersFor(settings);
  return [writers, writers.length > 0 ? new Exchange(answer, turn, link) : null];
}
