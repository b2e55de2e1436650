// The corpora: their pages as the peers index them, their packs as seealso builds them, their questions.
//
// `packs` are the five packs of the shared evaluation data, where that lies beside the repository (in `../shared/data`,
// or in the folder with `questions/` and `packs/` that the variable SEEALSO_SHARED names); `demo` are the repository's own packs.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { readPage } from "./markdown.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../..");

/** Navigation, history and licences: no question asks for them. */
const NOT_PAGES = new Set(["index.md", "log.md", "NOTICE.md", "schema.md", "README.md"]);

/** Questions whose bytes and requests are counted with an empty cache. */
const COLD_QUESTIONS = 10;

/** Where the shared evaluation data is expected: the folder that holds `questions/` and `packs/`. */
export function sharedData() {
  return resolve(process.env.SEEALSO_SHARED || join(ROOT, "../shared/data"));
}

/**
 * The corpora that are there, each `{name, pages, packRoot, questions, cold}`.
 * `packRoot` is the folder that `seealso build` is given; `say` is told what is missing.
 */
export function corpora(say) {
  const found = [];
  const shared = sharedData();
  if (existsSync(join(shared, "packs"))) {
    found.push(sharedPacks(shared));
  } else {
    say(`no shared packs at ${shared} (set SEEALSO_SHARED to the folder that holds questions/ and packs/): only the demo packs are measured`);
  }
  found.push(demoPacks());
  return found;
}

function sharedPacks(shared) {
  const root = join(shared, "packs");
  const packs = readdirSync(root).sort().map((name) => join(root, name));
  const natural = readQuestions(join(shared, "questions/natural.jsonl"));
  const living = readQuestions(join(shared, "questions/uk-living.jsonl"));
  const questions = [
    ...natural.map((question) => ({ ...question, set: `natural, ${question.kind}` })),
    ...living.map((question) => ({ ...question, set: "uk-living" })),
  ];
  return corpus("packs", packs.flatMap((pack) => pagesOf(root, pack)), root, questions);
}

function demoPacks() {
  const root = join(ROOT, "packs-static");
  const packs = packFolders(root);
  const questions = readQuestions(join(HERE, "demo-questions.jsonl"));
  return corpus(
    "demo",
    packs.flatMap((pack) => pagesOf(root, pack)),
    root,
    questions.map((question) => ({ ...question, set: question.kind })),
  );
}

/** A corpus without the questions that no page answers. */
function corpus(name, pages, packRoot, questions) {
  const ids = new Set(pages.map((page) => page.id));
  const answerable = questions.filter(({ gold }) => gold.length > 0);
  for (const { question, gold } of answerable) {
    const lost = gold.filter((id) => !ids.has(id));
    if (lost.length > 0) throw new Error(`${name}: no page ${lost.join(", ")}, the gold of ${question}`);
  }
  return { name, pages, packRoot, questions: answerable, cold: spread(answerable, COLD_QUESTIONS) };
}

/** `count` of the items, evenly spread over the list. */
function spread(items, count) {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]);
}

function readQuestions(path) {
  const lines = readFileSync(path, "utf8").split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line));
}

/** The folders below `root` that hold a manifest. */
function packFolders(root) {
  return readdirSync(root, { recursive: true })
    .filter((path) => path.split(sep).at(-1) === "manifest.yaml")
    .map((path) => dirname(join(root, path)))
    .sort();
}

/** A pack's pages; in the dialect with a manifest they lie under wiki/, which ids leave out. */
function pagesOf(root, pack) {
  const wiki = join(pack, "wiki");
  const folder = existsSync(join(pack, "manifest.yaml")) ? wiki : pack;
  const files = readdirSync(folder, { recursive: true }).filter(
    (path) => path.endsWith(".md") && !NOT_PAGES.has(path.split(sep).at(-1)),
  );
  return files.sort().map((path) => {
    const id = `${relative(root, pack)}/${path}`.replaceAll(sep, "/").replace(/\.md$/, "");
    return readPage(id, readFileSync(join(folder, path), "utf8"));
  });
}
