// Orama with its analysis of English text.

import { ENGLISH } from "../engines/orama-options.mjs";
import { client } from "./orama-client.mjs";

export const { open, search } = client(ENGLISH);
