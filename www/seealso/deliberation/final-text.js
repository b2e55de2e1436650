// The deliberated text as elements: paragraphs and list items, each sentence with its verdict, each number in brackets
// a citation. Nothing in it is ever read as markup but list marks, headings and code between backticks.

import { h, inlineCode } from "../dom.js";
import { words } from "./words.js";

const MARK = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;

/**
 * @param {{text: string, sentences: object[]}} final
 * @param {object[]} sources the answer's
 * @param {(sentence: object, citation: HTMLElement) => void} onCite
 */
export function finalText({ text, sentences }, sources, onCite) {
  const blocks = [];
  let list = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    if (line.trim() === "") {
      list = null;
      continue;
    }
    const item = /^\s*(?:[-*•]|\d+[.)])\s+/.exec(line);
    const heading = /^#{1,6}\s+/.exec(line);
    const from = start + (item ?? heading ?? [""])[0].length;
    const pieces = inLine(text, from, end, sentences, sources, onCite);
    if (item) {
      list ??= blocks[blocks.push(h("ul", {})) - 1];
      list.append(h("li", {}, pieces));
    } else {
      list = null;
      blocks.push(heading ? h("h4", {}, pieces) : h("p", {}, pieces));
    }
  }
  return blocks;
}

function inLine(text, from, end, sentences, sources, onCite) {
  const pieces = [];
  let at = from;
  for (const sentence of sentences.filter(({ start, end: stop }) => stop > from && start < end)) {
    const [first, last] = [Math.max(sentence.start, at), Math.min(sentence.end, end)];
    pieces.push(...cited(text.slice(at, first), null, sources, onCite));
    const said = text.slice(first, last);
    pieces.push(judged(said.trimEnd(), sentence, sources, onCite), said.slice(said.trimEnd().length));
    at = last;
  }
  pieces.push(...cited(text.slice(at, end), null, sources, onCite));
  return pieces.filter((piece) => piece !== "");
}

/** A sentence with its verdict, told on hover and, where it is not plain support, in a word behind it. */
function judged(text, sentence, sources, onCite) {
  const told = words.verdicts[sentence.verdict];
  const about = sentence.passage ? `${told}: “${sentence.passage}”` : told;
  return h("span", { class: "judged", part: "sentence", "data-verdict": sentence.verdict, tabindex: "0", title: about },
    cited(text, sentence, sources, onCite),
    h("span", { class: "hidden" }, ` (${told})`));
}

function cited(text, sentence, sources, onCite) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(MARK)) {
    pieces.push(...plain(text.slice(at, match.index)));
    for (const number of match[1].split(",").map(Number)) {
      const source = sources[number - 1];
      if (source) {
        pieces.push(citation(number, source, sentence, onCite));
      }
    }
    at = match.index + match[0].length;
  }
  pieces.push(...plain(text.slice(at)));
  return pieces;
}

function plain(text) {
  return inlineCode(text.replaceAll("**", ""));
}

function citation(number, source, sentence, onCite) {
  const name = words.cite(number, source.title);
  const aim = sentence?.source === number
    ? { source: number, anchor: sentence.anchor, text: sentence.passage }
    : { source: number, anchor: "", text: "" };
  return h("button", { type: "button", class: "cite", part: "citation", title: name, "aria-label": name, onclick: (event) => onCite(aim, event.currentTarget) }, `[${number}]`);
}
