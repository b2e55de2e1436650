// An exact scan of vectors of a byte a number, one after another.

/**
 * The `limit` pages whose best chunks have the largest cosines.
 * @param {{pages: object[], page_of: number[], dimensions: number, numbers: Int8Array}} index `page_of` has the page of each chunk
 */
export function nearest(vector, { pages, page_of, dimensions, numbers }, limit) {
  const best = new Float64Array(pages.length).fill(-Infinity);
  for (const [chunk, page] of page_of.entries()) {
    best[page] = Math.max(best[page], product(vector, numbers, chunk * dimensions));
  }
  const order = [...pages.keys()].sort((a, b) => best[b] - best[a]);
  return order.slice(0, limit).map((page) => pages[page]);
}

/** All numbers have one scale, which leaves the order as it is. */
function product(vector, numbers, start) {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += vector[at] * numbers[start + at];
  return sum;
}
