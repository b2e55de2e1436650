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

function turnAsMarkdown({ at, answer, deliberation, writer }) {
  const written = deliberation && deliberation.kept === null;
  const text = written ? deliberation.text : answer.text;
  const by = written ? `${inLine(writer.name)}${writer.place ? ` at ${writer.place}` : ""}, checked against the pages` : "quoted from the pages";
  const used = new Set([...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(",").map(Number)));
  const sources = answer.sources.filter(({ number }) => used.has(number));
  const lines = sources.map(({ number, title, pack, file, url }) => `- [${number}] ${link(title, url)}, ${inLine(`${pack}/${file}`)}`);
  return [`## ${inLine(answer.question)}`, `*${at}, ${by}*`, inText(text.trim()), lines.join("\n")].filter(Boolean).join("\n\n") + "\n";
}
