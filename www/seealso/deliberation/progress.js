// What a reader sees while a model works, in the turn of its question: below the packs' own answer who is at work, and folded what
// is written. What comes of it is shown by those that extend it: a checked answer (exchange.js), or one from the model's own
// knowledge (own-knowledge.js).

import { fill, focusOn, h } from "../dom.js";
import { Pace } from "./pace.js";
import { putBelowQuoted } from "./place.js";
import { UncheckedText } from "./unchecked.js";
import { words } from "./words.js";

/** The roles by their stages. */
const STAGES = { expert: "expert", critic: "critic", synthesizer: "synthesize", verifier: "verify", "own-knowledge": "own-knowledge" };

/** What the reader can do in the settings about an error. */
const LINKED = { "not-agreed": words.agreeFirst, "no-model": words.openSettings, "no-node": words.openSettings };

/** How many tokens the last draft of each writer of this page had, by the writer's place and name. */
const drafts = new Map();

/** The work on one question, by one writer, or by the next where that one fails. */
export class WorkProgress {
  #settings;
  #says;
  #pace = new Pace();
  #setbacks = h("div", { part: "setbacks" });
  /** The turn of the question. */
  turn;
  /** Who writes: { kind, name, place }. */
  writer = null;
  /** The list of the stages. */
  steps = h("ol", { class: "steps", part: "progress" });
  /** What is told of the work, read out as it changes. */
  status = h("div", { class: "progress", role: "status", "aria-live": "polite" });
  /** What is written before it is done. */
  unchecked = null;
  /** Holds all of this. */
  home;

  /**
   * @param {import("../turn.js").Turn} turn
   * @param {string} settings the address of the page's settings; empty where there are none
   * @param {{stopped: string, stands: string}} says what is told of a stop, and what stands where nobody writes
   */
  constructor(turn, settings, says) {
    this.turn = turn;
    this.#settings = settings;
    this.#says = says;
    this.home = h("div", { class: "deliberated", part: "deliberated" }, this.#setbacks, this.status);
    putBelowQuoted(turn, this.home);
  }

  /** A writer begins. @param {{about: {kind: string, name: string, place: string}}} writer */
  begin({ about }) {
    this.writer = about;
    this.#pace = new Pace(undefined, drafts.get(this.#draftsOf()));
    this.steps.replaceChildren();
    this.status.replaceChildren(this.steps);
    this.unchecked = new UncheckedText();
    this.home.append(this.unchecked.element);
  }

  /** Tells how far the loading of the model is. */
  loading({ bytes, total }) {
    this.#step("load", "start", words.loading(this.writer.name), total ? `${Math.round((bytes / total) * 100)} %` : "");
  }

  /** The model is there. */
  loaded(ms) {
    this.#step("load", "done", words.loading(this.writer.name), "", ms);
  }

  /** Tells whom one waits for. */
  waiting(text) {
    this.#step("ask", "start", text, "");
  }

  /** A step of the work. */
  step(step) {
    const stage = STAGES[step.role];
    if (step.kind === "stage") {
      this.stage(step);
    } else if (step.kind === "text" && step.part === "revised") {
      this.unchecked.revise(step.text);
    } else if (step.kind === "text" && step.text !== "") {
      this.#write(step, stage);
    } else if (step.kind === "reading") {
      this.#pace.read(stage, step.done);
      this.#note(stage, step.total > 0 ? words.reading(step.done, step.total) : words.waiting);
    } else if (step.kind === "judging") {
      this.#pace.judge(stage, step.done, step.total);
      this.#note(stage, words.judging(step.done, step.total));
    }
    this.unchecked.tellLeft(this.#pace.left());
  }

  /** A stage begins or is done. */
  stage({ stage, state, note, ms }) {
    const waited = this.steps.querySelector("[data-stage=ask]");
    waited?.remove();
    const over = state.toLowerCase() === "done";
    const tokens = over ? this.#pace.end(stage) : this.#pace.begin(stage);
    if (over && stage === "expert") {
      drafts.set(this.#draftsOf(), tokens);
    }
    this.#step(stage, over ? "done" : "start", words.stages[stage], over ? this.#pace.summary(stage) || note : note, ms);
  }

  /** Says that the reader stopped it. */
  stopped() {
    this.keepFocus(() => {
      this.unchecked.element.remove();
      this.status.replaceChildren(h("p", { "data-code": "stopped" }, this.#says.stopped));
    });
  }

  /** Says why nothing came of it, and who goes on. @param {object|null} next the next writer */
  failed(error, next) {
    const about = this.writer;
    const whatNow = next ? words.goesOn(next.about.name) : this.#says.stands;
    this.keepFocus(() => this.unchecked.element.remove());
    this.status.replaceChildren();
    this.#setbacks.append(h("p", { class: "setback", role: "alert", "data-code": error.code ?? "internal" },
      error.code === "not-agreed" ? error.message : words.failed(about, error.message), " ", whatNow,
      LINKED[error.code] && this.#settings !== "" && [" ", h("a", { href: this.#settings }, LINKED[error.code])]));
  }

  /** Changes what is shown. Whoever was in what moves stays there, or is led to what tells of the change. */
  keepFocus(change) {
    const root = this.home.getRootNode();
    const focused = root.activeElement;
    change();
    if (focused && root.activeElement !== focused) {
      focused.focus({ preventScroll: true });
      if (root.activeElement !== focused) {
        focusOn(focused.closest("[part=quoted]")?.firstElementChild ?? this.status);
      }
    }
  }

  #draftsOf() {
    return `${this.writer.place} ${this.writer.name}`;
  }

  #step(stage, state, name, note, ms = 0) {
    let step = [...this.steps.children].find((item) => item.dataset.stage === stage);
    if (!step) {
      step = h("li", { "data-stage": stage });
      this.steps.append(step);
    }
    step.dataset.state = state;
    // What changes with each token is not read out.
    fill(step, h("span", { class: "stage" }, name), h("span", { class: "note", "aria-hidden": "true" }, note),
      state === "done" && h("span", { class: "time" }, words.time(ms)));
  }

  #note(stage, text) {
    const note = this.steps.querySelector(`[data-stage=${stage}] .note`);
    if (note) {
      note.textContent = text;
    }
  }

  #write({ part, text }, stage) {
    if (this.#pace.token(stage) === 1) {
      this.unchecked.begin(stage);
    }
    this.unchecked[part === "reasoning" ? "reason" : "append"](text);
    this.#note(stage, this.#pace.summary(stage));
  }
}
