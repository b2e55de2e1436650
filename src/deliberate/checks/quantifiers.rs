//! Quantifiers: all, most, some, none and only of something; at least and at most a number.

use super::quantity::{Bound, quantities};
use super::words::{Word, head, words};
use super::{Beside, Finding, GateKind, GateOutcome, none};

/// How much of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Share {
    All,
    Most,
    Some,
    None,
    Only,
}

const WORDS: [(&str, Share); 24] = [
    ("all", Share::All),
    ("every", Share::All),
    ("each", Share::All),
    ("always", Share::All),
    ("entirely", Share::All),
    ("alle", Share::All),
    ("toutes", Share::All),
    ("most", Share::Most),
    ("mostly", Share::Most),
    ("majority", Share::Most),
    ("usually", Share::Most),
    ("some", Share::Some),
    ("several", Share::Some),
    ("sometimes", Share::Some),
    ("partly", Share::Some),
    ("few", Share::Some),
    ("einige", Share::Some),
    ("none", Share::None),
    ("no", Share::None),
    ("never", Share::None),
    ("only", Share::Only),
    ("solely", Share::Only),
    ("exclusively", Share::Only),
    ("nur", Share::Only),
];

/// A quantifier belongs to the first telling word so many words on.
const REACH: usize = 4;

pub(super) fn check(beside: &Beside<'_>) -> Vec<Finding> {
    let claim = words(beside.claim);
    let shares = claim.iter().enumerate().filter_map(|(at, word)| Some((at, share(word)?)));
    let mut findings: Vec<Finding> = shares.map(|(at, share)| one(beside, &claim, at, share)).collect();
    // A passage that leaves the share open tells nothing, except where the claim goes to the end of the scale.
    findings.retain(|finding| finding.gate.outcome != GateOutcome::Missing || is_extreme(&finding.gate.claimed));
    findings.extend(bounds(beside));
    findings
}

fn is_extreme(word: &str) -> bool {
    let lower = word.to_lowercase();
    WORDS.iter().any(|(known, share)| *known == lower && matches!(share, Share::All | Share::Only))
}

fn share(word: &Word) -> Option<Share> {
    WORDS.iter().find(|(known, _)| *known == word.lower).map(|(_, share)| *share)
}

fn one(beside: &Beside<'_>, claim: &[Word], at: usize, own: Share) -> Finding {
    let subject = head(claim, at, REACH).map(|head| claim[head].stem.as_str());
    let found = |text: &str, wanted: &dyn Fn(Share) -> bool| {
        let words = words(text);
        let fits = |(at, word): &(usize, &Word)| {
            share(word).is_some_and(wanted) && head(&words, *at, REACH).map(|head| words[head].stem.as_str()) == subject
        };
        words.iter().enumerate().find(fits).map(|(_, word)| text[word.range.clone()].to_owned())
    };
    let same = |text: &str| found(text, &|theirs| includes(theirs, own)).or_else(|| anywhere(text, own));
    let other = |text: &str| found(text, &|theirs| !includes(theirs, own));
    beside.find(GateKind::Quantifier, &claim[at].range, same, other, none)
}

/// The end of the scale is borne out by the same end of it, wherever it stands in the passage.
fn anywhere(text: &str, own: Share) -> Option<String> {
    let found = words(text).into_iter().find(|word| own != Share::Some && share(word) == Some(own));
    found.map(|word| text[word.range].to_owned())
}

/// Whether what a page says of a share is enough for what the claim says.
fn includes(page: Share, claim: Share) -> bool {
    page == claim || matches!((page, claim), (Share::All, Share::Most | Share::Some) | (Share::Most, Share::Some))
}

/// At least and at most the same number.
fn bounds(beside: &Beside<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for own in quantities(beside.claim) {
        if !matches!(own.bound, Bound::AtLeast | Bound::AtMost) {
            continue;
        }
        let opposite = if own.bound == Bound::AtLeast { Bound::AtMost } else { Bound::AtLeast };
        let with = |text: &str, bound: Bound| {
            let same = |other: &&super::quantity::Quantity| other.bound == bound && other.readings == own.readings;
            quantities(text).iter().find(same).map(|found| text[found.range.clone()].to_owned())
        };
        let finding = beside.find(
            GateKind::Quantifier,
            &own.range,
            |text| with(text, own.bound),
            |text| with(text, opposite),
            none,
        );
        findings.extend((finding.gate.outcome == GateOutcome::Against).then_some(finding));
    }
    findings
}
