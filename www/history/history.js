// The chat page's history: each turn is kept in this browser, and shown again when the page is opened anew; it can be
// taken away as a file, and cleared. Loaded with the first answer, or where there is a history. Where the browser keeps
// nothing, what is on the screen stays as it is, and the page says so.

import { asJson, asMarkdown } from "./export.js";
import { asLines, forgetMisses, misses, noteMiss } from "./misses.js";
import { HistoryStore } from "./store.js";
import { words } from "./words.js";

/** Whether there is a history, for the next visit to know without loading this script. */
const FLAG = "seealso-history";

/** A file that is saved is read by then. */
const READ_MS = 60_000;

/** The history of a chat's element. */
export class History {
  #chat;
  #home;
  #name;
  #store = HistoryStore.open();
  #turns = [];
  /** The keys under which turns are kept, as they come. */
  #keys = new Map();
  #said = make("p", { role: "status" });
  #ask = make("div", { className: "clear" });
  #interactions = make("button", { type: "button", textContent: words.interactions, onclick: () => this.#saveInteractions() });
  #misses = make("button", {
    type: "button", textContent: words.misses, onclick: () => save("seealso-misses.jsonl", "application/jsonl", asLines(misses())),
  });

  /** @param {HTMLElement} chat @param {HTMLElement} home @param {(key: string, value: string) => void} name in the page's address */
  constructor(chat, home, name) {
    this.#chat = chat;
    this.#home = home;
    this.#name = name;
    this.#store.catch(() => this.#say(words.notKept));
    for (const event of ["see-also:deliberated", "see-also:own-knowledge"]) {
      chat.addEventListener(event, ({ detail }) => this.#written(detail));
    }
  }

  /** Shows the turns of earlier visits; gives the last question. */
  async restore() {
    const kept = await this.#store.then((store) => store.all(this.#packs()), () => []);
    try {
      for (const turn of kept) {
        await this.#restoreTurn(turn);
      }
    } finally {
      this.show();
    }
    return this.#turns.at(-1)?.answer.question ?? "";
  }

  /** A turn that can't be shown, such as one of another version of the page, keeps none of the others from being shown. */
  async #restoreTurn(turn) {
    try {
      const shown = this.#chat.restore(turn.answer);
      this.#turns.push(turn);
      await this.#restoreWritten(shown, turn);
    } catch (error) {
      console.warn("A turn of an earlier visit can't be shown.", error);
    }
  }

  /** Keeps an answer. */
  async keep(answer) {
    const turn = { at: new Date().toISOString(), packs: this.#packs(), answer: light(answer) };
    this.#turns.push(turn);
    noteMiss(answer, turn.packs, turn.at);
    this.show();
    const key = this.#keeping((store) => store.add(turn));
    this.#keys.set(turn, key);
    if ((await key) !== null) {
      this.#flag(true);
    }
  }

  /** Keeps what a model made of an answer: a deliberation, or an answer from its own knowledge. */
  async #written({ question, ...written }) {
    const turn = this.#turns.findLast(({ answer }) => answer.question === question);
    if (turn) {
      Object.assign(turn, written);
      const key = await this.#keys.get(turn);
      if (key) {
        await this.#keeping((store) => store.replace(key, turn));
      }
    }
  }

  /** Shows what a model once made of an answer, if one did. */
  async #restoreWritten(shown, { answer, deliberation, own_knowledge: own, writer }) {
    const written = deliberation ?? own;
    if (!written) {
      return;
    }
    const [Shown, { exchangeStyles }] = await Promise.all([
      deliberation ? import("../seealso/deliberation/exchange.js").then(({ Exchange }) => Exchange)
        : import("../seealso/deliberation/own-knowledge.js").then(({ OwnKnowledge }) => OwnKnowledge),
      import("../seealso/deliberation/exchange-styles.js")]);
    exchangeStyles(shown.element);
    const exchange = new Shown(answer, shown);
    exchange.begin({ about: writer });
    exchange.done(written);
  }

  /** Does something with the store; where that fails, says so, and the page goes on. */
  async #keeping(work, otherwise = words.notKept) {
    try {
      return await work(await this.#store);
    } catch (error) {
      this.#say(error?.name === "QuotaExceededError" ? words.full : otherwise);
      return null;
    }
  }

  /** Shows what can be done with the history and the log of interactions, where there is either. */
  show() {
    this.#home.hidden = this.#turns.length === 0 && !hasInteractions();
    this.#interactions.hidden = !hasInteractions();
    this.#misses.hidden = misses().length === 0;
    if (!this.#home.hasChildNodes()) {
      const button = (text, onclick) => make("button", { type: "button", textContent: text, onclick });
      this.#home.append(
        make("div", { className: "row" },
          button(words.markdown, () => save("seealso-history.md", "text/markdown", asMarkdown(this.#turns))),
          button(words.json, () => save("seealso-history.json", "application/json", asJson(this.#turns))),
          this.#misses,
          this.#interactions,
          button(words.clear, () => this.#askToClear())),
        this.#ask, this.#said);
    }
  }

  /** Nothing is forgotten by one slip. */
  #askToClear() {
    const button = (text, onclick) => make("button", { type: "button", textContent: text, onclick });
    this.#ask.replaceChildren(
      make("p", { textContent: words.sure(this.#turns.length, hasInteractions()) }),
      button(words.yes, () => this.#clear()),
      button(words.no, () => this.#ask.replaceChildren()));
    this.#ask.querySelector("button").focus();
  }

  async #clear() {
    this.#turns = [];
    forgetMisses();
    this.#keys.clear();
    this.#ask.replaceChildren();
    this.#chat.clear();
    this.#name("q", "");
    // What could not be cleared is there again at the next visit: the message says so, and has to stay to be read.
    if ((await this.#keeping((store) => Promise.all([store.clear(), forgetInteractions()]), words.notCleared)) !== null) {
      this.#flag(false);
      this.show();
    }
    this.#chat.focus();
  }

  async #saveInteractions() {
    const lines = await this.#keeping(async () => (await interactionLog()).logAsText(), words.notRead);
    if (lines !== null) {
      save("seealso-interactions.jsonl", "application/jsonl", lines);
    }
  }

  #say(text) {
    this.#said.textContent = text;
  }

  #flag(on) {
    try {
      on ? localStorage.setItem(FLAG, "1") : localStorage.removeItem(FLAG);
    } catch {
      // Told where the store fails, too.
    }
  }

  #packs() {
    return new URL(this.#chat.packs, document.baseURI).href;
  }
}

/** The log of interactions with entries, whose scripts are loaded only where there is one. */
function interactionLog() {
  return import("../seealso/entries/log.js");
}

function hasInteractions() {
  try {
    return localStorage.getItem("seealso-interactions") !== null;
  } catch {
    return false;
  }
}

async function forgetInteractions() {
  if (hasInteractions()) {
    await (await interactionLog()).forgetLog();
  }
}

/** An answer without the text of its pages, which are read again when one is opened, and without its trace. */
function light({ trace, sources, ...answer }) {
  return { ...answer, trace: [], sources: sources.map(({ markdown, ...source }) => source) };
}

function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  // A browser may read it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}

function make(tag, properties, ...children) {
  const { role, ...own } = properties;
  const element = Object.assign(document.createElement(tag), own);
  if (role) {
    element.setAttribute("role", role);
  }
  element.append(...children);
  return element;
}
