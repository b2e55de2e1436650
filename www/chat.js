// The chat page around the element: example questions, #q= and #model in the address, "/" for the box; the history, and
// what the reader once chose about models, whose scripts are loaded for those alone who have any.
//
// The address names the question in its fragment, which no browser sends to the host.

const chat = document.querySelector("see-also");
let loading = null;

/** As many characters of a question are taken from a link: the box takes no more either. */
const QUESTION_LIMIT = 4000;

document.querySelector(".examples").addEventListener("click", ({ target }) => {
  if (target instanceof HTMLButtonElement) {
    ask(target.textContent);
  }
});

chat.addEventListener("see-also:answer", ({ detail }) => {
  past().then((past) => past.keep(detail), ignore);
  name("q", detail.question);
});

chat.addEventListener("see-also:entries", () => past().then((past) => past.show(), ignore));

addEventListener("keydown", (event) => {
  const typing = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    chat.focus();
  }
});

// The tier that held last holds at once, so that the packs are opened with it; who writes is asked only after an answer.
const tier = kept("seealso-tier");
if (tier) {
  chat.tier = tier;
}
// Before that, an element's own fields would take the place of what is set here.
const defined = customElements.whenDefined("see-also");
const applied = kept("seealso-model") && defined.then(() => {
  chat.deliberator = (...answer) => import("./model.js").then(({ deliberator }) => deliberator(...answer), fail);
  return import("./model.js").then(({ applyKept }) => applyKept(chat)).catch(fail);
});
const restored = (kept("seealso-history") || kept("seealso-interactions")) && defined.then(past).then((past) => past.restore()).catch(ignore);
// Read at once, for what the reader asks meanwhile is written there too.
const question = questionIn(location.href);
if (question) {
  name("q", question);
}
Promise.all([restored, defined, applied]).then(([last]) => {
  if (question && question !== last) {
    chat.question = question;
  }
});

addEventListener("hashchange", follow);
follow({ oldURL: location.href });

/** Follows the address: to another question, with the page loaded anew as by any link, or to the settings. */
function follow({ oldURL }) {
  const [before, now] = [oldURL, location.href].map(questionIn);
  if (now && now !== before) {
    location.reload();
  } else if (/^#model\b/.test(location.hash)) {
    // The link to the settings names nothing else.
    name("q", before);
    import("./model.js").then(({ openSettings }) => openSettings(chat, name)).catch(fail);
  }
}

/** The question that an address names: in its fragment, or, as old links do, in its query. */
function questionIn(address) {
  const { hash, searchParams } = new URL(address);
  return (new URLSearchParams(hash.slice(1)).get("q") ?? searchParams.get("q"))?.trim().slice(0, QUESTION_LIMIT);
}

/** Names something in the fragment of the page's own address, or no longer where its value is empty; its query loses the question. */
function name(key, value) {
  const address = new URL(location.href);
  const named = new URLSearchParams(address.hash.slice(1));
  value ? named.set(key, value) : named.delete(key);
  address.hash = named;
  address.searchParams.delete("q");
  history.replaceState(null, "", address);
}

/** The history, loaded once. */
function past() {
  return (loading ??= import("./history/history.js").then(({ History }) => new History(chat, document.querySelector("#history"), name)));
}

function fail() {
  document.querySelector("#model-failed").hidden = false;
}

/** What this browser keeps for the page, if anything; the scripts that are loaded on demand put it there. */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function ask(question) {
  chat.ask(question).catch(ignore);
}

/** What went wrong is on the page already, or lessens nothing that is there. */
function ignore() {}
