//! What the tiny models of the browser tests say natively: `tests/browser/model-decoder.test.mjs` and
//! `model-encoder.test.mjs` expect the same.
#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::ops::ControlFlow;

use burn::tensor::Device;
use futures_executor::block_on;
use seealso_gguf::Message;
use seealso_gguf::testing::TinyModel;
use seealso_model::encoder::{BertEmbedder, EmbedderOptions};
use seealso_model::ops::flex::FlexStore;
use seealso_model::{
    Adapters, Decoder, Embedder, Language, LoadOptions, Probe, Request, Session, SessionOptions, generate, load,
};
use serde_json::json;

fn loaded() -> (Session<Decoder>, Language) {
    let file = TinyModel::of_browser_tests().write().unwrap();
    let store = Box::new(FlexStore::native());
    let (header, decoder) = load(Cursor::new(file), store, LoadOptions { context: 1024 }, &mut |_| ()).unwrap();
    (Session::new(decoder, SessionOptions::default()), Language::from_header(&header).unwrap())
}

#[test]
fn eight_greedy_tokens() {
    let (mut session, language) = loaded();
    let prompt = language.prompt(&[Message::user("Hello")]).unwrap();
    let request = Request { prompt: &prompt, max_tokens: 8, ..Request::default() };
    let watch = &mut async |_: seealso_model::Event<'_>| ControlFlow::Continue(());
    let answer = block_on(generate(&mut session, &language, &request, watch)).unwrap();
    assert_eq!(prompt.len(), 24);
    assert_eq!(answer.tokens, [151, 6, 93, 51, 57, 74, 101, 138]);
}

#[test]
fn the_likelihood_of_two_words() {
    let (mut session, language) = loaded();
    let prompt = language.prompt(&[Message::user("Hello")]).unwrap();
    let words = ["yes", "no"].map(|word| language.tokenizer.encode(word, seealso_gguf::Special::Plain));
    let scores = block_on(session.score(&prompt, &words)).unwrap();
    for (score, expected) in scores.iter().zip([-19.579, -13.118]) {
        assert!((score - expected).abs() < 0.02, "{scores:?}");
    }
}

#[test]
fn what_stands_behind_a_layer() {
    let (mut session, language) = loaded();
    let prompt = language.prompt(&[Message::user("Hello")]).unwrap();
    let weights = (0..64).map(|at| (at % 7) as f32 - 3.0).collect();
    let probe = Probe { layers: 1, read: 1, weights, units: Vec::new(), bias: 0.5, adapters: None };
    let read = block_on(probe.read(&mut session, &prompt, &mut async |_| ControlFlow::Continue(())));
    let read = read.unwrap().unwrap();
    assert!((read - 8.451).abs() < 0.02, "{read}");
}

#[test]
fn what_stands_behind_a_layer_through_adapters() {
    let (mut session, language) = loaded();
    let prompt = language.last_turn(&[Message::system("Be brief."), Message::user("Hello")]).unwrap();
    let weights = (0..64).map(|at| (at % 7) as f32 - 3.0).collect();
    let numbers = (0..3 * 64).map(|at| ((at * 29 + 1) % 41) as f32 / 100.0 - 0.2).collect();
    let adapters = Some(Adapters { layers: 1, units: 1, numbers });
    let probe = Probe { layers: 2, read: 1, weights, units: Vec::new(), bias: 0.5, adapters };
    let mut read = |probe: &Probe| {
        block_on(probe.read(&mut session, &prompt, &mut async |_| ControlFlow::Continue(()))).unwrap().unwrap()
    };
    let (through, untaught) = (read(&probe), read(&Probe { adapters: None, ..probe.clone() }));
    assert!((through - 4.942).abs() < 0.02 && (through - untaught).abs() > 0.1, "{through} {untaught}");
}

/// The pieces of the tiny encoder.
const PIECES: [&str; 12] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "river", "run", "to", "the", "sea", "##s", "."];
const WIDTH: usize = 8;
const FFN_WIDTH: usize = 12;
const LAYERS: usize = 2;
const POSITIONS: usize = 16;

/// Each tensor's name and shape.
fn shapes() -> Vec<(String, Vec<usize>)> {
    let norm = |name: String| ["weight", "bias"].map(|part| (format!("{name}.LayerNorm.{part}"), vec![WIDTH]));
    let embeddings = [("word", PIECES.len()), ("position", POSITIONS), ("token_type", 2)];
    let embeddings = embeddings.map(|(name, rows)| (format!("embeddings.{name}_embeddings.weight"), vec![rows, WIDTH]));
    let mut shapes: Vec<_> = embeddings.into_iter().chain(norm("embeddings".into())).collect();
    for layer in 0..LAYERS {
        for (part, outputs, inputs) in [
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", FFN_WIDTH, WIDTH),
            ("output.dense", WIDTH, FFN_WIDTH),
        ] {
            let name = format!("encoder.layer.{layer}.{part}");
            shapes.push((format!("{name}.weight"), vec![outputs, inputs]));
            shapes.push((format!("{name}.bias"), vec![outputs]));
        }
        shapes.extend(norm(format!("encoder.layer.{layer}.attention.output")));
        shapes.extend(norm(format!("encoder.layer.{layer}.output")));
    }
    shapes
}

/// `model.safetensors` of the tiny encoder, whose weights follow from their places.
fn weights() -> Vec<u8> {
    let mut header = serde_json::Map::new();
    let mut data = Vec::new();
    for (number, (name, shape)) in shapes().into_iter().enumerate() {
        let begin = data.len();
        let around = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
        for place in 0..shape.iter().product::<usize>() {
            let value = around + f64::from(((place * 31 + number * 17) % 101) as u32) / 101.0 - 0.5;
            data.extend((value as f32).to_le_bytes());
        }
        header.insert(name, json!({ "dtype": "F32", "shape": shape, "data_offsets": [begin, data.len()] }));
    }
    let header = serde_json::Value::Object(header).to_string().into_bytes();
    [(header.len() as u64).to_le_bytes().to_vec(), header, data].concat()
}

#[test]
fn the_vectors_of_two_texts() {
    let config = json!({
        "model_type": "bert", "hidden_act": "gelu", "vocab_size": PIECES.len(), "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS, "num_attention_heads": 2, "intermediate_size": FFN_WIDTH,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
    });
    let ids: serde_json::Map<_, _> = (0..).zip(PIECES).map(|(id, piece)| (piece.to_owned(), json!(id))).collect();
    let tokenizer = json!({
        "normalizer": { "type": "BertNormalizer", "lowercase": true },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "vocab": ids },
    });
    let (config, tokenizer) = (config.to_string(), tokenizer.to_string());
    let options = EmbedderOptions::new("tiny");
    let device = Device::flex();
    let embedder =
        BertEmbedder::load(config.as_bytes(), tokenizer.as_bytes(), &weights()[..], device, options).unwrap();
    let vectors = block_on(embedder.embed(&["A river runs to the sea.", "unknown"])).unwrap();
    let expected = [
        [-0.644_293, -0.512_884, 0.176_913, 0.179_861, 0.471_878, 0.013_197, 0.140_905, -0.124_464],
        [-0.533_260, -0.639_233, 0.261_184, 0.138_930, 0.283_395, 0.364_460, 0.027_747, -0.074_715],
    ];
    for (vector, expected) in vectors.iter().zip(expected) {
        assert!(vector.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{vectors:?}");
    }
}
