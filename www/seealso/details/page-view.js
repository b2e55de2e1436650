// Shows one whole page inside a source, follows its links to other pages of the pack in place, and
// finds the cited section and sentence in it.

import { focusOn, h, scrollTo } from "../dom.js";
import { render } from "./render.js";
import { words } from "./words.js";

const BLOCKS = "p, li, blockquote, td, th, pre";

/** How names of pages end; an id has `.md` left off, and keeps any other ending. */
const MARKDOWN = /\.(?:md|markdown|mdx)$/i;

/** Pages, one at a time, in an element that is there. */
export class PageView {
  element;
  #load;
  #prefix;
  #onBack;
  #backLabel;
  #page = null;
  #trail = [];
  #loading = null;

  /**
   * @param {HTMLElement} element what holds the page
   * @param {(id: string) => Promise<object>} load fetches a rendered page
   * @param {string} prefix makes the ids of this view unique
   * @param {() => void} onBack the reader wants back to where the page was opened from
   */
  constructor(element, load, prefix, onBack, backLabel = words.backToAnswer) {
    this.element = element;
    this.#load = load;
    this.#prefix = prefix;
    this.#onBack = onBack;
    this.#backLabel = backLabel;
  }

  /** Shows a page, once: a page that is already there is only pointed into. */
  async show(id, mark = null) {
    if (this.#page?.id !== id) {
      // Opening a source and following a citation into it ask for the same page at once.
      if (this.#loading?.id !== id) {
        this.#loading = { id, done: this.#replace(id) };
      }
      if (!(await this.#loading.done)) {
        return;
      }
    }
    if (mark) {
      this.#point(mark);
    }
  }

  /** Resolves to whether the page is there now. */
  async #replace(id) {
    const current = () => this.#loading?.id === id;
    this.element.replaceChildren(h("p", { class: "muted", role: "status" }, words.loadingPage));
    try {
      const page = await this.#load(id);
      if (!current()) {
        return false;
      }
      this.#page = page;
      this.element.replaceChildren(this.#bar(page), origins(page), this.#body(page));
    } catch (error) {
      if (!current()) {
        return false;
      }
      this.#page = null;
      this.element.replaceChildren(this.#failure(id, error));
    }
    this.#loading = null;
    return this.#page !== null;
  }

  #body(page) {
    const root = pageRoot(page);
    return h("div", { class: "page-body" }, render(page.nodes, {
      url: page.url,
      prefix: this.#prefix,
      pageOf: (url) => (root && url.startsWith(root) && MARKDOWN.test(url) ? idOf(page.pack, url.slice(root.length)) : null),
      onPage: (id, anchor) => this.#follow(id, anchor),
      onFragment: (id) => this.#goTo(this.#byId(id)),
    }));
  }

  #bar(page) {
    const before = this.#trail.at(-1);
    return h("div", { class: "bar" },
      before && h("button", { type: "button", class: "quiet", onclick: () => this.#back() }, words.backToPage(before.title)),
      h("button", { type: "button", class: "quiet", onclick: this.#onBack }, this.#backLabel),
      h("a", { class: "external quiet", href: page.url, target: "_blank", rel: "noopener" }, words.openFile));
  }

  #failure(id, error) {
    return h("div", { class: "error", role: "alert" },
      h("p", {}, h("strong", {}, words.failedPage), h("br"), error.message),
      h("button", { type: "button", onclick: () => this.show(id) }, words.retry),
      this.#trail.length > 0 && h("button", { type: "button", onclick: () => this.#back() }, words.backToPage(this.#trail.at(-1).title)));
  }

  async #follow(id, anchor) {
    if (id !== this.#page.id) {
      this.#trail.push({ id: this.#page.id, title: this.#page.title });
    }
    await this.show(id, { anchor, quotes: [] });
  }

  async #back() {
    const before = this.#trail.pop();
    await this.show(before.id, { anchor: "", quotes: [] });
  }

  #point({ anchor, quotes }) {
    const heading = this.#byId(this.#prefix + anchor) ?? this.element.querySelector("[data-level]");
    for (const old of this.element.querySelectorAll(".marked")) {
      old.classList.remove("marked");
    }
    const blocks = this.#blocksAfter(heading);
    const found = quotes.map((quote) => find(quote, blocks)).filter(Boolean);
    for (const block of found.length > 0 || !anchor ? found : [heading]) {
      block?.classList.add("marked");
    }
    this.#goTo(heading ?? this.element, found[0]);
  }

  #goTo(heading, block = null) {
    if (!heading) {
      return;
    }
    focusOn(heading);
    scrollTo(block ?? heading, block ? "center" : "start");
  }

  /** What can be pointed at behind the heading, each with its text. */
  #blocksAfter(heading) {
    return [...this.element.querySelectorAll(`${BLOCKS}, tr`)]
      .filter((block) => !heading || heading.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING)
      .map((block) => ({ block, text: squeeze(block.textContent) }));
  }

  #byId(id) {
    return this.element.querySelector(`#${CSS.escape(id)}`);
  }
}

/** What the page was made from, collapsed. Its scripts come when it is opened. */
function origins(page) {
  const place = h("div");
  const show = ({ target }) => target.open && place.childElementCount === 0
    && import("../origins/origins.js").then(({ showOrigins }) => showOrigins(place, page, pageRoot(page)), () => place.append(words.failedDetails));
  return h("details", { class: "origin", part: "origins", ontoggle: show }, h("summary", {}, words.origins), place);
}

/** The URL under which the pack's pages lie, known from where this page lies: the engine encodes each step alike. */
function pageRoot(page) {
  const name = page.id.slice(page.pack.length + 1);
  const file = (MARKDOWN.test(name) ? name : `${name}.md`).split("/").map(encodeURIComponent).join("/");
  return page.url.endsWith(file) ? page.url.slice(0, -file.length) : null;
}

function idOf(pack, path) {
  try {
    return `${pack}/${decodeURIComponent(path).replace(/\.md$/, "")}`;
  } catch {
    return null;
  }
}

/** The smallest block that holds a quotation, or the row of a table that one is made of. */
function find({ text, isRow }, blocks) {
  const wanted = squeeze(text);
  if (isRow) {
    return blocks.find(({ block }) => block.localName === "tr" && isRowOf(block, wanted))?.block ?? null;
  }
  const start = wanted.slice(0, 80);
  // A short one stands in many places: it is a block's whole text.
  const holds = (text) => (start.length < 8 ? text === wanted : text.includes(start));
  const found = blocks.filter(({ block, text }) => block.localName !== "tr" && holds(text)).map(({ block }) => block);
  return found.find((block) => !found.some((other) => other !== block && block.contains(other))) ?? null;
}

/** Whether a quotation is made of a row: its cells behind the heads of their columns, or the cells alone. */
function isRowOf(row, quotation) {
  const texts = (cells) => [...cells].map((cell) => squeeze(cell.textContent));
  const cells = texts(row.querySelectorAll("td"));
  const heads = texts(row.closest("table").querySelectorAll("th"));
  const headed = cells.map((cell, at) => (cell ? (heads[at] ?? "") + cell : ""));
  return cells.length > 0 && [cells, [cells[0], ...headed.slice(1)], headed].some((said) => said.join("") === quotation);
}

/** Letters and digits alone: how a sentence is spaced or marked up must not hide it. */
function squeeze(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
