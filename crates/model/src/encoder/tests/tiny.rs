//! A tiny model of random weights, as files.

use std::collections::BTreeMap;

use seealso_gguf::{f16_to_f32, f32_to_f16};
use serde_json::{Value, json};

use crate::random::Random;

/// How a file's elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    F32,
    F16,
    BF16,
}

impl Stored {
    pub(super) fn name(self) -> &'static str {
        match self {
            Stored::F32 => "F32",
            Stored::F16 => "F16",
            Stored::BF16 => "BF16",
        }
    }

    /// An element's bytes, and what they mean.
    pub(super) fn element(self, value: f32) -> (Vec<u8>, f32) {
        match self {
            Stored::F32 => (value.to_le_bytes().to_vec(), value),
            Stored::F16 => (f32_to_f16(value).to_le_bytes().to_vec(), f16_to_f32(f32_to_f16(value))),
            Stored::BF16 => {
                let bits = value.to_bits() & 0xffff_0000;
                (((bits >> 16) as u16).to_le_bytes().to_vec(), f32::from_bits(bits))
            }
        }
    }
}

/// A tensor of a file to be written.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) dtype: &'static str,
    pub(super) shape: Vec<usize>,
    pub(super) bytes: Vec<u8>,
}

/// A safetensors file of these tensors.
pub(super) fn safetensors(entries: &[Entry]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    let mut data = Vec::new();
    for Entry { name, dtype, shape, bytes } in entries {
        let offsets = [data.len(), data.len() + bytes.len()];
        data.extend_from_slice(bytes);
        header.insert(name.clone(), json!({"dtype": dtype, "shape": shape, "data_offsets": offsets}));
    }
    header.insert("__metadata__".to_owned(), json!({"format": "pt"}));
    let header = Value::Object(header).to_string().into_bytes();
    [(header.len() as u64).to_le_bytes().to_vec(), header, data].concat()
}

/// The sizes of a tiny model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiny {
    pub(super) width: usize,
    pub(super) heads: usize,
    pub(super) layers: usize,
    pub(super) ffn_width: usize,
    pub(super) positions: usize,
    pub(super) stored: Stored,
    /// Whether names begin with `bert.`.
    pub(super) prefixed: bool,
}

impl Default for Tiny {
    fn default() -> Self {
        Self { width: 12, heads: 3, layers: 2, ffn_width: 20, positions: 16, stored: Stored::F32, prefixed: false }
    }
}

/// The tokens of the tiny model.
pub(super) const VOCABULARY: &[&str] = &[
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "see", "also", "the", "un", "##aff", "##able", "##ed", "wiki", "##s", "a",
    "cafe", "##e", "ange", "'", ",", ".", "!", "[", "]", "-", "1", "##2", "##3", "日", "本", "语", "σ", "##ς", "##σ",
    "naive", "cls", "ss", "##ss", "ß", "##ß", "ﬁ", "i", "##i", "$", "«", "»", "x", "##x", "##al", "##the", "##so", ";",
    "##a", "##σς",
];

/// `tokenizer.json` of the tiny model.
pub(super) fn tokenizer() -> Value {
    let ids: BTreeMap<&str, usize> = VOCABULARY.iter().enumerate().map(|(id, &piece)| (piece, id)).collect();
    json!({
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": ids},
    })
}

impl Tiny {
    /// Its `config.json`.
    pub(super) fn config(&self) -> Value {
        json!({
            "model_type": "bert", "hidden_act": "gelu", "vocab_size": VOCABULARY.len(), "hidden_size": self.width,
            "num_hidden_layers": self.layers, "num_attention_heads": self.heads, "intermediate_size": self.ffn_width,
            "max_position_embeddings": self.positions, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        })
    }

    /// Its tensors, and what their elements mean, by name.
    pub(super) fn tensors(&self) -> (Vec<Entry>, BTreeMap<String, Vec<f64>>) {
        let mut random = Random::new(11);
        let mut values = BTreeMap::new();
        let mut entries = Vec::new();
        for (name, shape) in self.shapes() {
            let around = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
            let count: usize = shape.iter().product();
            let drawn = (0..count).map(|_| self.stored.element((around + random.unit() * 1.2 - 0.6) as f32));
            let (bytes, meant): (Vec<Vec<u8>>, Vec<f32>) = drawn.unzip();
            let name_in_file = format!("{}{name}", if self.prefixed { "bert." } else { "" });
            let dtype = self.stored.name();
            entries.push(Entry { name: name_in_file, dtype, shape, bytes: bytes.concat() });
            values.insert(name, meant.into_iter().map(f64::from).collect());
        }
        // What files have beside: passed over.
        entries.insert(0, Entry { name: "position_ids".into(), dtype: "I64", shape: vec![1, 2], bytes: vec![0; 16] });
        entries.push(Entry { name: "pooler.dense.bias".into(), dtype: "F32", shape: vec![1], bytes: vec![0; 4] });
        (entries, values)
    }

    /// The same with a head of so many outputs.
    pub(super) fn tensors_with_head(&self, outputs: usize) -> (Vec<Entry>, BTreeMap<String, Vec<f64>>) {
        let (mut entries, mut values) = self.tensors();
        entries.pop();
        let mut random = Random::new(12);
        let width = self.width;
        for (name, shape) in [
            ("pooler.dense.weight", vec![width, width]),
            ("pooler.dense.bias", vec![width]),
            ("classifier.weight", vec![outputs, width]),
            ("classifier.bias", vec![outputs]),
        ] {
            let count: usize = shape.iter().product();
            let drawn = (0..count).map(|_| self.stored.element((random.unit() * 1.2 - 0.6) as f32));
            let (bytes, meant): (Vec<Vec<u8>>, Vec<f32>) = drawn.unzip();
            // A file's head has no prefix, whatever the encoder's names begin with.
            let is_encoder = self.prefixed && name.starts_with("pooler");
            let name_in_file = format!("{}{name}", if is_encoder { "bert." } else { "" });
            entries.push(Entry { name: name_in_file, dtype: self.stored.name(), shape, bytes: bytes.concat() });
            values.insert(name.to_owned(), meant.into_iter().map(f64::from).collect());
        }
        (entries, values)
    }

    fn shapes(&self) -> Vec<(String, Vec<usize>)> {
        let &Self { width, ffn_width, positions, .. } = self;
        let mut shapes = vec![
            ("embeddings.word_embeddings.weight".to_owned(), vec![VOCABULARY.len(), width]),
            ("embeddings.position_embeddings.weight".to_owned(), vec![positions, width]),
            ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, width]),
            ("embeddings.LayerNorm.weight".to_owned(), vec![width]),
            ("embeddings.LayerNorm.bias".to_owned(), vec![width]),
        ];
        for layer in 0..self.layers {
            for (part, outputs, inputs) in [
                ("attention.self.query", width, width),
                ("attention.self.key", width, width),
                ("attention.self.value", width, width),
                ("attention.output.dense", width, width),
                ("intermediate.dense", ffn_width, width),
                ("output.dense", width, ffn_width),
            ] {
                shapes.push((format!("encoder.layer.{layer}.{part}.weight"), vec![outputs, inputs]));
                shapes.push((format!("encoder.layer.{layer}.{part}.bias"), vec![outputs]));
            }
            for part in ["attention.output", "output"] {
                shapes.push((format!("encoder.layer.{layer}.{part}.LayerNorm.weight"), vec![width]));
                shapes.push((format!("encoder.layer.{layer}.{part}.LayerNorm.bias"), vec![width]));
            }
        }
        shapes
    }
}
