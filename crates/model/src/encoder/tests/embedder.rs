//! Vectors of tiny models against the plain computation; files that don't fit; the seam.

use std::collections::BTreeMap;

use burn::tensor::Device;
use futures_executor::block_on;

use super::reference::Reference;
use super::tiny::{Entry, Stored, Tiny, safetensors, tokenizer};
use crate::encoder::{BertEmbedder, Embedder, EmbedderLoader, EmbedderOptions, Pooling, SCALE, WordPiece};
use crate::{Error, encoder::BertConfig};

const TEXTS: &[&str] =
    &["See also the wikis.", "", "a", "Unaffable, unaffed!", "日本语 wiki 1 2 3", "the the the cafe"];

fn load(sizes: &Tiny, entries: &[Entry], pooling: Pooling) -> Result<BertEmbedder, Error> {
    let config = sizes.config().to_string();
    let options = EmbedderOptions { pooling, ..EmbedderOptions::new("tiny") };
    let file = safetensors(entries);
    BertEmbedder::load(config.as_bytes(), tokenizer().to_string().as_bytes(), &file[..], Device::flex(), options)
}

/// The largest difference of any number.
fn difference(got: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).map(|(got, expected)| (f64::from(*got) - expected).abs()).fold(0.0, f64::max)
}

/// Every text's vector is the reference's, embedded alone and in a batch with the others.
fn check(sizes: Tiny) {
    let (entries, values) = sizes.tensors();
    let embedder = load(&sizes, &entries, Pooling::Mean).unwrap();
    let reference = Reference { sizes, values };
    let words = WordPiece::from_json(tokenizer().to_string().as_bytes()).unwrap();
    let together = block_on(embedder.embed(TEXTS)).unwrap();
    assert_eq!(together.len(), TEXTS.len());
    for (text, together) in TEXTS.iter().zip(&together) {
        let expected = reference.vector(&words.encode(text, sizes.positions));
        let alone = &block_on(embedder.embed(&[text])).unwrap()[0];
        for got in [together, alone] {
            assert!(difference(got, &expected) < 2e-6, "{text:?} of {sizes:?}: {got:?}, not {expected:?}");
        }
    }
}

#[test]
fn vectors_are_those_of_the_reference() {
    let tiny = Tiny::default();
    check(tiny);
    check(Tiny { heads: 1, layers: 1, ffn_width: 7, ..tiny });
    check(Tiny { width: 35, heads: 5, layers: 3, ffn_width: 33, ..tiny });
    check(Tiny { prefixed: true, positions: 9, ..tiny });
}

#[test]
fn half_floats_are_read() {
    for stored in [Stored::F16, Stored::BF16] {
        check(Tiny { stored, ..Tiny::default() });
    }
}

/// The same tensors with every matrix as whole numbers, each row with the scale max/127, and what they then mean.
fn in_bytes(entries: Vec<Entry>, values: &mut BTreeMap<String, Vec<f64>>) -> Vec<Entry> {
    let mut all = Vec::new();
    for entry in entries {
        let (Some(meant), &[rows, columns]) = (values.get_mut(&entry.name), &entry.shape[..]) else {
            all.push(entry);
            continue;
        };
        let (mut scales, mut bytes) = (Vec::new(), Vec::new());
        for row in meant.chunks_mut(columns) {
            let scale = (row.iter().fold(0.0f64, |most, x| most.max(x.abs())) / 127.0) as f32;
            let whole: Vec<i8> = row.iter().map(|x| (x / f64::from(scale)).round() as i8).collect();
            row.iter_mut().zip(&whole).for_each(|(x, whole)| *x = f64::from(f32::from(*whole) * scale));
            bytes.extend(whole.iter().map(|whole| whole.cast_unsigned()));
            scales.extend(scale.to_le_bytes());
        }
        all.push(Entry { name: format!("{}{SCALE}", entry.name), dtype: "F32", shape: vec![rows], bytes: scales });
        all.push(Entry { dtype: "I8", bytes, ..entry });
    }
    all
}

#[test]
fn whole_numbers_are_multiplied_by_the_scale_of_their_row() {
    let sizes = Tiny::default();
    let (entries, mut values) = sizes.tensors();
    let mut entries = in_bytes(entries, &mut values);
    assert!(entries.iter().filter(|entry| entry.dtype == "I8").count() > 10);
    let reference = Reference { sizes, values };
    let words = WordPiece::from_json(tokenizer().to_string().as_bytes()).unwrap();
    // Scales may stand on either side of their matrix.
    for _ in 0..2 {
        let embedder = load(&sizes, &entries, Pooling::Mean).unwrap();
        for (text, got) in TEXTS.iter().zip(block_on(embedder.embed(TEXTS)).unwrap()) {
            let expected = reference.vector(&words.encode(text, sizes.positions));
            assert!(difference(&got, &expected) < 2e-6, "{text:?}: {got:?}, not {expected:?}");
        }
        entries.reverse();
    }
    let up = "encoder.layer.1.intermediate.dense.weight";
    let without = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut changed = entries.clone();
        change(&mut changed);
        let message = load(&sizes, &changed, Pooling::Mean).unwrap_err().to_string();
        assert!(
            message.contains(&format!("`{up}`: it has whole numbers, and no scale for each of its rows")),
            "{message}"
        );
    };
    let is_scale = |entry: &Entry| entry.name == format!("{up}{SCALE}");
    without(&|entries| entries.retain(|entry| !is_scale(entry)));
    without(&|entries| {
        let scales = entries.iter_mut().find(|entry| is_scale(entry)).unwrap();
        (scales.shape, scales.bytes) = (vec![1], vec![0; 4]);
    });
}

