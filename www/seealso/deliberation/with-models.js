// Lets the models that the reader chose go on after a quoted answer, or, where the site allows it (the element's attribute
// own-knowledge) and the gate closed, answer from their own knowledge. An element takes it as its `deliberator`:
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

/** How an answer says that no page is near enough to its question. */
const GATED = "confidence_gated_fallback";

/**
 * @param {object} options
 * @param {string} [options.settings] the address of the page's settings, for a reader who has to agree first
 * @param {string} [options.models] the address of models.json, for a site that may be served while parts are being built
 * @returns {(answer: object, turn: object, signal: AbortSignal) => Promise<object|null>|null}
 */
export function withModels({ settings = "", models = "" } = {}) {
  return (answer, turn, signal) => {
    const isAlone = answersAlone(answer, turn);
    const hasWork = isAlone || answer.status === "answered";
    return hasWork && readSettings().writer !== "none" ? answerByModel(answer, turn, signal, { settings, models, isAlone }) : null;
  };
}

/** Whether a model may answer without pages: there is none near the question, and the site allows it. */
function answersAlone({ query_type: found }, { element }) {
  return found === GATED && Boolean(element.getRootNode().host?.hasAttribute("own-knowledge"));
}

async function answerByModel(answer, turn, signal, { settings: link, models, isAlone }) {
  // What is to be answered without pages goes on as the question alone.
  const asked = isAlone ? { question: answer.question, alone: true } : answer;
  let writers, exchange;
  try {
    const missing = models && await (await import("../model/parts.js")).missingParts(models);
    if (missing) {
      putBelowQuoted(turn, h("p", { class: "muted", role: "status", part: "parts" }, missing));
      return null;
    }
    [writers, exchange] = await begin(answer, turn, link, isAlone);
  } catch (error) {
    putBelowQuoted(turn, h("p", { class: "setback", role: "alert", "data-code": error.code ?? "internal" }, words.notBegun(error.message, (isAlone ? words.ownKnowledge : words).stands)));
    return null;
  }
  for (const [at, writer] of writers.entries()) {
    try {
      exchange.begin(writer);
      const done = await writer.write(asked, exchange, signal);
      exchange.done(done);
      const [name, own] = isAlone ? ["own-knowledge", { own_knowledge: done }] : ["deliberated", { deliberation: done }];
      turn.element.dispatchEvent(new CustomEvent(`see-also:${name}`, {
        detail: { question: answer.question, writer: writer.about, ...own }, bubbles: true, composed: true }));
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
async function begin(answer, turn, link, isAlone) {
  const [{ writersFor }, Shown, { exchangeStyles }] = await Promise.all([
    import("./writers.js"),
    isAlone ? import("./own-knowledge.js").then(({ OwnKnowledge }) => OwnKnowledge) : import("./exchange.js").then(({ Exchange }) => Exchange),
    import("./exchange-styles.js")]);
  exchangeStyles(turn.element);
  // Read anew: the reader may have chosen somebody else while the scripts came, or nobody.
  const settings = readSettings();
  const writers = settings.writer === "none" ? [] : await writersFor(settings);
  return [writers, writers.length > 0 ? new Shown(answer, turn, link) : null];
}
