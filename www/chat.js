// The chat page around the element: example questions, ?q= and #model in the address, "/" for the box.

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

customElements.whenDefined("see-also").then(() => {
  const question = new URL(location.href).searchParams.get("q")?.trim();
  if (question) {
    chat.question = question;
  }
});

addEventListener("hashchange", settings);
settings();

// A model that the reader chose before goes on after the quoted answer; who chose none loads nothing of it.
if (storedChoice()) {
  model((page) => page.useModel(chat));
}

function settings() {
  if (location.hash === "#model") {
    model((page) => page.openSettings(chat));
  }
}

function model(use) {
  import("./model.js").then(use).catch((error) => {
    document.querySelector("footer").append(`The settings of local models could not be loaded (${error.message}). Reload the page.`);
  });
}

function storedChoice() {
  try {
    return localStorage.getItem("seealso-model");
  } catch {
    return null;
  }
}

function ask(question) {
  // The element shows what went wrong, if anything did.
  chat.ask(question).catch(() => {});
}
