// Orama as it comes.

import { DEFAULTS } from "../engines/orama-options.mjs";
import { client } from "./orama-client.mjs";

export const { open, search } = client(DEFAULTS);
