// What a reader sees of a deliberation, in the turn of its question: who is at work, the draft as it is written, then
// the answer in the place of the quoted one, and the whole exchange among the sources.

import { fill, h } from "../dom.js";
import { finalText } from "./final-text.js";
import { exchangePanel } from "./panel.js";
import { words } from "./words.js";

/** One deliberation on the page. */
export class Exchange {
  #answer;
  #turn;
  #name;
  #steps = h("ol", { class: "steps", part: "progress" });
  #status = h("div", { class: "progress", role: "status", "aria-live": "polite" }, this.#steps);
  #written = h("div", { class: "draft muted", part: "draft", hidden: true });
  #home;
  #begun = 0;
  #tokens = 0;

  /** @param {object} answer @param {import("../turn.js").Turn} turn @param {string} name the model's */
  constructor(answer, turn, name) {
    this.#answer = answer;
    this.#turn = turn;
    this.#name = name;
    this.#home = h("div", { class: "deliberated", part: "deliberated" }, this.#status, this.#written);
    turn.element.querySelector(".answer").before(this.#home);
  }

  /** Tells how far the loading of the model is. */
  loading({ bytes, total }) {
    this.#step("load", "start", words.loading(this.#name), total ? `${Math.round((bytes / total) * 100)} %` : "");
  }

  /** The model is there. */
  loaded(ms) {
    this.#step("load", "done", words.loading(this.#name), "", ms);
  }

  /** A step of the deliberation. */
  step(step) {
    if (step.kind === "stage") {
      this.#begun = performance.now();
      this.#tokens = 0;
      this.#step(step.stage, step.state === "Done" || step.state === "done" ? "done" : "start", words.stages[step.stage], step.note, step.ms);
      return;
    }
    const stage = { expert: "expert", critic: "critic", synthesizer: "synthesize", verifier: "verify" }[step.role];
    if (step.kind === "text") {
      this.#tokens++;
      this.#show(step.text, stage);
    } else if (step.kind === "reading") {
      this.#begun = performance.now();
      this.#note(stage, words.reading(step.done, step.total));
    } else if (step.kind === "judging") {
      this.#note(stage, words.judging(step.done, step.total));
    }
  }

  /** Shows what came of it. @param {object} done the deliberation */
  done(done) {
    this.#written.remove();
    const quoted = this.#turn.element.querySelector(".answer");
    if (done.kept === null) {
      const onCite = this.#turn.reveal;
      this.#status.replaceChildren(h("p", {}, words.answer(this.#name)));
      const text = h("div", { class: "answer", part: "answer", "data-status": "deliberated" }, finalText(done, this.#answer.sources, onCite));
      const fold = h("details", { class: "panel", part: "quoted" }, h("summary", {}, words.quoted));
      quoted.replaceWith(fold);
      fold.append(quoted);
      this.#home.append(text, copyButton(this.#answer, done));
    } else {
      this.#status.replaceChildren(h("p", { "data-kept": "" }, words.kept(done.kept)));
    }
    const panel = exchangePanel(done, this.#answer.sources, this.#turn.reveal);
    const sources = this.#turn.element.querySelector("[part=sources]");
    (sources ?? this.#home).append(panel);
  }

  /** Says why nothing came of it. */
  failed(error) {
    this.#written.remove();
    const stopped = error.code === "stopped" || error.code === "cancelled";
    this.#status.replaceChildren(h("p", { "data-code": error.code ?? "internal" }, stopped ? words.stopped : words.failed(error.message)));
  }

  #step(stage, state, name, note, ms = 0) {
    let step = [...this.#steps.children].find((item) => item.dataset.stage === stage);
    if (!step) {
      step = h("li", { "data-stage": stage });
      this.#steps.append(step);
    }
    step.dataset.state = state;
    fill(step, h("span", { class: "stage" }, name), h("span", { class: "note" }, note),
      state === "done" && h("span", { class: "time" }, words.time(ms)));
  }

  #note(stage, text) {
    const note = this.#steps.querySelector(`[data-stage=${stage}] .note`);
    if (note) {
      note.textContent = text;
    }
  }

  #show(text, stage) {
    if (this.#tokens === 1) {
      this.#written.textContent = "";
      this.#written.hidden = false;
      this.#written.dataset.role = stage;
    }
    this.#written.append(text);
    const seconds = (performance.now() - this.#begun) / 1000;
    if (seconds > 0.5) {
      this.#note(stage, words.rate(this.#tokens / seconds));
    }
  }
}

function copyButton(answer, done) {
  const said = h("span", { role: "status", class: "muted" });
  const used = new Set([...done.text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(",").map(Number)));
  const sources = answer.sources.filter(({ number }) => used.has(number))
    .map((source) => `[${source.number}] ${source.title} (${source.pack}/${source.file}) ${source.url}`);
  async function copy() {
    try {
      await navigator.clipboard.writeText([answer.question, done.text, sources.join("\n")].filter(Boolean).join("\n\n"));
      said.textContent = words.copied;
    } catch {
      said.textContent = words.copyFailed;
    }
  }
  return h("div", { class: "tools" }, h("button", { type: "button", class: "quiet", part: "copy", onclick: copy }, words.copy), said);
}
