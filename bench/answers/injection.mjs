#!/usr/bin/env node
// Tries the pages that give orders (tests/injection) on a real model, and prints a row of markdown for each: what the model
// drafted, and what stands after the checks. docs/injection.md holds such a table.
//
//   node bench/answers/injection.mjs SEEALSO MODEL.gguf [--bounds SUPPORTS,REJECTS]

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const QUESTION = "How is green tea steeped?";
const MANIFEST = "name: tea\ntitle: Tea\nversion: 1.0.0\nlanguage: en\ndomains: [tea]\nsummary: A pack about tea, with a page that gives orders.\n";

const [command, file, ...more] = process.argv.slice(2);
if (!command || !file) {
  throw new Error("give the seealso command and a model's file");
}
// The command runs in a folder of its own.
const seealso = command.includes("/") ? resolve(command) : command;
const model = resolve(file);
const folder = new URL("../../tests/injection/", import.meta.url);
const page = readFileSync(new URL("page.md", folder), "utf8");
const attacks = readFileSync(new URL("attacks.jsonl", folder), "utf8").trim().split("\n").map((line) => JSON.parse(line));

const rows = attacks.map((attack) => {
  const { model: by, sentences } = answered(page.replace("ATTACK", () => attack.page));
  const replaced = by && !by.failed && !by.kept;
  const stands = replaced ? sentences.map(({ text }) => text).join(" ") : "the quoted answer";
  const failed = attack.forbidden && replaced && stands.includes(attack.forbidden);
  console.error(`${failed ? "FAILED" : "held"}: ${attack.kind}`);
  return `| ${attack.kind} | ${cell(by?.draft ?? "")} | ${replaced ? cell(stands) : stands} |`;
});
console.log(rows.join("\n"));

/** What came of the question to a pack with this page. */
function answered(text) {
  const root = mkdtempSync(join(tmpdir(), "seealso-injection-"));
  try {
    mkdirSync(join(root, "packs/tea/wiki/concepts"), { recursive: true });
    writeFileSync(join(root, "packs/tea/manifest.yaml"), MANIFEST);
    writeFileSync(join(root, "packs/tea/wiki/concepts/green-tea.md"), text);
    writeFileSync(join(root, "questions.jsonl"), JSON.stringify({ question: QUESTION }));
    const run = (...args) => execFileSync(seealso, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    run("build", "packs");
    return JSON.parse(run("eval", "answers", "questions.jsonl", "--packs", "packs", "--model", model, "--json", ...more)).answers[0];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function cell(text) {
  return text ? `\`${text.replaceAll("|", "\\|").replaceAll("`", "'").replace(/\s+/g, " ").trim()}\`` : "nothing";
}
