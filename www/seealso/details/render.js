// Turns a page's node tree into DOM. The engine has already cleaned the tree; this side trusts
// nothing of it all the same: tags and attributes are allow-listed and every link is judged again.

import { h } from "../dom.js";
import { words } from "./words.js";

const TAGS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a table thead tbody tr th td hr br".split(" "),
);
const HEADING = /^h[1-6]$/;
/** A page stands under the question's h3, so its own h1 becomes an h4. */
const HEADING_SHIFT = 3;
const DEPTH_LIMIT = 64;
const NODE_LIMIT = 50_000;

/**
 * @typedef {object} Place how a page's tree is placed into the panel
 * @property {string} url absolute URL of the page's file, against which its links are resolved
 * @property {string} prefix put before every id, so that two pages never share one
 * @property {(url: string) => (string|null)} pageOf the id of the page that a URL is, where it is one of this pack
 * @property {(id: string, anchor: string) => void} onPage a link to another page was followed
 * @property {(id: string) => void} onFragment a link within the page was followed; `id` has the prefix
 */

/** Renders a list of nodes as a fragment. @param {Place} place */
export function render(nodes, place) {
  const budget = { left: NODE_LIMIT };
  const fragment = document.createDocumentFragment();
  append(fragment, nodes, place, 0, budget);
  if (budget.left <= 0) {
    fragment.append(h("p", { class: "muted" }, words.cut));
  }
  return fragment;
}

/** What a link may lead to: { fragment } or { url }, or null where it may lead nowhere. */
export function judgeLink(href, base) {
  if (typeof href !== "string") {
    return null;
  }
  if (href.startsWith("#")) {
    return { fragment: decode(href.slice(1)) };
  }
  let url;
  try {
    url = new URL(href, base);
  } catch {
    return null;
  }
  const web = url.protocol === "https:" || url.protocol === "http:";
  return web && !url.username && !url.password ? { url } : null;
}

function append(parent, nodes, place, depth, budget) {
  for (const node of Array.isArray(nodes) ? nodes : []) {
    if (--budget.left < 0) {
      return;
    }
    if (typeof node === "string") {
      parent.append(node);
    } else if (node && typeof node === "object") {
      appendElement(parent, node, place, depth, budget);
    }
  }
}

function appendElement(parent, node, place, depth, budget) {
  const attrs = readAttributes(node.attrs);
  const element = TAGS.has(node.tag) && depth < DEPTH_LIMIT ? make(node.tag, attrs, place) : null;
  if (depth < 4 * DEPTH_LIMIT) {
    // A tag that is not allowed loses its element and keeps its text.
    append(element ?? parent, node.children, place, depth + 1, budget);
  }
  if (element) {
    parent.append(node.tag === "table" ? scrollable(element) : element);
  }
}

function make(tag, attrs, place) {
  if (tag === "a") {
    return link(attrs.href, place);
  }
  const heading = HEADING.test(tag);
  const element = document.createElement(heading ? `h${Math.min(6, Number(tag[1]) + HEADING_SHIFT)}` : tag);
  if (heading) {
    element.dataset.level = tag[1];
    if (/^\S{1,200}$/.test(attrs.id ?? "")) {
      element.id = place.prefix + attrs.id;
    }
  }
  if (tag === "ol" && /^\d{1,9}$/.test(attrs.start ?? "")) {
    element.setAttribute("start", attrs.start);
  }
  if (/^[A-Za-z0-9-]{1,35}$/.test(attrs.lang ?? "")) {
    element.setAttribute("lang", attrs.lang);
  }
  if (/^[\w+#.-]{1,32}$/.test(attrs["data-lang"] ?? "")) {
    element.setAttribute("data-lang", attrs["data-lang"]);
  }
  if (tag === "pre") {
    reachable(element, words.code);
  }
  return element;
}

function link(href, place) {
  const target = judgeLink(href, place.url);
  if (!target) {
    return document.createElement("span");
  }
  if (target.url) {
    return urlLink(target.url, place);
  }
  const id = place.prefix + target.fragment;
  return h("a", { href: `#${id}`, onclick: (event) => follow(event, () => place.onFragment(id)) });
}

function urlLink(url, place) {
  const bare = new URL(url);
  bare.hash = "";
  bare.search = "";
  const page = place.pageOf(bare.href);
  if (page === null) {
    return h("a", { class: "external", href: url.href, target: "_blank", rel: "noopener noreferrer nofollow" });
  }
  const anchor = decode(url.hash.slice(1));
  return h("a", { href: url.href, onclick: (event) => follow(event, () => place.onPage(page, anchor)) });
}

/** Follows a link inside the panel, unless the reader asked for a new tab or window. */
function follow(event, act) {
  if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    act();
  }
}

function scrollable(table) {
  const box = h("div", { class: "scroll" }, table);
  reachable(box, words.table);
  return box;
}

/** What scrolls inside must be reachable by keyboard. */
function reachable(element, label) {
  element.tabIndex = 0;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", label);
}

function readAttributes(attrs) {
  const read = Object.create(null);
  for (const pair of Array.isArray(attrs) ? attrs : []) {
    if (Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "string") {
      read[pair[0]] = pair[1];
    }
  }
  return read;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
