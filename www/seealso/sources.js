// The Sources panel of one answer: every page that was kept, collapsed, each expandable to the whole page.

import { focusOn, h, scrollTo } from "./dom.js";
import { PagePlace } from "./details.js";
import { words } from "./strings.js";

const SNIPPET_LIMIT = 200;

/** A panel for the sources of an answer. `element` is what to put into the document. */
export class Sources {
  element;
  #entries = [];
  #cameFrom = null;

  /**
   * @param {object[]} sources the answer's sources
   * @param {(id: string) => Promise<object>} load fetches a rendered page, its URL absolute
   * @param {string} prefix makes ids unique within the element
   * @param {HTMLElement} home where "back to the answer" leads when no citation was followed
   */
  constructor(sources, load, prefix, home) {
    this.#entries = sources.map((source, at) => {
      const view = new PagePlace(load, `${prefix}-${at + 1}-`, () => this.#leave(home));
      return { view, source, details: entry(source, view), link: onSite(source) };
    });
    this.element = h("details", { class: "panel", part: "sources" },
      h("summary", {}, words.sources(sources.length)),
      h("ol", { class: "sources" }, this.#entries.map(({ details, link }) => h("li", {}, details, link))));
  }

  /** Opens the source that a sentence or passage cites, at the section and sentences cited. */
  reveal(sentence, citation) {
    const { view, source, details } = this.#entries[sentence.source - 1];
    this.#cameFrom = citation;
    this.element.open = true;
    details.open = true;
    scrollTo(details);
    focusOn(details.querySelector("summary"));
    return view.show(source.page, { anchor: sentence.anchor, quotes: sentence.quotes ?? [{ text: sentence.text }] });
  }

  #leave(home) {
    const target = this.#cameFrom ?? home;
    focusOn(target);
    scrollTo(target, "center");
  }
}

function entry(source, view) {
  return h("details", { class: "source", part: "source", ontoggle: ({ target }) => target.open && view.show(source.page) },
    h("summary", {},
      h("span", { class: "number" }, String(source.number)),
      h("span", { class: "about" },
        h("span", { class: "title" }, source.title),
        !source.site && h("span", { class: "path" }, `${source.pack}/${source.file}`),
        h("span", { class: "snippet" }, [...String(source.snippet ?? "")].slice(0, SNIPPET_LIMIT).join("")),
        badges(source))),
    view.element);
}

/** The page itself, where it lies on a site: what the details show is a copy of its text. */
function onSite({ site, title }) {
  return site && h("a", { class: "site path", part: "site-link", href: site, title }, readablePath(site));
}

/** A site may have a name in it that is no UTF-8. */
function readablePath(site) {
  const { pathname } = new URL(site);
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

function badges(source) {
  const names = [
    source.cited && words.cited,
    source.via === "see-also" && words.viaSeeAlso,
    source.stale && words.stale,
  ].filter(Boolean);
  return names.length > 0 && h("span", { class: "badges" }, names.map((name) => h("span", { class: "badge" }, name)));
}
