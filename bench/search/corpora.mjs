// The corpora: their pages as the peers index them, their packs as seealso builds them, their questions.
//
// `packs` are the five packs of the shared evaluation data, `2wiki` and `hotpot` its multi-hop corpora, `multilingual-*`
// its pages in Chinese, German and English, and `multilingual` these together; the data lies beside the repository (in
// `../shared/data`, or in the folder with `questions/` and `packs/` that the variable SEEALSO_SHARED names). `rows` are its
// million rows of title and summary. `demo` are the repository's own packs.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { writePack } from "./convert.mjs";
import { readPage } from "./markdown.mjs";
import { readLines, sharedData, spread } from "./shared.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../..");

/** Navigation, history and licences: no question asks for them. */
const NOT_PAGES = new Set(["index.md", "log.md", "NOTICE.md", "schema.md", "README.md"]);

/** Questions whose bytes and requests are counted with an empty cache. */
const COLD_QUESTIONS = 10;
/** The same where the corpus is large, and questions differ in what they fetch. */
const COLD_QUESTIONS_OF_ROWS = 50;
/** Questions that are timed. */
const TIMED_QUESTIONS = 100;

const LANGUAGES = ["zh", "de", "en"];

/** Each corpus by name: what makes it, given the shared data's folder and a folder to write packs to. */
const CORPORA = {
  packs: sharedPacks,
  "2wiki": multihop("2wiki"),
  hotpot: multihop("hotpot"),
  multilingual: multilingual("multilingual", LANGUAGES),
  ...Object.fromEntries(LANGUAGES.map((tag) => [`multilingual-${tag}`, multilingual(`multilingual-${tag}`, [tag])])),
  demo: demoPacks,
  rows: millionRows,
};

/** Measured where nothing else is asked for. The multilingual sets are for testing, late and sparingly; rows take minutes. */
const USUAL = ["packs", "2wiki", "hotpot", "demo"];

/**
 * The corpora of these names (the usual ones without any), each `{name, size, pages, packRoot, questions, timed, cold, all}`.
 * `size` is how many pages there are, `packRoot` the folder that `seealso build` is given; corpora that are no packs are
 * written as packs below `work`. One of rows has their file, `rows`, in the place of `pages` and `packRoot`.
 * `questions` have an answer, `timed` and `cold` are some of them, `all` are also those without one.
 */
export function corpora(names, work, say) {
  for (const name of names ?? []) {
    if (!(name in CORPORA)) throw new Error(`--corpora takes a list of: ${Object.keys(CORPORA).join(", ")}`);
  }
  const shared = sharedData();
  if (existsSync(join(shared, "packs"))) return (names ?? USUAL).map((name) => CORPORA[name](shared, work));
  say(`no shared packs at ${shared} (set SEEALSO_SHARED to the folder that holds questions/ and packs/): only the demo packs are measured`);
  return [demoPacks()];
}

function sharedPacks(shared) {
  const root = join(shared, "packs");
  const packs = readdirSync(root).sort().map((name) => join(root, name));
  const natural = readLines(join(shared, "questions/natural.jsonl"));
  const living = readLines(join(shared, "questions/uk-living.jsonl"));
  const questions = [
    ...natural.map((question) => ({ ...question, set: `natural, ${question.kind}` })),
    ...living.map((question) => ({ ...question, set: "uk-living" })),
  ];
  return corpus("packs", packs.flatMap((pack) => pagesOf(root, pack)), root, questions);
}

function multihop(name) {
  return (shared, work) => {
    const folder = join(shared, "multihop");
    const root = join(work, "packs-of", name);
    const pack = writePack(root, readLines(join(folder, `${name}-corpus.jsonl`)), "en");
    const questions = readLines(join(folder, `${name}-questions.jsonl`));
    return corpus(name, pagesOf(root, pack), root, questions.map((question) => ({ ...question, set: question.kind })));
  };
}

function multilingual(name, tags) {
  return (shared, work) => {
    const folder = join(shared, "multilingual");
    const root = join(work, "packs-of", name);
    const pages = tags.flatMap((tag) => {
      const pack = writePack(root, readLines(join(folder, `${tag}-pages.jsonl`)), tag);
      return pagesOf(root, pack, tag);
    });
    const questions = tags.flatMap((tag) =>
      readLines(join(folder, `${tag}-questions.jsonl`)).map((question) => ({ ...question, set: tag })),
    );
    return corpus(name, pages, root, questions);
  };
}

function demoPacks() {
  const root = join(ROOT, "packs-static");
  const packs = packFolders(root);
  const questions = readLines(join(HERE, "demo-questions.jsonl"));
  return corpus(
    "demo",
    packs.flatMap((pack) => pagesOf(root, pack)),
    root,
    questions.map((question) => ({ ...question, set: question.kind })),
  );
}

/** Rows are searched in one file as they are: a million pages would be a million files. */
function millionRows(shared, work) {
  const folder = join(shared, "scale");
  const rows = join(work, "packages.tsv");
  unpack(join(folder, "packages-1m.tsv.xz"), rows);
  const size = readFileSync(rows).reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0);
  const questions = readLines(join(folder, "queries.jsonl")).map((question) => ({ ...question, set: question.kind }));
  const [timed, cold] = [spread(questions, TIMED_QUESTIONS), spread(questions, COLD_QUESTIONS_OF_ROWS)];
  return { name: "rows", size, rows, questions, timed, cold, all: questions };
}

function unpack(packed, file) {
  const out = openSync(file, "w");
  const { error, status } = spawnSync("xz", ["--decompress", "--stdout", packed], { stdio: ["ignore", out, "inherit"] });
  closeSync(out);
  if (error) throw new Error(`cannot start xz; install it from your system's packages (xz-utils): ${error.message}`);
  if (status !== 0) throw new Error(`xz could not unpack ${packed} (exit status ${status})`);
}

function corpus(name, pages, packRoot, all) {
  const ids = new Set(pages.map((page) => page.id));
  const questions = all.filter(({ gold }) => gold.length > 0);
  for (const { question, gold } of questions) {
    const lost = gold.filter((id) => !ids.has(id));
    if (lost.length > 0) throw new Error(`${name}: no page ${lost.join(", ")}, the gold of ${question}`);
  }
  const [timed, cold] = [spread(questions, TIMED_QUESTIONS), spread(questions, COLD_QUESTIONS)];
  return { name, size: pages.length, pages, packRoot, questions, timed, cold, all };
}

/** The folders below `root` that hold a manifest. */
function packFolders(root) {
  return readdirSync(root, { recursive: true })
    .filter((path) => path.split(sep).at(-1) === "manifest.yaml")
    .map((path) => dirname(join(root, path)))
    .sort();
}

/** A pack's pages; in the dialect with a manifest they lie under wiki/, which ids leave out. */
function pagesOf(root, pack, language = "en") {
  const wiki = join(pack, "wiki");
  const folder = existsSync(join(pack, "manifest.yaml")) ? wiki : pack;
  const files = readdirSync(folder, { recursive: true }).filter(
    (path) => path.endsWith(".md") && !NOT_PAGES.has(path.split(sep).at(-1)),
  );
  return files.sort().map((path) => {
    const id = `${relative(root, pack)}/${path}`.replaceAll(sep, "/").replace(/\.md$/, "");
    return readPage(id, readFileSync(join(folder, path), "utf8"), language);
  });
}
