// The measurements of one engine on one corpus. Each starts from a profile with nothing cached.

import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";

import { importClient, openAndAsk, openIndex, rankQuestions, timeQuestions, timeTyping } from "./browser.mjs";
import { isIndexFile, waysToAsk, waysToRank } from "./engines.mjs";
import { median, percentile, quality } from "./figures.mjs";
import { gzip } from "./server.mjs";
import { inFreshProfile, rounds, watchRequests } from "./visits.mjs";

/** Results that a list shows: each with title, and summary or excerpt. */
const LIST = 5;
/** Results looked at to find the first gold page. */
const RANKED = 12;
/** Letters of a question that are typed at most, and results that are listed at each, as in the element. */
const [TYPED, SUGGESTED] = [200, 8];
/** Times that each warm question is asked in a run. */
const REPETITIONS = 5;

/** The index's files in `dir`: bytes a page, raw and with each file gzipped. */
export async function indexSize(engine, dir, pages) {
  const sizes = { files: 0, raw: 0, gzip: 0 };
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !isIndexFile(engine, path.slice(dir.length + 1).replaceAll(sep, "/"))) continue;
    const bytes = await readFile(path);
    sizes.files += 1;
    sizes.raw += bytes.length;
    sizes.gzip += gzip(bytes).length;
  }
  return {
    index_files: sizes.files,
    index_bytes_per_page: Math.round(sizes.raw / pages),
    index_gzip_bytes_per_page: Math.round(sizes.gzip / pages),
  };
}

/** Bytes and requests from nothing to a ranked list, as medians over the questions. */
export async function cold(browser, servers, engine, corpus) {
  const plain = await coldVisits(browser, servers.plain, engine, corpus);
  const zipped = await coldVisits(browser, servers.gzip, engine, corpus);
  const far = await coldVisits(browser, servers.far, engine, corpus);
  const middle = (visits, key) => Math.round(median(visits.map((visit) => visit[key])));
  const nearlyAll = (visits, key) => percentile(visits.map((visit) => visit[key]), 0.95);
  return {
    cold_bytes: middle(plain, "indexBytes"),
    cold_requests: middle(plain, "indexRequests"),
    cold_rounds: middle(far, "indexRounds"),
    cold_gzip_bytes: middle(zipped, "indexBytes"),
    cold_bytes_p95: nearlyAll(plain, "indexBytes"),
    cold_requests_p95: nearlyAll(plain, "indexRequests"),
    cold_rounds_p95: nearlyAll(far, "indexRounds"),
    cold_ms: median(plain.map(({ ms }) => ms)),
    cold_without_results: plain.filter(({ empty }) => empty).length,
    engine_gzip_bytes: middle(zipped, "codeBytes"),
    engine_requests: middle(zipped, "codeRequests"),
  };
}

async function coldVisits(browser, server, engine, corpus) {
  const visits = [];
  for (const { question } of corpus.cold) {
    visits.push(
      await inFreshProfile(browser, server.origin, async (page) => {
        await page.evaluate(importClient, clientOf(engine));
        const asked = { base: baseOf(engine, corpus), question, limit: LIST };
        const since = server.log.length;
        const requests = watchRequests(page, server.origin + asked.base);
        const { ms, list } = await page.evaluate(openAndAsk, asked);
        const indexRounds = rounds(requests.filter(({ file }) => isIndexFile(engine, file)));
        return { ms, empty: list.length === 0, indexRounds, ...traffic(server, since, engine, corpus) };
      }),
    );
  }
  return visits;
}

/** What went over the wire since, as index and as code, the client included where it carries the library. */
function traffic(server, since, engine, corpus) {
  const base = baseOf(engine, corpus);
  const sent = server.log.slice(since);
  const isIndex = ({ path }) => path.startsWith(base) && isIndexFile(engine, path.slice(base.length));
  const index = sent.filter(isIndex);
  const ownCode = sent.filter((entry) => !isIndex(entry));
  const client = server.log.findLast(({ path }) => path === clientOf(engine));
  const code = ownCode.length > 0 ? ownCode : [client];
  const sum = (entries) => entries.reduce((total, { bytes }) => total + bytes, 0);
  return { indexBytes: sum(index), indexRequests: index.length, codeBytes: sum(code), codeRequests: code.length };
}

/** One run: the time to open, and the times of the warm questions, for each way to ask. */
export async function timedRun(browser, server, engine, corpus) {
  return inFreshProfile(browser, server.origin, async (page) => {
    await page.evaluate(importClient, clientOf(engine));
    const loadMs = await page.evaluate(openIndex, baseOf(engine, corpus));
    const warm = {};
    for (const { name, how, rewrite } of waysToAsk(engine)) {
      const questions = corpus.timed.map(({ question }) => rewrite(question));
      const times = await page.evaluate(timeQuestions, { questions, limit: LIST, how, repetitions: REPETITIONS });
      warm[name] = { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
    }
    return { loadMs, warm, ...(engine.typing && { typing: await typing(page, corpus) }) };
  });
}

/** The time of a search at a letter, over all letters of the warm questions. */
async function typing(page, { timed }) {
  const questions = timed.map(({ question }) => question);
  const asked = { questions, letters: TYPED, limit: SUGGESTED, repetitions: REPETITIONS };
  const times = await page.evaluate(timeTyping, asked);
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), worst: percentile(times, 1) };
}

/** Ranking quality of each way to ask: over all questions, and for each set of them. */
export async function ranking(browser, server, engine, corpus) {
  return inFreshProfile(browser, server.origin, async (page) => {
    await page.evaluate(importClient, clientOf(engine));
    await page.evaluate(openIndex, baseOf(engine, corpus));
    const figures = {};
    for (const { name, how, rewrite } of waysToRank(engine)) {
      const questions = corpus.questions.map(({ question }) => rewrite(question));
      const rankings = await page.evaluate(rankQuestions, { questions, limit: RANKED, how });
      figures[name] = { ...quality(corpus.questions, rankings), sets: perSet(corpus, rankings) };
    }
    return figures;
  });
}

function perSet({ questions }, rankings) {
  const sets = [...new Set(questions.map(({ set }) => set))];
  return Object.fromEntries(
    sets.map((name) => {
      const of = (_, at) => questions[at].set === name;
      return [name, quality(questions.filter(of), rankings.filter(of))];
    }),
  );
}

function clientOf(engine) {
  return `/clients/${engine.name}.js`;
}

function baseOf(engine, corpus) {
  return `/${corpus.name}/${engine.name}/`;
}
