//! The figures over many answers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::shares::{cell, percent, share};
use super::observation::{ByModel, Fact, Seen};
use crate::style::{FAINT, STRONG, counted, say};
use seealso::Verdict;

/// The figures over some answers. Shares are of what stands in front of the reader, unless a name says otherwise; where
/// there is nothing to be a share of, there is none.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Figures {
    /// Questions.
    pub(super) n: usize,
    /// Sentences that stand.
    pub(super) sentences: usize,
    /// The share of them that the checks find borne out.
    pub(super) supported: Option<f64>,
    /// Of the pages that answers cite, the share that is gold; of questions whose gold pages are known.
    pub(super) citation_precision: Option<f64>,
    /// Of the gold pages, the share that the answers cite.
    pub(super) citation_recall: Option<f64>,
    /// Unanswerable questions that rightly got no answer.
    pub(super) refused_unanswerable: Option<f64>,
    /// Answerable questions that wrongly got none.
    pub(super) refused_answerable: Option<f64>,
    /// Where facts are known that answers must say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) says: Option<Says>,
    /// Where a model was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<OfModel>,
}

/// What answers say of what they must say.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Says {
    /// Questions of which such facts are known.
    pub(super) n: usize,
    /// The facts.
    pub(super) facts: usize,
    /// Those that the quoted answers say, and those that what stands says.
    pub(super) quoted: usize,
    pub(super) standing: usize,
    /// Facts of a quoted answer that the written answer in its place does not say.
    pub(super) lost: usize,
    /// Facts of a written answer that the quoted one, whose place it took, did not say.
    pub(super) gained: usize,
    /// Quoted answers that say all of theirs, and answers that stand that do.
    pub(super) quoted_whole: usize,
    pub(super) standing_whole: usize,
}

/// What the model did, over all questions that it was asked.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct OfModel {
    /// Answers that it was asked for.
    pub(super) n: usize,
    /// The share of them that replaced the quoted answer.
    pub(super) replaced: Option<f64>,
    /// Why the others did not, and how often.
    pub(super) kept: BTreeMap<String, usize>,
    /// The share of its own final sentences that are borne out, also where the quoted answer stands.
    pub(super) supported: Option<f64>,
    /// Claims of its drafts, and how many of these were flagged.
    pub(super) claims: usize,
    pub(super) flagged: usize,
    /// The share of flagged claims that its final texts say all the same.
    pub(super) flagged_survival: Option<f64>,
    pub(super) tokens_written: usize,
    pub(super) tokens_read: usize,
    pub(super) tokens_known: usize,
    /// Seconds of an answer.
    pub(super) seconds_mean: f64,
    pub(super) seconds_most: f64,
}

