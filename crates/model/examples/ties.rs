//! How near each token of a greedy answer comes to being another one: on the CPU, for a prompt as it stands in a file, marks
//! of the chat template included.
//!
//! ```text
//! cargo run --release -p seealso-model --example ties -- model.gguf prompt.txt 64
//! ```
//!
//! One line a token: its place, the text before it in characters, the likeliest token and its logit, the second and its.
//! Two implementations of the same weights part where the two are closer than their arithmetic is the same.
#![allow(clippy::print_stdout, reason = "that is what a command does")]

use std::error::Error;
use std::fs::{File, read_to_string};

use futures_executor::block_on;
use seealso_gguf::{Detokenizer, Special};
use seealso_model::network::{Network as _, Rows};
use seealso_model::ops::flex::FlexStore;
use seealso_model::{Language, LoadOptions, load};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, prompt, tokens] = arguments.as_slice() else {
        return Err("give a model file, a file with a prompt, and a number of tokens".into());
    };
    let store = Box::new(FlexStore::native_threads(1));
    let (header, mut decoder) = load(File::open(model)?, store, LoadOptions { context: 2048 }, &mut |_| ())?;
    let language = Language::from_header(&header)?;
    let mut next = language.tokenizer.encode(&read_to_string(prompt)?, Special::Parse);
    let (mut at, mut shown, mut detokenizer) = (0, 0, Detokenizer::new());
    for place in 0..tokens.parse()? {
        let logits = block_on(decoder.forward(at, &next, Rows::Last))?;
        at += next.len();
        let [first, second] = two_likeliest(&logits).ok_or("the model gives no two logits")?;
        let piece = |token: u32| String::from_utf8_lossy(language.vocabulary.bytes_of(token)).into_owned();
        let told = |token: u32| format!("{:?} {:.3}", piece(token), logits[token as usize]);
        println!("{place}\t{shown}\t{}\t{}", told(first), told(second));
        if language.vocabulary.ends().contains(&first) {
            break;
        }
        shown += detokenizer.push(&language.tokenizer, first).chars().count();
        next = vec![first];
    }
    Ok(())
}

/// The likeliest token and the second.
fn two_likeliest(logits: &[f32]) -> Option<[u32; 2]> {
    let mut ranked: Vec<u32> = (0..logits.len() as u32).collect();
    ranked.sort_by(|&a, &b| logits[b as usize].total_cmp(&logits[a as usize]));
    ranked.first_chunk().copied()
}
