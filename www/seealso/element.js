// The <see-also> element: a box to ask in and the conversation under it. It knows nothing of
// ranking; it shows what the engine says.
//
// Attributes: packs (folder of catalog.json), only-packs, only-tags, only-languages (what is searched,
// each a list with commas), placeholder, tier, timeout-ms, question (asked at once), eager (opens the
// index at once), suggest ("off": no pages while one types), depth ("quick", "standard", "deep": what the
// reader finds chosen), stages (what pages are found by too, a list with commas, or "all"), own-knowledge (a model may
// answer without pages where none is near), theme ("light", "dark", "auto"; else the page's own).
// Events: see-also:ready (detail: Info), see-also:answer (detail: Answer), see-also:error
// (detail: { code, message }), see-also:entries (detail: EntryResponse), see-also:idle (nothing is being answered any more); all
// bubble. Children, such as example questions, show under the box and below what was asked.

import { fill, focusOn, h, scrollTo } from "./dom.js";
import { Engine, EngineError } from "./engine.js";
import { AskForm } from "./form.js";
import { Choices } from "./choices.js";
import { PagePlace } from "./details.js";
import { packList } from "./pack-list.js";
import { reflect } from "./reflect.js";
import { Suggestions } from "./suggestions.js";
import { Turn } from "./turn.js";
import { styles } from "./styles.js";
import { words } from "./strings.js";

/** A reader who waited longer than this may be reading elsewhere on the page by then. */
const REVEAL_MS = 1500;
/** As many pages as are suggested at most. */
const SUGGESTIONS = 8;
/** A first question that is longer than this is no greeting. */
const GREETING = 40;
/** A question may go on from one of so many answers. */
const BEFORE = 3;
const REFLECTED = ["packs", "placeholder", "tier", "question", "theme", "depth"];

/** The class behind <see-also>; `see-also.js` registers it. */
export class SeeAlsoElement extends HTMLElement {
  /**
   * Who goes on after the quoted answer, such as a local model: `(answer, turn, signal)` gives a promise while it is at
   * work, or nothing. A page sets it; without it nothing more happens.
   */
  deliberator = null;

  static observedAttributes = ["packs", "placeholder", "tier", "timeout-ms", "question", "eager", "suggest", "depth"];

