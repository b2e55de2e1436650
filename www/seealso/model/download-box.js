// The reader's consent to a download of stated size, and then how far it is. Nothing is asked for before the consent.

import { fill, focusOn, h } from "../dom.js";
import { totalBytes } from "./catalog.js";
import { words } from "./words.js";

/** Who hears the screen read out is told of each such share. */
const TOLD_SHARE = 0.1;

/** The box. `element` is what to put into the document. */
export class DownloadBox {
  element = h("section", { class: "download", part: "download" });
  #model;
  #onEnd;
  #offered = null;
  #running = null;

  /**
   * @param {import("./client.js").LocalModel} model
   * @param {(message: string, stored?: import("./store.js").Stored) => void} onEnd hears of each end, good or bad
   */
  constructor(model, onEnd) {
    this.#model = model;
    this.#onEnd = onEnd;
  }

  /** Offers a model; while another one is being downloaded, once that has ended. */
  offer(entry, file, stored) {
    this.#offered = { entry, file, stored, problem: null };
    this.#show();
  }

  /** Shows what is offered anew. @param {(entry: object) => import("./store.js").Stored|null} storedOf what is here of it */
  refresh(storedOf) {
    if (this.#offered) {
      this.#offered.stored = storedOf(this.#offered.entry);
      this.#show();
    }
  }

  #show() {
    if (this.#running) {
      return;
    }
    const { entry, file, stored, problem } = this.#offered;
    if (stored?.complete) {
      fill(this.element, h("p", { class: "note" }, words.ready));
    } else {
      fill(this.element, problem, h("button", { type: "button", class: "primary", onclick: () => this.#run() }, consent(entry, file, stored)));
    }
  }

  async #run() {
    const offered = this.#offered;
    const { entry, file } = offered;
    const control = new AbortController();
    const view = new ProgressView(entry, () => control.abort());
    this.#running = control;
    offered.problem = null;
    fill(this.element, view.element);
    view.focus();
    let message = "";
    let stored;
    try {
      stored = await this.#model.download(entry, { file: file ?? undefined, signal: control.signal, onProgress: (progress) => view.show(progress) });
      message = words.done(entry.title);
    } catch (error) {
      offered.problem = problem(error);
      message = error.code === "cancelled" ? error.message : "";
    }
    const { focused } = view;
    this.#running = null;
    await this.#onEnd(message, stored);
    if (focused) {
      focusOn(this.element.querySelector("button") ?? this.element);
    }
  }
}

/** How far a download is. */
class ProgressView {
  element;
  #bar;
  #text = h("p", { class: "note time" });
  #said = h("p", { class: "hidden", role: "status" });
  #cancel;
  #told = 0;

  constructor({ title }, onCancel) {
    this.#bar = h("progress", { max: 1, "aria-label": words.progressLabel(title) });
    this.#cancel = h("button", { type: "button", onclick: onCancel }, words.cancel);
    this.element = h("div", { class: "download" }, this.#bar, this.#text, this.#said, this.#cancel);
  }

  focus() {
    this.#cancel.focus();
  }

  get focused() {
    return this.#cancel.getRootNode().activeElement === this.#cancel;
  }

  show(progress) {
    const { stage, bytes, total } = progress;
    this.#text.textContent = stage === "checking" ? words.checking : words.progress(progress);
    if (total) {
      this.#bar.value = bytes / total;
      const share = Math.floor(bytes / total / TOLD_SHARE) * TOLD_SHARE;
      if (share > this.#told) {
        this.#told = share;
        this.#said.textContent = words.percent(bytes / total);
      }
    }
  }
}

function consent(entry, file, stored) {
  const bytes = totalBytes(entry);
  if (file) {
    return words.consentFile(bytes);
  }
  const { host } = new URL(entry.files[0].url);
  const from = host === location.host ? words.thisSite : host;
  return stored?.got && bytes ? words.consentOn(bytes - stored.got, from) : words.consent(bytes, from);
}

function problem(error) {
  const cancelled = error.code === "cancelled";
  return h("div", { class: cancelled ? "note" : "error", role: cancelled ? false : "alert", "data-code": error.code }, h("p", {}, error.message));
}
