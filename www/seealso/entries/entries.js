// Entries for a page's scripts: a request becomes the response that the command and a server give (docs/entries.md), and both the
// interaction and its feedback are kept in this browser's log. Loaded with the first request.

import { interactionOf, keepLine, now } from "./log.js";
import { words } from "./words.js";

/** The most characters of a note. */
const NOTE = 2000;
/** What the catalog names where a browser can encode questions. */
const ENCODER = "encoder";

/**
 * The entries and patterns for a request.
 * @param {{question: string, asker: string, top_n?: number}} request
 * @param {import("../engine.js").Engine} engine
 * @param {{space: string, port: MessagePort}|null|undefined} encoder that the reader agreed to
 * @param {string[]} stages that the site has
 */
export async function retrieve({ question, asker, top_n } = {}, engine, encoder, stages) {
  if (!Number.isInteger(top_n ?? 0)) {
    throw failure("options", words.wrongNumber);
  }
  const [start, time] = [performance.now(), now()];
  const interaction = { id: newId(), today: time.slice(0, 10) };
  const request = { question: String(question ?? ""), asker: String(asker ?? ""), top_n };
  const response = await engine.retrieve(request, interaction, encoder).catch((error) => {
    throw worded(error, stages);
  });
  const { interaction_id: id, query, strong_match, matches_found: matches, entries } = response;
  const verdict = strong_match ? "strong" : matches > 0 ? "weak" : "none";
  const ms = Math.round((performance.now() - start) * 1000) / 1000;
  try {
    await keepLine({
      kind: "interaction", id, time, route: "retrieve", asker: request.asker.trim(), question: query, verdict, matches,
      entries: entries.map(({ page }) => page), ms,
    });
  } catch ({ name }) {
    response.notices.push({ code: "not-kept", message: name === "QuotaExceededError" ? words.full : words.notKept });
  }
  return response;
}

/**
 * Keeps whether an interaction helped. Resolves to what was kept, as a server does.
 * @param {string} interaction_id of a response
 * @param {"up"|"down"} thumb
 * @param {string} [note]
 */
export async function feedback(interaction_id, thumb, note) {
  if (thumb !== "up" && thumb !== "down") {
    throw failure("options", words.wrongThumb);
  }
  if (typeof (note ?? "") !== "string" || [...(note ?? "")].length > NOTE) {
    throw failure("options", words.wrongNote(NOTE));
  }
  const kept = (work) => work.catch((cause) => {
    throw failure("log-unavailable", words.noFeedback, cause);
  });
  const interaction = await kept(interactionOf(interaction_id));
  if (!interaction) {
    throw failure("interaction-not-found", words.noInteraction(interaction_id));
  }
  const { entries } = interaction;
  await kept(keepLine({ kind: "feedback", interaction_id, time: now(), thumb, ...(note && { note }), entries }));
  return { interaction_id, thumb };
}

/** An id as the command makes them: a UUID of version 7 (RFC 9562), which begins with the time. */
function newId() {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** The engine's error with a sentence for a page, where its own is for the command's user. */
function worded(error, stages) {
  if (error.code === "no-encoder") {
    return failure(error.code, stages.includes(ENCODER) ? words.noEncoder : words.noneToLoad, error);
  }
  return error.code === "internal" ? failure("not-loaded", words.notLoaded, error) : error;
}

function failure(code, message, cause) {
  return Object.assign(new Error(message, { cause }), { code });
}
