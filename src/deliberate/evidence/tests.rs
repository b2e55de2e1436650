//! The passages that are aligned with a claim.

use super::*;

const TEXT: &str = "Green tea is steeped at 70 degrees. Black tea is steeped at 95 degrees.\n\
                    Assam grows in India.\nA cup has 40 mg of caffeine. Nobody knows why.";

fn claim(text: &str) -> Claim {
    Claim { text: text.to_owned(), citations: Vec::new(), range: 0..text.len() }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let evidence = Evidence::of_text("Tea", TEXT, Analysis::English);
    let alignment = evidence.align(&claim(text), expected.len().max(1));
    let found: Vec<&str> = alignment.passages.iter().map(|aligned| aligned.passage.text.as_str()).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_passages_that_hold_the_most_come_first() {
    check(
        "Black tea wants 95 degrees.",
        &["Black tea is steeped at 95 degrees.", "Green tea is steeped at 70 degrees."],
    );
    check("Indian Assam has caffeine.", &["Assam grows in India.", "A cup has 40 mg of caffeine."]);
    check("Nothing of this stands anywhere.", &[]);
    check("", &[]);
}

#[test]
fn what_is_left_beside_a_value_is_measured() {
    let evidence = Evidence::of_text("Tea", TEXT, Analysis::English);
    let claim = claim("Green tea is steeped at 75 degrees.");
    let alignment = evidence.align(&claim, 1);
    let best = &alignment.passages[0];
    assert!(
        best.score < 0.9 && best.score_without(&(24..26)) > 0.99,
        "{} {}",
        best.score,
        best.score_without(&(24..26))
    );
    assert!((0.0..=1.0).contains(&alignment.covered));
}

#[test]
fn a_hundred_thousand_sentences_take_no_time() {
    let text = "Tea number is steeped at some degrees in the pot of a house. ".repeat(20_000) + "Assam is hot.";
    let evidence = Evidence::of_text("Tea", &text, Analysis::English);
    assert_eq!(evidence.align(&claim("Assam is hot."), 1).passages[0].passage.text, "Assam is hot.");
}
