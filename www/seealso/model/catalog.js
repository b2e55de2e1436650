// The list of models that a site offers (models.json), and entries for models of the reader's own.
//
// models.json: { "parts": "building" | "failed", "models": [{ name, title, kind, files: [{ url, bytes, sha256 }], licence, architecture, context, tier, default, answers, judge }] }
// `parts` is there only while the site is served without what runs models, which is still being built or could not be.
// A model of one file may have `file`, `size` (or `bytes`) and `sha256` in place of `files`. Addresses are relative to the list.

import { ModelError } from "./errors.js";
import { probeOf } from "./judge-probe.js";

const SHA256 = /^[0-9a-f]{64}$/;
const PARTS = ["building", "failed"];
const MOST_MODELS = 100;
const MOST_FILES = 1000;
/** What llama.cpp names a part of a model whose parts have a header each. No decoder here reads such parts. */
const PART = /-\d{5}-of-(?!00001)\d{5}\.gguf$/i;

/**
 * @typedef {{url: string, bytes: number|null, sha256: string|null}} WeightFile
 *   one file: its absolute address, its size in bytes and its SHA-256 in hexadecimal digits, where known
 * @typedef {object} Entry a model that can be downloaded
 * @property {string} name unique in the list
 * @property {string} title what readers know it by
 * @property {"decoder"|"encoder"} kind whether it writes text or turns text into vectors
 * @property {WeightFile[]} files its files, in the order in which they are read: an encoder's are config.json,
 *   tokenizer.json and model.safetensors
 * @property {string} format "gguf", or another one, whose first bytes are not looked at
 * @property {string} licence its licence, or ""
 * @property {string} architecture such as "llama", or ""
 * @property {number|null} context tokens that it can attend to
 * @property {string|null} tier the tier that it is meant for
 * @property {boolean} default whether it is proposed before the reader chose; never where its record shows no gain
 * @property {string} [scheme] how an encoder's texts become vectors, such as "mean-256"
 * @property {AnswersRecord} [answers] what its answers say beside quoted ones, where that was measured
 * @property {Figures & {reading?: Figures & {layers: number, read?: number, bias: number, units?: number[][], scales?: string, weights: string, adapters?: object}}} [judge] how well it judges claims
 *   by the likelihood of two answers, where that was measured, and by a probe (judge-probe.js)
 * @typedef {{auc: number, supports: number, rejects: number}} Figures
 * @typedef {{questions: number, facts: number, quoted: number, lost: number, gained: number}} AnswersRecord
 *   of the facts that right answers to some questions must say: how many the quoted answers say, and how many were lost and
 *   gained where the model's answers took their place
 */

/**
 * What a site offers, and what it lacks for it: "building" or "failed" where the parts that run models are not there, else "".
 * @typedef {{models: Entry[], parts: ""|"building"|"failed"}} Offer
 */

/** Fetches and checks a list. A list that is not there offers nothing. @returns {Promise<Offer>} */
export async function fetchOffer(url, { fetch = globalThis.fetch } = {}) {
  let answer;
  try {
    answer = await fetch(url, { cache: "no-cache" });
  } catch {
    throw new ModelError("bad-catalog", { url, detail: "it can't be reached" });
  }
  if (answer.status === 404) {
    return { models: [], parts: "" };
  }
  if (!answer.ok) {
    throw new ModelError("bad-catalog", { url, detail: `the server answers with status ${answer.status}` });
  }
  const list = await answer.json().catch(() => null);
  return { models: readCatalog(list, url), parts: PARTS.includes(list.parts) ? list.parts : "" };
}

/** Checks a list that is data already. @returns {Entry[]} */
export function readCatalog(list, url) {
  const fail = (detail) => {
    throw new ModelError("bad-catalog", { url, detail });
  };
  const models = Array.isArray(list) ? list : list?.models;
  if (!Array.isArray(models)) {
    fail("it holds no list named models");
  }
  if (models.length > MOST_MODELS) {
    fail(`it names more than ${MOST_MODELS} models`);
  }
  const entries = models.map((model, at) => readEntry(model, url, (detail) => fail(`model ${at + 1} ${detail}`)));
  const twice = entries.find(({ name }, at) => entries.findIndex((other) => other.name === name) < at);
  if (twice) {
    fail(`it names ${twice.name} twice`);
  }
  return entries;
}

