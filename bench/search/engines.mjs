// The engines that are compared. An engine is:
//
//   name      its name in the report, and of its module in clients/, which opens and searches its index in the browser
//   package   the npm package whose version is reported; seealso has none
//   variants  other ways to ask it, whose ranking and times are reported beside the main way
//   build     (corpus, dir): writes what a host would serve into an empty folder
//   isCode    which of those files are code and no index; without it, none is
//   isIndex   which are the index; without it, all that are no code

import { flexsearch } from "./engines/flexsearch.mjs";
import { lunr } from "./engines/lunr.mjs";
import { minisearch } from "./engines/minisearch.mjs";
import { orama } from "./engines/orama.mjs";
import { pagefind } from "./engines/pagefind.mjs";
import { seealso } from "./engines/seealso.mjs";

export const ENGINES = [seealso, pagefind, minisearch, flexsearch, orama, lunr];

/** Whether a built file belongs to the engine's index. */
export function isIndexFile(engine, file) {
  return engine.isIndex ? engine.isIndex(file) : !engine.isCode?.(file);
}
