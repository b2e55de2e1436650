//! all-MiniLM-L6-v2, where the variable `SEEALSO_MODELS` names a folder of models: the first numbers of vectors that
//! another implementation, in double precision, gave. Without it they are skipped.

use std::fs::{File, read};

use burn::tensor::Device;
use futures_executor::block_on;
use seealso_test_support::{or_skip, real_file};

use crate::encoder::{BertEmbedder, Embedder, EmbedderOptions};

#[test]
fn vectors_begin_as_they_should() {
    let weights = or_skip!(real_file("minilm/model.safetensors"));
    let tokenizer = or_skip!(real_file("minilm/tokenizer.json"));
    let config = or_skip!(real_file("minilm/config.json"));
    let (weights, tokenizer, config) = (File::open(weights).unwrap(), read(tokenizer).unwrap(), read(config).unwrap());
    let options = EmbedderOptions::new("all-MiniLM-L6-v2");
    let embedder = BertEmbedder::load(&config, &tokenizer, weights, Device::flex(), options).unwrap();
    let golden = [
        ("What is the capital of France?", [0.082_048, 0.036_055, -0.003_893, -0.004_881, 0.025_651, -0.057_143]),
        ("Paris is the capital of France.", [0.100_705, 0.037_153, 0.028_226, -0.041_668, 0.067_192, -0.047_736]),
        ("Größe & Ångström naïve café", [0.064_091, 0.004_186, -0.044_761, 0.030_346, 0.020_055, 0.049_034]),
    ];
    let vectors = block_on(embedder.embed(&golden.map(|(text, _)| text))).unwrap();
    for ((text, expected), vector) in golden.iter().zip(&vectors) {
        assert_eq!(vector.len(), 384);
        for (got, expected) in vector.iter().zip(expected) {
            assert!((got - expected).abs() < 2e-6, "{text}: {:?}", &vector[..6]);
        }
    }
}
