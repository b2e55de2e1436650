// Every word of an opened page and of a trace. The element's own words stand in strings.js.

import { words as common } from "../strings.js";

const { failedDetails, loadingPage, retry, time, trace } = common;

export const words = {
  failedDetails,
  loadingPage,
  retry,
  time,
  trace,
  openFile: "Open the file",
  backToAnswer: "Back to the answer",
  backToPage: (title) => `Back to ${title}`,
  origins: "Where this page comes from",
  removeStored: "Remove stored copies of packs and index",
  failedPage: "The page could not be shown",
  cut: "The rest of this page is too long to show here.",
  table: "Table",
  code: "Code",
  traceColumns: ["Stage", "Time", "What happened"],
  traceDetail: "Details",
  traceTotal: (context, ms) => `${context.toLocaleString("en")} characters of context, ${time(ms)} in all`,
  truncated: (count) => `… ${count.toLocaleString("en")} more characters`,
};
