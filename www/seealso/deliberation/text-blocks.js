// A model's text as elements: paragraphs, list items, headings and code. Nothing in it is ever read as markup but list marks,
// headings, and code between fences and backticks.

import { h, inlineCode } from "../dom.js";

/**
 * The blocks of `text`, in order.
 * @param {string} text
 * @param {(from: number, end: number) => (string|Node)[]} inLine what stands between two places of the text, in one line
 */
export function textBlocks(text, inLine) {
  const blocks = [];
  let list = null;
  let code = null;
  let at = 0;
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    if (code) {
      if (closes(line, code.fence)) {
        code = null;
      } else {
        code.element.append(code.element.hasChildNodes() ? "\n" : "", line);
      }
      continue;
    }
    const fence = /^\s*(`{3,}(?=[^`]*$)|~{3,}(?=[^~]*$))/.exec(line)?.[1];
    if (fence) {
      code = { fence, element: h("code", {}) };
      blocks.push(h("pre", { tabindex: "0" }, code.element));
      list = null;
      continue;
    }
    if (line.trim() === "") {
      list = null;
      continue;
    }
    const item = /^\s*(?:[-*•]|\d+[.)])\s+/.exec(line);
    const heading = /^#{1,6}\s+/.exec(line);
    const pieces = inLine(start + (item ?? heading ?? [""])[0].length, end);
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

/** Text in one line, without marks of emphasis. @param {string} text */
export function plain(text) {
  return inlineCode(text.replaceAll("**", ""));
}

/** Whether a line closes the block of code that `fence` opened. */
function closes(line, fence) {
  const bare = line.trim();
  return bare.length >= fence.length && bare === fence[0].repeat(bare.length);
}
