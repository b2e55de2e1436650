// What a reader sees of a deliberation, in the turn of its question: who is at work, the draft as it is written, then
// the answer in the place of the quoted one, and the whole exchange among the sources.

import { fill, h } from "../dom.js";
import { finalText } from "./final-text.js";
import { exchangePanel } from "./panel.js";
import { Pace } from "./pace.js";
import { words } from "./words.js";

/** The roles by their stages. */
const STAGES = { expert: "expert", critic: "critic", synthesizer: "synthesize", verifier: "verify" };

/** What the reader can do in the settings about an error. */
const LINKED = { "not-agreed": words.agreeFirst, "no-model": words.openSettings, "no-node": words.openSettings };

/** One deliberation on the page, by one writer, or by the next where that one fails. */
export class Exchange {
  #answer;
  #turn;
  #settings;
  #writer = null;
  #pace = new Pace();
  #setbacks = h("div", { part: "setbacks" });
  #steps = h("ol", { class: "steps", part: "progress" });
  #status = h("div", { class: "progress", role: "status", "aria-live": "polite" });
  #written = h("div", { class: "draft muted", part: "draft", hidden: true });
  #home;

  /** @param {object} answer @param {import("../turn.js").Turn} turn @param {string} settings where the reader may change them */
  constructor(answer, turn, settings = "") {
    this.#answer = answer;
    this.#turn = turn;
    this.#settings = settings;
    this.#home = h("div", { class: "deliberated", part: "deliberated" }, this.#setbacks, this.#status, this.#written);
    turn.element.querySelector(".answer").before(this.#home);
  }

  /** A writer begins. @param {{about: {kind: string, name: string, place: string}}} writer */
  begin({ about }) {
    this.#writer = about;
    this.#pace = new Pace();
    this.#steps.replaceChildren();
    this.#status.replaceChildren(this.#steps);
    this.#written.hidden = true;
  }

  /** Tells how far the loading of the model is. */
  loading({ bytes, total }) {
    this.#step("load", "start", words.loading(this.#writer.name), total ? `${Math.round((bytes / total) * 100)} %` : "");
  }

  /** The model is there. */
  loaded(ms) {
    this.#step("load", "done", words.loading(this.#writer.name), "", ms);
  }

  /** Tells whom one waits for. */
  waiting(text) {
    this.#step("ask", "start", text, "");
  }

  /** A step of the deliberation. */
  step(step) {
    const stage = STAGES[step.role];
    if (step.kind === "stage") {
      this.#stage(step);
    } else if (step.kind === "text" && step.text !== "") {
      this.#write(step.text, stage);
    } else if (step.kind === "reading") {
      this.#note(stage, step.total > 0 ? words.reading(step.done, step.total) : words.waiting);
    } else if (step.kind === "judging") {
      this.#note(stage, words.judging(step.done, step.total));
    }
  }

  /** Shows what came of it. @param {object} done the deliberation */
  done(done) {
    this.#written.remove();
    if (done.kept === null) {
      this.#replace(done);
    } else {
      this.#status.replaceChildren(h("p", { "data-kept": "" }, words.kept(done.kept)));
    }
    const panel = exchangePanel(done, this.#answer.sources, this.#turn.reveal, this.#steps.hasChildNodes() ? this.#steps : null);
    const sources = this.#turn.element.querySelector("[part=sources]");
    (sources ?? this.#home).append(panel);
  }

  /** Says that the reader stopped it. */
  stopped() {
    this.#written.remove();
    this.#status.replaceChildren(h("p", { "data-code": "stopped" }, words.stopped));
  }

  /** Says why nothing came of it, and who goes on. @param {object|null} next the next writer */
  failed(error, next) {
    this.#written.hidden = true;
    const about = this.#writer;
    const whatNow = next ? words.goesOn(next.about.name) : words.stands;
    this.#status.replaceChildren();
    this.#setbacks.append(h("p", { class: "setback", role: "alert", "data-code": error.code ?? "internal" },
      error.code === "not-agreed" ? error.message : words.failed(about, error.message), " ", whatNow,
      LINKED[error.code] && this.#settings !== "" && [" ", h("a", { href: this.#settings }, LINKED[error.code])]));
  }

  #replace(done) {
    const quoted = this.#turn.element.querySelector(".answer");
    const text = h("div", { class: "answer", part: "answer", "data-status": "deliberated" });
    this.#status.replaceChildren(h("p", {}, words.answer(this.#writer)));
    if (done.quoted.length > 0) {
      this.#status.append(h("p", { part: "quoted-parts" }, words.quotedParts(done.quoted)));
    }
    finalText(text, done, this.#answer.sources, this.#turn.reveal);
    const folded = h("summary", {}, words.quoted);
    const fold = h("details", { class: "panel", part: "quoted" }, folded);
    // What copies the quoted answer goes along.
    const moved = [quoted, ...this.#turn.element.querySelectorAll(".turn-body > .tools")];
    const focused = quoted.getRootNode().activeElement;
    const hadFocus = moved.some((element) => element.contains(focused));
    quoted.replaceWith(fold);
    fold.append(...moved);
    if (hadFocus) {
      // Whoever was in the quoted answer finds it again from there.
      folded.focus({ preventScroll: true });
    }
    this.#home.append(text, copyButton(this.#answer, done));
  }

  #stage({ stage, state, note, ms }) {
    const waited = this.#steps.querySelector("[data-stage=ask]");
    waited?.remove();
    const over = state.toLowerCase() === "done";
    this.#step(stage, over ? "done" : "start", words.stages[stage], over ? this.#pace.told(stage) || note : note, ms);
  }

  #step(stage, state, name, note, ms = 0) {
    let step = [...this.#steps.children].find((item) => item.dataset.stage === stage);
    if (!step) {
      step = h("li", { "data-stage": stage });
      this.#steps.append(step);
    }
    step.dataset.state = state;
    // What changes with each token is not read out.
    fill(step, h("span", { class: "stage" }, name), h("span", { class: "note", "aria-hidden": "true" }, note),
      state === "done" && h("span", { class: "time" }, words.time(ms)));
  }

  #note(stage, text) {
    const note = this.#steps.querySelector(`[data-stage=${stage}] .note`);
    if (note) {
      note.textContent = text;
    }
  }

  #write(text, stage) {
    if (this.#pace.token(stage) === 1) {
      this.#written.textContent = "";
      this.#written.hidden = false;
      this.#written.dataset.role = stage;
    }
    this.#written.append(text);
    this.#note(stage, this.#pace.told(stage));
  }
}

/** The words of a deliberated answer with its citations, as plain text. */
export function deliberatedText(answer, done) {
  const used = new Set([...done.text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(",").map(Number)));
  const sources = answer.sources.filter(({ number }) => used.has(number))
    .map((source) => `[${source.number}] ${source.title} (${source.pack}/${source.file}) ${source.url}`);
  return [answer.question, done.text, sources.join("\n")].filter(Boolean).join("\n\n");
}

function copyButton(answer, done) {
  const said = h("span", { role: "status", class: "muted" });
  async function copy() {
    try {
      await navigator.clipboard.writeText(deliberatedText(answer, done));
      said.textContent = words.copied;
    } catch {
      said.textContent = words.copyFailed;
    }
  }
  return h("div", { class: "tools" }, h("button", { type: "button", class: "quiet", part: "copy", onclick: copy }, words.copy), said);
}
