// tinysearch: its own command compiles the index into a wasm file, which is index and engine at once and counts as index.
//
// The command is a Rust crate; it is installed once into a folder of its own, from crates.io in the version below. Its
// documentation's fields are title and body; the summary is stored and searched as metadata. A page counts one for each
// word of the query that it holds, and a word is looked for as a prefix.

import { execFile } from "node:child_process";
import { access, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const VERSION = "0.11.1";

/** The command, and what it compiles besides the index, once for all corpora. */
const ROOT = fileURLToPath(new URL(`../node_modules/.cache/tinysearch-${VERSION}`, import.meta.url));

const run = promisify(execFile);

const SCHEMA = `[schema]
indexed_fields = ["title", "body"]
metadata_fields = ["summary"]
url_field = "url"
`;

export const tinysearch = {
  name: "tinysearch",
  version: VERSION,
  async build({ pages }, dir) {
    const command = await installed();
    const work = join(dir, "work");
    await mkdir(work, { recursive: true });
    const posts = pages.map(({ id, title, summary, text }) => ({ title, url: id, summary, body: text }));
    await writeFile(join(work, "posts.json"), JSON.stringify(posts));
    await writeFile(join(work, "tinysearch.toml"), SCHEMA);
    const paths = ["--path", join(work, "out"), "--crate-path", join(ROOT, "crate"), join(work, "posts.json")];
    await run(command, ["--release", "--mode", "wasm", ...paths], { env: environment() });
    await cp(join(work, "out/tinysearch_engine.wasm"), join(dir, "index.wasm"));
    await rm(work, { recursive: true });
  },
};

/** The path of the command, installed if it is not there. */
async function installed() {
  const command = join(ROOT, "bin/tinysearch");
  if (await access(command).then(() => true, () => false)) return command;
  console.error(`  installing tinysearch ${VERSION} from crates.io`);
  const source = ["install", "tinysearch", "--version", VERSION, "--features", "bin"];
  const target = join(ROOT, "install-target");
  await run("cargo", [...source, "--root", ROOT, "--target-dir", target], { maxBuffer: 1 << 26 });
  await rm(target, { recursive: true });
  return command;
}

/**
 * What the command needs to compile for wasm32: the toolchain that can, of which SEEALSO_WASM_RUSTC names the compiler, and
 * cargo's usual target folder, where the command looks for the result.
 */
function environment() {
  const { SEEALSO_WASM_RUSTC: rustc, PATH, ...rest } = process.env;
  for (const name of ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "CARGO_TARGET_DIR", "RUSTC"]) delete rest[name];
  if (!rustc || !isAbsolute(rustc)) return { ...rest, PATH };
  return { ...rest, PATH: [dirname(rustc), PATH].join(delimiter), RUSTC: rustc };
}
