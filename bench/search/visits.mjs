// Visits of a page, each in a profile of its own: what it asks for, in what order, and how often it had to wait.

/** Runs `visit(page)` in a profile of its own, with nothing cached, on the start page of `origin`. */
export async function inFreshProfile(browser, origin, visit) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(`in the page: ${error}`));
    await page.goto(origin);
    return await visit(page);
  } finally {
    await context.close();
  }
}

/**
 * The requests of `page` and its workers for files below the address `base`, in the order in which they are made, each with
 * its start and end as places in the sequence of all these events. The list grows while the page works.
 */
export function watchRequests(page, base) {
  const requests = new Map();
  const list = [];
  let events = 0;
  const ended = (request) => {
    if (requests.has(request)) requests.get(request).end = events++;
  };
  page.on("request", (request) => {
    if (!request.url().startsWith(base)) return;
    const file = decodeURIComponent(request.url().slice(base.length).split("?")[0]);
    requests.set(request, { file, start: events++, end: Infinity });
    list.push(requests.get(request));
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return list;
}

/**
 * How many times the page had to wait for an answer before it knew what to ask for next: a request that starts after the
 * end of all earlier ones of a round begins a new one. Counted from a slow server, where no answer comes early by chance.
 */
export function rounds(requests) {
  let [count, end] = [0, -Infinity];
  for (const request of requests) {
    if (request.start > end) count += 1;
    end = Math.max(end, request.end);
  }
  return count;
}
