// The chat page's settings for a local model, loaded when the reader opens them (the address then ends in #model), or
// has chosen something there before.

import { withLocalModel } from "./seealso/deliberation/with-local-model.js";
import { tierFor } from "./seealso/model/reader-tier.js";
import { readSettings } from "./seealso/model/settings.js";

let panel = null;

/** Shows the settings in the chat's element, below the box. */
export async function openSettings(chat) {
  const [{ ModelPanel }, { Isolation }] = await Promise.all([
    import("./seealso/model/model-panel.js"), import("./seealso/model/isolate.js"), customElements.whenDefined(chat.localName),
  ]);
  panel ??= new ModelPanel({
    catalog: new URL("models/models.json", document.baseURI).href,
    isolation: new Isolation(new URL("service-worker.js", document.baseURI).href),
    onChange: (settings) => applySettings(chat, settings),
    onClose: () => {
      history.replaceState(null, "", location.pathname + location.search);
      chat.focus();
    },
  });
  return panel.showIn(chat.shadowRoot);
}

/** Lets the reader's choices hold for the chat's element: the tier, and the model that goes on after quoted answers. */
export async function applySettings(chat, settings = readSettings()) {
  chat.tier = (await tierFor(settings)) ?? "";
  chat.deliberator ??= withLocalModel();
}
