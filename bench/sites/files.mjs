// Files of a site, and commands that work on them.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { join, relative } from "node:path";

/** Copies a site's folder, without links that lead nowhere. */
export async function copySite(from, to) {
  await cp(from, to, { recursive: true, dereference: true, filter: (file) => existsSync(file) });
}

/** The addresses of the HTML files below `dir`, sorted. */
export async function htmlFiles(dir) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".html"));
  return files.map((entry) => relative(dir, join(entry.parentPath ?? entry.path, entry.name))).sort();
}

/** Runs a command to its end: its standard output, and the seconds that it took. It has to end with one of `codes`. */
export async function run(command, args, codes = [0]) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = [[], []];
  child.stdout.on("data", (bytes) => out.push(bytes));
  child.stderr.on("data", (bytes) => err.push(bytes));
  const code = await new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  if (!codes.includes(code)) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${Buffer.concat(err)}`);
  return { text: Buffer.concat(out).toString(), seconds: (performance.now() - started) / 1000 };
}
