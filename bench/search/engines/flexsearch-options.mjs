// The options that FlexSearch must be given both when it builds an index and when it imports one.

import { Charset, Encoder } from "flexsearch";
import english from "flexsearch/lang/en";

/**
 * The settings of its documentation that rank these questions best: the English preset, one field, which ranks better
 * than several merged ones, and as many slots as the longest page needs, 2 · ⌊√words⌋.
 * `id` is the page's number; the page's own id comes back as `page`.
 */
export const OPTIONS = {
  encoder: new Encoder(Charset.Default, english),
  resolution: 100,
  document: {
    id: "id",
    index: ["everything"],
    store: ["page", "title", "summary"],
  },
};
