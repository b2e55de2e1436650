// The chat page's settings for who writes the answers, loaded when the reader opens them (the address then names "model"
// in its fragment), or has chosen something there before.

import { withModels } from "./seealso/deliberation/with-models.js";
import { onFound } from "./seealso/model/device-memory.js";
import { tierFor } from "./seealso/model/reader-tier.js";
import { readSettings } from "./seealso/model/settings.js";
import { agreement } from "./seealso/node/agreement.js";

const KEPT = "Nothing leaves this browser.";
const SENT = (origin) => `Questions and texts of pages are sent to ${origin}, as you agreed.`;

/** The list of models that this site offers. */
const MODELS = new URL("models/models.json", document.baseURI).href;

let panel = null;
/** The element whose tier follows what the loaded model runs on. */
let followed = null;

/** Who goes on after quoted answers. */
export const deliberator = withModels({ settings: "#model", models: MODELS });

/**
 * Shows the settings in the chat's element, below the box.
 * @param {HTMLElement} chat
 * @param {(key: string, value: string) => void} name names something in the page's address
 */
export async function openSettings(chat, name) {
  const [{ ModelPanel }, { Isolation }] = await Promise.all([
    import("./seealso/model/model-panel.js"), import("./seealso/model/isolate.js"), customElements.whenDefined(chat.localName),
  ]);
  panel ??= new ModelPanel({
    catalog: MODELS,
    isolation: new Isolation(new URL("service-worker.js", document.baseURI).href),
    onChange: (settings) => applySettings(chat, settings),
    onClose: () => {
      name("model", "");
      chat.focus();
    },
  });
  return panel.showIn(chat.shadowRoot);
}

/** Lets the reader's choices hold that were made before; a question that is being answered meanwhile is not lost. */
export async function applyKept(chat) {
  for (;;) {
    const settings = readSettings();
    const tier = await tierOf(settings);
    if (JSON.stringify(readSettings()) !== JSON.stringify(settings)) {
      // The reader chose anew meanwhile.
      continue;
    }
    if (tier === chat.tier || !chat.busy) {
      apply(chat, settings, tier);
      return;
    }
    await new Promise((resolve) => chat.addEventListener("see-also:idle", resolve, { once: true }));
  }
}

/** Lets a choice hold that the reader made now: where texts go is told at once, and the tier changes between answers. */
function applySettings(chat, settings) {
  showWriter(settings);
  return applyKept(chat);
}

function showWriter({ writer }) {
  const sending = writer === "node" && agreement.origin !== "";
  document.querySelector("#leaves").textContent = sending ? SENT(agreement.origin) : KEPT;
}

/** Lets choices hold for the chat's element: the tier, and who goes on after quoted answers. */
function apply(chat, settings, tier) {
  showWriter(settings);
  chat.deliberator ??= deliberator;
  if (followed !== chat) {
    followed = chat;
    // The tier of a model follows from what it was found to run on. Where that fails, the one that held goes on to hold.
    onFound(() => applyKept(chat).catch(() => {}));
  }
  // Setting the attribute, even to what it already means, opens the packs anew and ends a question that runs.
  if (chat.tier !== tier) {
    chat.tier = tier;
  }
  try {
    localStorage.setItem("seealso-tier", tier);
  } catch {
    // It is found out again for the next visit.
  }
}

async function tierOf(settings) {
  return (await tierFor(settings)) ?? "";
}
