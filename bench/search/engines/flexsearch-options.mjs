// The options that FlexSearch must be given both when it builds an index and when it imports one.

import { Charset, Encoder } from "flexsearch";
import english from "flexsearch/lang/en";

/**
 * The settings of its documentation that rank these questions best: the English preset, one field, which ranks better
 * than several merged ones, and its formula's number of slots for the longest page of `packs`, 2 · ⌊√characters⌋.
 * `id` is the page's number; the page's own id comes back as `page`.
 */
export const OPTIONS = {
  encoder: new Encoder(Charset.Default, english),
  resolution: 198,
  document: {
    id: "id",
    index: ["everything"],
    store: ["page", "title", "summary"],
  },
};
