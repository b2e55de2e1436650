// The chat page's settings for a local model, loaded when the reader opens them (the address then ends in #model), and
// the model's part in answers, loaded where the reader chose one.

import { withLocalModel } from "./seealso/deliberation/with-local-model.js";
import { Isolation } from "./seealso/model/isolate.js";
import { ModelPanel } from "./seealso/model/model-panel.js";

let panel = null;

/** Lets the chosen model go on after the quoted answers. */
export function useModel(chat) {
  chat.deliberator ??= withLocalModel();
}

/** Shows the settings in the chat's element, below the box. */
export async function openSettings(chat) {
  await customElements.whenDefined(chat.localName);
  panel ??= new ModelPanel({
    catalog: new URL("models/models.json", document.baseURI).href,
    isolation: new Isolation(new URL("service-worker.js", document.baseURI).href),
    onChange: ({ tier }) => {
      chat.tier = tier ?? "";
      useModel(chat);
    },
    onClose: () => {
      history.replaceState(null, "", location.pathname + location.search);
      chat.focus();
    },
  });
  return panel.showIn(chat.shadowRoot);
}
