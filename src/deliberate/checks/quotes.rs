//! Quotations: text between quotation marks must occur in a page verbatim.

use super::{CheckContext, CheckKind, CheckOutcome, CheckResult, Finding};
use crate::deliberate::claims::strip_markdown::quotations;

/// Fewer words are a name or a term, not a quotation.
const LEAST_WORDS: usize = 3;
/// A passage with this share of the quotation's words, in order, is what was misquoted.
const MISQUOTED: f64 = 0.7;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    let evidence = context.alignment.evidence;
    let mut findings = Vec::new();
    for range in quotations(context.claim) {
        let claimed = context.claim[range].to_owned();
        let quoted = plain_words(&claimed);
        if quoted.len() < LEAST_WORDS {
            continue;
        }
        let whole = |text: &str| contains(&plain_words(text), &quoted);
        // A quotation may span several consecutive sentences.
        let sentences: Vec<&str> = evidence.passages().map(|passage| passage.text.as_str()).collect();
        let stands = sentences.iter().any(|text| whole(text))
            || sentences.windows(2).any(|two| whole(&two.join(" ")))
            || sentences.windows(3).any(|three| whole(&three.join(" ")))
            || evidence.contexts().any(whole);
        let finding = |found: &str, outcome, passage| {
            let result =
                CheckResult { kind: CheckKind::Quote, claimed: claimed.clone(), found: found.to_owned(), outcome };
            Finding { result, passage }
        };
        let wrongly = || {
            let mut passages = context.alignment.passages.iter().enumerate();
            passages.find(|(_, aligned)| in_order(&plain_words(&aligned.passage.text), &quoted) >= MISQUOTED)
        };
        findings.push(match (stands, (!stands).then(wrongly).flatten()) {
            (true, _) => finding(&claimed, CheckOutcome::Supported, None),
            (false, Some((at, aligned))) => finding(&aligned.passage.text, CheckOutcome::Contradicted, Some(at)),
            (false, None) => finding("", CheckOutcome::NotFound, None),
        });
    }
    findings
}

/// The words, without case and punctuation.
fn plain_words(text: &str) -> Vec<String> {
    let bare =
        |word: &str| word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—'))
        .map(bare)
        .filter(|word| !word.is_empty())
        .collect()
}

fn contains(text: &[String], quoted: &[String]) -> bool {
    text.windows(quoted.len()).any(|window| window == quoted)
}

/// The share of `quoted` that occurs in `text` in order, with gaps.
fn in_order(text: &[String], quoted: &[String]) -> f64 {
    let mut from = 0;
    let mut found = 0;
    for word in quoted {
        if let Some(step) = text[from..].iter().position(|other| other == word) {
            from += step + 1;
            found += 1;
        }
    }
    found as f64 / quoted.len() as f64
}
