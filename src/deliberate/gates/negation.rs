//! Negation: what the claim denies and a passage says, and the other way round.

use super::wording::{Word, words};
use super::{Beside, Finding, Gate, GateKind, GateOutcome};

/// Words that deny what comes after them.
const BEFORE: [&str; 22] = [
    "not", "never", "no", "without", "neither", "nor", "none", "cannot", "n't", "refused", "refuses", "failed",
    "fails", "declined", "unable", "kein", "keine", "keinen", "ohne", "nie", "jamais", "nunca",
];
/// Words that deny what comes before them.
const BEHIND: [&str; 3] = ["nicht", "pas", "niet"];
/// A negation reaches so many words that tell something.
const REACH: usize = 2;
/// A passage must hold so much of the claim before what it denies speaks against it.
const FITS: f64 = 0.5;

pub(super) fn check(beside: &Beside<'_>) -> Vec<Finding> {
    let claim = words(beside.claim);
    let denied = denied(&claim);
    let passages: Vec<(usize, Vec<Word>)> =
        beside.holding(&(0..0), FITS).map(|(at, aligned)| (at, words(&aligned.passage.text))).collect();
    let mut findings: Vec<Finding> = Vec::new();
    for (word, &is_denied) in claim.iter().zip(&denied).filter(|(word, _)| !word.stop) {
        let said = passages.iter().filter_map(|(at, words)| Some((*at, stance(words, &word.stem)?, words)));
        let said: Vec<(usize, (usize, bool), &Vec<Word>)> = said.collect();
        if said.is_empty() || (!is_denied && said.iter().all(|(_, (_, theirs), _)| !theirs)) {
            continue;
        }
        let agrees = said.iter().find(|(_, (_, theirs), _)| *theirs == is_denied);
        let (&(at, (place, _), words), outcome) = match agrees {
            Some(found) => (found, GateOutcome::BorneOut),
            None => (&said[0], GateOutcome::Against),
        };
        let passage = &beside.alignment.passages[at].passage.text;
        let from = words[place.saturating_sub(2)].range.start;
        let found = passage[from..words[place].range.end].to_owned();
        let claimed = with_denial(beside.claim, &claim, word, is_denied);
        findings.push(Finding { gate: Gate { kind: GateKind::Negation, claimed, found, outcome }, passage: Some(at) });
    }
    // One finding is enough: the words of a phrase are denied together.
    findings.sort_by_key(|finding| finding.gate.outcome != GateOutcome::Against);
    findings.truncate(1);
    findings
}

/// The word with what denies it.
fn with_denial(claim: &str, all: &[Word], word: &Word, is_denied: bool) -> String {
    let at = all.iter().position(|other| other.range == word.range).unwrap_or(0);
    let from = if is_denied { at.saturating_sub(2) } else { at };
    claim[all[from].range.start..word.range.end].to_owned()
}

/// Where a word of that stem stands, and whether it is denied there.
fn stance(words: &[Word], stem: &str) -> Option<(usize, bool)> {
    let at = words.iter().position(|word| word.stem == stem)?;
    Some((at, denied(words)[at]))
}

/// For each word whether it is denied.
fn denied(words: &[Word]) -> Vec<bool> {
    let mut denied = vec![false; words.len()];
    for (at, word) in words.iter().enumerate() {
        let lower = word.lower.as_str();
        if BEFORE.contains(&lower) || lower.ends_with("n't") {
            let inside = (at + 1..words.len()).take_while(|&next| !words[next].after_break);
            let not_only = words.get(at + 1).is_some_and(|next| next.lower == "only");
            inside
                .filter(|&next| !words[next].stop)
                .take(if not_only { 0 } else { REACH })
                .for_each(|next| denied[next] = true);
        }
        if BEHIND.contains(&lower) {
            let before = (0..at).rev().take_while(|&before| !words[before + 1].after_break);
            before.filter(|&before| !words[before].stop).take(REACH).for_each(|before| denied[before] = true);
        }
    }
    denied
}
