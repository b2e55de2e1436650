// What a reader sees of a deliberation once it is done, in the turn of its question: the checked answer in the quoted one's place, and
// the whole exchange among the sources.

import { h } from "../dom.js";
import { copyButton } from "./copy-button.js";
import { finalText } from "./final-text.js";
import { exchangePanel } from "./panel.js";
import { WorkProgress } from "./progress.js";
import { words } from "./words.js";

/** One deliberation on the page, by one writer, or by the next where that one fails. */
export class Exchange extends WorkProgress {
  #answer;

  /** @param {object} answer @param {import("../turn.js").Turn} turn @param {string} settings where the reader may change them */
  constructor(answer, turn, settings = "") {
    super(turn, settings, words);
    this.#answer = answer;
  }

  /** Shows what came of it. @param {object} done the deliberation */
  done(done) {
    this.keepFocus(() => {
      this.unchecked.element.remove();
      if (done.kept === null) {
        this.#replace(done);
      } else {
        this.status.replaceChildren(h("p", { "data-kept": "" }, words.kept(done.kept)));
      }
    });
    const panel = exchangePanel(done, this.#answer.sources, this.turn.reveal, this.steps.hasChildNodes() ? this.steps : null);
    const sources = this.turn.element.querySelector("[part=sources]");
    (sources ?? this.home).append(panel);
  }

  #replace(done) {
    const quoted = this.turn.element.querySelector(".answer");
    const text = h("div", { class: "answer", part: "answer", "data-status": "deliberated" });
    this.status.replaceChildren(h("p", {}, words.answer(this.writer)));
    if (done.quoted.length > 0) {
      this.status.append(h("p", { part: "quoted-parts" }, words.quotedParts(done.quoted)));
    }
    finalText(text, done, this.#answer.sources, this.turn.reveal);
    const folded = h("summary", {}, words.quoted);
    const fold = h("details", { class: "panel", part: "quoted" }, folded);
    // What copies the quoted answer goes along.
    const moved = [quoted, ...this.turn.element.querySelectorAll(".turn-body > .tools")];
    quoted.before(this.home);
    quoted.replaceWith(fold);
    fold.append(...moved);
    this.home.append(text, copyButton(deliberatedText(this.#answer, done)));
  }
}

/** The words of a deliberated answer with its citations, as plain text. */
export function deliberatedText(answer, done) {
  const used = new Set([...done.text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(",").map(Number)));
  const sources = answer.sources.filter(({ number }) => used.has(number))
    .map((source) => `[${source.number}] ${source.title} (${source.pack}/${source.file}) ${source.site || source.url}`);
  return [answer.question, done.text, sources.join("\n")].filter(Boolean).join("\n\n");
}
