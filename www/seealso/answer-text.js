// The words of an answer: passages grouped by the part of the question that they serve, each with
// its citation, and the same as plain text for copying.

import { h, inlineCode } from "./dom.js";
import { placeOnSite } from "./place.js";
import { words } from "./strings.js";

/**
 * Renders the passages of an answer: prose as paragraphs, items and rows as a list, code as a block.
 * `onCite(passage, citation)` is called when a citation is followed.
 */
export function answerText(answer, onCite) {
  if (answer.status === "empty" || answer.sentences.length === 0) {
    return [h("p", {}, inlineCode(answer.text))];
  }
  const parts = answer.sub_queries.length > 1 ? answer.sub_queries : [null];
  return parts.map((part, at) => {
    const sentences = part ? answer.sentences.filter((sentence) => sentence.sub_query === at) : answer.sentences;
    return h("section", { class: "part" },
      part && h("h4", { part: "part-label" }, part.text),
      part?.answered === false
        ? h("p", { class: "muted" }, words.partEmpty)
        : passages(sentences).flatMap((passage) => blocks(passage, answer.sources, onCite)));
  });
}

/** The answer, its citations and its sources, as plain text. */
export function copyText(answer) {
  const sources = answer.sources
    .filter((source) => source.cited)
    .map((source) => `[${source.number}] ${source.title} (${source.pack}/${source.file}) ${source.site || source.url}`);
  return [answer.question, answer.text, sources.join("\n")].filter(Boolean).join("\n\n");
}

function passages(sentences) {
  const groups = [];
  for (const sentence of sentences) {
    if (groups.length > 0 && passageOf(groups.at(-1)[0]) === passageOf(sentence)) {
      groups.at(-1).push(sentence);
    } else {
      groups.push([sentence]);
    }
  }
  return groups;
}

/** What tells a passage from its neighbours. Answers that were kept from before have no number: there it is the section. */
function passageOf({ passage, source, anchor }) {
  return passage ?? `${source}#${anchor}`;
}

/** The elements of a passage; its citation follows its last words that are no code. */
function blocks(passage, sources, onCite) {
  const shown = [];
  for (const sentence of passage) {
    const tag = tagOf(sentence, passage.length === 1);
    const last = shown.at(-1);
    const pieces = piecesOf(sentence, tag);
    if (last && tag !== "pre" && last.tag !== "pre" && (sentence.joins || (isProse(sentence) && last.isProse))) {
      last.pieces.push(gapBehind(last.pieces.at(-1)), ...pieces);
    } else {
      const { number, depth = 0 } = sentence;
      shown.push({ tag: tag === "li" && sentence.joins ? "p" : tag, number, depth, isProse: isProse(sentence), pieces });
    }
  }
  const source = sources[passage[0].source - 1];
  if (source) {
    const cite = citation(passage, source, onCite);
    const end = shown.findLast(({ tag }) => tag === "p" || tag === "li");
    if (end) {
      end.pieces = withCitation(end.pieces, cite);
    } else {
      shown.push({ tag: "p", pieces: [cite] });
    }
  }
  return elements(shown);
}

/** Answers that were kept from before have no forms. */
function isProse({ form }) {
  return !form || form === "prose";
}

/** One item by itself is no list. */
function tagOf(sentence, isAlone) {
  const { form } = sentence;
  return form === "code" ? "pre" : form === "heading" ? "strong" : isProse(sentence) || isAlone ? "p" : "li";
}

/** A sentence with the marks of what is left out around it. */
function piecesOf({ text, skips, truncated }, tag) {
  return tag === "pre"
    ? [h("code", {}, truncated ? `${text}\n…` : text)]
    : inlineCode((skips ? "… " : "") + text + (truncated ? " …" : ""));
}

/** Behind a full-width mark there is no space, and what stands for a heading has a line of its own. */
function gapBehind(piece) {
  if (typeof piece !== "string") {
    return " ";
  }
  return /[。！？]$/.test(piece) ? "" : /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u.test(piece) ? h("br") : " ";
}

/** Neighbours that are items stand in one list, with the numbers that their page gives them, deeper ones inside of the item before. */
function elements(shown) {
  const made = [];
  for (const { tag, number, depth, pieces } of shown) {
    if (tag === "li") {
      listAt(made, depth, number ?? null).append(h("li", number === null || number === undefined ? {} : { value: number }, pieces));
    } else if (tag === "strong") {
      made.push(h("p", {}, h("strong", {}, pieces)));
    } else {
      // What scrolls can be reached by the keyboard.
      made.push(h(tag, tag === "pre" ? { tabindex: 0 } : {}, pieces));
    }
  }
  return made;
}

/** The list at the end of `made` that an item at `depth` belongs to; one is begun where there is none. */
function listAt(made, depth, number) {
  const tag = number === null ? "ul" : "ol";
  let list = made.at(-1);
  if (!list?.matches("ul, ol") || (depth === 0 && list.localName !== tag)) {
    made.push((list = h(tag)));
  }
  for (let level = 0; level < depth && list.lastElementChild; level += 1) {
    let inner = list.lastElementChild.lastElementChild;
    if (!inner?.matches("ul, ol")) {
      list.lastElementChild.append((inner = h(tag)));
    }
    list = inner;
  }
  return list;
}

/** A citation never begins a line: it stays with the last word of its sentence. */
function withCitation(pieces, cite) {
  const last = pieces.at(-1);
  const at = typeof last === "string" ? last.search(/\S{1,30}$/) : -1;
  return at < 0
    ? [...pieces, cite]
    : [...pieces.slice(0, -1), last.slice(0, at), h("span", { class: "sentence-end" }, last.slice(at), cite)];
}

function citation(passage, source, onCite) {
  const { section, anchor } = passage[0];
  const name = words.citation(source.number, source.title, section);
  const about = { class: "cite", part: "citation", title: name, "aria-label": name };
  if (source.site) {
    return h("a", { ...about, href: placeOnSite(source.site, anchor) }, `[${source.number}]`);
  }
  const quotes = passage.map(({ text, form }) => ({ text, isRow: form === "row" }));
  return h("button", {
    ...about,
    type: "button",
    onclick: (event) => onCite({ source: source.number, anchor, text: quotes[0].text, quotes }, event.currentTarget),
  }, `[${source.number}]`);
}
