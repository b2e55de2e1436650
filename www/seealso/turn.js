// One question and what became of it: its stages as they happen, then the answer or an error.

import { fill, h } from "./dom.js";
import { answerText, copyText } from "./answer-text.js";
import { Sources } from "./sources.js";
import { loadDetails, tracePanel } from "./details.js";
import { words } from "./strings.js";

/** A turn of the conversation. `element` is what to put into the document. */
export class Turn {
  element;
  /** Opens a source at a sentence; there is none before the answer, or where nothing was read. */
  reveal = null;
  #heading;
  #status = h("div", { class: "progress", role: "status", "aria-live": "polite" });
  #body = h("div", { class: "turn-body" });
  #steps = null;
  #prefix;

  /** @param {string} question @param {string} prefix makes ids unique within the element */
  constructor(question, prefix) {
    this.question = question;
    this.#prefix = prefix;
    this.#heading = h("h3", { id: `${prefix}-question`, part: "question" }, question);
    this.element = h("article", { class: "turn", part: "turn", "aria-labelledby": `${prefix}-question` },
      this.#heading, this.#status, this.#body);
  }

  /** Shows that the question waits, and clears what an earlier try left. */
  begin(opened) {
    this.#body.replaceChildren();
    this.#steps = h("ol", { class: "steps", part: "progress" });
    this.#status.replaceChildren(this.#steps);
    if (!opened) {
      this.progress({ stage: "open", state: "start", note: "", ms: 0 });
    }
  }

  /** Shows a stage beginning or done; one that has a `title` is called so. */
  progress({ stage, title, state, note, ms }) {
    let step = [...this.#steps.children].find((item) => item.dataset.stage === stage);
    if (!step) {
      step = h("li", { "data-stage": stage });
      this.#steps.append(step);
    }
    step.dataset.state = state;
    fill(step,
      h("span", { class: "stage" }, title ?? words.stages[stage] ?? stage),
      note && h("span", { class: "note" }, note),
      state === "done" && h("span", { class: "time" }, words.time(ms)));
  }

  /** Marks the opening of the index as done, where this turn had to wait for it. */
  opened(ms) {
    if (this.#steps.querySelector("[data-stage=open]")) {
      this.progress({ stage: "open", state: "done", note: "", ms });
    }
  }

  /**
   * Shows the answer; the stages fold into one line (the trace keeps them).
   * @param {(id: string) => Promise<object>} loadPage fetches a rendered page
   * @param {{title: string}[]} packs what can be asked about, for when nothing was found
   * @param {() => void} retry asks again, for when pages could not be read
   */
  answer(answer, loadPage, packs, retry) {
    const sources = answer.sources.length > 0 && new Sources(answer.sources, loadPage, this.#prefix, this.#heading);
    const found = answer.status !== "empty";
    this.reveal = sources && ((sentence, citation) => sources.reveal(sentence, citation));
    // What nobody could read may well hold the answer: that is not the same as having none.
    const unread = !found && answer.notices.some(({ code }) => code === "page-lost");
    this.#status.replaceChildren(h("p", {}, unread ? words.unanswered(answer.ms) : outcome(answer)));
    fill(this.#body,
      h("div", { class: "answer", part: "answer", "data-status": answer.status },
        unread ? h("p", {}, words.unread) : answerText(answer, this.reveal)),
      !found && !unread && packs.length > 0 && canAsk(packs),
      answer.notices.length > 0 && notices(answer.notices),
      unread && h("button", { type: "button", onclick: retry }, words.retry),
      found && copyButton(answer),
      sources && sources.element,
      answer.trace.length > 0 && tracePanel(answer));
    loadDetails();
  }

  /** Shows why there is no answer, and offers another try. */
  fail(error, retry) {
    this.#status.replaceChildren();
    const cancelled = error.code === "cancelled";
    this.#body.replaceChildren(
      h("div", { class: cancelled ? "stopped" : "error", role: cancelled ? "status" : "alert", part: "error", "data-code": error.code },
        cancelled ? h("p", {}, words.stopped) : h("p", {}, h("strong", {}, words.failedAsk), h("br"), error.message),
        h("button", { type: "button", onclick: retry }, words.retry)));
  }
}

function outcome({ status, sources, ms }) {
  const cited = sources.filter((source) => source.cited).length;
  return status === "empty" ? words.empty(ms) : words.answered(cited, sources.length, ms);
}

function canAsk(packs) {
  return h("div", { class: "can-ask" },
    h("p", {}, words.canAsk),
    h("ul", {}, packs.map((pack) => h("li", {}, pack.title))));
}

function notices(list) {
  return h("div", { class: "notices", role: "status", part: "notices" },
    h("ul", {}, list.map(({ code, message }) => h("li", { "data-code": code }, message))));
}

function copyButton(answer) {
  const said = h("span", { role: "status", class: "muted" });
  const button = h("button", { type: "button", class: "quiet", part: "copy", "aria-label": words.copyLabel, onclick: copy }, words.copy);
  async function copy() {
    try {
      await navigator.clipboard.writeText(copyText(answer));
      said.textContent = words.copied;
    } catch {
      said.textContent = words.copyFailed;
    }
    setTimeout(() => {
      said.textContent = "";
    }, 2500);
  }
  return h("div", { class: "tools" }, button, said);
}