/** The entry of a GGUF file at any address; its hash is not known, and its size only where one was told. @returns {Entry} */
export function entryOfUrl(url, bytes = null) {
  const { href, pathname, protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new ModelError("bad-call", { detail: `${protocol} is no protocol to download from` });
  }
  const name = safeDecode(pathname.slice(pathname.lastIndexOf("/") + 1)) || href;
  return plainEntry(name, [{ url: href, bytes, sha256: null }]);
}

/** The entry of a file from the reader's disk; its hash is not known, so its time stands for it. @param {File} file @returns {Entry} */
export function entryOfFile(file) {
  return plainEntry(file.name, [{ url: `file:${encodeURIComponent(file.name)}?${file.lastModified}`, bytes: file.size, sha256: null }]);
}

/** Bytes of all files, or null where one is of unknown size. @param {Entry} entry */
export function totalBytes(entry) {
  return entry.files.reduce((sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes), 0);
}

function plainEntry(name, files) {
  if (PART.test(name)) {
    throw new ModelError("divided", { name });
  }
  return { name, title: name, kind: "decoder", files, format: "gguf", licence: "", architecture: "", context: null, tier: null, default: false };
}

function readEntry(model, url, fail) {
  const name = typeof model?.name === "string" ? model.name.trim() : "";
  if (name === "" || name.length > 200) {
    fail("has no name of up to 200 characters");
  }
  const files = Array.isArray(model.files) ? model.files
    : [{ url: model.url ?? model.file, bytes: model.bytes ?? model.size, sha256: model.sha256 }];
  if (files.length === 0 || files.length > MOST_FILES) {
    fail("has no files, or too many");
  }
  if (files.some((file) => PART.test(file?.url ?? file?.file ?? ""))) {
    fail("is divided into files with a header each; join them with llama-gguf-split --merge");
  }
  const text = (value) => (typeof value === "string" ? value : "");
  const judge = readJudge(model.judge);
  const answers = readAnswers(model.answers);
  return {
    name,
    title: text(model.title) || name,
    kind: model.kind === "encoder" ? "encoder" : "decoder",
    files: files.map((file) => readFile(file, url, fail)),
    format: text(model.format) || (files.every((file) => /\.gguf$/i.test(file?.url ?? file?.file ?? "")) ? "gguf" : "other"),
    licence: text(model.licence),
    architecture: text(model.architecture),
    context: Number.isSafeInteger(model.context) && model.context > 0 ? model.context : null,
    tier: text(model.tier) || null,
    default: model.default === true && (!answers || answers.gained > answers.lost),
    ...(answers && { answers }),
    ...(judge && { judge }),
  };
}

/**
 * How well a model judges claims by the likelihood of two answers, and by a probe, where that was measured; what is no
 * such record is none.
 */
function readJudge(record) {
  const figures = readFigures(record);
  const byProbe = readFigures(record?.reading);
  if (!figures || !byProbe || !probeOf(record.reading)) {
    return figures;
  }
  const { layers, read, bias, units, scales, weights, adapters } = record.reading;
  return { ...figures, reading: { ...byProbe, layers, ...(read && { read }), bias, ...(units && { units, scales }), weights, ...(adapters && { adapters: readAdapters(adapters) }) } };
}

function readAdapters({ layers, units, weights, scales, biases }) {
  return { layers, units, weights, scales, biases };
}

/** What a model's answers say beside quoted ones; what is no such record is none. @returns {AnswersRecord|null} */
function readAnswers(record) {
  const { questions, facts, quoted, lost, gained } = record ?? {};
  const counts = [questions, facts, quoted, lost, gained];
  const sound = counts.every((count) => Number.isSafeInteger(count) && count >= 0) && questions > 0 && facts >= quoted;
  return sound ? { questions, facts, quoted, lost, gained } : null;
}

function readFigures(record) {
  const { auc, supports, rejects } = record ?? {};
  const sound = [auc, supports, rejects].every(Number.isFinite) && auc >= 0 && auc <= 1 && supports >= rejects;
  return sound ? { auc, supports, rejects } : null;
}

function readFile(file, base, fail) {
  const where = file?.url ?? file?.file;
  if (typeof where !== "string" || !URL.canParse(where, base)) {
    fail("has a file without an address");
  }
  const url = new URL(where, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    fail("has a file that is not on a web server");
  }
  const bytes = file.bytes ?? file.size;
  if (!Number.isSafeInteger(bytes) || bytes <= 0) {
    fail("has a file without its size in bytes");
  }
  const sha256 = typeof file.sha256 === "string" ? file.sha256.toLowerCase() : "";
  if (!SHA256.test(sha256)) {
    fail("has a file without its SHA-256");
  }
  return { url: url.href, bytes, sha256 };
}

function safeDecode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
