// The deliberated text as elements: its blocks, each sentence with its verdict, each number in brackets a citation.

import { h } from "../dom.js";
import { placeOnSite } from "../place.js";
import { plain, textBlocks } from "./text-blocks.js";
import { VerdictNote } from "./verdict-note.js";
import { words } from "./words.js";

const MARK = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;

/**
 * Fills `home` with the text.
 * @param {HTMLElement} home
 * @param {{text: string, sentences: object[]}} final
 * @param {object[]} sources the answer's
 * @param {(sentence: object, citation: HTMLElement) => void} onCite
 */
export function finalText(home, { text, sentences }, sources, onCite) {
  const shown = { sentences, sources, onCite, note: new VerdictNote(home, sources, onCite) };
  home.prepend(...textBlocks(text, (from, end) => inLine(text, from, end, shown)));
}

function inLine(text, from, end, shown) {
  const pieces = [];
  let at = from;
  for (const sentence of shown.sentences.filter(({ start, end: stop }) => stop > from && start < end)) {
    const [first, last] = [Math.max(sentence.start, at), Math.min(sentence.end, end)];
    pieces.push(...cited(text.slice(at, first), null, shown));
    const said = text.slice(first, last);
    pieces.push(judged(said.trimEnd(), sentence, shown), said.slice(said.trimEnd().length));
    at = last;
  }
  pieces.push(...cited(text.slice(at, end), null, shown));
  return pieces.filter((piece) => piece !== "");
}

/** A sentence with its verdict: in a note while the reader turns to it, and in words for screen readers. */
function judged(text, sentence, shown) {
  const element = h("span", { class: "judged", part: "sentence", "data-verdict": sentence.verdict, tabindex: "0", "aria-keyshortcuts": "Enter" },
    cited(text, sentence, shown),
    h("span", { class: "hidden" }, ` (${words.verdicts[sentence.verdict]})`));
  shown.note.watch(element, sentence);
  return element;
}

function cited(text, sentence, { sources, onCite }) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(MARK)) {
    pieces.push(...plain(text.slice(at, match.index)));
    const numbers = match[1].split(",").map(Number).filter((number) => sources[number - 1]);
    at = match.index + match[0].length;
    // What ends the sentence stays with it, too.
    const ending = /^[.,;:!?)]+/.exec(text.slice(at))?.[0] ?? "";
    at += ending.length;
    pieces.push(...kept(pieces.pop(), [...numbers.map((number) => citation(number, sources[number - 1], sentence, onCite)), ending]));
  }
  pieces.push(...plain(text.slice(at)));
  return pieces;
}

/** A citation never begins a line: it stays with the last word before it. */
function kept(last, citations) {
  const at = typeof last === "string" ? last.search(/\S{1,30}$/) : -1;
  return at < 0
    ? [last ?? "", ...citations]
    : [last.slice(0, at), h("span", { class: "sentence-end" }, last.slice(at), citations)];
}

function citation(number, source, sentence, onCite) {
  const name = words.cite(number, source.title);
  const aim = sentence?.source === number
    ? { source: number, anchor: sentence.anchor, text: sentence.passage }
    : { source: number, anchor: "", text: "" };
  const about = { class: "cite", part: "citation", title: name, "aria-label": name };
  return source.site
    ? h("a", { ...about, href: placeOnSite(source.site, aim.anchor) }, `[${number}]`)
    : h("button", { ...about, type: "button", onclick: (event) => onCite(aim, event.currentTarget) }, `[${number}]`);
}
