// The settings of a node: where it is, its model, its key; then a plain list of what would be sent to whom, and only
// after the reader has agreed to that the first request.

import { fill, h } from "../dom.js";
import { deliberations } from "../deliberation/shared.js";
import { agreement } from "./agreement.js";
import { words } from "./words.js";

/** The settings. `element` is what to put into the document. */
export class NodeSettings {
  element;
  #onChange;
  #base = h("input", { type: "url", placeholder: "http://127.0.0.1:8322/v1", "aria-describedby": "node-base-about", onchange: () => this.#named() });
  #models = h("datalist", { id: "node-models" });
  #model = h("input", { type: "text", list: "node-models", autocomplete: "off", spellcheck: "false", "aria-describedby": "node-model-about" });
  #key = h("input", { type: "password", autocomplete: "off", "aria-describedby": "node-key-about", oninput: () => this.#keyTyped() });
  #context = h("input", { type: "number", min: 256, max: 10_000_000, step: 1 });
  #wait = h("input", { type: "number", min: 1, max: 3600, step: 1, placeholder: "180" });
  #more = h("details", {}, h("summary", {}, words.more), row(words.context, this.#context), row(words.wait, this.#wait));
  #terms = h("div", { class: "terms", part: "terms" });
  #said = h("div", { role: "status", part: "node-status" });
  #shown = null;
  /** The origin that the key was typed for; empty where none was named by then. */
  #keyFor = "";

  /** @param {(changes: object) => void} onChange is called with a node that the reader agreed to, or agrees to no longer */
  constructor(onChange) {
    this.#onChange = onChange;
    this.element = h("details", { part: "node" },
      h("summary", {}, words.title),
      h("section", { "aria-label": words.title },
        h("p", { class: "note" }, words.about),
        row(words.base, this.#base, "node-base-about", words.baseAbout),
        row(words.model, this.#model, "node-model-about", words.modelAbout), this.#models,
        row(words.key, this.#key, "node-key-about", words.keyAbout),
        this.#more,
        this.#terms, this.#said));
  }

  /** @param {import("../model/settings.js").Settings} settings */
  async show({ writer, node }) {
    this.element.open ||= writer === "node";
    if (node && this.#base.value === "") {
      this.#base.value = node.base;
      this.#model.value = node.model;
      this.#context.value = node.context ?? "";
      this.#wait.value = node.wait ?? "";
      await this.#named();
    }
  }

  /** Shows what would be sent to the node that is named now. */
  async #named() {
    const base = this.#base.value.trim();
    this.#said.replaceChildren();
    this.#terms.replaceChildren();
    this.#shown = null;
    this.#keepKeyFor(originOf(base));
    if (base === "") {
      return;
    }
    try {
      const terms = await deliberations().terms(base);
      if (base === this.#base.value.trim()) {
        this.#shown = terms;
        this.#showTerms();
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #keyTyped() {
    this.#keyFor = originOf(this.#base.value.trim());
  }

  /** A key is one node's: it must not go along to another that is named in its place. */
  #keepKeyFor(origin) {
    if (origin !== "" && this.#keyFor !== "" && origin !== this.#keyFor) {
      this.#key.value = "";
    }
    this.#keyFor = origin || this.#keyFor;
  }

  #showTerms() {
    const { origin, sent, kept, remarks, private: unread } = this.#shown;
    const mixed = location.protocol === "https:" && !unread;
    const agreed = agreement.origin === origin;
    fill(this.#terms,
      h("p", {}, words.terms(origin)),
      h("ul", {}, sent.map((item) => h("li", {}, item))),
      [kept, ...remarks, ...(mixed ? [words.mixed] : [])].map((text) => h("p", { class: "note" }, text)),
      agreed && h("p", { part: "agreed" }, words.agreed(origin)),
      h("div", { class: "row" },
        h("button", { type: "button", class: "primary", onclick: () => this.#agree() }, agreed ? words.again(origin) : words.agree(origin)),
        agreed && h("button", { type: "button", onclick: () => this.#withdraw() }, words.withdraw)));
  }

  async #agree() {
    const { base, origin } = this.#shown;
    const wrong = [this.#context, this.#wait].find((input) => !input.validity.valid);
    if (wrong) {
      this.#refuse(wrong);
      return;
    }
    const number = (input) => (input.value === "" ? null : Number(input.value));
    const node = { base, model: this.#model.value.trim(), context: number(this.#context), wait: number(this.#wait), found: null };
    agreement.give({ base, origin, key: this.#key.value });
    fill(this.#said, h("p", {}, words.asking(origin)));
    this.#onChange({ writer: "node", node });
    try {
      const found = await deliberations().askNode(agreement.for(node), { signal: agreement.signal });
      this.#onChange({ node: { ...node, found } });
      fill(this.#said, h("p", {}, words.found(found)));
    } catch (error) {
      fill(this.#models, (error.names ?? []).map((name) => h("option", { value: name })));
      this.#report(error, origin);
    }
    this.#keepingFocus(() => this.#showTerms());
  }

  /** Shows an error, but not that of a stop: the reader who caused it has been told already. */
  #report(error, origin) {
    if (error.code !== "stopped") {
      this.#fail(error);
    } else if (agreement.origin === origin) {
      this.#said.replaceChildren();
    }
  }

  #withdraw() {
    agreement.withdraw();
    this.#key.value = "";
    fill(this.#said, h("p", {}, words.withdrawn));
    this.#onChange({});
    this.#keepingFocus(() => this.#showTerms());
  }

  /** The buttons are made anew; who pressed one stays there. */
  #keepingFocus(change) {
    const had = this.#terms.contains(this.element.getRootNode().activeElement);
    change();
    if (had) {
      this.#terms.querySelector("button").focus();
    }
  }

  /** Nothing is kept or sent of a number that no node could be asked with. */
  #refuse(input) {
    this.#more.open = true;
    this.#fail(Object.assign(new Error(words.notWhole(input.labels[0].textContent, input.min, input.max)), { code: "bad-number" }));
    input.focus();
  }

  #fail(error) {
    fill(this.#said, h("div", { class: "error", role: "alert", "data-code": error.code ?? "internal" }, h("p", {}, words.failed(error.message))));
  }
}

/** Whose address it is; empty while it is none. */
function originOf(base) {
  return /^https?:/i.test(base) && URL.canParse(base) ? new URL(base).origin : "";
}

function row(name, input, id, about) {
  return h("div", { class: "row" }, h("label", {}, name, input), about && h("p", { class: "note", id }, about));
}
