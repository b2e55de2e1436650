//! A tiny encoder of BERT's kind, as files: a text's vector is the mean of its words' vectors, since its layers add nothing.
//! `loaf` and `cob` have one vector, and words that it does not know have none.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// The words, from the fifth on; those before are special.
const WORDS: [&str; 20] = [
    "green",
    "tea",
    "black",
    "oxidised",
    "dried",
    "leaves",
    "steeped",
    "degrees",
    "sourdough",
    "wild",
    "yeast",
    "crust",
    "browns",
    "oven",
    "loaf",
    "cob",
    "small",
    "releases",
    "change",
    "undo",
];
/// Numbers of a vector.
const WIDTH: usize = 20;

/// Writes the encoder's three files to a folder. Encoders of two variants have different weights, and so different spaces.
pub fn write_tiny_encoder(folder: &Path, variant: u8) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("config.json"), config().to_string()).unwrap();
    fs::write(folder.join("tokenizer.json"), tokenizer().to_string()).unwrap();
    fs::write(folder.join("model.safetensors"), weights(variant)).unwrap();
}

fn config() -> Value {
    json!({
        "model_type": "bert", "hidden_act": "gelu", "vocab_size": WORDS.len() + 4, "hidden_size": WIDTH,
        "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 4, "max_position_embeddings": 256,
        "type_vocab_size": 2, "layer_norm_eps": 1e-12,
    })
}

fn tokenizer() -> Value {
    let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
    let ids: serde_json::Map<String, Value> =
        special.iter().chain(&WORDS).enumerate().map(|(id, word)| ((*word).to_owned(), json!(id))).collect();
    json!({
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": ids},
    })
}

/// The vectors of all tokens: of the special ones zero, of each word one that has a 1 in a place of its own.
fn embeddings(variant: u8) -> Vec<f32> {
    let mut rows = vec![0.0; (WORDS.len() + 4) * WIDTH];
    for (number, word) in WORDS.iter().enumerate() {
        let place = if *word == "cob" { number - 1 } else { number };
        rows[(number + 4) * WIDTH + place] = 1.0 + f32::from(variant);
    }
    rows
}

fn weights(variant: u8) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    let mut put = |name: &str, shape: &[usize], values: Vec<f32>| {
        let start = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        header.insert(name.to_owned(), json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}));
    };
    put("embeddings.word_embeddings.weight", &[WORDS.len() + 4, WIDTH], embeddings(variant));
    put("embeddings.position_embeddings.weight", &[256, WIDTH], vec![0.0; 256 * WIDTH]);
    put("embeddings.token_type_embeddings.weight", &[2, WIDTH], vec![0.0; 2 * WIDTH]);
    for norm in ["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"] {
        put(&format!("{norm}.LayerNorm.weight"), &[WIDTH], vec![1.0; WIDTH]);
        put(&format!("{norm}.LayerNorm.bias"), &[WIDTH], vec![0.0; WIDTH]);
    }
    for (part, outputs, inputs) in [
        ("attention.self.query", WIDTH, WIDTH),
        ("attention.self.key", WIDTH, WIDTH),
        ("attention.self.value", WIDTH, WIDTH),
        ("attention.output.dense", WIDTH, WIDTH),
        ("intermediate.dense", 4, WIDTH),
        ("output.dense", WIDTH, 4),
    ] {
        put(&format!("encoder.layer.0.{part}.weight"), &[outputs, inputs], vec![0.0; outputs * inputs]);
        put(&format!("encoder.layer.0.{part}.bias"), &[outputs], vec![0.0; outputs]);
    }
    let header = Value::Object(header).to_string().into_bytes();
    [(header.len() as u64).to_le_bytes().to_vec(), header, data].concat()
}
