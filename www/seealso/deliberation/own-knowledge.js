// What a reader sees of an answer from a model's own knowledge, in the turn of its question: below the refusal, in a frame and
// under a label of its own. It stands in nobody's place, cites nothing, and is never called checked.

import { h } from "../dom.js";
import { copyButton } from "./copy-button.js";
import { Reasoning } from "./reasoning.js";
import { plain, textBlocks } from "./text-blocks.js";
import { WorkProgress } from "./progress.js";
import { words } from "./words.js";

const STAGE = "own-knowledge";

/** One answer by one model, or by the next where that one fails. */
export class OwnKnowledge extends WorkProgress {
  #question;
  #isBegun = false;

  /** @param {{question: string}} answer the refusal @param {import("../turn.js").Turn} turn @param {string} settings where the reader may change them */
  constructor({ question }, turn, settings = "") {
    super(turn, settings, words.ownKnowledge);
    this.#question = question;
  }

  /** A writer begins: its text shows as it comes, for no check follows. */
  begin(writer) {
    super.begin(writer);
    this.#isBegun = false;
    this.unchecked.element.open = true;
  }

  /** A step of the model. The engine tells of no stages here, since there is only one. */
  step(step) {
    if (step.role && !this.#isBegun) {
      this.#isBegun = true;
      this.stage({ stage: STAGE, state: "start", note: "", ms: 0 });
    }
    super.step(step);
  }

  /** Shows the answer. @param {{text: string, reasoning: string, cut: boolean}} answer */
  done({ text, reasoning, cut }) {
    const { label, by } = words.ownKnowledge;
    this.keepFocus(() => {
      this.unchecked.element.remove();
      this.status.replaceChildren(h("p", {}, by(this.writer)));
      this.home.append(h("section", { class: "own-knowledge", part: "own-knowledge", "aria-label": label },
        h("p", { class: "label" }, label),
        textBlocks(text, (from, end) => plain(text.slice(from, end))),
        cut && h("p", { class: "muted", "data-cut": "" }, words.cut),
        reasoning && new Reasoning(reasoning).element,
        copyButton(labelledText(this.#question, text))));
    });
  }
}

/** The answer as plain text, which bears its label wherever it is pasted. */
export function labelledText(question, text) {
  return [question, `${words.ownKnowledge.label}:`, text].join("\n\n");
}