#[test]
fn schemes_say_pooling_and_length() {
    for (scheme, pooling, max_tokens) in [("mean-256", Pooling::Mean, 256), ("first-8", Pooling::First, 8)] {
        let options = EmbedderOptions { space: "s".into(), max_tokens, pooling };
        assert_eq!(options.scheme(), scheme);
        assert_eq!(EmbedderOptions::of_scheme("s", scheme).unwrap(), options);
    }
    for other in ["", "mean", "max-256", "mean-many", "mean-256-1"] {
        let message = EmbedderOptions::of_scheme("s", other).unwrap_err().to_string();
        assert!(message.contains(&format!("the scheme `{other}`")), "{message}");
    }
}

#[test]
fn the_first_state_can_be_the_vector() {
    let sizes = Tiny::default();
    let (entries, values) = sizes.tensors();
    let embedder = load(&sizes, &entries, Pooling::First).unwrap();
    let reference = Reference { sizes, values };
    let words = WordPiece::from_json(tokenizer().to_string().as_bytes()).unwrap();
    for (text, got) in TEXTS.iter().zip(block_on(embedder.embed(TEXTS)).unwrap()) {
        let first = &reference.states(&words.encode(text, 16))[0];
        let length = first.iter().map(|x| x * x).sum::<f64>().sqrt();
        let expected: Vec<f64> = first.iter().map(|x| x / length).collect();
        assert!(difference(&got, &expected) < 2e-6, "{text:?}");
    }
}

#[test]
fn many_texts_fill_many_batches() {
    let sizes = Tiny::default();
    let embedder = load(&sizes, &sizes.tensors().0, Pooling::Mean).unwrap();
    let texts: Vec<String> = (0..300).map(|count| "see also the wiki ".repeat(count % 5)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = block_on(embedder.embed(&texts)).unwrap();
    let alone = block_on(embedder.embed(&texts[..5])).unwrap();
    for (at, vector) in vectors.iter().enumerate() {
        let expected: Vec<f64> = alone[at % 5].iter().map(|&x| f64::from(x)).collect();
        assert!(difference(vector, &expected) < 2e-6, "text {at}");
    }
    assert!(block_on(embedder.embed(&[])).unwrap().is_empty());
}

#[test]
fn what_is_too_long_is_left_out() {
    let sizes = Tiny::default();
    let embedder = load(&sizes, &sizes.tensors().0, Pooling::Mean).unwrap();
    // 16 positions hold 14 words.
    let (long, cut) = ("see ".repeat(1000), "see ".repeat(14));
    let vectors = block_on(embedder.embed(&[&long, &cut])).unwrap();
    assert_eq!(vectors[0], vectors[1]);
    assert_eq!(embedder.dimensions(), 12);
    assert_eq!(embedder.space(), "tiny");
}

/// What loading says of tensors that were changed.
fn check_refused(change: impl FnOnce(&mut Vec<Entry>), expected: &str) {
    let sizes = Tiny::default();
    let mut entries = sizes.tensors().0;
    change(&mut entries);
    let message = load(&sizes, &entries, Pooling::Mean).unwrap_err().to_string();
    assert!(message.contains(expected), "{message}");
}

#[test]
fn tensors_that_do_not_fit_are_refused() {
    let up = "encoder.layer.1.intermediate.dense.weight";
    let named = |entry: &&mut Entry| entry.name == up;
    check_refused(|entries| entries.retain(|entry| entry.name != up), &format!("`{up}`: it is missing"));
    check_refused(
        |entries| entries.iter_mut().find(named).unwrap().shape = vec![12, 20],
        &format!("`{up}`: it is [12, 20], and [20, 12] by the configuration"),
    );
    let doubles = |entries: &mut Vec<Entry>| {
        let entry = entries.iter_mut().find(named).unwrap();
        (entry.dtype, entry.bytes) = ("F64", vec![0; 20 * 12 * 8]);
    };
    check_refused(doubles, &format!("`{up}`: its elements are F64; F32, F16, BF16 and I8 are read"));
}

#[test]
fn vectors_that_are_none_are_refused() {
    let sizes = Tiny::default();
    let mut entries = sizes.tensors().0;
    let last = "encoder.layer.1.output.LayerNorm.bias";
    let entry = entries.iter_mut().find(|entry| entry.name == last).unwrap();
    entry.bytes = f32::NAN.to_le_bytes().repeat(12);
    let embedder = load(&sizes, &entries, Pooling::Mean).unwrap();
    let message = block_on(embedder.embed(&["see"])).unwrap_err().to_string();
    assert!(message.contains("embedding texts: a vector has the length NaN"), "{message}");
}

#[test]
fn configurations_that_can_not_be_run_are_refused() {
    for (key, value, expected) in [
        ("model_type", serde_json::json!("roberta"), "the architecture `roberta`"),
        ("hidden_act", serde_json::json!("relu"), "the activation `relu`"),
        ("position_embedding_type", serde_json::json!("relative_key"), "the position embedding `relative_key`"),
        ("num_attention_heads", serde_json::json!(5), "5 heads do not divide a width of 12"),
        ("num_attention_heads", serde_json::json!(0), "`num_attention_heads` is 0"),
        ("hidden_size", serde_json::json!(1u64 << 40), "`hidden_size` is 1099511627776"),
        ("hidden_size", serde_json::json!(-1), "invalid value: integer `-1`"),
        ("layer_norm_eps", serde_json::json!(-1.0), "`layer_norm_eps` is -1"),
    ] {
        let mut config = Tiny::default().config();
        config[key] = value;
        let message = BertConfig::from_json(config.to_string().as_bytes()).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    assert!(BertConfig::from_json(b"<html>").unwrap_err().to_string().contains("config.json"));
}

#[test]
fn a_vocabulary_beyond_the_model_is_refused() {
    let sizes = Tiny::default();
    let mut more = tokenizer();
    more["model"]["vocab"]["more"] = serde_json::json!(53);
    let (config, file) = (sizes.config().to_string(), safetensors(&sizes.tensors().0));
    let options = EmbedderOptions::new("tiny");
    let more = more.to_string();
    let refused = BertEmbedder::load(config.as_bytes(), more.as_bytes(), &file[..], Device::flex(), options);
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("it has 54 tokens, the model 53"), "{message}");
}

/// An embedder whose vectors are written down: what tests of other parts use.
struct Scripted;

impl Embedder for Scripted {
    fn space(&self) -> &str {
        "scripted"
    }

    fn dimensions(&self) -> usize {
        2
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(texts.iter().map(|text| if text.contains("wiki") { vec![1.0, 0.0] } else { vec![0.0, 1.0] }).collect())
    }
}

/// The text nearest to `query`, by any embedder.
async fn nearest<'t>(embedder: &impl Embedder, query: &str, texts: &[&'t str]) -> &'t str {
    let query = embedder.embed(&[query]).await.unwrap().remove(0);
    let vectors = embedder.embed(texts).await.unwrap();
    let cosine = |vector: &[f32]| vector.iter().zip(&query).map(|(a, b)| a * b).sum::<f32>();
    texts.iter().zip(&vectors).max_by(|a, b| cosine(a.1).total_cmp(&cosine(b.1))).unwrap().0
}

