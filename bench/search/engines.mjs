// The engines that are compared. An engine is:
//
//   name          its name in the report, and of its module in clients/, which opens and searches its index
//   package       the npm package whose version is reported, or
//   version       the version itself; seealso has neither
//   hasDefaults   whether its client can also search without the options that its documentation advises
//   ownStopWords  whether it drops stop words from a question itself
//   build         (corpus, dir): writes what a host would serve into an empty folder
//   typing        whether its client can search for what is typed so far, whose last word may go on
//   takesRows     whether it can build from a file of rows; without it, only from pages
//   isCode        which of those files are code and no index; without it, none is
//   isIndex       which are the index; without it, all that are no code
//   needsBuild    whether it needs this repository's build
//   isThere       whether it can be measured at all; without it, it can
//   evaluate      (dir, questions file): the ranking of the whole pipeline, where there is more than a search

import { flexsearch } from "./engines/flexsearch.mjs";
import { lunr } from "./engines/lunr.mjs";
import { minisearch } from "./engines/minisearch.mjs";
import { orama, oramaDefaults } from "./engines/orama.mjs";
import { pagefind } from "./engines/pagefind.mjs";
import { seealso, seealsoMetadata } from "./engines/seealso.mjs";
import { sqlite } from "./engines/sqlite.mjs";
import { tinysearch } from "./engines/tinysearch.mjs";
import { keywords } from "./keywords.mjs";
import { misspelt } from "./typos.mjs";

/** The name of the way with misspelt words. */
export const TYPO = "one word misspelt";

export const ENGINES = [
  seealso,
  seealsoMetadata,
  pagefind,
  minisearch,
  flexsearch,
  orama,
  oramaDefaults,
  lunr,
  sqlite,
  tinysearch,
];

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

/** The ways whose ranking is looked at, though nobody waits for them: a misspelt word in each question. */
export function waysToRank(engine) {
  return [...waysToAsk(engine), { name: TYPO, how: "main", rewrite: misspelt }];
}
