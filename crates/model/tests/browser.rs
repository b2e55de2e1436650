//! What the tiny model of the browser tests says natively: `tests/browser/model-decoder.test.mjs` expects the same.
#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::ops::ControlFlow;

use futures_executor::block_on;
use seealso_gguf::Message;
use seealso_gguf::testing::TinyModel;
use seealso_model::ops::flex::FlexHome;
use seealso_model::{Decoder, Language, LoadOptions, Request, Session, SessionOptions, generate, load};

fn loaded() -> (Session<Decoder>, Language) {
    let file = TinyModel::of_browser_tests().write().unwrap();
    let home = Box::new(FlexHome::native());
    let (header, decoder) = load(Cursor::new(file), home, LoadOptions { context: 1024 }, &mut |_| ()).unwrap();
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
