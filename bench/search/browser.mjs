// Chromium, and the functions that run in its pages.

import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts Chromium; the variable CHROME says which. */
export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROME || "/usr/bin/chromium", args: FLAGS });
}

/** In the page: loads the client's code and not yet its index. */
export async function importClient(client) {
  globalThis.client = await import(client);
}

/** In the page: opens the index, and tells the milliseconds. */
export async function openIndex(base) {
  const start = performance.now();
  await globalThis.client.open(base);
  return performance.now() - start;
}

/** In the page: opens the index and asks once; tells the milliseconds of both together, and the list. */
export async function openAndAsk({ base, question, limit }) {
  const start = performance.now();
  await globalThis.client.open(base);
  const list = await globalThis.client.search(question, limit, "main");
  return { ms: performance.now() - start, list };
}

/**
 * In the page: asks every question once, so that what it needs is in memory, then `repetitions` times,
 * and tells the median milliseconds of each question.
 */
export async function timeQuestions({ questions, limit, how, repetitions }) {
  const { search } = globalThis.client;
  const times = questions.map(() => []);
  for (const question of questions) await search(question, limit, how);
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const [at, question] of questions.entries()) {
      const start = performance.now();
      await search(question, limit, how);
      times[at].push(performance.now() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}

/**
 * In the page: types every question letter by letter, up to `letters`, and searches at each; tells the median milliseconds
 * of `repetitions` for every letter, once what all of them need is in memory.
 */
export async function timeTyping({ questions, letters, limit, repetitions }) {
  const typed = questions.flatMap((question) => {
    const all = [...question].slice(0, letters);
    return all.map((_, at) => all.slice(0, at + 1).join("")).filter((text) => text.trim());
  });
  const times = typed.map(() => []);
  for (const text of typed) await globalThis.client.type(text, limit);
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const [at, text] of typed.entries()) {
      const start = performance.now();
      await globalThis.client.type(text, limit);
      times[at].push(performance.now() - start);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}

/** In the page: the ids of the pages found for each question, best first. */
export async function rankQuestions({ questions, limit, how }) {
  const rankings = [];
  for (const question of questions) {
    const list = await globalThis.client.search(question, limit, how);
    rankings.push(list.map(({ page }) => page));
  }
  return rankings;
}
