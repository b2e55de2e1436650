//! Whether one sentence repeats another, by the words that they share.
//!
//! The roles repeat each other and themselves: the Synthesizer repeats sentences of the draft, flagged or not, and
//! small models repeat their own last sentence.

use std::collections::BTreeSet;

use crate::deliberate::checks::{CheckKind, CheckOutcome};
use crate::deliberate::language::is_unspaced;
use crate::deliberate::verdict::Judgement;

/// The set of a sentence's words in lower case; for scripts without spaces, of its pairs of characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct WordSet(BTreeSet<String>);

/// Two sentences that share at least this part of all their words say the same.
const SAME: f64 = 0.8;
/// A longer sentence includes a shorter one if it contains this share of its words.
const WITHIN: f64 = 0.9;
/// A sentence was derived from another if it contains this share of its words.
const HALF: f64 = 0.5;

impl WordSet {
    /// The words of `sentence`.
    pub(crate) fn of(sentence: &str) -> WordSet {
        let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let words = sentence.split_whitespace().map(word).filter(|word| !word.is_empty());
        WordSet(
            words
                .flat_map(|word| if word.contains(is_unspaced) { character_pairs(&word) } else { vec![word] })
                .collect(),
        )
    }

    /// Whether both say the same.
    pub(crate) fn is_same(&self, other: &WordSet) -> bool {
        let all = self.0.union(&other.0).count() as f64;
        all > 0.0 && self.shared_words(other) / all >= SAME
    }

    /// Whether this includes `other`.
    pub(crate) fn contains_all(&self, other: &WordSet) -> bool {
        self.share_of(other) >= WITHIN
    }

    /// The share of the words of `other` that this contains.
    pub(crate) fn share_of(&self, other: &WordSet) -> f64 {
        if other.0.is_empty() { 0.0 } else { self.shared_words(other) / other.0.len() as f64 }
    }

    /// Whether this contains at least half of the words of `other`.
    pub(crate) fn resembles(&self, other: &WordSet) -> bool {
        self.share_of(other) >= HALF
    }

    fn shared_words(&self, other: &WordSet) -> f64 {
        self.0.intersection(&other.0).count() as f64
    }

    fn without(&self, other: &WordSet) -> WordSet {
        WordSet(self.0.difference(&other.0).cloned().collect())
    }
}

/// The pairs of adjacent characters in a run of a script without spaces, and the words between such runs; a single
/// character stands alone.
fn character_pairs(run: &str) -> Vec<String> {
    let chars: Vec<char> = run.chars().collect();
    let mut found = Vec::new();
    for part in chars.chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b) && a.is_alphanumeric() == b.is_alphanumeric())
    {
        match part {
            [first, ..] if !first.is_alphanumeric() => {}
            [first, _, ..] if is_unspaced(*first) => found.extend(part.windows(2).map(|pair| pair.iter().collect())),
            _ => found.push(part.iter().collect()),
        }
    }
    found
}

/// A flagged claim, and the values that the checks found wrong in it.
pub(crate) struct FlaggedClaim {
    claim: WordSet,
    values: Vec<WordSet>,
}

impl FlaggedClaim {
    pub(crate) fn of(judgement: &Judgement) -> FlaggedClaim {
        // Negations occur in true sentences too, so they identify no value.
        let wrong = judgement.checks.iter().filter(|check| check.outcome != CheckOutcome::Supported);
        let values = wrong.filter(|check| check.kind != CheckKind::Negation).map(|check| WordSet::of(&check.claimed));
        FlaggedClaim { claim: WordSet::of(&judgement.claim.text), values: values.collect() }
    }

    /// Whether `sentence` repeats the claim. If a value was flagged, the sentence must contain it: with another value
    /// in its place it may be the corrected claim, which the later verdict examines.
    pub(crate) fn is_in(&self, sentence: &WordSet) -> bool {
        let has_value = |value: &WordSet| {
            let rest = self.claim.without(value);
            value.0.is_subset(&sentence.0)
                && (rest.0.is_empty() || sentence.contains_all(&rest) || sentence.is_same(&self.claim))
        };
        match self.values.is_empty() {
            true => sentence.is_same(&self.claim) || sentence.contains_all(&self.claim),
            false => self.values.iter().any(has_value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliberate::checks::CheckResult;
    use crate::deliberate::claims::Claim;
    use crate::deliberate::verdict::Verdict;

    #[track_caller]
    fn check(sentence: &str, claim: &str, value: Option<&str>, expected: bool) {
        let check = |claimed: &str| CheckResult {
            kind: CheckKind::Number,
            claimed: claimed.to_owned(),
            found: String::new(),
            outcome: CheckOutcome::NotFound,
        };
        let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..0 };
        let checks = value.map(check).into_iter().collect();
        let flagged = FlaggedClaim::of(&Judgement {
            claim,
            verdict: Verdict::Unsupported,
            passage: None,
            checks,
            log_odds: None,
        });
        assert_eq!(flagged.is_in(&WordSet::of(sentence)), expected);
    }

    #[test]
    fn a_flagged_claim_is_found_again() {
        let claim = "Green tea is steeped at 70 degrees for nine minutes.";
        check("Green tea is steeped at 70 degrees for nine minutes [1].", claim, Some("nine"), true);
        check("Green tea is steeped at 70 degrees for two minutes [1].", claim, Some("nine"), false);
        check("Tea is hot, and green tea is steeped at 70 degrees for nine minutes.", claim, Some("nine"), true);
        check("Nine people drink tea.", claim, Some("nine"), false);
        check("Green tea is steeped at 70 degrees for nine minutes.", claim, None, true);
        check("Tea is hot, and green tea is steeped at 70 degrees for nine minutes.", claim, None, true);
        check("Green tea is hot.", claim, None, false);
    }

    #[test]
    fn sentences_without_spaces_have_pairs_of_characters() {
        assert_eq!(character_pairs("绿茶在2019年，热"), ["绿茶", "茶在", "2019", "年", "热"]);
        let (draft, other) =
            (WordSet::of("绿茶应当用七十度的水冲泡两分钟。"), WordSet::of("绿茶应该用七十度的热水冲泡两分钟。"));
        assert!(draft.resembles(&other) && !draft.is_same(&other));
        assert!(
            !draft.resembles(&WordSet::of("红茶要煮沸。"))
                && draft.is_same(&WordSet::of("绿茶应当用七十度的水冲泡两分钟"))
        );
        check("绿茶用一百度的水冲泡。", "绿茶用一百度的水冲泡。", Some("一百"), true);
    }

    #[test]
    fn sentences_say_the_same_or_more() {
        let (short, long) = (WordSet::of("Tea is hot."), WordSet::of("It is old, and tea is hot [1]!"));
        assert!(long.contains_all(&short) && !short.contains_all(&long) && !long.is_same(&short));
        assert!(WordSet::of("Tea is hot!").is_same(&short));
        assert!(!WordSet::of("").is_same(&WordSet::of("")) && !WordSet::of("Tea.").contains_all(&WordSet::of("")));
    }
}
