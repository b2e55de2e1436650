// Every word about meaning and stages that a reader may see.

import { size } from "../model/words.js";
import { words as common } from "../strings.js";

/** The stages as a reader watches them. */
export const stageNames = {
  chunks: "Finding passages by their words",
  embed: "Encoding the question",
  vectors: "Finding passages by their meaning",
  gate: "Whether any page is near enough",
  graph: "Pages with many links earlier",
  "multi-query": "The question in other words",
  "cross-encoder": "Reading question and pages together",
  "expand-top": "Neighbours of the first page",
  quality: "Leaving out pages that say little",
};

export const words = {
  meaning: common.meaning,
  retry: common.retry,
  looking: "Looking up what it takes…",
  encoder: (name) => `${name}, which encodes questions`,
  about: (name, bytes) => `Pages are then found that say it in other words, too. That takes ${name}, an encoder of ${size(bytes)}: it is loaded once for all pages of this site, and kept in this browser. Questions stay on this device.`,
  notNow: "Not now",
  loading: "Getting ready…",
  ready: (bytes) => `The encoder is stored here: ${size(bytes)}.`,
  remove: "Remove it",
  removed: "The encoder was removed.",
  noEncoder: "This site publishes no encoder that a browser can run, so pages are found by their words.",
};
