//! Scores of tiny cross-encoders against the plain computation; how two texts share the positions; files that don't fit.

use burn::tensor::Device;
use futures_executor::block_on;

use super::reference::Reference;
use super::tiny::{Entry, Stored, Tiny, safetensors, tokenizer};
use crate::Error;
use crate::encoder::{CrossEncoder, WordPiece};

const QUERY: &str = "the wiki";
const TEXTS: &[&str] =
    &["See also the wikis.", "", "a", "Unaffable, unaffed!", "日本语 wiki 1 2 3 see also the cafe, naive"];

fn load(sizes: &Tiny, entries: &[Entry]) -> Result<CrossEncoder, Error> {
    let (config, tokenizer) = (sizes.config().to_string(), tokenizer().to_string());
    CrossEncoder::load(config.as_bytes(), tokenizer.as_bytes(), &safetensors(entries)[..], Device::flex())
}

fn words() -> WordPiece {
    WordPiece::from_json(tokenizer().to_string().as_bytes()).unwrap()
}

/// Every text's score is the reference's, alone and in a batch with the others.
fn check(sizes: Tiny) {
    let (entries, values) = sizes.tensors_with_head(1);
    let cross_encoder = load(&sizes, &entries).unwrap();
    let reference = Reference { sizes, values };
    let together = block_on(cross_encoder.score(QUERY, TEXTS)).unwrap();
    assert_eq!(together.len(), TEXTS.len());
    for (text, together) in TEXTS.iter().zip(together) {
        let (ids, second) = words().encode_pair(QUERY, text, sizes.positions);
        let expected = reference.score(&ids, second);
        let alone = block_on(cross_encoder.score(QUERY, &[text])).unwrap()[0];
        for got in [together, alone] {
            assert!((f64::from(got) - expected).abs() < 5e-6, "{text:?} of {sizes:?}: {got}, not {expected}");
        }
    }
}

#[test]
fn scores_are_those_of_the_reference() {
    let tiny = Tiny::default();
    check(tiny);
    check(Tiny { width: 35, heads: 5, layers: 3, ffn_width: 33, ..tiny });
    check(Tiny { prefixed: true, positions: 9, ..tiny });
    check(Tiny { stored: Stored::F16, ..tiny });
}

#[test]
fn the_second_text_is_of_the_second_segment() {
    let sizes = Tiny::default();
    let (entries, values) = sizes.tensors_with_head(1);
    let reference = Reference { sizes, values };
    let (ids, second) = words().encode_pair(QUERY, "see also", 16);
    let same = reference.score(&ids, ids.len());
    let got = f64::from(block_on(load(&sizes, &entries).unwrap().score(QUERY, &["see also"])).unwrap()[0]);
    assert!((got - reference.score(&ids, second)).abs() < 5e-6 && (got - same).abs() > 1e-3);
}

#[test]
fn many_texts_fill_many_batches() {
    let sizes = Tiny::default();
    let cross_encoder = load(&sizes, &sizes.tensors_with_head(1).0).unwrap();
    let texts: Vec<String> = (0..300).map(|count| "see also the wiki ".repeat(count % 5)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scores = block_on(cross_encoder.score(QUERY, &texts)).unwrap();
    for (at, score) in scores.iter().enumerate() {
        assert!((score - scores[at % 5]).abs() < 1e-5, "text {at}");
    }
    assert!(block_on(cross_encoder.score(QUERY, &[])).unwrap().is_empty());
}

#[test]
fn two_texts_share_the_positions() {
    let check = |first: &str, second: &str, positions: usize, expected: &[u32], start: usize| {
        assert_eq!(words().encode_pair(first, second, positions), (expected.to_vec(), start), "{first:?} {second:?}");
    };
    // [CLS] 2, [SEP] 3, see 4, also 5, the 6.
    check("see also", "the", 9, &[2, 4, 5, 3, 6, 3], 4);
    check("", "", 9, &[2, 3, 3], 2);
    check("see", "the the the the the", 7, &[2, 4, 3, 6, 6, 6, 3], 3);
    check("the the the the the", "see", 7, &[2, 6, 6, 6, 3, 4, 3], 5);
    check("the the the the", "see see see", 8, &[2, 6, 6, 6, 3, 4, 4, 3], 5);
    check("the the the", "see see see", 8, &[2, 6, 6, 3, 4, 4, 4, 3], 4);
    check("the the the", "see see see", 3, &[2, 3, 3], 2);
    check("the", "see", 0, &[2, 3, 3], 2);
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let sizes = Tiny::default();
    let refused = |entries: &[Entry]| load(&sizes, entries).map(|_| ()).unwrap_err().to_string();
    let without = refused(&sizes.tensors().0);
    assert!(without.contains("pooler.dense.weight") && without.contains("it is missing"), "{without}");
    let two = refused(&sizes.tensors_with_head(2).0);
    assert!(two.contains("classifier.weight") && two.contains("[2, 12]"), "{two}");
}
