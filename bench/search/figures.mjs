// Medians, percentiles, and the measures of a ranking.

/** The middle value, or the mean of the two middle ones. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest value that at least `share` of the values do not exceed. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/**
 * How well rankings (lists of page ids) answer questions with gold pages, counted as `seealso eval` does:
 * the first gold page's rank decides, and for `all_gold_at_12` whether all are among the first twelve. A question without
 * that page in its ranking counts as 0.
 */
export function quality(questions, rankings) {
  const ranks = questions.map(({ gold }, at) => rankings[at].findIndex((id) => gold.includes(id)) + 1);
  const holdsAll = questions.map(({ gold }, at) => gold.every((id) => rankings[at].slice(0, 12).includes(id)));
  return {
    questions: questions.length,
    hit_at_1: share(ranks, (rank) => rank === 1),
    hit_at_5: share(ranks, (rank) => rank > 0 && rank <= 5),
    mrr: round(ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / ranks.length, 4),
    all_gold_at_12: share(holdsAll, Boolean),
    no_result: share(rankings, (ranking) => ranking.length === 0),
  };
}

function share(items, holds) {
  return round(items.filter(holds).length / items.length, 4);
}

/** `value` with `digits` after the point. */
export function round(value, digits) {
  return Number(value.toFixed(digits));
}
