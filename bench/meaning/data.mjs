// What is served and asked: packs with their stages, the same chunks with vectors of transformers.js, and the questions.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { readLines, sharedData } from "../search/shared.mjs";

const run = promisify(execFile);

/** The name under which transformers.js looks for the model, also in its client. */
const MODEL = "all-MiniLM-L6-v2";

/** Texts after which progress is told. */
const STEP = 200;

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

/**
 * What the peer needs of weights in `folder`: the file of them, as it looks for it, and vectors of all chunks. Vectors that are
 * there are kept. `library` is the folder of transformers.js.
 */
export async function preparePeer(folder, weights, { onnx, packs, library, say }) {
  await writeModel(folder, onnx);
  if (existsSync(join(folder, "chunks.json"))) return;
  const chunks = await chunksOf(packs);
  say(`${chunks.length} chunks, encoded by transformers.js with ${weights} weights`);
  const texts = chunks.map(({ contextualized_text: text }) => text);
  await writeVectors(folder, chunks, await encoded(texts, folder, library, say));
}

/** The tokenizer's files are those of seealso's encoder. */
async function writeModel(folder, onnx) {
  const model = join(folder, "models", MODEL);
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

/**
 * The vectors that transformers.js makes of texts in Node, as a site's build would. One text at a time: padding would change what
 * activations are rounded to.
 */
async function encoded(texts, folder, library, say) {
  const { env, pipeline } = await import(pathToFileURL(join(library, "dist/transformers.node.mjs")).href);
  Object.assign(env, { allowRemoteModels: false, localModelPath: join(folder, "models/"), useFSCache: false });
  const encoder = await pipeline("feature-extraction", MODEL, { dtype: "q8" });
  const vectors = [];
  for (const text of texts) {
    const { data } = await encoder(text, { pooling: "mean", normalize: true });
    vectors.push([...data]);
    if (vectors.length % STEP === 0) say(`${vectors.length} of ${texts.length}`);
  }
  return vectors;
}
