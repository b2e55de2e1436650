// The engines that are compared. An engine is:
//
//   name          its name in the report, and of its module in clients/, which opens and searches its index
//   package       the npm package whose version is reported; seealso has none
//   hasDefaults   whether its client can also search without the options that its documentation advises
//   ownStopWords  whether it drops stop words from a question itself
//   build         (corpus, dir): writes what a host would serve into an empty folder
//   isCode        which of those files are code and no index; without it, none is
//   isIndex       which are the index; without it, all that are no code

import { flexsearch } from "./engines/flexsearch.mjs";
import { lunr } from "./engines/lunr.mjs";
import { minisearch } from "./engines/minisearch.mjs";
import { orama, oramaDefaults } from "./engines/orama.mjs";
import { pagefind } from "./engines/pagefind.mjs";
import { seealso } from "./engines/seealso.mjs";
import { keywords } from "./keywords.mjs";

export const ENGINES = [seealso, pagefind, minisearch, flexsearch, orama, oramaDefaults, lunr];

/** Whether a built file belongs to the engine's index. */
export function isIndexFile(engine, file) {
  return engine.isIndex ? engine.isIndex(file) : !engine.isCode?.(file);
}

/** How an engine is asked: each way has a name, the search that its client makes, and what becomes of the question. */
export function waysToAsk(engine) {
  const asked = (question) => question;
  const ways = [{ name: "main", how: "main", rewrite: asked }];
  if (engine.hasDefaults) ways.push({ name: "default options", how: "defaults", rewrite: asked });
  if (!engine.ownStopWords) ways.push({ name: "stop words dropped", how: "main", rewrite: keywords });
  return ways;
}
