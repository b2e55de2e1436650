// What a reader is told where a stage could not be used, by the code of the engine's notice.

export const faults = {
  "stage-not-provided": "This site has not prepared that search, so pages were found without it.",
  "stage-unreadable": "A part of this site’s search data could not be read, so pages were found without it.",
  "stage-stale": "Some pages are newer than this site’s search data. They were found by their words alone.",
  "no-encoder": "The encoder for search by meaning is not on this device, so pages were found by their words alone.",
  "other-encoder": "The encoder on this device is not the one that this site uses now, so pages were found by their words alone.",
  "encoder-failed": "The question could not be encoded on this device, so pages were found by their words alone.",
  "stage-mismatch": "Parts of this site’s search data do not fit together, so passages were ordered by their words alone.",
  "links-alone": "Links between pages count only where pages are found by their meaning, so they had no effect.",
};
