//! Whether one sentence says again what another says, by the words that they share.
//!
//! The roles repeat each other, and themselves: the Synthesizer what the draft says, flagged or not, and small models
//! their own last sentence.

use std::collections::BTreeSet;

use crate::deliberate::checks::{GateKind, GateOutcome};
use crate::deliberate::claims::is_unspaced;
use crate::deliberate::verdict::Judgement;

/// The words of a sentence, each once, in lower case; of scripts without spaces, the pairs of characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Said(BTreeSet<String>);

/// Two sentences with at least this share of all their words in common say the same.
const SAME: f64 = 0.8;
/// A longer sentence says a shorter one along with others where it has this share of its words.
const WITHIN: f64 = 0.9;
/// A sentence was made of another where it has this share of its words.
const HALF: f64 = 0.5;

impl Said {
    /// What `sentence` says.
    pub(crate) fn of(sentence: &str) -> Said {
        let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let words = sentence.split_whitespace().map(word).filter(|word| !word.is_empty());
        Said(words.flat_map(|word| if word.contains(is_unspaced) { pairs(&word) } else { vec![word] }).collect())
    }

    /// Whether both say the same.
    pub(crate) fn is_same(&self, other: &Said) -> bool {
        let all = self.0.union(&other.0).count() as f64;
        all > 0.0 && self.common(other) / all >= SAME
    }

    /// Whether this says `other`, alone or along with more.
    pub(crate) fn holds(&self, other: &Said) -> bool {
        self.share_of(other) >= WITHIN
    }

    /// The share of what `other` says that this says.
    pub(crate) fn share_of(&self, other: &Said) -> f64 {
        if other.0.is_empty() { 0.0 } else { self.common(other) / other.0.len() as f64 }
    }

    /// Whether this tells at least half of what `other` says.
    pub(crate) fn resembles(&self, other: &Said) -> bool {
        self.share_of(other) >= HALF
    }

    fn common(&self, other: &Said) -> f64 {
        self.0.intersection(&other.0).count() as f64
    }

    fn without(&self, other: &Said) -> Said {
        Said(self.0.difference(&other.0).cloned().collect())
    }
}

/// The pairs of letters that stand beside each other in a run of a script without spaces, and the words between such runs; a
/// single character stands alone.
fn pairs(run: &str) -> Vec<String> {
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

/// A claim that was flagged, and the values that speak against it.
pub(crate) struct Flagged {
    claim: Said,
    values: Vec<Said>,
}

impl Flagged {
    pub(crate) fn of(judgement: &Judgement) -> Flagged {
        // Words that deny stand in true sentences too, so they tell no value.
        let wrong = judgement.gates.iter().filter(|gate| gate.outcome != GateOutcome::BorneOut);
        let values = wrong.filter(|gate| gate.kind != GateKind::Negation).map(|gate| Said::of(&gate.claimed));
        Flagged { claim: Said::of(&judgement.claim.text), values: values.collect() }
    }

    /// Whether `sentence` says it again. Where a value was flagged, that must be in it: a sentence with another value in
    /// its place may be the claim set right, and the verdict that follows looks closer.
    pub(crate) fn is_in(&self, sentence: &Said) -> bool {
        let has_value = |value: &Said| {
            let rest = self.claim.without(value);
            value.0.is_subset(&sentence.0)
                && (rest.0.is_empty() || sentence.holds(&rest) || sentence.is_same(&self.claim))
        };
        match self.values.is_empty() {
            true => sentence.is_same(&self.claim) || sentence.holds(&self.claim),
            false => self.values.iter().any(has_value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliberate::checks::Gate;
    use crate::deliberate::claims::Claim;
    use crate::deliberate::verdict::Verdict;

    #[track_caller]
    fn check(sentence: &str, claim: &str, value: Option<&str>, expected: bool) {
        let gate = |claimed: &str| Gate {
            kind: GateKind::Number,
            claimed: claimed.to_owned(),
            found: String::new(),
            outcome: GateOutcome::Missing,
        };
        let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..0 };
        let gates = value.map(gate).into_iter().collect();
        let flagged =
            Flagged::of(&Judgement { claim, verdict: Verdict::Unsupported, passage: None, gates, log_odds: None });
        assert_eq!(flagged.is_in(&Said::of(sentence)), expected);
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
        assert_eq!(pairs("绿茶在2019年，热"), ["绿茶", "茶在", "2019", "年", "热"]);
        let (draft, other) =
            (Said::of("绿茶应当用七十度的水冲泡两分钟。"), Said::of("绿茶应该用七十度的热水冲泡两分钟。"));
        assert!(draft.resembles(&other) && !draft.is_same(&other));
        assert!(
            !draft.resembles(&Said::of("红茶要煮沸。")) && draft.is_same(&Said::of("绿茶应当用七十度的水冲泡两分钟"))
        );
        check("绿茶用一百度的水冲泡。", "绿茶用一百度的水冲泡。", Some("一百"), true);
    }

    #[test]
    fn sentences_say_the_same_or_more() {
        let (short, long) = (Said::of("Tea is hot."), Said::of("It is old, and tea is hot [1]!"));
        assert!(long.holds(&short) && !short.holds(&long) && !long.is_same(&short));
        assert!(Said::of("Tea is hot!").is_same(&short));
        assert!(!Said::of("").is_same(&Said::of("")) && !Said::of("Tea.").holds(&Said::of("")));
    }
}
