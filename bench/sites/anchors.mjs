// The ids of a site's pages: whether a link's target is there, and in which section a place lies.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TAG = /<(?:h([1-6])\b|[a-z][a-z0-9-]*\b)(?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const ID = /\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;

export class Anchors {
  #dir;
  #pages = new Map();

  constructor(dir) {
    this.#dir = dir;
  }

  /** Whether the page at `address` is there, and has the id `anchor`; every page has the empty one. */
  has(address, anchor) {
    const page = this.#page(address);
    return page !== undefined && (anchor === "" || page.places.has(anchor) || page.places.has(decoded(anchor)));
  }

  /**
   * Whether the id `inner` is `outer`, or stands in the section that `outer` opens: behind it, before the next heading that
   * is no deeper than the one at `outer`.
   */
  liesIn(address, inner, outer) {
    const page = this.#page(address);
    const [from, to] = [inner, outer].map((anchor) => page?.places.get(anchor) ?? page?.places.get(decoded(anchor)));
    if (from === undefined || to === undefined) return false;
    if (inner === outer) return true;
    const { at, level } = page.headings.find((heading) => heading.at >= to) ?? { at: Infinity, level: 0 };
    const end = page.headings.find((heading) => heading.at > at && heading.level <= level)?.at ?? Infinity;
    return from >= to && from < end;
  }

  #page(address) {
    if (!this.#pages.has(address)) {
      const file = join(this.#dir, address);
      this.#pages.set(address, existsSync(file) ? read(readFileSync(file, "utf8")) : undefined);
    }
    return this.#pages.get(address);
  }
}

/** Where each id of a page stands, and its headings. */
function read(html) {
  const [places, headings] = [new Map(), []];
  for (const tag of html.matchAll(TAG)) {
    for (const id of tag[0].matchAll(ID)) {
      const name = entities(id[1] ?? id[2] ?? id[3]);
      if (!places.has(name)) places.set(name, tag.index);
    }
    if (tag[1]) headings.push({ at: tag.index, level: Number(tag[1]) });
  }
  return { places, headings };
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function entities(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hex, name) =>
    decimal ? String.fromCodePoint(decimal) : hex ? String.fromCodePoint(parseInt(hex, 16)) : (ENTITIES[name] ?? all),
  );
}

function decoded(anchor) {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
