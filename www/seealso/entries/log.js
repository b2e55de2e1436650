// The log of interactions with entries, in this browser alone: a database of its own, with one record a line. A line has the keys of
// the command's log (crates/cli/src/interactions/record.rs), so that `seealso report --log FILE` reads what a reader saves. Questions
// are in it, for it leaves the browser only as a file that the reader saves.
//
// An interaction is { kind, id, time, route, asker, question, verdict, matches, entries, ms }, feedback { kind, interaction_id, time,
// thumb, note?, entries }. `time` is in UTC, to the second; `entries` are ids of pages, best first.

import { RecordStore } from "../record-store.js";

/** So many lines are kept; older ones go. */
const MOST = 400;
/** Whether there is a log, for the next visit to know without loading this script. */
const FLAG = "seealso-interactions";

/** The moment, as the log has it. */
export function now() {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

/** Keeps a line. Rejects where the browser keeps nothing for the page, or its storage is full. */
export async function keepLine(line) {
  await withLines((lines) => lines.add(line));
  flag(true);
}

/** The interaction of this id; undefined where the log has none. */
export async function interactionOf(id) {
  const lines = await withLines((lines) => lines.all());
  return lines.findLast((line) => line.kind === "interaction" && line.id === id);
}

/** The log as JSON Lines, the oldest first. */
export async function logAsText() {
  const lines = await withLines((lines) => lines.all());
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Forgets all lines. Rejects where the browser can't. */
export async function forgetLog() {
  await withLines((lines) => lines.clear());
  flag(false);
}

function flag(on) {
  try {
    on ? localStorage.setItem(FLAG, "1") : localStorage.removeItem(FLAG);
  } catch {
    // The log is there; the next visit finds it with its first request.
  }
}

async function withLines(work) {
  const lines = await RecordStore.open("seealso-interactions", "lines", MOST);
  try {
    return await work(lines);
  } finally {
    lines.close();
  }
}
