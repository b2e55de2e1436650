// The trace of one answer: what every stage did, how long it took, and its detail as data.

import { h } from "../dom.js";
import { words } from "./words.js";

const DETAIL_LIMIT = 20_000;

/** What a panel shows of an answer's trace, and of what was stored for it. */
export function traceOf(answer) {
  return [
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": words.trace }, table(answer.trace)),
    h("p", { class: "muted" }, words.traceTotal(answer.context_chars, answer.ms)),
    h("p", { class: "stored" }, h("button", { type: "button", class: "quiet", onclick: remove }, words.removeStored)),
  ];
}

/** Removes what the browser stored of packs and index; the script comes when it is wanted. */
async function remove({ target }) {
  (await import("../origins/origins.js")).removeStored(target);
}

function table(stages) {
  return h("table", { class: "trace" },
    h("thead", {}, h("tr", {}, words.traceColumns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, stages.map((stage) => h("tr", {},
      h("th", { scope: "row" }, stage.title ?? stage.name),
      h("td", { class: "time" }, words.time(stage.ms)),
      h("td", {}, stage.summary, detail(stage))))));
}

function detail(stage) {
  if (stage.detail === undefined || stage.detail === null) {
    return null;
  }
  const text = json(stage.detail);
  const shown = text.length > DETAIL_LIMIT
    ? `${text.slice(0, DETAIL_LIMIT)}\n${words.truncated(text.length - DETAIL_LIMIT)}`
    : text;
  return h("details", { class: "detail" },
    h("summary", { "aria-label": `${words.traceDetail}: ${stage.name}` }, words.traceDetail),
    h("pre", { tabindex: "0", role: "group", "aria-label": stage.name }, shown));
}

/** JSON of what came over the wasm boundary, where maps and big integers may occur. */
function json(value) {
  return JSON.stringify(value, (_key, inner) => {
    if (inner instanceof Map) {
      return Object.fromEntries(inner);
    }
    return typeof inner === "bigint" ? inner.toString() : inner;
  }, 2);
}
