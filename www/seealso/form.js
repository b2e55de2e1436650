// The box to ask in: a text field, an Ask button, and Stop while it runs. With pages suggested while
// one types, the field is a combobox, which has one line; without, it grows with its text.

import { h } from "./dom.js";
import { words } from "./strings.js";

const QUESTION_LIMIT = 4000;
/** Most answers come sooner: a Stop button that only flashes would help nobody. */
const STOP_DELAY_MS = 200;

/** The form. `element` is what to put into the document; `input` its text field. */
export class AskForm {
  element;
  input;
  #ask;
  #stop;
  #suggestions;
  #timer = null;

  /** @param {(question: string) => void} onAsk @param {() => void} onStop @param {Suggestions} suggestions */
  constructor(onAsk, onStop, suggestions) {
    this.#suggestions = suggestions;
    this.input = this.#field("textarea", { rows: 1, oninput: () => this.#grow() });
    this.#ask = h("button", { type: "submit", part: "button", class: "primary" }, words.ask);
    // The second click of a double click on Ask must not stop what the first one began.
    this.#stop = h("button", { type: "button", part: "button stop", hidden: true, onclick: (event) => event.detail < 2 && onStop() }, words.stop);
    this.element = h("form", { part: "form", onsubmit: (event) => this.#submit(event, onAsk) },
      h("label", { for: "question", class: "hidden" }, words.label), this.input, this.#ask, this.#stop, suggestions.element);
  }

  /** Whether pages are suggested while one types. */
  set suggesting(on) {
    const tag = on ? "input" : "textarea";
    if (this.input.localName !== tag) {
      const field = on ? this.#field(tag, { type: "text" }) : this.#field(tag, { rows: 1, oninput: () => this.#grow() });
      field.value = this.input.value;
      this.input.replaceWith(field);
      this.input = field;
      this.#suggestions.input = on ? field : null;
    }
  }

  /** Shows Stop in place of Ask while a question runs; the focus goes along. */
  set busy(busy) {
    clearTimeout(this.#timer);
    if (busy) {
      this.#timer = setTimeout(() => this.#swap(this.#ask, this.#stop, this.#stop), STOP_DELAY_MS);
    } else {
      this.#swap(this.#stop, this.#ask, this.input);
    }
  }

  /** The text in the box. */
  set value(text) {
    this.input.value = text;
    this.#grow();
  }

  #field(tag, attributes) {
    return h(tag, {
      ...attributes, class: "field", id: "question", part: "input", maxlength: QUESTION_LIMIT, enterkeyhint: "send", autocomplete: "off",
      onkeydown: (event) => this.#key(event),
    });
  }

  #swap(from, to, focus) {
    const focused = from.getRootNode().activeElement === from;
    from.hidden = true;
    to.hidden = false;
    if (focused) {
      focus.focus();
    }
  }

  #submit(event, onAsk) {
    event.preventDefault();
    const question = this.input.value.trim();
    if (question === "") {
      this.input.focus();
      return;
    }
    this.value = "";
    this.#suggestions.close();
    onAsk(question);
  }

  #key(event) {
    if (this.#suggestions.key(event)) {
      return;
    }
    // A box of one line can't break it, and would be sent instead: a space stands for the break.
    if (event.key === "Enter" && event.shiftKey && this.input.localName === "input") {
      event.preventDefault();
      this.input.setRangeText(" ", this.input.selectionStart, this.input.selectionEnd, "end");
      return;
    }
    // Enter that ends the composing of a character (Japanese, Chinese, …) asks nothing yet.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.element.requestSubmit();
    }
  }

  #grow() {
    if (this.input.localName === "textarea" && !CSS.supports("field-sizing", "content")) {
      this.input.style.height = "auto";
      this.input.style.height = `${this.input.scrollHeight}px`;
    }
  }
}
