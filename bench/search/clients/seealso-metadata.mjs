// seealso with another index: the client is the same.

export { open, search, type } from "./seealso.mjs";
