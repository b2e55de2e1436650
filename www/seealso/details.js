// The places of what a reader opens below an answer: a page, a trace. The scripts that show them come with the first answer,
// so that a page which was read opens without a connection too.

import { fill, h } from "./dom.js";
import { words } from "./strings.js";

/** A place for pages. `element` is what to put into the document. */
export class PagePlace {
  element = h("div", { class: "page", part: "page" });
  #view = null;
  #making;

  /** The parameters are those of a PageView, but for its element. */
  constructor(...about) {
    this.#making = (PageView) => new PageView(this.element, ...about);
  }

  /** Shows a page, once: a page that is already there is only pointed into. */
  async show(id, mark = null) {
    if (!this.#view) {
      fill(this.element, h("p", { class: "muted", role: "status" }, words.loadingPage));
      try {
        const { PageView } = await scripts(this.element);
        this.#view ??= this.#making(PageView);
      } catch {
        fill(this.element, failure(() => this.show(id, mark)));
        return;
      }
    }
    await this.#view.show(id, mark);
  }
}

/** A collapsed panel for the trace of an answer, which is built when it is first opened. */
export function tracePanel(answer) {
  const panel = h("details", { class: "panel", part: "trace", ontoggle: build }, h("summary", {}, words.trace));
  async function build() {
    if (!panel.open || panel.childElementCount > 1) {
      return;
    }
    const place = h("div");
    panel.append(place);
    try {
      place.replaceWith(...(await scripts(panel)).traceOf(answer));
    } catch {
      fill(place, failure(() => {
        place.remove();
        build();
      }));
    }
  }
  return panel;
}

/** Loads the scripts. Where they do not come, the next place that is opened tries again. */
export function loadDetails() {
  import("./details/details.js").catch(() => {});
}

/** The scripts, with their styles for the shadow root that holds an element. */
async function scripts(element) {
  const details = await import("./details/details.js");
  const { adoptedStyleSheets } = element.getRootNode();
  if (!adoptedStyleSheets.includes(details.styles)) {
    adoptedStyleSheets.push(details.styles);
  }
  return details;
}

function failure(retry) {
  return h("div", { class: "error", role: "alert" },
    h("p", {}, words.failedDetails),
    h("button", { type: "button", onclick: retry }, words.retry));
}
