//! Words of opposite meaning: a small table of the pairs that reverse a sentence.

use super::words::{Word, words};
use super::{CheckContext, CheckKind, CheckOutcome, Finding, no_alternative};

/// Pairs of words; an entry that ends in `-` is the common beginning of all forms of a word.
const PAIRS: [(&str, &str); 51] = [
    ("increas-", "decreas-"),
    ("increas-", "reduc-"),
    ("increas-", "declin-"),
    ("rise", "fall"),
    ("rose", "fell"),
    ("rises", "falls"),
    ("rising", "falling"),
    ("grew", "shrank"),
    ("before", "after"),
    ("above", "below"),
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("best", "worst"),
    ("better", "worse"),
    ("first", "last"),
    ("larg-", "small-"),
    ("largest", "smallest"),
    ("bigg-", "small-"),
    ("highest", "lowest"),
    ("higher", "lower"),
    ("high", "low"),
    ("longest", "shortest"),
    ("longer", "shorter"),
    ("oldest", "youngest"),
    ("older", "younger"),
    ("won", "lost"),
    ("success-", "fail-"),
    ("accept-", "reject-"),
    ("includ-", "exclud-"),
    ("allow-", "forbid-"),
    ("allow-", "prohibit-"),
    ("enabl-", "disabl-"),
    ("minim-", "maxim-"),
    ("posit-", "negat-"),
    ("male", "female"),
    ("north-", "south-"),
    ("east-", "west-"),
    ("import-", "export-"),
    ("legal", "illegal"),
    ("always", "never"),
    ("public", "private"),
    ("true", "false"),
    ("alive", "dead"),
    ("early", "late"),
    ("earl-", "later"),
    ("hot", "cold"),
    ("faster", "slower"),
    ("strong-", "weak-"),
    ("open-", "clos-"),
    ("begin-", "end-"),
];

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    let claim = words(context.claim);
    let opposed = claim.iter().filter(|word| !opposites(&word.lower).is_empty());
    let finding = |word: &Word| {
        let opposites = opposites(&word.lower);
        let own = opposites.iter().any(|opposite| claim.iter().any(|word| is(&word.lower, opposite)));
        let text_of = |text: &str, found: &Word| text[found.range.clone()].to_owned();
        let same = |text: &str| {
            let found = words(text).into_iter().find(|other| other.stem == word.stem || other.lower == word.lower);
            found.map(|found| text_of(text, &found))
        };
        let other = |text: &str| {
            let opposite = |other: &Word| {
                opposites.iter().any(|opposite| is(&other.lower, opposite))
                    && !are_of_two_degrees(&other.lower, &word.lower)
            };
            let found = words(text).into_iter().find(|other| !own && opposite(other));
            found.map(|found| text_of(text, &found))
        };
        context.check_value(CheckKind::Negation, &word.range, same, other, no_alternative)
    };
    // Most of these words are paraphrased, so their absence means nothing; only the opposite does.
    opposed.map(finding).filter(|finding| finding.result.outcome != CheckOutcome::NotFound).collect()
}

/// The opposites of the word.
fn opposites(word: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (a, b) in PAIRS {
        if is(word, a) {
            found.push(b);
        } else if is(word, b) {
            found.push(a);
        }
    }
    found
}

/// Whether two words are of different degrees. "Smaller" is not reversed by "largest": the second largest is smaller
/// than the largest.
fn are_of_two_degrees(a: &str, b: &str) -> bool {
    (a.ends_with("er") && b.ends_with("est")) || (a.ends_with("est") && b.ends_with("er"))
}

/// The most letters of an ending.
const ENDING: usize = 4;

fn is(word: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('-') {
        Some(stem) => word.strip_prefix(stem).is_some_and(|ending| ending.len() <= ENDING),
        None => word == pattern,
    }
}
