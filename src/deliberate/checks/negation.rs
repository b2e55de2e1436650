//! Negation: words that the claim denies and a passage asserts, and the reverse.

use std::ops::Range;

use super::words::{Word, words};
use super::{CheckContext, CheckKind, CheckOutcome, CheckResult, Finding, RELATED};

/// Words that deny what follows them.
const BEFORE: [&str; 33] = [
    "yet",
    "outside",
    "disassociated",
    "not",
    "never",
    "no",
    "without",
    "neither",
    "nor",
    "none",
    "cannot",
    "n't",
    "refused",
    "refuses",
    "failed",
    "fails",
    "declined",
    "decline",
    "declines",
    "refuse",
    "refusing",
    "nobody",
    "nothing",
    "unable",
    "avoided",
    "avoids",
    "kein",
    "keine",
    "keinen",
    "ohne",
    "nie",
    "jamais",
    "nunca",
];
/// Words that deny what precedes them.
const BEHIND: [&str; 3] = ["nicht", "pas", "niet"];
/// Words that deny a whole sentence.
const DENIALS: [&str; 19] = [
    "not", "never", "no", "nobody", "neither", "nor", "none", "cannot", "n't", "kein", "keine", "keinen", "nie",
    "nicht", "pas", "jamais", "nunca", "niet", "nothing",
];
/// Beginnings of words that deny in another way.
const DENYING_STEMS: [&str; 9] =
    ["lack", "fail", "refus", "except", "unknown", "unlike", "unsuccess", "unpopular", "unrelated"];
/// A negation certainly denies the next content word, and may reach this many.
const REACH: usize = 4;
/// It reaches at most this many words of any kind, so that the time is linear in the text.
const FAR: usize = 24;
/// A passage must cover this share of the claim before a negation in it contradicts the claim.
const FITS: f64 = 0.5;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    let claim = words(context.claim);
    let (surely, perhaps) = (denied_words(&claim, 1), denied_words(&claim, REACH));
    let passages: Vec<(usize, Vec<Word>)> =
        context.passages_covering(&(0..0), FITS).map(|(at, aligned)| (at, words(&aligned.passage.text))).collect();
    let mut findings: Vec<Finding> = Vec::new();
    for (own, word) in claim.iter().enumerate().filter(|(_, word)| !word.stop) {
        let found_in: Vec<Occurrence<'_>> =
            passages.iter().flat_map(|(at, words)| occurrences(*at, words, &word.stem)).collect();
        // The claim certainly denies what the passage asserts, or the reverse; an uncertain negation tells nothing.
        let is_denied = surely[own];
        let turned = |occurrence: &&Occurrence<'_>| {
            if is_denied { !occurrence.perhaps } else { occurrence.surely && !perhaps[own] }
        };
        let agrees = found_in.iter().find(|occurrence| !turned(occurrence));
        let (found, outcome) = match (agrees, found_in.iter().find(turned)) {
            (Some(found), _) if is_denied => (found, CheckOutcome::Supported),
            (None, Some(found)) => (found, CheckOutcome::Contradicted),
            _ => continue,
        };
        let Occurrence { at, place, words, .. } = *found;
        let passage = &context.alignment.passages[at].passage.text;
        let from = words[place.saturating_sub(2)].range.start;
        let found = passage[from..words[place].range.end].to_owned();
        let claimed = with_denial(context.claim, &claim, word, is_denied);
        findings.push(Finding {
            result: CheckResult { kind: CheckKind::Negation, claimed, found, outcome },
            passage: Some(at),
        });
    }
    if findings.is_empty() {
        findings.extend(unmatched_denial(context, &claim));
    }
    // One finding is enough, because the words of a phrase are denied together.
    findings.sort_by_key(|finding| finding.result.outcome != CheckOutcome::Contradicted);
    findings.truncate(1);
    findings
}

