// The browser's own model, where it has one (the Prompt API's `LanguageModel`), in the form that a deliberation wants. It
// is there in pages alone, not in workers.

/** Browsers want to be told which language is wanted, and know these. */
const LANGUAGES = ["de", "en", "es", "fr", "ja"];

/** Whether this browser has the interface at all. */
export function hasBrowserModel(scope = globalThis) {
  return typeof scope.LanguageModel?.availability === "function" && typeof scope.LanguageModel.create === "function";
}

/** "available", "downloadable", "downloading", or "unavailable". */
export async function browserModelState(scope = globalThis) {
  return hasBrowserModel(scope) ? scope.LanguageModel.availability(wanted()).catch(() => "unavailable") : "unavailable";
}

/**
 * Has the browser fetch its model, where it has not yet; browsers want that to follow a reader's act.
 * @param {{onProgress?: (share: number) => void, signal?: AbortSignal}} options
 */
export async function prepareBrowserModel({ onProgress, signal } = {}) {
  const session = await open({ signal, onProgress });
  session.destroy();
}

/** The browser's model as one that plays a role. @param {string} name */
export function browserRole(name) {
  return {
    // How much it can read, only a session tells.
    abilities: { name, context: 0, tools: false },
    async write({ system, before, user, max_tokens }, onEvent, signal) {
      let session = null;
      try {
        session = await open({ system, before, signal });
        return await written(session, user, max_tokens, onEvent, signal);
      } catch (error) {
        throw withCode(error);
      } finally {
        session?.destroy();
      }
    },
    score() {
      return Promise.reject(coded("cannot-score", "it tells no likelihoods"));
    },
  };
}

/** What a session writes; the interface knows no bound, so it is ended here. */
async function written(session, user, most, onEvent, signal) {
  let [text, pieces] = ["", 0];
  const reader = session.promptStreaming(user, { signal }).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || pieces === most) {
      await reader.cancel();
      return { text, tokens: pieces, prompt_tokens: 0, known_tokens: 0, cut: !done };
    }
    text += value;
    pieces++;
    onEvent({ text: value });
  }
}

function open({ system = "", before = [], signal, onProgress }) {
  const turns = before.flatMap((turn) => [{ role: "user", content: turn.user }, { role: "assistant", content: turn.assistant }]);
  const initialPrompts = [...(system ? [{ role: "system", content: system }] : []), ...turns];
  return LanguageModel.create({
    ...wanted(),
    ...(initialPrompts.length && { initialPrompts }),
    ...(signal && { signal }),
    ...(onProgress && { monitor: (monitor) => monitor.addEventListener("downloadprogress", ({ loaded }) => onProgress(loaded)) }),
  });
}

/** The page's language, where browsers know it. What is written follows the question all the same. */
function wanted() {
  const language = (globalThis.document?.documentElement.lang ?? "").slice(0, 2);
  return { expectedOutputs: [{ type: "text", languages: [LANGUAGES.includes(language) ? language : "en"] }] };
}

/** The browser's error with a code that deliberations know. */
function withCode({ name, message, requested = 0, quota = 0 }) {
  if (name === "AbortError") {
    return coded("stopped", message);
  }
  return name === "QuotaExceededError"
    ? Object.assign(coded("prompt-too-long", message), { tokens: requested, room: quota })
    : coded("model", message || name);
}

function coded(code, message) {
  return Object.assign(new Error(message), { code });
}
