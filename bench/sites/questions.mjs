// The questions, and the measures of what an engine offers for them.

import { readFile } from "node:fs/promises";

export async function readQuestions(file) {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim());
  return lines.map((line) => JSON.parse(line));
}

export function questionsOf(questions, site) {
  return questions.filter((question) => question.site === site);
}

export function isAnswerable({ gold }) {
  return gold.length > 0;
}

/**
 * The places of the first page and the first section, from 1, that answer a question; 0 for none. `ranked` is a list of
 * pages, best first, each with its address and the anchors that are shown below it.
 *
 * A page's place is its place in the list. A section counts with the place of its page, wherever below that it is shown.
 */
export function placesOf(question, ranked, anchors) {
  const gold = [...question.gold, ...(question.also ?? [])].map((place) => place.split("#"));
  const pages = ranked.map(({ page }) => page);
  const isPage = (page) => gold.some(([address]) => address === page);
  const isSection = ({ page, shown }) =>
    gold.some(([address, anchor]) => address === page && shown.some((inner) => anchors.liesIn(page, inner, anchor)));
  return { page: pages.findIndex(isPage) + 1, section: ranked.findIndex(isSection) + 1 };
}

/** hit@1, hit@5 and MRR of places over the answerable questions. */
export function measures(places) {
  const share = (holds) => places.filter(holds).length / places.length;
  return {
    hit_at_1: share((place) => place === 1),
    hit_at_5: share((place) => place > 0 && place <= 5),
    mrr: places.reduce((sum, place) => sum + (place > 0 ? 1 / place : 0), 0) / places.length,
  };
}
