// The words of an answer: sentences grouped by the part of the question that they serve, each with
// its citation, and the same as plain text for copying.

import { h, inlineCode } from "./dom.js";
import { words } from "./strings.js";

/**
 * Renders the sentences of an answer. Neighbours from the same section of one page form a
 * paragraph. `onCite(sentence, citation)` hears when a citation is followed.
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
        : paragraphs(sentences).map((group) => paragraph(group, answer.sources, onCite)));
  });
}

/** The answer, its citations and its sources, as plain text. */
export function copyText(answer) {
  const sources = answer.sources
    .filter((source) => source.cited)
    .map((source) => `[${source.number}] ${source.title} (${source.pack}/${source.file}) ${source.url}`);
  return [answer.question, answer.text, sources.join("\n")].filter(Boolean).join("\n\n");
}

function paragraphs(sentences) {
  const groups = [];
  for (const sentence of sentences) {
    const last = groups.at(-1)?.at(-1);
    if (last && last.source === sentence.source && last.anchor === sentence.anchor) {
      groups.at(-1).push(sentence);
    } else {
      groups.push([sentence]);
    }
  }
  return groups;
}

function paragraph(sentences, sources, onCite) {
  return h("p", {}, sentences.flatMap((sentence) => {
    const source = sources[sentence.source - 1];
    const pieces = inlineCode(sentence.text);
    return [...(source ? withCitation(pieces, citation(sentence, source, onCite)) : pieces), " "];
  }));
}

/** A citation never begins a line: it stays with the last word of its sentence. */
function withCitation(pieces, cite) {
  const last = pieces.at(-1);
  const at = typeof last === "string" ? last.search(/\S{1,30}$/) : -1;
  return at < 0
    ? [...pieces, cite]
    : [...pieces.slice(0, -1), last.slice(0, at), h("span", { class: "sentence-end" }, last.slice(at), cite)];
}

function citation(sentence, source, onCite) {
  const name = words.citation(source.number, source.title, sentence.section);
  return h("button", {
    type: "button",
    class: "cite",
    part: "citation",
    title: name,
    "aria-label": name,
    onclick: (event) => onCite(sentence, event.currentTarget),
  }, `[${source.number}]`);
}
