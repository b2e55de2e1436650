// Texts of others as Markdown that shows them and does nothing else: what is in a question, a title or an answer plants no
// link, no image and no markup.

/** One line of text: a question, a title, a name. @param {string} text */
export function inLine(text) {
  return unlinked(text.replace(/\s+/g, " ").trim().replace(/[\\`*_[\]<>!~|&#]/g, "\\$&"));
}

/**
 * The text of an answer. Its lists, headings, emphasis and code stay, and so do its citations, such as [2]; its links and
 * images become their own text. @param {string} text
 */
export function inText(text) {
  const lines = [];
  let fence = null;
  for (const line of text.split(/\r\n?|\n/)) {
    if (fence) {
      lines.push(line);
      fence = closes(line, fence) ? null : fence;
    } else {
      // A fence anywhere but at a line's beginning may be none to a reader of Markdown; it is escaped like other text.
      fence = /^(`{3,}|~{3,})[\w+#.-]*\s*$/.exec(line)?.[1] ?? null;
      lines.push(fence ? line : outsideFences(line));
    }
  }
  return [...lines, ...(fence ? [fence] : [])].join("\n");
}

/** An address to be linked, where it is one of the web. @param {string} text @param {string} url */
export function link(text, url) {
  return /^https?:/i.test(url) ? `[${inLine(text)}](${url.replace(/[()<>\\\s]/g, percent)})` : inLine(text);
}

/** Code between two backticks stays as it is; not across a table's cells, which would cut it. */
function outsideFences(line) {
  return line.split(/(?<!`)(`[^`|]+`)(?!`)/).map((piece, at) => (at % 2 === 1 ? piece : outsideCode(piece))).join("");
}

/** A citation that an address or a colon follows would be a link, or name one. */
function outsideCode(text) {
  const pieces = text.split(/(\[\d+(?:\s*,\s*\d+)*\])/);
  return unlinked(pieces.map((piece, at) => (at % 2 === 1 ? piece
    : piece.replace(/[\\`<[\]~]|!$|!(?=\[)/g, "\\$&").replace(/^[(:]/, at > 0 ? "\\$&" : "$&"))).join(""));
}

/** Many readers of Markdown make links of bare addresses. */
function unlinked(text) {
  return text.replace(/:\/\//g, "\\://").replace(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`);
}

/** What closes a fence for every reader: no more than three spaces before it, and spaces or tabs alone behind it. */
function closes(line, fence) {
  const signs = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? "";
  return signs.length >= fence.length && signs[0] === fence[0];
}

function percent(character) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
