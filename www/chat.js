// The chat page around the element: example questions, ?q= and #model in the address, "/" for the box; the history, and
// what the reader once chose about models, whose scripts are loaded for those alone who have any.

const chat = document.querySelector("see-also");
let loading = null;

document.querySelector(".examples").addEventListener("click", ({ target }) => {
  if (target instanceof HTMLButtonElement) {
    ask(target.textContent);
  }
});

chat.addEventListener("see-also:answer", ({ detail }) => {
  const address = new URL(location.href);
  address.searchParams.set("q", detail.question);
  history.replaceState(null, "", address);
  past().then((past) => past.keep(detail), ignore);
});

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
const restored = kept("seealso-history") && defined.then(past).then((past) => past.restore()).catch(ignore);
// Read at once, for what the reader asks meanwhile is written there too.
const question = new URL(location.href).searchParams.get("q")?.trim();
Promise.all([restored, defined, applied]).then(([last]) => {
  if (question && question !== last) {
    chat.question = question;
  }
});

addEventListener("hashchange", settings);
settings();

function settings() {
  if (location.hash === "#model") {
    import("./model.js").then(({ openSettings }) => openSettings(chat)).catch(fail);
  }
}

/** The history, loaded once. */
function past() {
  return (loading ??= import("./history/history.js").then(({ History }) => new History(chat, document.querySelector("#history"))));
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
