//! Whether a claim that was flagged is still in the final text.

use std::collections::BTreeSet;

use seealso::{GateOutcome, Judgement};

/// A sentence repeats a claim if it has a flagged value of the claim, and this share of the claim's other words.
const OTHER_WORDS: f64 = 0.6;
/// A sentence repeats a claim without a flagged value if it has this share of all the claim's words.
const ALL_WORDS: f64 = 0.8;

/// Whether one of `sentences` repeats what was flagged of `claim`.
pub(super) fn survives<'t>(claim: &Judgement, mut sentences: impl Iterator<Item = &'t str>) -> bool {
    let flagged = claim.gates.iter().filter(|gate| gate.outcome != GateOutcome::BorneOut);
    let values: Vec<BTreeSet<String>> = flagged.map(|gate| words(&gate.claimed)).collect();
    let claimed = words(&claim.claim.text);
    sentences.any(|sentence| {
        let sentence = words(sentence);
        if values.is_empty() {
            return share(&claimed, &sentence) >= ALL_WORDS;
        }
        values.iter().any(|value| {
            let others: BTreeSet<String> = claimed.difference(value).cloned().collect();
            value.is_subset(&sentence) && share(&others, &sentence) >= OTHER_WORDS
        })
    })
}

/// The words of a text, each once.
pub fn words(text: &str) -> BTreeSet<String> {
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect()
}

/// The share of `words` that `sentence` has.
pub fn share(words: &BTreeSet<String>, sentence: &BTreeSet<String>) -> f64 {
    words.intersection(sentence).count() as f64 / words.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use seealso::{Claim, Gate, GateKind, Verdict};

    #[track_caller]
    fn check(claim: &str, value: Option<&str>, sentence: &str, expected: bool) {
        let gate = |value: &str| Gate {
            kind: GateKind::Number,
            claimed: value.to_owned(),
            found: String::new(),
            outcome: GateOutcome::Missing,
        };
        let judgement = Judgement {
            claim: Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..0 },
            verdict: Verdict::Unsupported,
            passage: None,
            gates: value.map(gate).into_iter().collect(),
            log_odds: None,
        };
        assert_eq!(survives(&judgement, std::iter::once(sentence)), expected);
    }

    #[test]
    fn a_flagged_value_survives_in_a_sentence_with_the_other_words() {
        let claim = "Green tea is steeped for nine minutes.";
        check(claim, Some("nine"), "Green tea is steeped for nine minutes [1].", true);
        check(claim, Some("nine"), "Green tea is steeped for two minutes [1].", false);
        check(claim, Some("nine"), "There are nine teas in the shop [1].", false);
        check(claim, None, "Green tea should be steeped for nine minutes.", true);
        check(claim, None, "Green tea is hot.", false);
    }
}
