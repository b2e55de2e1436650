// Who may write, in the order in which they are tried: who the reader chose, then the local model.
//
// A writer is { about: { kind, name, place }, write(asked, exchange, signal) }, which resolves to what came of it; `asked` is the
// quoted answer, or { question, alone: true } where there is none, and `place` the origin of a node, empty on this device.

import { agreement } from "../node/agreement.js";
import { LocalModel } from "../model/client.js";
import { publishFound } from "../model/device-memory.js";
import { tierFor } from "../model/reader-tier.js";
import { Store } from "../model/store.js";
import { browserModelState, browserRole } from "./browser.js";
import { DeliberationError } from "./client.js";
import { localRole } from "./local.js";
import { deliberations } from "./shared.js";
import { words } from "./words.js";

/** @param {import("../model/settings.js").Settings} settings */
export async function writersFor(settings) {
  const chosen = { node: () => (settings.node ? atNode(settings) : missing("node", words.someModel, "no-node", words.noNode)), browser: () => byBrowser(settings) };
  const first = chosen[settings.writer]?.();
  const local = settings.model || !first ? await locally(settings) : null;
  return [first, local].filter(Boolean);
}

/** One who was chosen and is not there, and so says why. */
function missing(kind, name, code, why) {
  return { about: { kind, name, place: "" }, write: () => Promise.reject(new DeliberationError(code, why)) };
}

function atNode(settings) {
  const { node } = settings;
  const allowed = agreement.signal;
  const about = { kind: "node", name: node.found?.name || node.model || words.someModel, place: new URL(node.base).origin };
  return {
    about,
    async write(asked, exchange, signal) {
      const agreed = agreement.for(node);
      if (!agreed) {
        throw new DeliberationError("not-agreed", words.notAgreed(about.place));
      }
      exchange.waiting(words.asking(about.place));
      return deliberations().run(asked, { node: agreed }, await tierOf(settings), { signal: eitherOf(signal, allowed), onStep: (step) => exchange.step(step) });
    },
  };
}

function byBrowser(settings) {
  const about = { kind: "browser", name: words.browserModel, place: "" };
  return {
    about,
    async write(asked, exchange, signal) {
      if ((await browserModelState()) !== "available") {
        throw new DeliberationError("no-browser-model", words.noBrowserModel);
      }
      const role = browserRole(about.name);
      const models = { expert: role, critic: role, synthesizer: role };
      return deliberations().run(asked, { models }, await tierOf(settings), { signal, onStep: (step) => exchange.step(step) });
    },
  };
}

/** The model that was loaded last. */
const loaded = { model: null, key: "", role: null };

/** The stored model that the reader chose; where it is no longer there, one that says so. */
async function locally(settings) {
  const { model: key, device } = settings;
  const absent = (code, why) => missing("local", words.chosenModel, code, why);
  if (!key) {
    return absent("no-model", words.noModel);
  }
  let stored;
  try {
    stored = await (await Store.open()).list();
  } catch (error) {
    return absent("no-store", error.message);
  }
  const entry = stored.find((record) => record.key === key && record.complete)?.entry;
  if (!entry) {
    return absent("no-model", words.modelGone);
  }
  const about = { kind: "local", name: entry.title ?? entry.name, place: "" };
  return {
    about,
    async write(asked, exchange, signal) {
      try {
        const role = await loadedRole(key, device, { about, judge: entry.judge }, exchange, signal);
        const models = { expert: role, critic: role, synthesizer: role };
        // A small model is asked in few words, whatever the machine could do.
        const tier = await tierOf({ ...settings, writer: "local", tier: settings.tier ?? entry.tier ?? null });
        return await deliberations().run(asked, { models }, tier, { signal, onStep: (step) => exchange.step(step) });
      } catch (error) {
        if (error.code !== "stopped" && error.code !== "cancelled") {
          // What is loaded is not to be trusted after a failure.
          loaded.key = "";
        }
        throw error.message ? error : new DeliberationError("internal", words.crashed);
      }
    },
  };
}

/** The local model in the form that a deliberation wants, loaded where it is not. */
async function loadedRole(key, device, { about, judge }, exchange, signal) {
  const wanted = `${key} ${device}`;
  if (loaded.key !== wanted) {
    loaded.model ??= new LocalModel();
    // What was loaded is gone as soon as the worker begins, also where it does not come to its end.
    loaded.key = "";
    const begun = performance.now();
    const onProgress = (progress) => progress.stage === "loading" && exchange.loading(progress);
    const onDevice = (on) => publishFound({ model: key, wish: device, ...on });
    const { info } = await loaded.model.load({ key, device }, { signal, onProgress, onDevice });
    loaded.role = localRole(loaded.model, { name: about.name, context: info.context, judge });
    loaded.key = wanted;
    exchange.loaded(performance.now() - begun);
  }
  return loaded.role;
}

/** A signal that is aborted as soon as one of the two is. */
function eitherOf(one, other) {
  const either = new AbortController();
  for (const signal of [one, other]) {
    signal.aborted ? either.abort() : signal.addEventListener("abort", () => either.abort(), { once: true });
  }
  return either.signal;
}

async function tierOf(settings) {
  const tier = await tierFor(settings);
  return tier ? { tier } : {};
}
