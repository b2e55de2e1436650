// The conversation as a file: as data, and as Markdown with its citations.

import { inLine, inText, link } from "./markdown.js";

/** @param {object[]} turns */
export function asJson(turns) {
  return JSON.stringify({ format: "seealso-history", version: 1, turns }, null, 2);
}

/** @param {object[]} turns */
export function asMarkdown(turns) {
  return `# Questions and answers\n\n${turns.map(turnAsMarkdown).join("\n")}`;
}

function turnAsMarkdown({ at, answer, deliberation, own_knowledge: own, writer }) {
  const written = deliberation && deliberation.kept === null;
  const text = written ? deliberation.text : answer.text;
  const name = writer && `${inLine(writer.name)}${writer.place ? ` at ${writer.place}` : ""}`;
  const by = written ? `${name}, checked against the pages` : "quoted from the pages";
  const used = new Set([...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(",").map(Number)));
  const sources = answer.sources.filter(({ number }) => used.has(number));
  const lines = sources.map(({ number, title, pack, file, url }) => `- [${number}] ${link(title, url)}, ${inLine(`${pack}/${file}`)}`);
  return [`## ${inLine(answer.question)}`, `*${at}, ${by}*`, inText(text.trim()), lines.join("\n"),
    own && `*From the own knowledge of ${name}; no page was used, and nothing was checked*`, own && inText(own.text)].filter(Boolean).join("\n\n") + "\n";
}
