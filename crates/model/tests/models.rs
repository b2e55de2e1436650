//! Real models, where the variable `SEEALSO_MODELS` names a folder of them: the first token's logits against those of
//! another implementation. Without it they are skipped.
#![allow(clippy::unwrap_used)]

use std::fs::File;

use futures_executor::block_on;
use seealso_gguf::Message;
use seealso_model::network::{Network, Rows};
use seealso_model::ops::flex::FlexStore;
use seealso_model::{Language, LoadOptions, load};
use seealso_test_support::{or_skip, real_file};

/// The likeliest first token and the second, and their logits.
fn check(file: &str, prompt_tokens: usize, expected: [(u32, f32); 2]) {
    let path = or_skip!(real_file(file));
    let stream = File::open(path).unwrap();
    let store = Box::new(FlexStore::native());
    let (header, mut decoder) = load(stream, store, LoadOptions { context: 128 }, &mut |_| ()).unwrap();
    let language = Language::from_header(&header).unwrap();
    let question = Message::user("What is the capital of France? Answer in one sentence.");
    let tokens = language.prompt(&[Message::system("You are a helpful assistant."), question]).unwrap();
    assert_eq!(tokens.len(), prompt_tokens);
    let logits = block_on(decoder.forward(0, &tokens, Rows::Last)).unwrap();
    let mut ranked: Vec<(u32, f32)> = logits.iter().enumerate().map(|(id, &logit)| (id as u32, logit)).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    assert_eq!(ranked[0].0, expected[0].0, "{:?}", &ranked[..5]);
    for (id, logit) in expected {
        assert!((logits[id as usize] - logit).abs() < 0.3, "token {id}: {} and not {logit}", logits[id as usize]);
    }
}

#[test]
fn smollm2_begins_as_it_should() {
    check("smollm2.gguf", 32, [(504, 30.606), (38634, 28.941)]);
}

#[test]
fn qwen_begins_as_it_should() {
    check("qwen.gguf", 31, [(785, 21.378), (59604, 20.262)]);
}
