// Questions that found nothing: gaps of the content, for whoever writes it. They are kept in this browser's local storage, the newest
// two hundred of them, and leave it only as a file that the reader saves.

const KEY = "seealso-misses";
const MOST = 200;
/** A longer question is cut. */
const MOST_CHARACTERS = 400;

/**
 * @typedef {object} Miss
 * @property {string} at when it was asked (ISO 8601)
 * @property {string} packs the address of the packs
 * @property {string} question
 * @property {string} [query_type] how pages were looked for, where stages were used
 */

/** The questions that found nothing, the oldest first. @returns {Miss[]} */
export function misses() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/**
 * Keeps the question of an answer that found nothing. One whose pages could not be read found something, and the same question is
 * kept once.
 */
export function noteMiss({ status, question, notices, query_type }, packs, at) {
  if (status !== "empty" || notices.some(({ code }) => code === "page-lost")) {
    return;
  }
  const miss = { at, packs, question: question.slice(0, MOST_CHARACTERS), ...(query_type && { query_type }) };
  const others = misses().filter((other) => other.packs !== miss.packs || other.question !== miss.question);
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, miss].slice(-MOST)));
  } catch {
    // The storage is full or forbidden: the question is lost, and nothing else.
  }
}

/** Forgets them. */
export function forgetMisses() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // None can be there.
  }
}

/** One question a line, as JSON. */
export function asLines(list) {
  return list.map((miss) => `${JSON.stringify(miss)}\n`).join("");
}