impl Figures {
    /// The figures of all, then of each kind.
    pub(super) fn of_kinds(seen: &[Seen]) -> Vec<(String, Figures)> {
        let mut kinds: Vec<&str> = seen.iter().map(|seen| seen.asked.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut figures = vec![("all".to_owned(), Figures::of(&seen.iter().collect::<Vec<_>>()))];
        for kind in kinds {
            let of_kind: Vec<&Seen> = seen.iter().filter(|seen| seen.asked.kind == kind).collect();
            figures.push((kind.to_owned(), Figures::of(&of_kind)));
        }
        figures
    }

    fn of(seen: &[&Seen]) -> Figures {
        let sentences = seen.iter().flat_map(|seen| &seen.sentences);
        let supported = sentences.clone().filter(|sentence| sentence.verdict == Verdict::Supported).count();
        let with_gold = seen.iter().filter(|seen| !seen.asked.known_gold().is_empty());
        let (right, cited, gold) = with_gold
            .map(|seen| seen.citations())
            .fold((0, 0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1, sum.2 + of.2));
        let (unanswerable, answerable): (Vec<&Seen>, Vec<&Seen>) =
            seen.iter().copied().partition(|seen| seen.asked.is_unanswerable());
        let empty = |of: &[&Seen]| share(of.iter().filter(|seen| seen.empty).count(), of.len());
        Figures {
            n: seen.len(),
            sentences: sentences.clone().count(),
            supported: share(supported, sentences.count()),
            citation_precision: share(right, cited),
            citation_recall: share(right, gold),
            refused_unanswerable: empty(&unanswerable),
            refused_answerable: empty(&answerable),
            says: Says::of(seen.iter().map(|seen| &seen.says[..])),
            model: OfModel::of(&seen.iter().filter_map(|seen| seen.model.as_ref()).collect::<Vec<_>>()),
        }
    }
}

impl Says {
    fn of<'s>(answers: impl Iterator<Item = &'s [Fact]>) -> Option<Says> {
        let answers: Vec<&[Fact]> = answers.filter(|facts| !facts.is_empty()).collect();
        let facts = || answers.iter().copied().flatten();
        let whole = |says: fn(&Fact) -> bool| answers.iter().filter(|facts| facts.iter().all(says)).count();
        let says = Says {
            n: answers.len(),
            facts: facts().count(),
            quoted: facts().filter(|fact| fact.quoted).count(),
            standing: facts().filter(|fact| fact.standing).count(),
            lost: facts().filter(|fact| fact.quoted && !fact.standing).count(),
            gained: facts().filter(|fact| fact.standing && !fact.quoted).count(),
            quoted_whole: whole(|fact| fact.quoted),
            standing_whole: whole(|fact| fact.standing),
        };
        (says.n > 0).then_some(says)
    }

    /// What answers say, a line each; whether a model wrote some of them decides whether quoted ones are told apart.
    pub(super) fn lines(&self, with_model: bool) -> Vec<String> {
        let (n, facts) = (self.n, self.facts);
        let quoted = format!(
            "quoted answers say {} of {facts} facts, and all of them in {} of {n} answers",
            self.quoted, self.quoted_whole
        );
        let standing = format!(
            "what stands says {}, and all of them in {}: {} lost with quoted answers that were replaced, {} gained",
            self.standing, self.standing_whole, self.lost, self.gained
        );
        if with_model { vec![quoted, standing] } else { vec![quoted] }
    }
}

impl OfModel {
    fn of(models: &[&ByModel]) -> Option<OfModel> {
        if models.is_empty() {
            return None;
        }
        let sum = |count: &dyn Fn(&ByModel) -> usize| models.iter().map(|model| count(model)).sum::<usize>();
        let seconds = || models.iter().map(|model| model.seconds);
        let mut kept = BTreeMap::new();
        for reason in models.iter().filter_map(|model| model.failed.as_ref().or(model.kept.as_ref())) {
            *kept.entry(kind_of_reason(reason)).or_default() += 1;
        }
        let flagged = sum(&|model| model.flagged.len());
        let supported = |model: &ByModel| {
            model.sentences.iter().take(model.own).filter(|one| one.verdict == Verdict::Supported).count()
        };
        Some(OfModel {
            n: models.len(),
            replaced: share(models.iter().filter(|model| model.replaces()).count(), models.len()),
            kept,
            supported: share(sum(&supported), sum(&|model| model.own)),
            claims: sum(&|model| model.claims),
            flagged,
            flagged_survival: share(sum(&|model| model.flagged.iter().filter(|one| one.stands).count()), flagged),
            tokens_written: sum(&|model| model.tokens.written),
            tokens_read: sum(&|model| model.tokens.read),
            tokens_known: sum(&|model| model.tokens.known),
            seconds_mean: tenth(seconds().sum::<f64>() / models.len() as f64),
            seconds_most: tenth(seconds().fold(0.0, f64::max)),
        })
    }
}

/// A reason without its numbers and what it names, so that like ones count together.
fn kind_of_reason(reason: &str) -> String {
    let kind = reason.split(": ").next().unwrap_or(reason);
    let mut plain = String::with_capacity(kind.len());
    for c in kind.chars() {
        match c {
            '0'..='9' if plain.ends_with('N') => {}
            '0'..='9' => plain.push('N'),
            c => plain.push(c),
        }
    }
    plain
}

fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The names of the columns, and the values of a row.
pub(super) const COLUMNS: [&str; 7] =
    ["n", "sentences", "supported", "cite prec.", "cite recall", "empty (u)", "empty (a)"];

impl Figures {
    /// What the table has no room for, a line each.
    pub(super) fn lines(&self) -> Vec<String> {
        let says = self.says.as_ref().map(|says| says.lines(self.model.is_some())).unwrap_or_default();
        says.into_iter().chain(self.model.as_ref().map(OfModel::lines).unwrap_or_default()).collect()
    }

    pub(super) fn row(&self) -> [String; 7] {
        [
            self.n.to_string(),
            self.sentences.to_string(),
            cell(self.supported),
            cell(self.citation_precision),
            cell(self.citation_recall),
            cell(self.refused_unanswerable),
            cell(self.refused_answerable),
        ]
    }
}

impl OfModel {
    /// What the model did, a line each.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "{} asked of the model, {} replaced the quoted one",
                counted(self.n, "answer"),
                percent(self.replaced)
            ),
            format!("{} of its final sentences borne out", percent(self.supported)),
            format!(
                "{} in its drafts, {} flagged, {} of these stand in the final text",
                counted(self.claims, "claim"),
                self.flagged,
                percent(self.flagged_survival)
            ),
            format!(
                "{} written, {} read, {} of them known from before",
                counted(self.tokens_written, "token"),
                self.tokens_read,
                self.tokens_known
            ),
            format!("{} s an answer, {} s at most", self.seconds_mean, self.seconds_most),
        ];
        lines
            .extend(self.kept.iter().map(|(reason, count)| format!("the quoted answer stood {count} times: {reason}")));
        lines
    }
}

/// Prints the figures as a table.
pub(super) fn print(figures: &[(String, Figures)]) {
    let cells = |row: &[String; 7]| row.iter().map(|cell| format!("{cell:>12}")).collect::<String>();
    say!("{STRONG}{:<14}{}{STRONG:#}", "kind", cells(&COLUMNS.map(str::to_owned)));
    for (kind, figures) in figures.iter().rev() {
        say!("{kind:<14}{}", cells(&figures.row()));
    }
    figures.first().map(|(_, of_all)| of_all.lines()).unwrap_or_default().iter().for_each(|line| say!("{line}"));
    say!("{FAINT}empty (u): unanswerable questions that got no answer; (a): answerable ones that got none{FAINT:#}");
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_nobody_asked_for_has_no_share() {
        let none = Figures::of(&[]);
        assert_eq!(none.row(), ["0", "0", "–", "–", "–", "–", "–"]);
        assert_eq!(serde_json::to_value(&none).ok().map(|told| told["supported"].clone()), Some(Value::Null));
        let model = OfModel { n: 1, claims: 3, ..OfModel::default() };
        assert_eq!(model.lines()[2], "3 claims in its drafts, 0 flagged, – of these stand in the final text");
    }

    #[test]
    fn facts_are_held_lost_and_gained() {
        let fact = |quoted, standing| Fact { quoted, standing };
        let answers =
            [vec![fact(true, true), fact(true, false)], vec![fact(false, true)], vec![], vec![fact(false, false)]];
        let says = Says::of(answers.iter().map(Vec::as_slice)).unwrap();
        assert_eq!((says.n, says.facts, says.quoted, says.standing, says.lost, says.gained), (3, 4, 2, 2, 1, 1));
        assert_eq!((says.quoted_whole, says.standing_whole), (1, 1));
        assert_eq!(says.lines(false), ["quoted answers say 2 of 4 facts, and all of them in 1 of 3 answers"]);
        assert_eq!(Says::of([[].as_slice()].into_iter()), None);
    }

    #[test]
    fn reasons_of_a_kind_count_together() {
        let check = |reason: &str, expected: &str| assert_eq!(kind_of_reason(reason), expected);
        check("only 13 of 4 claims are borne out", "only N of N claims are borne out");
        check("nothing on this part: green tea", "nothing on this part");
        check("no sentence", "no sentence");
    }
}
