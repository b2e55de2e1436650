// Every word of an opened page and of a trace. The element's own words stand in strings.js.

import { words as common } from "../strings.js";

const { loadingPage, retry, time, trace } = common;

export const words = {
  loadingPage,
  retry,
  time,
  trace,
  openFile: "Open the file",
  backToAnswer: "Back to the answer",
  backToPage: (title) => `Back to ${title}`,
  origins: "Where this page comes from",
  noOrigins: "The page names no sources.",
  schema: "How pages of this pack are written (schema.md)",
  noSchema: "This pack has no schema.md.",
  noFile: "There is no such file in the pack.",
  failedOrigins: (why) => `The file could not be read (${why}).`,
  removeStored: "Remove stored copies of packs and index",
  removedStored: "Removed. They are fetched again when they are needed.",
  failedRemoving: "The copies could not be removed.",
  failedPage: "The page could not be shown",
  cut: "The rest of this page is too long to show here.",
  table: "Table",
  code: "Code",
  traceColumns: ["Stage", "Time", "What happened"],
  traceDetail: "Details",
  traceTotal: (context, ms) => `${context.toLocaleString("en")} characters of context, ${time(ms)} in all`,
  truncated: (count) => `… ${count.toLocaleString("en")} more characters`,
};
