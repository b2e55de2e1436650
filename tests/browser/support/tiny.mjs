// A tiny model of random weights, written anew for each run of the tests.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sha256 } from "./weights.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const WRITE = ["run", "--quiet", "--package", "seealso-gguf", "--features", "write", "--example", "tiny", "--"];

/** The model's bytes; `context` is in tokens. */
export async function tinyModel(context = 1024) {
  const folder = await mkdtemp(join(tmpdir(), "seealso-tiny-"));
  try {
    const path = join(folder, "tiny.gguf");
    await promisify(execFile)("cargo", [...WRITE, path, String(context)], { cwd: here });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes as weights that a server has at `path`; see weights.mjs. */
export function weightsOf(bytes, path) {
  return { path, bytes, file: { url: path, bytes: bytes.length, sha256: sha256(bytes) } };
}
