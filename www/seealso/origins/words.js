// Every word of the list of a page's origins, and of removing stored copies.

import { words as details } from "../details/words.js";

const { loadingPage, retry, truncated } = details;

export const words = {
  loadingPage,
  retry,
  truncated,
  noOrigins: "The page names no sources.",
  schema: "How pages of this pack are written (schema.md)",
  noSchema: "This pack has no schema.md.",
  noFile: "There is no such file in the pack.",
  failedOrigins: (why) => `The file could not be read (${why}).`,
  removedStored: "Removed. They are fetched again when they are needed.",
  failedRemoving: "The copies could not be removed.",
};
