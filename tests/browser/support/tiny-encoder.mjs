// A tiny sentence encoder whose weights follow from their places: the files of crates/model/tests/browser.rs.

import { weightsOf } from "./tiny.mjs";
import { safetensors } from "./word-encoder.mjs";

const PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "river", "run", "to", "the", "sea", "##s", "."];
const WIDTH = 8;
const FFN_WIDTH = 12;
const LAYERS = 2;
const POSITIONS = 16;

const norm = (name) => ["weight", "bias"].map((part) => [`${name}.LayerNorm.${part}`, [WIDTH]]);

/** Each tensor's name and shape. */
function shapes() {
  const embeddings = [["word", PIECES.length], ["position", POSITIONS], ["token_type", 2]]
    .map(([name, rows]) => [`embeddings.${name}_embeddings.weight`, [rows, WIDTH]]);
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const linears = [
      ["attention.self.query", WIDTH, WIDTH],
      ["attention.self.key", WIDTH, WIDTH],
      ["attention.self.value", WIDTH, WIDTH],
      ["attention.output.dense", WIDTH, WIDTH],
      ["intermediate.dense", FFN_WIDTH, WIDTH],
      ["output.dense", WIDTH, FFN_WIDTH],
    ].flatMap(([part, outputs, inputs]) => {
      const name = `encoder.layer.${layer}.${part}`;
      return [[`${name}.weight`, [outputs, inputs]], [`${name}.bias`, [outputs]]];
    });
    return [...linears, ...norm(`encoder.layer.${layer}.attention.output`), ...norm(`encoder.layer.${layer}.output`)];
  });
  return [...embeddings, ...norm("embeddings"), ...layers.flat()];
}

function weights() {
  return safetensors(shapes().map(([name, shape], number) => {
    const around = name.endsWith("LayerNorm.weight") ? 1 : 0;
    const count = shape.reduce((product, size) => product * size, 1);
    return [name, shape, Array.from({ length: count }, (_, place) => around + ((place * 31 + number * 17) % 101) / 101 - 0.5)];
  }));
}

/** Its three files in their order, as weights at addresses. */
export function tinyEncoder() {
  const config = {
    model_type: "bert", hidden_act: "gelu", vocab_size: PIECES.length, hidden_size: WIDTH, num_hidden_layers: LAYERS, num_attention_heads: 2,
    intermediate_size: FFN_WIDTH, max_position_embeddings: POSITIONS, type_vocab_size: 2,
  };
  const tokenizer = {
    normalizer: { type: "BertNormalizer", lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    model: { type: "WordPiece", unk_token: "[UNK]", vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])) },
  };
  const json = (value) => Buffer.from(JSON.stringify(value));
  return [["config.json", json(config)], ["tokenizer.json", json(tokenizer)], ["model.safetensors", weights()]]
    .map(([name, bytes]) => weightsOf(bytes, `/models/tiny-${name}`));
}
