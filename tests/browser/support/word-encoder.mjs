// A tiny sentence encoder that knows some words: a text's vector is the mean of its words' vectors, since its layers add nothing.
// Words of one meaning have one vector, and what it does not know has none. And packs that are set up with it.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runSeealso, writePack } from "./site.mjs";

/** Words that mean the same stand in one row. Each page below has one of them at least, for a text of none has no vector. */
const MEANINGS = [["loaf", "cob"], ["browns"], ["oven"], ["tea", "brew"], ["steeped"], ["leaves"], ["anchor", "moored"], ["chain"], ["noon"]];
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const WORDS = MEANINGS.flat();
const WIDTH = 16;
const POSITIONS = 256;

const zeros = (length) => new Array(length).fill(0);

/** The vectors of all tokens: of the special ones zero, of each word a 1 in the place of its meaning. */
function embeddings(variant) {
  const rows = zeros((SPECIAL.length + WORDS.length) * WIDTH);
  WORDS.forEach((word, at) => {
    rows[(SPECIAL.length + at) * WIDTH + MEANINGS.findIndex((meaning) => meaning.includes(word))] = 1 + variant;
  });
  return rows;
}

function tensors(variant) {
  const norm = (name) => [[`${name}.LayerNorm.weight`, [WIDTH], new Array(WIDTH).fill(1)], [`${name}.LayerNorm.bias`, [WIDTH], zeros(WIDTH)]];
  const linear = (name, outputs, inputs) => [
    [`encoder.layer.0.${name}.weight`, [outputs, inputs], zeros(outputs * inputs)], [`encoder.layer.0.${name}.bias`, [outputs], zeros(outputs)]];
  return [
    ["embeddings.word_embeddings.weight", [SPECIAL.length + WORDS.length, WIDTH], embeddings(variant)],
    ["embeddings.position_embeddings.weight", [POSITIONS, WIDTH], zeros(POSITIONS * WIDTH)],
    ["embeddings.token_type_embeddings.weight", [2, WIDTH], zeros(2 * WIDTH)],
    ...["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"].flatMap(norm),
    ...["query", "key", "value"].flatMap((part) => linear(`attention.self.${part}`, WIDTH, WIDTH)),
    ...linear("attention.output.dense", WIDTH, WIDTH), ...linear("intermediate.dense", 4, WIDTH), ...linear("output.dense", WIDTH, 4),
  ];
}

/** A safetensors file of single precision. @param {[string, number[], number[]][]} tensors name, shape and elements of each */
export function safetensors(tensors) {
  const header = {};
  const data = [];
  for (const [name, shape, values] of tensors) {
    const begin = 4 * data.length;
    data.push(...values);
    header[name] = { dtype: "F32", shape, data_offsets: [begin, 4 * data.length] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.from(Float32Array.from(data).buffer)]);
}

/** Writes the encoder's files to a folder, which is made. Encoders of two variants have different weights. */
async function writeWordEncoder(folder, variant) {
  const config = {
    model_type: "bert", hidden_act: "gelu", vocab_size: SPECIAL.length + WORDS.length, hidden_size: WIDTH, num_hidden_layers: 1,
    num_attention_heads: 2, intermediate_size: 4, max_position_embeddings: POSITIONS, type_vocab_size: 2, layer_norm_eps: 1e-12,
  };
  const vocab = Object.fromEntries([...SPECIAL, ...WORDS].map((word, id) => [word, id]));
  const tokenizer = {
    normalizer: { type: "BertNormalizer", lowercase: true }, pre_tokenizer: { type: "BertPreTokenizer" },
    model: { type: "WordPiece", unk_token: "[UNK]", vocab },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  await writeFile(join(folder, "model.safetensors"), safetensors(tensors(variant)));
}

const page = (title, text) => `---\ntype: page\ntitle: ${title}\ndescription: ${text}\n---\n\n# ${title}\n\n${text}\n`;

/** A page that has nothing of the question "What is a cob?" but its meaning. */
const PACKS = {
  bakery: {
    "index.md": "---\ntitle: Bakery\n---\n\n# Bakery\n",
    "bread.md": page("Bread", "A loaf browns in a hot oven within the hour."),
    "overview.md": page("Overview of the bakery", "Bakers rise early and sell their goods by noon."),
  },
  harbour: {
    "index.md": "---\ntitle: Harbour\n---\n\n# Harbour\n",
    "anchors.md": page("Anchors", "An anchor holds a ship by its chain."),
    "tea.md": page("Tea on board", "Sailors drink tea, for which leaves are steeped."),
  },
};

/**
 * Writes packs into the folder `packs` of a site, and makes their stages with an encoder that is published, and with the gate's
 * threshold where one is given. `home` is outside of the site.
 */
export async function writeMeaningfulPacks(packs, home, { variant = 0, threshold = null } = {}) {
  for (const [name, files] of Object.entries(PACKS)) {
    await writePack(packs, name, files);
  }
  await setUpByWords(packs, home, variant, threshold === null ? [] : ["--threshold", String(threshold)]);
}

/** Sets packs up with the encoder, which is written to a folder in `home` and published with them; gives that folder. */
export async function setUpByWords(packs, home, variant = 0, options = []) {
  const encoder = join(home, `words-${variant}`);
  await writeWordEncoder(encoder, variant);
  await runSeealso(["setup", packs, "--encoder", encoder, "--publish-encoder", ...options]);
  return encoder;
}
