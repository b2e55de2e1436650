//! What became of the sentences of drafts with planted errors.

use std::collections::{BTreeMap, BTreeSet};

use seealso::{Deliberation, Judgement};
use seealso_cli::{FAINT, STRONG, cell, plain, say, share, share_of_words, words};
use serde_json::{Value, json};

use super::planting::Planted;

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
                    let kept = final_texts.iter().any(|sentence| share_of_words(&own, sentence) >= SAME);
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
    fn unflagged_kept(&self) -> Option<f64> {
        share(self.faithful.kept, self.faithful.n - self.faithful.flagged)
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
                "false_alarms": share(self.faithful.flagged, self.faithful.n),
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
            let shares = [share(of.flagged, of.n), share(of.flagged_standing, of.flagged), share(of.standing, of.n)];
            let [flagged, flagged_standing, standing] = shares.map(cell);
            say!("{name:<12}{:>5} {flagged:>8} {flagged_standing:>17} {standing:>9}", of.n);
        }
        let Faithful { n, flagged, .. } = self.faithful;
        let (flagged, kept) = (cell(share(flagged, n)), cell(self.unflagged_kept()));
        say!("untouched: {n}, {flagged} flagged, {kept} of the others kept");
        say!("{FAINT}{} drafts; {} pages that their own title does not find{FAINT:#}", self.drafts, self.skipped);
    }
}

impl Errors {
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
    share_of_words(&both, sentence) >= SAME && is_wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_no_draft_there_is_no_share() {
        let told = Counts::default().as_json();
        let none = json!({ "n": 0, "flagged": null, "flagged_standing": null, "standing": null });
        assert_eq!(told["planted"], none);
        assert_eq!(told["untouched"], json!({ "n": 0, "false_alarms": null, "unflagged_kept": null }));
    }

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
