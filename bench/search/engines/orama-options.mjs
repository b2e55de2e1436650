// The options that Orama must be given both when it builds a database and when it loads one.

import { stopwords } from "@orama/stopwords/english";

/** Fields outside the schema, such as the page's id, are stored and not searched. */
const schema = { title: "string", summary: "string", text: "string" };

/** What its documentation offers for the analysis of English text. */
export const ENGLISH = { schema, components: { tokenizer: { stemming: true, stopWords: stopwords } } };

/** As it comes, which expands every word as a prefix, and so finds a question's small words everywhere. */
export const DEFAULTS = { schema };
