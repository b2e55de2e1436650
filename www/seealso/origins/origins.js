// Where a page comes from: the sources that its front matter names, and the file in which its pack says how pages are written.
// Files of the pack are shown in place, as text; nothing is fetched before a reader opens them. The script is loaded then, too.

import { fill, h } from "../dom.js";
import { judgeLink } from "../details/render.js";
import { words } from "./words.js";

export { removeStored } from "./stored.js";

/** Longer texts are cut when they are shown, in UTF-16 units. */
const TEXT_LIMIT = 200_000;
/** So many sources of a page are listed. */
const MOST_SOURCES = 50;
const PAGES_FOLDER = "wiki/";
const SCHEMA = "schema.md";

/**
 * Shows in `list` what a page was made from.
 * @param {HTMLElement} list
 * @param {{url: string}} page
 * @param {string|null} root the URL under which the pages of its pack lie
 */
export async function showOrigins(list, page, root) {
  fill(list, h("p", { class: "muted", role: "status" }, words.loadingPage));
  try {
    const sources = sourcesOf(await textOf(page.url));
    const pack = root?.endsWith(`/${PAGES_FOLDER}`) ? root.slice(0, -PAGES_FOLDER.length) : root;
    const rows = sources.map((source) => origin(source, page.url, pack)).filter(Boolean);
    fill(list,
      rows.length > 0 ? h("ul", {}, rows.map((row) => h("li", {}, row))) : h("p", { class: "muted" }, words.noOrigins),
      root && textFile(words.schema, new URL(SCHEMA, root).href, words.noSchema));
  } catch (error) {
    fill(list, h("p", { role: "alert" }, words.failedOrigins(error.message)),
      h("button", { type: "button", onclick: () => showOrigins(list, page, root) }, words.retry));
  }
}

/** A source: a link into the web, or a file of the pack. Null for what is neither. */
function origin(source, base, pack) {
  if (/^https?:/i.test(source)) {
    const url = judgeLink(source, base)?.url;
    return url ? h("a", { class: "external", href: url.href, target: "_blank", rel: "noopener noreferrer nofollow" }, source) : null;
  }
  if (!pack || /[\\:?#]/.test(source)) {
    return h("span", {}, source);
  }
  const url = new URL(source.split("/").map(encodeURIComponent).join("/"), pack).href;
  // A path that leaves the pack names no file of it.
  return url.startsWith(pack) && url !== pack ? textFile(source, url, words.noFile) : h("span", {}, source);
}

/** A file whose text is shown in place when it is opened. `none` is said where there is no such file. */
function textFile(name, url, none) {
  const place = h("div");
  const file = h("details", { class: "detail", ontoggle: open }, h("summary", {}, name), place);
  async function open() {
    if (!file.open || place.childElementCount > 0) {
      return;
    }
    fill(place, h("p", { class: "muted", role: "status" }, words.loadingPage));
    try {
      const text = await textOf(url);
      const rest = text.length - TEXT_LIMIT;
      fill(place, h("pre", { tabindex: "0", role: "group", "aria-label": name },
        rest > 0 ? `${text.slice(0, TEXT_LIMIT)}\n${words.truncated(rest)}` : text));
    } catch (error) {
      fill(place, h("p", { role: "alert" }, error.missing ? none : words.failedOrigins(error.message)));
      file.addEventListener("toggle", () => place.replaceChildren(), { once: true });
    }
  }
  return file;
}

async function textOf(url) {
  const response = await fetch(url);
  const isPage = (response.headers.get("content-type") ?? "").includes("text/html");
  // Some hosts answer with a page of their own where there is no file.
  if (!response.ok || isPage) {
    const missing = response.status === 404 || isPage;
    throw Object.assign(new Error(String(response.status)), { missing });
  }
  return response.text();
}

/** What `sources` in a page's front matter lists: texts, or the `url` of each entry. */
export function sourcesOf(text) {
  const front = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  const lines = front?.split(/\r?\n/) ?? [];
  const at = lines.findIndex((line) => /^sources:/.test(line));
  if (at < 0) {
    return [];
  }
  const here = lines[at].slice("sources:".length).trim();
  const end = lines.findIndex((line, place) => place > at && /^[^\s#-]/.test(line));
  const below = lines.slice(at + 1, end < 0 ? lines.length : end);
  const listed = here.startsWith("[")
    ? [here, ...below].join(" ").replace(/^\[|\][^\]]*$/g, "").split(",")
    : [here, ...below.map((line) => /^\s*(?:-\s+)?(?:url:\s*)(.*)$/.exec(line)?.[1] ?? /^\s*-\s+(?!\w+:\s)(.*)$/.exec(line)?.[1] ?? "")];
  return listed.map(plain).filter(Boolean).slice(0, MOST_SOURCES);
}

/** A YAML text without quotes and remarks. */
function plain(value) {
  const text = value.trim();
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(text);
  return (quoted ? (quoted[1] ?? quoted[2]) : text.replace(/(^|\s)#.*$/, "")).trim();
}
