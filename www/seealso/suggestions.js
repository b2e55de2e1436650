// The list under the box: pages that fit what is being typed. The box and the list are a combobox as
// ARIA has it: the focus stays in the box, and the keys move through the list.
//
// There is no timer. One search runs at a time; what it finds is shown if the box still holds what was
// searched for, and else the newest text is searched for. What is shown stays until then.

import { fill, h } from "./dom.js";
import { words } from "./strings.js";

/** A longer text is a question to be asked, or was pasted. */
const QUERY_LIMIT = 200;

/** The list for one box. `element` is what to put into the document. */
export class Suggestions {
  element;
  #list = h("div", { class: "suggestions", id: "suggestions", part: "suggestions", role: "listbox", "aria-label": words.suggestions, hidden: true });
  #status = h("div", { class: "hidden", role: "status" });
  #input = null;
  #engine;
  #choose;
  /** What the box holds, and the list is to be about. */
  #text = "";
  #searching = false;
  #active = -1;

  /**
   * @param {{ready: () => unknown, search: (text: string) => Promise<object[]>}} engine finds pages, best first, once it is ready
   * @param {(hit: object) => void} onChoose a page is to be opened
   */
  constructor(engine, onChoose) {
    this.#engine = engine;
    this.#choose = (hit) => {
      this.close();
      onChoose(hit);
    };
    // A press on the list must not take the focus from the box.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.element = h("div", { class: "suggest" }, this.#list, this.#status);
  }

  /** Makes a text field the box; null for none. */
  set input(input) {
    this.close();
    this.#input = input;
    if (input) {
      input.role = "combobox";
      input.setAttribute("aria-autocomplete", "list");
      input.setAttribute("aria-controls", this.#list.id);
      input.addEventListener("input", () => this.#look());
      input.addEventListener("blur", () => this.close());
      this.#expand(false);
    }
  }

  /** Takes the list away; what is still searched for is not shown. */
  close() {
    this.#text = "";
    this.#show([]);
    this.#say("");
  }

  /** Whether a key that was pressed in the box was one for the list. */
  key(event) {
    const { key, isComposing, shiftKey, altKey, ctrlKey, metaKey } = event;
    const isHandled = this.#input && !(isComposing || shiftKey || altKey || ctrlKey || metaKey) && this.#press(key);
    if (isHandled) {
      event.preventDefault();
      event.stopPropagation();
    }
    return isHandled;
  }

  #press(key) {
    const rows = this.#list.children;
    if (key === "ArrowDown" && rows.length === 0) {
      this.#look();
    } else if (rows.length === 0) {
      return false;
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      // Before the first row and after the last one lies the box itself.
      const places = rows.length + 1;
      this.#activate((this.#active + 1 + (key === "ArrowDown" ? 1 : -1) + places) % places - 1);
    } else if (key === "Enter" && this.#active >= 0) {
      rows[this.#active].click();
    } else if (key === "Escape") {
      this.close();
    } else {
      return false;
    }
    return true;
  }

  async #look() {
    this.#text = this.#input.value.trimStart();
    if (this.#text.length > QUERY_LIMIT || this.#text === "") {
      this.close();
    }
    if (this.#searching) {
      return;
    }
    this.#searching = true;
    try {
      await this.#engine.ready();
      await this.#searchNewest();
    } catch {
      // Asking tells what is wrong; a list that comes by itself has nothing to say of it.
      this.close();
    }
    this.#searching = false;
  }

  async #searchNewest() {
    while (this.#text) {
      const text = this.#text;
      const hits = await this.#engine.search(text);
      if (text === this.#text) {
        this.#show(hits);
        this.#say(words.suggested(hits.length));
        return;
      }
    }
  }

  /** What was said last is not said again at each key. */
  #say(text) {
    if (this.#status.textContent !== text) {
      this.#status.textContent = text;
    }
  }

  #show(hits) {
    fill(this.#list, hits.map((hit, at) => h("div", {
      class: "suggestion", id: `suggestion-${at}`, role: "option", "aria-selected": "false", onclick: () => this.#choose(hit),
    },
    h("span", { class: "title" }, marked(hit.title, hit.marks.title)),
    h("span", { class: "path" }, hit.pack),
    h("span", { class: "snippet" }, marked(hit.summary, hit.marks.summary)))));
    this.#list.scrollTop = 0;
    this.#expand(hits.length > 0);
  }

  #expand(open) {
    this.#list.hidden = !open;
    this.#input?.setAttribute("aria-expanded", open);
    this.#activate(-1);
  }

  #activate(at) {
    const rows = this.#list.children;
    rows[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = at;
    if (at < 0) {
      this.#input?.removeAttribute("aria-activedescendant");
      return;
    }
    rows[at].setAttribute("aria-selected", "true");
    rows[at].scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-activedescendant", rows[at].id);
  }
}

/** A text whose marked stretches are highlighted. */
function marked(text, marks) {
  let from = 0;
  const pieces = marks.flatMap(([start, end]) => {
    const before = text.slice(from, start);
    from = end;
    return [before, h("mark", {}, text.slice(start, end))];
  });
  return [...pieces, text.slice(from)];
}
