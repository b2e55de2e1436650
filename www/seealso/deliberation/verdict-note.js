// The verdict on a sentence, shown below it while it is pointed at or has the focus: what the checks found, the passage
// that it rests on, and where that stands. Escape puts it away; the pointer may move into it, and Enter on the sentence
// moves the focus there, from where Escape leads back.

import { fill, h } from "../dom.js";
import { words } from "./words.js";

/** Passages that were shown, each with an id of its own. */
let count = 0;

/** A note for the sentences of one answer. */
export class VerdictNote {
  #home;
  #sources;
  #onCite;
  #sentences = new Map();
  #shownFor = null;
  /** Whether the focus comes back to a sentence whose note was put away. */
  #comingBack = false;
  #passage = `verdict-passage-${++count}`;
  #element;

  /** @param {HTMLElement} home the answer, which the note is placed in */
  constructor(home, sources, onCite) {
    this.#home = home;
    this.#sources = sources;
    this.#onCite = onCite;
    this.#element = h("div", { class: "verdict-note", part: "verdict", hidden: true, tabindex: "-1", onpointerleave: (event) => this.#left(event), onfocusout: (event) => this.#left(event) });
    home.append(this.#element);
    home.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the verdict of a sentence whenever the reader turns to it. */
  watch(element, sentence) {
    this.#sentences.set(element, sentence);
    const show = () => this.#show(element, sentence);
    element.addEventListener("pointerenter", show);
    element.addEventListener("focusin", show);
    element.addEventListener("pointerleave", (event) => this.#left(event));
    element.addEventListener("focusout", (event) => this.#left(event));
  }

  #key(event) {
    if (event.key === "Escape" && this.#shownFor) {
      // The element would take it for a wish to stop.
      event.stopPropagation();
      this.#putAway();
    } else if (event.key === "Enter" && event.target.matches(".judged")) {
      event.preventDefault();
      // It may have been put away since the focus came.
      this.#show(event.target, this.#sentences.get(event.target));
      (this.#element.querySelector("button") ?? this.#element).focus();
    }
  }

  /** Who is in the note goes back to its sentence. */
  #putAway() {
    const sentence = this.#shownFor;
    const inside = this.#element.contains(this.#home.getRootNode().activeElement);
    this.#hide();
    if (inside) {
      this.#comingBack = true;
      sentence.focus();
      this.#comingBack = false;
    }
  }

  #show(element, sentence) {
    if (this.#shownFor === element || this.#comingBack) {
      return;
    }
    this.#hide();
    this.#shownFor = element;
    const source = this.#sources[sentence.source - 1];
    fill(this.#element,
      h("p", { class: "verdict", "data-verdict": sentence.verdict }, words.verdicts[sentence.verdict]),
      sentence.passage && h("blockquote", { id: this.#passage }, sentence.passage),
      source && h("button", { type: "button", class: "quiet", part: "verdict-source", onclick: (event) => this.#follow(event, sentence) }, words.cite(sentence.source, source.title), sentence.section && `, ${sentence.section}`));
    this.#element.hidden = false;
    if (sentence.passage) {
      element.setAttribute("aria-describedby", this.#passage);
    }
    // Below the sentence's last line, without a gap that the pointer would fall into.
    const below = [...element.getClientRects()].at(-1).bottom - this.#home.getBoundingClientRect().top;
    this.#element.style.top = `${below}px`;
  }

  #follow(event, { source, anchor, passage }) {
    const sentence = this.#shownFor;
    this.#hide();
    this.#onCite({ source, anchor, text: passage }, sentence);
    event.stopPropagation();
  }

  /** The reader turned away, unless to the note itself or back to its sentence. */
  #left({ relatedTarget }) {
    const still = this.#shownFor?.contains(relatedTarget) || this.#element.contains(relatedTarget);
    const focused = this.#home.getRootNode().activeElement;
    if (!still && !this.#shownFor?.contains(focused) && !this.#element.contains(focused)) {
      this.#hide();
    }
  }

  #hide() {
    this.#shownFor?.removeAttribute("aria-describedby");
    this.#shownFor = null;
    this.#element.hidden = true;
  }
}
