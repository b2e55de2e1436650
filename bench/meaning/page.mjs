// The functions that run in a page.

/** In the page: from nothing to the first list of pages. Milliseconds, and how many pages it has. */
export async function firstResult({ client, base, options, question, limit }) {
  const start = performance.now();
  globalThis.client = await import(`/clients/${client}.mjs`);
  await globalThis.client.open(base, options);
  const list = await globalThis.client.search(question, limit);
  return { ms: performance.now() - start, pages: list.length };
}

/** In the page: the lists of all questions, as ids of pages, best first. */
export async function rank({ questions, limit }) {
  const rankings = [];
  for (const question of questions) {
    rankings.push((await globalThis.client.search(question, limit)).map(({ page }) => page));
  }
  return rankings;
}

/** In the page: the median milliseconds of each question of `repetitions`, once all were asked. */
export async function time({ questions, method, argument, repetitions }) {
  const run = globalThis.client[method];
  const times = questions.map(() => []);
  for (const question of questions) await run(question, argument);
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const [at, question] of questions.entries()) {
      const start = performance.now();
      await run(question, argument);
      times[at].push(performance.now() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}
