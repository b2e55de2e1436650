// What a reader sees of a deliberation, in the turn of its question: below the quoted answer who is at work, and folded
// the draft as it is written; then the checked answer in the quoted one's place, and the whole exchange among the sources.

import { fill, focusOn, h } from "../dom.js";
import { finalText } from "./final-text.js";
import { exchangePanel } from "./panel.js";
import { Pace } from "./pace.js";
import { putBelowQuoted } from "./place.js";
import { UncheckedText } from "./unchecked.js";
import { words } from "./words.js";

/** The roles by their stages. */
const STAGES = { expert: "expert", critic: "critic", synthesizer: "synthesize", verifier: "verify" };

/** What the reader can do in the settings about an error. */
const LINKED = { "not-agreed": words.agreeFirst, "no-model": words.openSettings, "no-node": words.openSettings };

/** How many tokens the last draft of each writer of this page had, by the writer's place and name. */
const drafts = new Map();

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
  #unchecked = null;
  #home;

  /** @param {object} answer @param {import("../turn.js").Turn} turn @param {string} settings where the reader may change them */
  constructor(answer, turn, settings = "") {
    this.#answer = answer;
    this.#turn = turn;
    this.#settings = settings;
    this.#home = h("div", { class: "deliberated", part: "deliberated" }, this.#setbacks, this.#status);
    putBelowQuoted(turn, this.#home);
  }

  /** A writer begins. @param {{about: {kind: string, name: string, place: string}}} writer */
  begin({ about }) {
    this.#writer = about;
    this.#pace = new Pace(undefined, drafts.get(this.#draftsOf()));
    this.#steps.replaceChildren();
    this.#status.replaceChildren(this.#steps);
    this.#unchecked = new UncheckedText();
    this.#home.append(this.#unchecked.element);
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
    } else if (step.kind === "text" && step.part === "revised") {
      this.#unchecked.revise(step.text);
    } else if (step.kind === "text" && step.text !== "") {
      this.#write(step, stage);
    } else if (step.kind === "reading") {
      this.#pace.read(stage, step.done);
      this.#note(stage, step.total > 0 ? words.reading(step.done, step.total) : words.waiting);
    } else if (step.kind === "judging") {
      this.#pace.judge(stage, step.done, step.total);
      this.#note(stage, words.judging(step.done, step.total));
    }
    this.#unchecked.tellLeft(this.#pace.left());
  }

  /** Shows what came of it. @param {object} done the deliberation */
  done(done) {
    this.#keepFocus(() => {
      this.#unchecked.element.remove();
      if (done.kept === null) {
        this.#replace(done);
      } else {
        this.#status.replaceChildren(h("p", { "data-kept": "" }, words.kept(done.kept)));
      }
    });
    const panel = exchangePanel(done, this.#answer.sources, this.#turn.reveal, this.#steps.hasChildNodes() ? this.#steps : null);
    const sources = this.#turn.element.querySelector("[part=sources]");
    (sources ?? this.#home).append(panel);
  }

  /** Says that the reader stopped it. */
  stopped() {
    this.#keepFocus(() => {
      this.#unchecked.element.remove();
      this.#status.replaceChildren(h("p", { "data-code": "stopped" }, words.stopped));
    });
  }

  /** Says why nothing came of it, and who goes on. @param {object|null} next the next writer */
  failed(error, next) {
    const about = this.#writer;
    const whatNow = next ? words.goesOn(next.about.name) : words.stands;
    this.#keepFocus(() => this.#unchecked.element.remove());
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
    quoted.before(this.#home);
    quoted.replaceWith(fold);
    fold.append(...moved);
    this.#home.append(text, copyButton(this.#answer, done));
  }

  /** Changes what is shown. Whoever was in what moves stays there, or is led to what tells of the change. */
  #keepFocus(change) {
    const root = this.#home.getRootNode();
    const focused = root.activeElement;
    change();
    if (focused && root.activeElement !== focused) {
      focused.focus({ preventScroll: true });
      if (root.activeElement !== focused) {
        focusOn(focused.closest("[part=quoted]")?.firstElementChild ?? this.#status);
      }
    }
  }

  #draftsOf() {
    return `${this.#writer.place} ${this.#writer.name}`;
  }

  #stage({ stage, state, note, ms }) {
    const waited = this.#steps.querySelector("[data-stage=ask]");
    waited?.remove();
    const over = state.toLowerCase() === "done";
    const tokens = over ? this.#pace.end(stage) : this.#pace.begin(stage);
    if (over && stage === "expert") {
      drafts.set(this.#draftsOf(), tokens);
    }
    this.#step(stage, over ? "done" : "start", words.stages[stage], over ? this.#pace.summary(stage) || note : note, ms);
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

  #write({ part, text }, stage) {
    if (this.#pace.token(stage) === 1) {
      this.#unchecked.begin(stage);
    }
    this.#unchecked[part === "reasoning" ? "reason" : "append"](text);
    this.#note(stage, this.#pace.summary(stage));
  }
}

/** The words of a deliberated answer with its citations, as plain text. */
export function deliberatedText(answer, done) {
  const used = new Set([...done.text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, list]) => list.split(",").map(Number)));
  const sources = answer.sources.filter(({ number }) => used.has(number))
    .map((source) => `[${source.number}] ${source.title} (${source.pack}/${source.file}) ${source.site || source.url}`);
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
