// The measurements of one engine. Each begins in a profile with nothing cached.

import { launch } from "../../tests/browser/support/browser.mjs";
import { cpuMeter, peak } from "../model/processes.mjs";
import { median, percentile, quality } from "../search/figures.mjs";
import { inFreshProfile, rounds, watchRequests } from "../search/visits.mjs";
import { kindOf } from "./engines.mjs";
import { firstResult, rank, time } from "./page.mjs";

/** Results that a list shows, and those that are looked at to find the first gold page. */
const [LIST, RANKED] = [5, 12];
/** Times that each warm question is asked in a run. */
const REPETITIONS = 3;

const asking = ({ client, base, options }, question) => ({ client, base, options, question, limit: LIST });

/**
 * What the first result takes, and the first of the next visit, as medians over the questions. Bytes are of bodies, by kind;
 * `gzip` has them from a host that compresses what it knows as text, and wasm.
 */
export async function cold(browser, servers, engine, questions) {
  const figures = { plain: [], gzip: [], rounds: [] };
  for (const { question } of questions) {
    figures.plain.push(await visits(browser, servers.plain, engine, question));
    figures.gzip.push(await visits(browser, servers.gzip, engine, question));
    figures.rounds.push(await roundsOf(browser, servers.far, engine, question));
  }
  const plain = (key) => median(figures.plain.map((visit) => visit[key]));
  return {
    cold_ms: plain("ms"),
    cold_cpu_ms: plain("cpuMs"),
    requests: plain("requests"),
    rounds: median(figures.rounds),
    raw_bytes: middle(figures.plain.map(({ bytes }) => bytes)),
    gzip_bytes: middle(figures.gzip.map(({ bytes }) => bytes)),
    again_ms: plain("againMs"),
    again_bytes: plain("againBytes"),
    without_results: figures.plain.filter(({ pages }) => pages === 0).length,
  };
}

/** The medians of each kind of bytes, and of their sum. */
function middle(visits) {
  const kinds = ["code", "model", "data", "all"];
  return Object.fromEntries(kinds.map((kind) => [kind, median(visits.map((bytes) => bytes[kind]))]));
}

/** The first visit of a profile, and the next one. */
async function visits(browser, server, engine, question) {
  return inFreshProfile(browser, server.origin, async (page) => {
    const [meter, begin] = [await cpuMeter(browser), server.log.length];
    const cpuBefore = await meter();
    const { ms, pages } = await page.evaluate(firstResult, asking(engine, question));
    const cpuMs = (await meter()) - cpuBefore;
    const sent = server.log.slice(begin);
    await page.goto(`${server.origin}/?again`);
    const since = server.log.length;
    const again = await page.evaluate(firstResult, asking(engine, question));
    const bytes = (entries) => entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const of = (kind) => bytes(sent.filter(({ path }) => kindOf(path) === kind));
    return {
      ms, cpuMs, pages, requests: sent.length,
      bytes: { code: of("code"), model: of("model"), data: of("data"), all: bytes(sent) },
      againMs: again.ms, againBytes: bytes(server.log.slice(since)),
    };
  });
}

async function roundsOf(browser, server, engine, question) {
  return inFreshProfile(browser, server.origin, async (page) => {
    const requests = watchRequests(page, server.origin);
    await page.evaluate(firstResult, asking(engine, question));
    return rounds(requests);
  });
}

/** One run: milliseconds of a warm question, and of its encoding alone; `cpu` is their mean in processor time. */
export async function warm(browser, server, engine, questions) {
  return inFreshProfile(browser, server.origin, async (page) => {
    const texts = questions.map(({ question }) => question);
    await page.evaluate(firstResult, asking(engine, texts[0]));
    const meter = await cpuMeter(browser);
    const timed = async (asked) => {
      const before = await meter();
      const times = await page.evaluate(time, { questions: texts, repetitions: REPETITIONS, ...asked });
      const cpu = ((await meter()) - before) / (texts.length * (REPETITIONS + 1));
      return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), cpu };
    };
    const question = await timed({ method: "search", argument: LIST });
    return { question, encoding: engine.encodes ? await timed({ method: "encode" }) : null };
  });
}

/** How well the engine ranks the pages, over all questions and for each set of them. */
export async function ranking(browser, server, engine, questions) {
  return inFreshProfile(browser, server.origin, async (page) => {
    const texts = questions.map(({ question }) => question);
    await page.evaluate(firstResult, asking(engine, texts[0]));
    const rankings = await page.evaluate(rank, { questions: texts, limit: RANKED });
    const of = (chosen) => quality(questions.filter(chosen), rankings.filter((_, at) => chosen(questions[at])));
    const sets = [...new Set(questions.map(({ set }) => set))];
    return { ...of(() => true), sets: Object.fromEntries(sets.map((name) => [name, of(({ set }) => set === name)])) };
  });
}

/** The most memory of a page up to its first result, in a browser of its own; without an engine, of the start page. */
export async function memory(server, engine, question) {
  const browser = await launch();
  try {
    return await inFreshProfile(browser, server.origin, async (page) => {
      if (engine) await page.evaluate(firstResult, asking(engine, question));
      return peak(browser);
    });
  } finally {
    await browser.close();
  }
}
