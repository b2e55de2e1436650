//! Quantifiers: all, most, some, none and only; and the bounds at least and at most.

use super::quantity::{Bound, quantities};
use super::words::{Word, head, words};
use super::{CheckContext, CheckKind, CheckOutcome, Finding, no_alternative};

/// The amount that a quantifier expresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Amount {
    All,
    Most,
    Some,
    None,
    Only,
}

const WORDS: [(&str, Amount); 24] = [
    ("all", Amount::All),
    ("every", Amount::All),
    ("each", Amount::All),
    ("always", Amount::All),
    ("entirely", Amount::All),
    ("alle", Amount::All),
    ("toutes", Amount::All),
    ("most", Amount::Most),
    ("mostly", Amount::Most),
    ("majority", Amount::Most),
    ("usually", Amount::Most),
    ("some", Amount::Some),
    ("several", Amount::Some),
    ("sometimes", Amount::Some),
    ("partly", Amount::Some),
    ("few", Amount::Some),
    ("einige", Amount::Some),
    ("none", Amount::None),
    ("no", Amount::None),
    ("never", Amount::None),
    ("only", Amount::Only),
    ("solely", Amount::Only),
    ("exclusively", Amount::Only),
    ("nur", Amount::Only),
];

/// A quantifier applies to the first content word within this many words.
const REACH: usize = 4;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    let claim = words(context.claim);
    let amounts = claim.iter().enumerate().filter_map(|(at, word)| Some((at, amount(word)?)));
    let mut findings: Vec<Finding> =
        amounts.map(|(at, amount)| check_quantifier(context, &claim, at, amount)).collect();
    // A missing quantifier tells nothing, unless the claim goes to the end of the scale.
    findings.retain(|finding| finding.result.outcome != CheckOutcome::NotFound || is_extreme(&finding.result.claimed));
    findings.extend(bounds(context));
    findings
}

fn is_extreme(word: &str) -> bool {
    let lower = word.to_lowercase();
    WORDS.iter().any(|(known, amount)| *known == lower && matches!(amount, Amount::All | Amount::Only))
}

fn amount(word: &Word) -> Option<Amount> {
    WORDS.iter().find(|(known, _)| *known == word.lower).map(|(_, amount)| *amount)
}

fn check_quantifier(context: &CheckContext<'_>, claim: &[Word], at: usize, own: Amount) -> Finding {
    let subject = head(claim, at, REACH).map(|head| claim[head].stem.as_str());
    let found = |text: &str, wanted: &dyn Fn(Amount) -> bool| {
        let words = words(text);
        let fits = |(at, word): &(usize, &Word)| {
            amount(word).is_some_and(wanted)
                && head(&words, *at, REACH).map(|head| words[head].stem.as_str()) == subject
        };
        words.iter().enumerate().find(fits).map(|(_, word)| text[word.range.clone()].to_owned())
    };
    let same = |text: &str| found(text, &|theirs| includes(theirs, own)).or_else(|| anywhere(text, own));
    let other = |text: &str| found(text, &|theirs| !includes(theirs, own));
    context.check_value(CheckKind::Quantifier, &claim[at].range, same, other, no_alternative)
}

/// An end of the scale is supported by the same end, wherever it stands in the passage.
fn anywhere(text: &str, own: Amount) -> Option<String> {
    let found = words(text).into_iter().find(|word| own != Amount::Some && amount(word) == Some(own));
    found.map(|word| text[word.range].to_owned())
}

/// Whether the page's amount implies the claim's.
fn includes(page: Amount, claim: Amount) -> bool {
    page == claim || matches!((page, claim), (Amount::All, Amount::Most | Amount::Some) | (Amount::Most, Amount::Some))
}

/// "At least" against "at most" the same number.
fn bounds(context: &CheckContext<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for own in quantities(context.claim) {
        if !matches!(own.bound, Bound::AtLeast | Bound::AtMost) {
            continue;
        }
        let opposite = if own.bound == Bound::AtLeast { Bound::AtMost } else { Bound::AtLeast };
        let with = |text: &str, bound: Bound| {
            let same = |other: &&super::quantity::Quantity| other.bound == bound && other.readings == own.readings;
            quantities(text).iter().find(same).map(|found| text[found.range.clone()].to_owned())
        };
        let finding = context.check_value(
            CheckKind::Quantifier,
            &own.range,
            |text| with(text, own.bound),
            |text| with(text, opposite),
            no_alternative,
        );
        findings.extend((finding.result.outcome == CheckOutcome::Contradicted).then_some(finding));
    }
    findings
}