#[test]
fn every_embedder_serves() {
    let texts = ["a cafe", "the wikis"];
    assert_eq!(block_on(nearest(&Scripted, "see the wiki", &texts)), "the wikis");
    let sizes = Tiny::default();
    let tiny = load(&sizes, &sizes.tensors().0, Pooling::Mean).unwrap();
    assert_eq!(block_on(nearest(&tiny, "the wikis", &texts)), "the wikis");
}

/// What comes of these files, each in pieces of seven bytes.
fn from_files(files: &[&[u8]]) -> Result<BertEmbedder, Error> {
    let mut loader = EmbedderLoader::on_cpu(EmbedderOptions::new("tiny"));
    for file in files {
        file.chunks(7).try_for_each(|piece| loader.feed(piece))?;
        loader.end_file()?;
    }
    loader.finish()
}

#[test]
fn three_files_in_their_order_make_an_embedder() {
    let sizes = Tiny::default();
    let (config, tokenizer) = (sizes.config().to_string(), tokenizer().to_string());
    let weights = safetensors(&sizes.tensors().0);
    let (config, tokenizer, weights) = (config.as_bytes(), tokenizer.as_bytes(), &weights[..]);
    let embedder = from_files(&[config, tokenizer, weights]).unwrap();
    assert_eq!((embedder.dimensions(), embedder.max_tokens()), (12, 16));
    let whole = load(&sizes, &sizes.tensors().0, Pooling::Mean).unwrap();
    assert_eq!(block_on(embedder.embed(TEXTS)).unwrap(), block_on(whole.embed(TEXTS)).unwrap());

    for (files, expected) in [
        (&[][..], "config.json: it is missing"),
        (&[config], "tokenizer.json: it is missing"),
        (&[config, tokenizer], "model.safetensors: it is missing"),
        (&[config, tokenizer, weights, b"more"], "more than three files"),
        (&[config, tokenizer, weights, b""], "more than three files"),
        (&[tokenizer, config, weights], "config.json"),
        (&[weights], "config.json"),
        (&[b"", tokenizer, weights], "config.json"),
        (&[config, tokenizer, &weights[..weights.len() - 1]], ""),
    ] {
        let message = from_files(files).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}, not {expected}");
    }
}
