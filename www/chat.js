// The chat page around the element: example questions, ?q= and #model in the address, "/" for the box; and what the
// reader once chose about local models, whose scripts are loaded for those alone who did.

const chat = document.querySelector("see-also");

document.querySelector(".examples").addEventListener("click", ({ target }) => {
  if (target instanceof HTMLButtonElement) {
    ask(target.textContent);
  }
});

chat.addEventListener("see-also:answer", ({ detail }) => {
  const address = new URL(location.href);
  address.searchParams.set("q", detail.question);
  history.replaceState(null, "", address);
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
let applied = null;
if (kept("seealso-model")) {
  applied = import("./model.js").then(({ applySettings }) => applySettings(chat)).catch(fail);
  chat.deliberator = (...answer) => import("./model.js").then(({ deliberator }) => deliberator(...answer), fail);
}
Promise.all([customElements.whenDefined("see-also"), applied]).then(() => {
  const question = new URL(location.href).searchParams.get("q")?.trim();
  if (question) {
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
  // The element shows what went wrong, if anything did.
  chat.ask(question).catch(() => {});
}