/// A negation of the claim although related passages deny nothing: at best it follows from them.
fn unmatched_denial(context: &CheckContext<'_>, claim: &[Word]) -> Option<Finding> {
    let denies = |word: &Word| DENIALS.contains(&word.lower.as_str()) || word.lower.ends_with("n't");
    // "Not only" denies nothing, and "no. 5" is a number.
    let is_other = |next: &Word| next.lower == "only" || next.lower.starts_with(|c: char| c.is_ascii_digit());
    let denial = |&(at, word): &(usize, &Word)| denies(word) && !claim.get(at + 1).is_some_and(is_other);
    let (_, denial) = claim.iter().enumerate().find(denial)?;
    let hints = |word: &Word| {
        let lower = word.lower.as_str();
        denies(word) || BEFORE.contains(&lower) || DENYING_STEMS.iter().any(|start| lower.starts_with(start))
    };
    let passages = &context.alignment.passages;
    let are_related = passages.first().is_some_and(|best| best.score >= RELATED);
    if !are_related || passages.iter().any(|aligned| words(&aligned.passage.text).iter().any(hints)) {
        return None;
    }
    let claimed = context.claim[denial.range.clone()].to_owned();
    let result =
        CheckResult { kind: CheckKind::Negation, claimed, found: String::new(), outcome: CheckOutcome::NotFound };
    Some(Finding { result, passage: None })
}

/// The word with its negation.
fn with_denial(claim: &str, all: &[Word], word: &Word, is_denied: bool) -> String {
    let at = all.iter().position(|other| other.range == word.range).unwrap_or(0);
    let from = if is_denied { at.saturating_sub(2) } else { at };
    claim[all[from].range.start..word.range.end].to_owned()
}

/// Whether the text contains a negation.
pub(super) fn denies(text: &str) -> bool {
    let denies = |word: &Word| {
        let lower = word.lower.as_str();
        BEFORE.contains(&lower) || BEHIND.contains(&lower) || lower.ends_with("n't")
    };
    words(text).iter().any(denies)
}

/// Whether the claim denies the value at `range`, so that another value on a page is no contradiction.
pub(super) fn is_denied(claim: &str, range: &Range<usize>) -> bool {
    let words = words(claim);
    let denied = denied_words(&words, REACH);
    words.iter().zip(denied).any(|(word, denied)| denied && range.contains(&word.range.start))
}

/// An occurrence of a word in a passage, and whether it is denied there.
struct Occurrence<'a> {
    /// The index of the passage.
    at: usize,
    words: &'a [Word],
    place: usize,
    surely: bool,
    perhaps: bool,
}

/// The occurrences of a stem in a passage.
fn occurrences<'a>(at: usize, words: &'a [Word], stem: &str) -> Vec<Occurrence<'a>> {
    let places: Vec<usize> = (0..words.len()).filter(|&place| words[place].stem == stem).collect();
    if places.is_empty() {
        return Vec::new();
    }
    let (surely, perhaps) = (denied_words(words, 1), denied_words(words, REACH));
    let occurrence = |place: usize| Occurrence { at, words, place, surely: surely[place], perhaps: perhaps[place] };
    places.into_iter().map(occurrence).collect()
}

/// For each word, whether a negation that reaches `reach` content words denies it.
fn denied_words(words: &[Word], reach: usize) -> Vec<bool> {
    let mut denied = vec![false; words.len()];
    for (at, word) in words.iter().enumerate() {
        let lower = word.lower.as_str();
        let before = || (0..at).rev().take_while(|&before| !words[before + 1].after_break).take(FAR);
        if BEFORE.contains(&lower) || lower.ends_with("n't") {
            let inside = (at + 1..words.len()).take_while(|&next| !words[next].after_break).take(FAR);
            let not_only = words.get(at + 1).is_some_and(|next| next.lower == "only");
            inside
                .filter(|&next| !words[next].stop)
                .take(if not_only { 0 } else { reach })
                .for_each(|next| denied[next] = true);
        }
        // "A chef need not".
        let is_need = || before().next().is_some_and(|at| words[at].stem == "need");
        if BEHIND.contains(&lower) || lower == "not" && is_need() {
            before().filter(|&before| !words[before].stop).take(reach).for_each(|before| denied[before] = true);
        }
    }
    denied
}
