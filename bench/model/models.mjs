// The weights that are measured, and the prompts.

import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Models by the names that `cargo xtask model` knows them by, and what their weights are. */
export const MODELS = {
  smollm2: { about: "SmolLM2-135M-Instruct Q4_1" },
  qwen: { about: "Qwen2.5-Coder-0.5B-Instruct Q4_K_M" },
};

/** Where a model's weights are, and how long they are: as the folder's list has them, else in a file of the model's name. */
export async function weightsOf(name) {
  const folder = folderOf();
  const { about } = MODELS[name];
  const file = (await listed(folder, name)) ?? `${name}.gguf`;
  const path = join(folder, file);
  const { size } = await stat(path).catch(() => {
    throw new Error(`${path} is missing. Fetch it with \`cargo xtask model ${name}\`, or name its folder in SEEALSO_MODELS.`);
  });
  return { name, about, folder, file, bytes: size };
}

/** Whether a model has to be there: not where the folder has a list without it. */
export async function isExpected(name) {
  return (await listed(folderOf(), name)) !== null;
}

function folderOf() {
  return process.env.SEEALSO_MODELS || resolve(here, "../../www/models");
}

/** The file of a model in the folder's list; null where the list has no such model, and undefined where there is no list. */
async function listed(folder, name) {
  const list = await readFile(join(folder, "models.json"), "utf8").catch(() => undefined);
  return list && (JSON.parse(list).models.find((each) => each.name === name)?.files[0].url ?? null);
}

const QUESTION = "Write a long and detailed story about a small boat on a wide river, the old man who steers it, the two children who travel with him, and the storm that they meet on their way to the city by the sea, where the market opens at dawn.";

const SENTENCE = "The boat passed a mill, a bridge and a row of poplars, and the old man told the children how the river had been before the dam was built.";

/** A prompt of about 70 tokens. Each number gives another first token, so that nothing is left over from the last one. */
export function shortPrompt(number) {
  return `${number}\n<|im_start|>user\n${QUESTION}<|im_end|>\n<|im_start|>assistant\n`;
}

/** A prompt of about 1,500 tokens. */
export function longPrompt(number) {
  const story = Array.from({ length: 38 }, (_, at) => `${at + 1}. ${SENTENCE}`).join(" ");
  return `${number}\n<|im_start|>user\n${story} ${QUESTION}<|im_end|>\n<|im_start|>assistant\n`;
}
