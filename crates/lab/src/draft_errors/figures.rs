//! Figures over the sentences of drafts with planted errors.

use std::collections::{BTreeMap, BTreeSet};

use seealso::{Deliberation, Judgement};
use seealso_cli::{FAINT, STRONG, cell, printable, say, share, share_of_words, words};
use serde_json::{Value, json};

use super::planting::DraftSentence;

/// The figures over all drafts.
#[derive(Debug, Default)]
pub(super) struct ErrorFigures {
    drafts: usize,
    /// Pages that their own title does not find, so that they have no draft.
    pub(super) skipped: usize,
    kinds: BTreeMap<&'static str, ErrorCounts>,
    faithful: FaithfulCounts,
}

/// The planted errors of a kind.
#[derive(Debug, Default, Clone, Copy)]
struct ErrorCounts {
    n: usize,
    flagged: usize,
    /// The flagged ones that are in the final text all the same.
    flagged_standing: usize,
    /// Those that are in the final text.
    standing: usize,
}

/// The sentences without an error.
#[derive(Debug, Default, Clone, Copy)]
struct FaithfulCounts {
    n: usize,
    flagged: usize,
    /// Those that are not flagged and are in the final text.
    kept: usize,
}

/// A final sentence repeats another if it has this share of its words.
const SAME: f64 = 0.9;

impl ErrorFigures {
    /// Adds the sentences of a draft.
    pub(super) fn add(&mut self, planted: &[DraftSentence], done: &Deliberation, verbose: bool) {
        self.drafts += 1;
        let final_texts: Vec<BTreeSet<String>> =
            done.verified.sentences.iter().map(|judgement| words(&judgement.claim.text)).collect();
        for one in planted {
            let flag = done.review.flagged().find(|judgement| is_of(judgement, one.text()));
            match &one.error {
                Some((kind, text)) => {
                    let stands = final_texts.iter().any(|sentence| has_error(sentence, text, &one.faithful));
                    let count = self.kinds.entry(kind.name()).or_default();
                    count.n += 1;
                    count.flagged += usize::from(flag.is_some());
                    count.flagged_standing += usize::from(flag.is_some() && stands);
                    count.standing += usize::from(stands);
                    if verbose && (flag.is_none() || stands) {
                        say!("{} {}: {}", if stands { "stands" } else { "not flagged" }, kind.name(), printable(text));
                    }
                }
                None => {
                    let own = words(&one.faithful);
                    let kept = final_texts.iter().any(|sentence| share_of_words(&own, sentence) >= SAME);
                    self.faithful.n += 1;
                    self.faithful.flagged += usize::from(flag.is_some());
                    self.faithful.kept += usize::from(flag.is_none() && kept);
                    if verbose && (flag.is_some() || !kept) {
                        let notes = flag.map_or(String::new(), |flag| flag.notes().join(", "));
                        let what = if flag.is_some() { "false alarm" } else { "lost" };
                        say!("{what}: {} ({})", printable(&one.faithful), printable(&notes));
                    }
                }
            }
        }
    }

    /// The counts of all kinds together.
    fn all(&self) -> ErrorCounts {
        self.kinds.values().fold(ErrorCounts::default(), |sum, of| ErrorCounts {
            n: sum.n + of.n,
            flagged: sum.flagged + of.flagged,
            flagged_standing: sum.flagged_standing + of.flagged_standing,
            standing: sum.standing + of.standing,
        })
    }

    /// The share of unflagged faithful sentences that are in the final text.
    fn unflagged_kept(&self) -> Option<f64> {
        share(self.faithful.kept, self.faithful.n - self.faithful.flagged)
    }

    /// The figures as JSON.
    pub(super) fn as_json(&self) -> Value {
        let kinds: BTreeMap<&str, Value> = self.kinds.iter().map(|(kind, errors)| (*kind, errors.as_json())).collect();
        json!({
            "drafts": self.drafts,
            "skipped": self.skipped,
            "planted": self.all().as_json(),
            "kinds": kinds,
            "untouched": {
                "n": self.faithful.n,
                "false_alarms": share(self.faithful.flagged, self.faithful.n),
                "unflagged_kept": self.unflagged_kept(),
            },
        })
    }

    /// Prints the figures as a table.
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
            let shares = [share(of.flagged, of.n), share(of.flagged_standing, of.flagged), share(of.standing, of.n)];
            let [flagged, flagged_standing, standing] = shares.map(cell);
            say!("{name:<12}{:>5} {flagged:>8} {flagged_standing:>17} {standing:>9}", of.n);
        }
        let FaithfulCounts { n, flagged, .. } = self.faithful;
        let (flagged, kept) = (cell(share(flagged, n)), cell(self.unflagged_kept()));
        say!("untouched: {n}, {flagged} flagged, {kept} of the others kept");
        say!("{FAINT}{} drafts; {} pages that their own title does not find{FAINT:#}", self.drafts, self.skipped);
    }
}

impl ErrorCounts {
    fn as_json(self) -> Value {
        json!({
            "n": self.n,
            "flagged": share(self.flagged, self.n),
            "flagged_standing": share(self.flagged_standing, self.flagged),
            "standing": share(self.standing, self.n),
        })
    }
}

/// Whether a judgement is of the sentence `text`.
fn is_of(judgement: &Judgement, text: &str) -> bool {
    words(&judgement.claim.text) == words(text)
}

/// Whether a sentence has the error that makes `wrong` of `faithful`: it has the words that these share, and those of `wrong`
/// alone; if there are none, it has none of `faithful` alone.
fn has_error(sentence: &BTreeSet<String>, wrong: &str, faithful: &str) -> bool {
    let (wrong, faithful) = (words(wrong), words(faithful));
    let both: BTreeSet<String> = wrong.intersection(&faithful).cloned().collect();
    let new: BTreeSet<String> = wrong.difference(&faithful).cloned().collect();
    let old: BTreeSet<String> = faithful.difference(&wrong).cloned().collect();
    let is_wrong = if new.is_empty() { old.is_disjoint(sentence) } else { new.is_subset(sentence) };
    share_of_words(&both, sentence) >= SAME && is_wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_share_of_no_drafts() {
        let json = ErrorFigures::default().as_json();
        let none = json!({ "n": 0, "flagged": null, "flagged_standing": null, "standing": null });
        assert_eq!(json["planted"], none);
        assert_eq!(json["untouched"], json!({ "n": 0, "false_alarms": null, "unflagged_kept": null }));
    }

    #[test]
    fn an_error_is_where_its_value_is() {
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
