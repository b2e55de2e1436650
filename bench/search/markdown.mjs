// Turns a pack's page into what the compared engines index: title, summary, plain text, and HTML.
//
// This reader is the benchmark's own, so that the peers do not depend on seealso's parser.

import { marked } from "marked";
import { parse as parseYaml } from "yaml";

/** Characters of the first paragraph that stand for a missing summary. */
const SUMMARY_CHARS = 200;

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** A page as peers see it: `{id, title, summary, text, html}`. `language` is a BCP 47 tag. */
export function readPage(id, source, language) {
  const { fields, body } = splitFrontMatter(source);
  const title = firstText(fields.title) || headingOf(body) || id;
  const html = marked.parse(withoutTitleHeading(body, title));
  const text = plainText(html);
  const summary = firstText(fields.description ?? fields.summary) || firstParagraph(html);
  return { id, title, summary, text, html: document(title, summary, html, language) };
}

function splitFrontMatter(source) {
  const text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const match = /^---\n([\s\S]*?)\n---\s*(?:\n|$)/.exec(text);
  if (!match) return { fields: {}, body: text };
  return { fields: fieldsOf(match[1]), body: text.slice(match[0].length) };
}

function fieldsOf(yaml) {
  try {
    return parseYaml(yaml) ?? {};
  } catch {
    return {};
  }
}

function firstText(value) {
  return Array.isArray(value) ? value.join(" ") : String(value ?? "").trim();
}

function headingOf(body) {
  return /^# +(.+)$/m.exec(body)?.[1].trim();
}

/** The body without a first heading that repeats the title, which the HTML page has as its h1 already. */
function withoutTitleHeading(body, title) {
  return body.replace(/^\s*# +(.+)\n/, (line, heading) => (heading.trim() === title ? "" : line));
}

/** The text of HTML that `marked` wrote; blocks end in a space, so that words stay apart. */
export function plainText(html) {
  return html
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(em|strong|code|a|del)\b/i.test(tag) ? "" : " "))
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name])
    .replace(/\s+/g, " ")
    .trim();
}

function firstParagraph(html) {
  return plainText(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "").slice(0, SUMMARY_CHARS);
}

function escape(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function document(title, summary, html, language) {
  return `<!doctype html><html lang="${language}"><head><title>${escape(title)}</title></head><body>
<main data-pagefind-body><h1>${escape(title)}</h1><p>${escape(summary)}</p>
${html}</main></body></html>`;
}
