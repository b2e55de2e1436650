// The reader's consent to a download of stated size, and then how far it is. Nothing is asked for before the consent;
// of an address of the reader's own, whose size nobody knows, the size alone is asked first.

import { fill, focusOn, h } from "../dom.js";
import { entryOfUrl, totalBytes } from "./catalog.js";
import { MOST_UNKNOWN, announced } from "./fetching.js";
import { readSettings } from "./settings.js";
import { words } from "./words.js";

/** A screen reader reads each such share out. */
const TOLD_SHARE = 0.1;

/** The box. `element` is what to put into the document. */
export class DownloadBox {
  element = h("section", { class: "download", part: "download" });
  #model;
  #onEnd;
  #offered = null;
  #running = null;
  /** What failed last: said until the reader does something about it, whatever is offered meanwhile. */
  #failure = null;

  /**
   * @param {import("./client.js").LocalModel} model
   * @param {(message: string, stored?: import("./store.js").Stored, writer?: string) => void} onEnd is called at each end, good or
   *   bad; `writer` is who was to write when it began
   */
  constructor(model, onEnd) {
    this.#model = model;
    this.#onEnd = onEnd;
  }

  /** Offers a model; while another one is being downloaded, once that has ended. */
  offer(entry, file, stored) {
    this.#offered = { entry, file, stored, asked: false };
    if (!this.#running) {
      this.#failure = null;
    }
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
    const { entry, file, stored, asked } = this.#offered;
    const failed = this.#failure && problem(this.#failure, entry);
    const button = (text, onclick) => h("button", { type: "button", class: "primary", onclick }, text);
    if (stored?.complete) {
      fill(this.element, failed, h("p", { class: "note" }, words.ready));
    } else if (totalBytes(entry) !== null) {
      fill(this.element, failed, button(consent(entry, file, stored), () => this.#run()));
    } else if (asked) {
      fill(this.element, failed, h("p", { class: "note" }, words.sizeUnknown(hosts(entry))),
        button(words.consentUnknown(MOST_UNKNOWN, hosts(entry)), () => this.#run()));
    } else {
      fill(this.element, failed, button(words.askSize(hosts(entry)), () => this.#askSize()));
    }
  }

  /** Asks for the size of the reader's own address, and then for the consent. */
  async #askSize() {
    const offered = this.#offered;
    this.#failure = null;
    fill(this.element, h("p", { class: "note", role: "status" }, words.askingSize(hosts(offered.entry))));
    focusOn(this.element);
    try {
      const [{ url }] = offered.entry.files;
      offered.entry = entryOfUrl(url, await announced(url));
      offered.asked = true;
    } catch (error) {
      this.#failure = { entry: offered.entry, error };
    }
    await this.#onEnd("");
    if (this.element.getRootNode().activeElement === this.element) {
      focusOn(this.element.querySelector("button") ?? this.element);
    }
  }

  async #run() {
    const { entry, file } = this.#offered;
    const { writer } = readSettings();
    const control = new AbortController();
    const view = new ProgressView(entry, () => control.abort());
    this.#running = control;
    this.#failure = null;
    fill(this.element, view.element);
    view.focus();
    let message = "";
    let stored;
    try {
      stored = await this.#model.download(entry, { file: file ?? undefined, signal: control.signal, onProgress: (progress) => view.show(progress) });
      message = words.done(entry.title);
    } catch (error) {
      this.#failure = { entry, error };
      message = error.code === "cancelled" ? error.message : "";
    }
    const { focused } = view;
    this.#running = null;
    await this.#onEnd(message, stored, writer);
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
  #announced = 0;

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
      if (share > this.#announced) {
        this.#announced = share;
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
  return stored?.got ? words.consentOn(bytes - stored.got, hosts(entry)) : words.consent(bytes, hosts(entry));
}

/** Who learns of the download: each server once. */
function hosts({ files }) {
  const names = files.map(({ url }) => new URL(url).host);
  return [...new Set(names)].map((host) => (host === location.host ? words.thisSite : host));
}

/** What failed, under its name where another model is offered by now. */
function problem({ entry, error }, offered) {
  const cancelled = error.code === "cancelled";
  const message = entry === offered ? error.message : words.failed(entry.title, error.message);
  return h("div", { class: cancelled ? "note" : "error", role: cancelled ? false : "alert", "data-code": error.code }, h("p", {}, message));
}
