//! What became of the sentences of drafts with planted errors.

use std::collections::{BTreeMap, BTreeSet};

use seealso::{Deliberation, Judgement};
use serde_json::{Value, json};

use super::super::answers::standing::{share, words};
use super::planting::Planted;
use crate::style::{FAINT, STRONG, plain, say};

/// What became of them.
#[derive(Debug, Default)]
pub(super) struct Counts {
    drafts: usize,
    /// Pages that their own title does not find, so that there is no draft over them.
    pub(super) skipped: usize,
    kinds: BTreeMap<&'static str, Errors>,
    faithful: Faithful,
}

/// Planted errors of a kind.
#[derive(Debug, Default, Clone, Copy)]
struct Errors {
    n: usize,
    flagged: usize,
    /// Of the flagged ones, those whose value stands in the final text.
    flagged_standing: usize,
    /// Of all, those that stand.
    standing: usize,
}

/// Sentences that were left as the page has them.
#[derive(Debug, Default, Clone, Copy)]
struct Faithful {
    n: usize,
    flagged: usize,
    /// Of those that are not flagged, the ones that the final text has.
    kept: usize,
}

/// A final sentence says another again where it has this share of its words.
const SAME: f64 = 0.9;

impl Counts {
    /// Counts what became of the sentences of a draft.
    pub(super) fn take(&mut self, planted: &[Planted], done: &Deliberation, verbose: bool) {
        self.drafts += 1;
        let final_texts: Vec<BTreeSet<String>> =
            done.verified.sentences.iter().map(|judgement| words(&judgement.claim.text)).collect();
        for one in planted {
            let flag = done.review.flagged().find(|judgement| says(judgement, one.text()));
            match &one.error {
                Some((kind, text)) => {
                    let stands = final_texts.iter().any(|sentence| has_error(sentence, text, &one.faithful));
                    let count = self.kinds.entry(kind.name()).or_default();
                    count.n += 1;
                    count.flagged += usize::from(flag.is_some());
                    count.flagged_standing += usize::from(flag.is_some() && stands);
                    count.standing += usize::from(stands);
                    if verbose && (flag.is_none() || stands) {
                        say!("{} {}: {}", if stands { "stands" } else { "not flagged" }, kind.name(), plain(text));
                    }
                }
                None => {
                    let own = words(&one.faithful);
                    let kept = final_texts.iter().any(|sentence| share(&own, sentence) >= SAME);
                    self.faithful.n += 1;
                    self.faithful.flagged += usize::from(flag.is_some());
                    self.faithful.kept += usize::from(flag.is_none() && kept);
                    if verbose && (flag.is_some() || !kept) {
                        let notes = flag.map_or(String::new(), |flag| flag.notes().join(", "));
                        let what = if flag.is_some() { "false alarm" } else { "lost" };
                        say!("{what}: {} ({})", plain(&one.faithful), plain(&notes));
                    }
                }
            }
        }
    }

    fn all(&self) -> Errors {
        self.kinds.values().fold(Errors::default(), |sum, of| Errors {
            n: sum.n + of.n,
            flagged: sum.flagged + of.flagged,
            flagged_standing: sum.flagged_standing + of.flagged_standing,
            standing: sum.standing + of.standing,
        })
    }

    /// The share of faithful sentences without a flag that the final text has.
    fn unflagged_kept(&self) -> f64 {
        rounded(self.faithful.kept, self.faithful.n - self.faithful.flagged)
    }

    /// All of it, for programs.
    pub(super) fn as_json(&self) -> Value {
        let kinds: BTreeMap<&str, Value> = self.kinds.iter().map(|(kind, errors)| (*kind, errors.as_json())).collect();
        json!({
            "drafts": self.drafts,
            "skipped": self.skipped,
            "planted": self.all().as_json(),
            "kinds": kinds,
            "untouched": {
                "n": self.faithful.n,
                "false_alarms": rounded(self.faithful.flagged, self.faithful.n),
                "unflagged_kept": self.unflagged_kept(),
            },
        })
    }

    /// The same as a table.
    pub(super) fn print(&self) {
        say!(
            "{STRONG}{:<12}{:>5} {:>8} {:>17} {:>9}{STRONG:#}",
            "planted",
            "n",
            "flagged",
            "flagged, standing",
            "standing"
        );
        let total = self.all();
        for (name, of) in self.kinds.iter().map(|(name, of)| (*name, of)).chain([("all", &total)]) {
            let shares =
                [rounded(of.flagged, of.n), rounded(of.flagged_standing, of.flagged), rounded(of.standing, of.n)];
            say!("{name:<12}{:>5} {:>8.3} {:>17.3} {:>9.3}", of.n, shares[0], shares[1], shares[2]);
        }
        let Faithful { n, flagged, .. } = self.faithful;
        say!("untouched: {n}, {:.3} flagged, {:.3} of the others kept", rounded(flagged, n), self.unflagged_kept());
        say!("{FAINT}{} drafts; {} pages that their own title does not find{FAINT:#}", self.drafts, self.skipped);
    }
}

impl Errors {
    fn as_json(self) -> Value {
        json!({
            "n": self.n,
            "flagged": rounded(self.flagged, self.n),
            "flagged_standing": rounded(self.flagged_standing, self.flagged),
            "standing": rounded(self.standing, self.n),
        })
    }
}

/// Whether a judgement is of the sentence `text`.
fn says(judgement: &Judgement, text: &str) -> bool {
    words(&judgement.claim.text) == words(text)
}

/// Whether a sentence says `wrong`, and not `faithful`: it has the words of both, and those that only the wrong one has, or
/// else none that only the faithful one has.
fn has_error(sentence: &BTreeSet<String>, wrong: &str, faithful: &str) -> bool {
    let (wrong, faithful) = (words(wrong), words(faithful));
    let both: BTreeSet<String> = wrong.intersection(&faithful).cloned().collect();
    let new: BTreeSet<String> = wrong.difference(&faithful).cloned().collect();
    let old: BTreeSet<String> = faithful.difference(&wrong).cloned().collect();
    let is_wrong = if new.is_empty() { old.is_disjoint(sentence) } else { new.is_subset(sentence) };
    share(&both, sentence) >= SAME && is_wrong
}

fn rounded(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { (count as f64 / of as f64 * 10_000.0).round() / 10_000.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_stands_where_its_value_does() {
        let check = |sentence: &str, wrong: &str, faithful: &str, expected: bool| {
            assert_eq!(has_error(&words(sentence), wrong, faithful), expected, "{sentence}");
        };
        check("Tea has nine leaves [1].", "Tea has nine leaves.", "Tea has two leaves.", true);
        check("Tea has two leaves [1].", "Tea has nine leaves.", "Tea has two leaves.", false);
        check("Tea is hot; also, tea has nine leaves.", "Tea has nine leaves.", "Tea has two leaves.", true);
        check("Tea is sold.", "Tea is sold.", "Tea is not sold.", true);
        check("Tea is not sold.", "Tea is sold.", "Tea is not sold.", false);
    }
}
