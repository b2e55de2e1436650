// What is served and asked: packs with their stages, the same chunks with vectors of transformers.js, and the questions.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { readLines, sharedData } from "../search/shared.mjs";
import { inFreshProfile } from "../search/visits.mjs";
import { ENGINES } from "./engines.mjs";

const run = promisify(execFile);

/** Texts that a page encodes before it answers. */
const BATCH = 32;

/** The questions that have an answer, with the set that each is of. */
export function questions() {
  const folder = join(sharedData(), "questions");
  const sets = ["natural", "uk-living"];
  const all = sets.flatMap((set) => readLines(join(folder, `${set}.jsonl`)).map((question) => ({ ...question, set })));
  return all.filter(({ gold }) => gold.length > 0);
}

/** Builds the packs of the shared data into `folder`, with vectors and an encoder for browsers. What is there already is kept. */
export async function buildPacks(folder, say) {
  say("building the packs, and encoding their chunks: some minutes the first time");
  if (!existsSync(join(folder, "catalog.json"))) {
    await run(process.env.SEEALSO_BIN, ["build", join(sharedData(), "packs"), "-o", folder]);
  }
  await run(process.env.SEEALSO_BIN, ["setup", folder, "--encoder", process.env.SEEALSO_ENCODER, "--publish-encoder"]);
}

/** The chunks that seealso encodes: the page of each, and its text with its prefix of title and first sentence. */
async function chunksOf(packs) {
  const folder = join(packs, ".seealso/chunks");
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".json")).sort();
  const records = await Promise.all(files.map(async (path) => JSON.parse(await readFile(join(folder, path), "utf8"))));
  return records.filter(({ kind }) => kind === "text");
}

/** What the peer needs of weights in `folder`: its files, as it looks for them, and their vectors. Vectors that are there are kept. */
export async function preparePeer(folder, weights, onnx, packs, { browser, origin, say }) {
  await writeModel(folder, onnx);
  if (existsSync(join(folder, "chunks.json"))) return;
  const chunks = await chunksOf(packs);
  say(`${chunks.length} chunks, encoded by transformers.js with ${weights} weights`);
  const texts = chunks.map(({ contextualized_text: text }) => text);
  await writeVectors(folder, chunks, await encoded(texts, weights, browser, origin));
}

/** The tokenizer's files are those of seealso's encoder. */
async function writeModel(folder, onnx) {
  const model = join(folder, "models/all-MiniLM-L6-v2");
  await mkdir(join(model, "onnx"), { recursive: true });
  for (const name of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
    await copyFile(join(process.env.SEEALSO_ENCODER, name), join(model, name));
  }
  await copyFile(onnx, join(model, "onnx/model_quantized.onnx"));
}

/** Writes the vectors, a byte a number, and the pages that they are of. */
async function writeVectors(folder, chunks, vectors) {
  const scale = vectors.flat().reduce((most, number) => Math.max(most, Math.abs(number)), 0) / 127;
  await writeFile(join(folder, "vectors.bin"), Int8Array.from(vectors.flat(), (number) => Math.round(number / scale)));
  const pages = [...new Map(chunks.map((chunk) => [chunk.page_address, shown(chunk)])).values()];
  const place = new Map(pages.map(({ page }, at) => [page, at]));
  const index = { dimensions: vectors[0].length, pages, page_of: chunks.map((chunk) => place.get(chunk.page_address)) };
  await writeFile(join(folder, "chunks.json"), JSON.stringify(index));
}

/** What a list shows of a chunk's page. */
function shown({ page_address: page, prefix }) {
  const [, title, summary] = /^(.*?)(?:: (.*))?$/s.exec(prefix);
  return { page, title, summary: summary ?? "" };
}

/** One text at a time: padding would change what activations are rounded to. */
async function encoded(texts, weights, browser, origin) {
  const { client, base, options } = Object.values(ENGINES).find((engine) => engine.weights === weights);
  return inFreshProfile(browser, origin, async (page) => {
    await page.evaluate(async ({ client, base, options }) => {
      globalThis.client = await import(`/clients/${client}.mjs`);
      await globalThis.client.open(base, { ...options, vectors: false });
    }, { client, base, options });
    const vectors = [];
    while (vectors.length < texts.length) {
      vectors.push(...(await page.evaluate(encodeAll, texts.slice(vectors.length, vectors.length + BATCH))));
    }
    return vectors;
  });
}

/** In the page. */
async function encodeAll(texts) {
  const vectors = [];
  for (const text of texts) vectors.push([...(await globalThis.client.encode(text))]);
  return vectors;
}
