//! Whole answers of a tiny model of random weights: what it says makes no sense, but it must say the same however the
//! work is cut, and hold to its mask.
#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;

use futures_executor::block_on;
use seealso_gguf::testing::TinyModel;
use seealso_gguf::{Architecture, Special};
use seealso_model::mask::{Citations, Mask, OneOf, StringArray};
use seealso_model::ops::flex::FlexStore;
use seealso_model::sample::{Sampling, log_probability};
use seealso_model::{Event, Finish, GenerationResult, LoadOptions, Model, PrefillProgress, Request, SessionOptions};

fn model(options: SessionOptions) -> Model {
    let tiny = TinyModel { architecture: Architecture::Qwen3, layers: 2, context: 256, ..TinyModel::default() };
    let file = tiny.write().unwrap();
    Model::load(file.as_slice(), Box::new(FlexStore::native()), LoadOptions::default(), options, &mut |_| ()).unwrap()
}

fn encode(model: &Model, text: &str) -> Vec<u32> {
    model.language.tokenizer.encode(text, Special::Plain)
}

fn answer(model: &mut Model, request: &Request<'_>) -> GenerationResult {
    block_on(model.generate(request, &mut async |_: Event<'_>| ControlFlow::Continue(()))).unwrap()
}

fn lively(seed: u64) -> Sampling {
    Sampling { temperature: 1.5, top_k: 100, top_p: 0.95, seed, ..Sampling::default() }
}

async fn on(_: PrefillProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_cut_of_the_work_changes_nothing() {
    let text = "Tell me of the thing that the other thing is not.";
    let said = |chunk| {
        let mut model = model(SessionOptions { chunk, ..SessionOptions::default() });
        let prompt = encode(&model, text);
        answer(&mut model, &Request { prompt: &prompt, max_tokens: 20, ..Request::default() }).tokens
    };
    assert_eq!(said(128).len(), 20);
    assert_eq!(said(128), said(16));
    assert_eq!(said(128), said(1));
}

#[test]
fn what_is_reused_says_the_same() {
    let mut model = model(SessionOptions::default());
    let source = encode(&model, "A long source that all questions share. ");
    let prompts = ["And the first?", "And the second?"].map(|text| [source.clone(), encode(&model, text)].concat());
    let say = |model: &mut Model, prompt: &[u32]| {
        answer(model, &Request { prompt, max_tokens: 12, sampling: lively(3), ..Request::default() })
    };
    let fresh = prompts.clone().map(|prompt| say(&mut self::model(SessionOptions::default()), &prompt));
    assert!(block_on(model.session.remember("source", &source, &mut on)).unwrap());
    for (prompt, fresh) in prompts.iter().zip(&fresh) {
        let other = encode(&model, "Something else in between, to fill the cache.");
        block_on(model.session.prefill(&other, &mut on)).unwrap();
        let again = say(&mut model, prompt);
        assert_eq!((&again.tokens, &again.text), (&fresh.tokens, &fresh.text));
        assert_eq!((again.reused, fresh.reused), (source.len(), 0));
    }
}

#[test]
fn scores_are_the_products_of_single_steps() {
    let mut model = model(SessionOptions::default());
    let prompt = encode(&model, "Is it so? ");
    let continuations = ["yes", "no, never in a hundred years"].map(|text| encode(&model, text));
    let scores = block_on(model.session.score(&prompt, &continuations)).unwrap();
    for (continuation, score) in continuations.iter().zip(scores) {
        let mut sum = 0.0;
        let mut logits = block_on(model.session.prefill(&prompt, &mut on)).unwrap().unwrap();
        for &token in continuation {
            sum += log_probability(&logits, token);
            logits = block_on(model.session.step(token)).unwrap();
        }
        assert!((score - sum).abs() < 1e-3, "{score} {sum}");
    }
}

#[test]
fn masks_hold_whatever_is_drawn() {
    let mut model = model(SessionOptions::default());
    let prompt = encode(&model, "Say it: ");
    for seed in 0..8 {
        let mut say = |mask: &dyn Mask| {
            let request = Request {
                prompt: &prompt,
                max_tokens: 200,
                sampling: lively(seed),
                mask: Some(mask),
                ..Request::default()
            };
            answer(&mut model, &request)
        };
        let word = say(&OneOf::new(["yes", "no"]));
        assert!(["yes", "no"].contains(&word.text.as_str()) && word.finish == Finish::Ended, "{word:?}");
        let list = say(&StringArray { most: 2, longest: 10 });
        assert_eq!(list.finish, Finish::Ended);
        assert!(serde_json::from_str::<Vec<String>>(&list.text).unwrap().len() <= 2);
        let marked = say(&Citations { sources: 2 }).text;
        for mark in marked.split('[').skip(1) {
            assert!(mark.starts_with("1]") || mark.starts_with("2]") || "12".contains(mark), "{marked}");
        }
    }
}

#[test]
fn ten_answers_in_a_row() {
    let mut model = model(SessionOptions::default());
    let prompt = encode(&model, "the same again ");
    let request = Request { prompt: &prompt, max_tokens: 30, sampling: lively(1), ..Request::default() };
    let first = answer(&mut model, &request);
    for _ in 0..9 {
        assert_eq!(answer(&mut model, &request).tokens, first.tokens);
    }
}
