// Entries for tests: a small pack of them, and the ways to ask beside a page: the command, and a server.

import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runSeealso, seealsoCommand } from "./site.mjs";

/** Exit code of the command where nothing was found. */
const NO_ANSWER = 4;

const entry = (topic, fields, position, reasoning) => `---\ntopic: ${topic}\n${fields}\n---\n\n## Position\n\n${position}\n\n## Reasoning\n\n${reasoning}\n`;

/** Entries in words that the encoder of words knows; one is superseded, and one private. */
const FILES = {
  "index.md": "---\ntitle: A bakery, as its owner sees it\n---\n\n# A bakery\n\n- [Bread](entries/bread.md)\n- [Tea](entries/tea.md)\n",
  "entries/bread.md": entry("Bread", "type: framework\npattern: signs\nconfidence: high\nstability: evergreen\nupdated: 2025-01-01",
    "A loaf browns in a hot oven.", "The crust says when it is done: “not before”."),
  "entries/tea.md": entry("Tea", "type: reaction\nconfidence: low\nstability: evolving\nupdated: 2026-01-31",
    "Tea is steeped with loose leaves.", "Bags taste of *paper*."),
  "entries/cold-start.md": entry("Cold start", "type: framework\nsuperseded_by: bread\nconfidence: high\nstability: evergreen",
    "A loaf browns in an oven that is cold at first.", "It saves wood."),
  "entries/secret.md": entry("House recipe", "type: framework\ntier: private\nconfidence: high\nstability: evergreen",
    "The loaf of the house browns in the small oven.", "Nobody is to know."),
  "patterns/signs.md": "---\nslug: signs\ndescription: Which sign says that the oven is ready?\ntemplate: If {thing} shows {sign}, go on.\n---\n\n## Variants\n\n### A brew of tea\n\nWatch the leaves.\n",
};

/** Writes the pack and builds it into the folder `packs`, which has no private file. */
export async function buildEntries(packs, home) {
  const authored = join(home, "authored");
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(authored, "bakery", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await runSeealso(["build", authored, "--out", packs]);
}

/** What the command prints for a request. */
export async function askCommand(packs, encoder, { question, asker, top_n }) {
  const top = top_n === undefined ? [] : ["--top", String(top_n)];
  const args = ["entries", question, "--asker", asker, "--packs", packs, "--encoder", encoder, ...top, "--json"];
  return runSeealso(args).catch((error) => (error.code === NO_ANSWER ? error : Promise.reject(error))).then(({ stdout }) => stdout);
}

/** A server of the packs on a free port: `ask` gives the text of its reply. */
export async function serveEntries(packs, encoder) {
  const args = ["serve", "--api", "--packs", packs, "--port", "0", "--no-log"];
  const env = { ...process.env, SEEALSO_ENCODER: encoder };
  const server = spawn(await seealsoCommand(), args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const address = new Promise((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (data) => {
      said += data;
      const found = /"address":"([\d.]+:\d+)"/.exec(said);
      found && resolve(found[1]);
    });
    ended.then(() => reject(new Error(`the server ended: ${said}`)));
  });
  const url = `http://${await address}/retrieve`;
  return {
    async ask(request) {
      const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
      return reply.text();
    },
    async close() {
      server.kill();
      await ended;
    },
  };
}