  #suggestions = new Suggestions({ ready: () => this.#ready(), search: (text) => this.#search(text) }, (hit) => this.#choose(hit));
  #form = new AskForm((question) => this.ask(question).catch(shown), () => this.stop(), this.#suggestions);
  #choices = new Choices(() => this.#engineHere());
  #state = h("div", { class: "state", part: "state" });
  #turns = h("div", { class: "turns", part: "turns" });
  #engine = null;
  #info = null;
  #opening = null;
  #asked = "";
  #running = null;
  /** The run whose question is not known yet to be one. */
  #unclassified = null;
  /** Its run, while somebody goes on after a quoted answer. */
  #goingOn = null;
  /** The answers of this visit, the newest first: a question may go on from them, not from what was read days ago. */
  #before = [];
  /** The first turn that was asked here; earlier visits' stand above it. */
  #first = null;
  #reading = null;
  /** Whether the last search for suggestions failed: one that fails at each key must not start worker after worker. */
  #mute = false;
  #count = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles];
    root.append(this.#form.element, this.#choices.element, this.#state,
      h("section", { "aria-labelledby": "conversation" },
        h("h2", { id: "conversation", class: "hidden" }, words.conversation), this.#turns),
      h("slot"));
    this.#form.element.addEventListener("focusin", () => {
      this.#openQuietly();
      this.#engine?.prepare();
    });
    root.addEventListener("keydown", (event) => event.key === "Escape" && this.stop());
  }

  connectedCallback() {
    for (const name of REFLECTED) {
      this.#upgrade(name);
    }
    this.#arrange();
    if (this.hasAttribute("eager")) {
      this.#openQuietly();
    }
    this.#askAttribute();
  }

  disconnectedCallback() {
    // An element that is only moved is connected again by then, and keeps its engine and what it runs.
    queueMicrotask(() => this.isConnected || this.#leave());
  }

  attributeChangedCallback(name, before, now) {
    if (!this.isConnected || before === now) {
      return;
    }
    if (["placeholder", "suggest", "depth"].includes(name)) {
      this.#arrange();
    } else if (name === "question") {
      this.#askAttribute();
    } else {
      if (name !== "eager") {
        this.#forget();
      }
      if (this.hasAttribute("eager")) {
        this.#openQuietly();
      }
    }
  }

  /** What there is to ask, once the index is open: packs (none where they are too many), pages, size, version; else null. */
  get info() {
    return this.#info;
  }

  /** Whether a question is being answered. */
  get busy() {
    return this.#running !== null;
  }

  /** Opens the index, where that has not happened yet. Resolves to `info`; rejects with a code. */
  open() {
    if (this.#info) {
      return Promise.resolve(this.#info);
    }
    if (!this.#opening) {
      const opening = this.#openOnce().finally(() => {
        this.#opening = this.#opening === opening ? null : this.#opening;
      });
      this.#opening = opening;
    }
    return this.#opening;
  }

  /**
   * Asks, as a new turn of the conversation, and scrolls to it unless `scroll` is false.
   * Resolves to the answer; rejects with a code.
   */
  ask(question, { scroll = true } = {}) {
    const turn = this.#turn(String(question).trim(), null);
    this.#first ??= turn.element;
    const answer = this.#run(turn);
    if (scroll) {
      this.#reveal(turn, answer);
    }
    return answer;
  }

  /**
   * The entries and patterns for `{ question, asker, top_n }`, as `seealso entries --json` prints them. Shows nothing; keeps the
   * interaction in this browser. Rejects with a code.
   */
  async retrieve(request) {
    const [{ retrieve }, { stages }] = await Promise.all([this.#entries(), this.open()]);
    const response = await retrieve(request, this.#engineHere(), await this.#choices.encoder(), stages);
    this.#say("entries", response);
    return response;
  }

  /** Keeps in this browser whether an interaction helped: its id, "up" or "down", and a note. Rejects with a code. */
  async feedback(...about) {
    return (await this.#entries()).feedback(...about);
  }

  /** Shows an answer of an earlier visit; gives its turn. */
  restore(answer) {
    const turn = this.#turn(answer.question, this.#first);
    this.#show(turn, answer);
    return turn;
  }

  /** Takes away all that was asked. */
  clear() {
    this.stop();
    this.#before = [];
    this.#first = null;
    this.#turns.replaceChildren();
  }

  /** Stops the question that is being answered, if there is one. */
  stop() {
    this.#unclassified?.abort();
    this.#running?.abort();
  }

  /** Puts the cursor into the box. */
  focus(options) {
    this.#form.input.focus(options);
  }

  /** Only with its answer is a turn long enough to reach the top; a late answer moves nothing. */
  #reveal(turn, answer) {
    const asked = performance.now();
    const again = () => performance.now() - asked < REVEAL_MS && scrollTo(turn.element);
    scrollTo(turn.element);
    answer.then(again, again);
  }

  async #openOnce() {
    this.#showState(h("p", { role: "status" }, words.opening));
    let engine = null;
    try {
      engine = this.#engineHere();
      const info = await engine.open();
      if (engine === this.#engine) {
        this.#info = info;
        this.#showState(packList(info));
        this.#choices.offer(info);
        this.#say("ready", info);
        // A reader who has the box in view is about to ask. Safari has no such callback.
        (globalThis.requestIdleCallback ?? setTimeout)(() => engine === this.#engine && engine.prepare());
      }
      return info;
    } catch (error) {
      if (engine === this.#engine) {
        this.#failToOpen(error);
      }
      throw error;
    }
  }

  /** A question that waits shows the error itself, beside its own way to try again. */
  #failToOpen(error) {
    this.#showState(this.#running ? null : this.#openError(error));
    if (!this.#running) {
      this.#sayError(error);
    }
  }

  async #run(turn) {
    const run = new AbortController();
    this.#unclassified?.abort();
    this.#unclassified = run;
    if (!this.#running) {
      this.#take(run);
    }
    let more = null;
    const started = performance.now();
    turn.begin(this.#info !== null);
    const here = this.isConnected;
    try {
      const reply = await this.#unlessAborted(this.#replyBeforeSearch(turn), run.signal);
      if (reply) {
        return reply;
      }
      this.#unclassified = null;
      this.#take(run);
      if (here && !this.isConnected) {
        throw new EngineError("closed", words.errors.closed);
      }
      await this.#unlessAborted(this.open(), run.signal);
      turn.opened(performance.now() - started);
      if (!this.#engine) {
        throw new EngineError("closed", words.errors.closed);
      }
      const { names = {}, ...how } = await this.#unlessAborted(this.#choices.how(this.#list("stages")), run.signal);
      const progress = (step) => run.signal.aborted || turn.progress({ ...step, title: names[step.stage] });
      const answer = await this.#engineHere().ask(turn.question, progress, run.signal, this.#filter(), how);
      answer.trace = answer.trace.map((stage) => ({ ...stage, title: names[stage.name] }));
      this.#mute = false;
      this.#show(turn, answer);
      this.#before = [answer, ...this.#before].slice(0, BEFORE);
      this.#say("answer", answer);
      more = this.#goOn(answer, turn, run.signal);
      this.#goingOn = more ? run : null;
      return answer;
    } catch (error) {
      if (error.code === "index-lost") {
        // The engine opens the packs again for the next question: the site may have been built anew.
        this.#info = null;
      }
      turn.fail(error, () => this.#retry(turn));
      if (error.code !== "cancelled") {
        this.#sayError(error);
      }
      throw error;
    } finally {
      this.#unclassified = this.#unclassified === run ? null : this.#unclassified;
      if (more) {
        more.catch((error) => this.#sayError(error)).then(() => this.#end(run));
      } else {
        this.#end(run);
      }
    }
  }

  /** Whoever goes on may fail: the answer that is there stands. */
  #goOn(answer, turn, signal) {
    try {
      return this.deliberator?.(answer, turn, signal);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Only a question ends the one before it: a greeting is answered beside it. */
  #take(run) {
    if (this.#running !== run) {
      this.#running?.abort();
      this.#running = run;
    }
    this.#form.busy = true;
  }

  #turn(question, next) {
    const turn = new Turn(question, `turn-${++this.#count}`);
    this.#turns.insertBefore(turn.element, next);
    return turn;
  }

  /** The reply to a text that needs no search, such as a greeting. The scripts for it are loaded only where the text may be one. */
  async #replyBeforeSearch(turn) {
    if (!turn.asIs && (this.#before[0] || turn.question.length < GREETING)) {
      const talk = await import("./talk/talk.js").catch(shown);
      return talk?.replyBeforeSearch(turn, this.#before, () => this.#retry(turn));
    }
  }

  #show(turn, answer) {
    turn.answer(answer, (id) => this.#page(id), this.#info?.packs ?? [], () => this.#retry(turn));
  }

  #end(run) {
    if (this.#running === run) {
      this.#running = null;
      this.#form.busy = false;
      this.#say("idle");
    }
  }

  #retry(turn) {
    this.#form.input.focus({ preventScroll: true });
    this.#run(turn).catch(shown);
  }

  #unlessAborted(promise, signal) {
    return Promise.race([promise, new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new EngineError("cancelled", words.stopped)), { once: true });
    })]);
  }

  /** Asks what the question attribute holds; once, also where the element is moved about. */
  #askAttribute() {
    if (this.question && this.question !== this.#asked) {
      this.#asked = this.question;
      this.ask(this.question, { scroll: false }).catch(shown);
    }
  }

  #openQuietly() {
    this.open().catch(shown);
  }

  #arrange() {
    this.#form.suggesting = this.getAttribute("suggest") !== "off";
    this.#form.input.placeholder = this.placeholder || words.placeholder;
    this.#choices.depth = this.depth;
  }

  /** Waits for the index where it is being opened. What failed is not tried again at each key. */
  #ready() {
    return (!this.#mute && (this.#info ?? this.#opening)) || Promise.reject(new EngineError("closed", words.errors.closed));
  }

  /** Pages for what is being typed. */
  async #search(text) {
    const engine = this.#engine;
    try {
      return await engine.search(text, { k: SUGGESTIONS, prefix: true, ...this.#filter() });
    } catch (error) {
      this.#mute = engine === this.#engine;
      throw error;
    }
  }

  /** The scripts of entries, which come with the first request. */
  #entries() {
    return import("./entries/entries.js").catch(() => Promise.reject(new EngineError("not-loaded", words.failedDetails)));
  }

  /** Opens what was chosen among the suggestions: on its site, where it lies on one. */
  #choose(hit) {
    hit.site ? location.assign(hit.site) : this.#read(hit);
  }

  /** Shows a page below the conversation, in the place of one that was opened like this before. */
  #read({ page, title }) {
    const prefix = `page-${++this.#count}`;
    const close = () => {
      reading.remove();
      this.#form.input.focus();
    };
    const view = new PagePlace((id) => this.#page(id), `${prefix}-`, close, words.closePage);
    const reading = h("article", { class: "turn", part: "turn", "aria-labelledby": prefix },
      h("h3", { id: prefix, class: "hidden" }, title), view.element);
    this.#reading?.remove();
    this.#reading = reading;
    this.#turns.append(reading);
    view.show(page, { anchor: "", quotes: [] }).then(() => scrollTo(reading));
  }

  /** What a question and a search keep to. */
  #filter() {
    return { packs: this.#list("only-packs"), tags: this.#list("only-tags"), languages: this.#list("only-languages") };
  }

  /** What an attribute lists. */
  #list(name) {
    return (this.getAttribute(name) ?? "").split(",").map((item) => item.trim()).filter(Boolean);
  }

  async #page(id) {
    const page = await this.#engineHere().page(id);
    return { ...page, url: new URL(page.url, this.#packsUrl()).href };
  }

  #engineHere() {
    if (!this.#engine) {
      const options = {};
      if (this.tier) {
        options.tier = this.tier;
      }
      const timeout = Number(this.getAttribute("timeout-ms"));
      if (timeout > 0) {
        options.timeout_ms = timeout;
      }
      this.#engine = new Engine(this.#packsUrl(), options);
    }
    return this.#engine;
  }

  #packsUrl() {
    if (!this.packs) {
      throw new EngineError("no-packs", words.errors.noPacks);
    }
    const url = new URL(this.packs, document.baseURI);
    url.pathname = url.pathname.replace(/\/*$/, "/");
    return url.href;
  }

  /** Ends what the removed element runs: nobody would see what a model still writes, and a node would be sent more. */
  #leave() {
    this.#forget();
    this.#goingOn?.abort();
  }

  /** Lets go of the engine; what was answered stays to be read. */
  #forget() {
    this.#engine?.close();
    this.#engine = null;
    this.#info = null;
    this.#opening = null;
    this.#mute = false;
    this.#suggestions.close();
    this.#choices.reset();
    this.#showState(null);
  }

  #showState(content) {
    fill(this.#state, content);
  }

  #openError(error) {
    return h("div", { class: "error", role: "alert", part: "error", "data-code": error.code },
      h("p", {}, h("strong", {}, words.failed), h("br"), error.message),
      h("button", { type: "button", onclick: () => { focusOn(this.#form.input); this.#openQuietly(); } }, words.retry));
  }

  #say(name, detail) {
    this.dispatchEvent(new CustomEvent(`see-also:${name}`, { detail, bubbles: true, composed: true }));
  }

  #sayError(error) {
    this.#say("error", { code: error.code ?? "internal", message: error.message });
  }

  /** A property set before the class was known hides the accessor: it becomes an attribute. */
  #upgrade(name) {
    if (Object.hasOwn(this, name)) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }
}

reflect(SeeAlsoElement.prototype, REFLECTED);

/** The error is on the page and in an event already. */
function shown() {}
