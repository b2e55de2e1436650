//! The figures over many answers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::shares::{cell, percent, share};
use super::observation::{AnswerObservation, FactStatement, ModelAnswer};
use crate::style::{FAINT, STRONG, pluralize, say};
use seealso::Verdict;

/// The figures over some answers. Shares are of the answers that stand, unless a name says otherwise. There is no share of
/// nothing.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Figures {
    /// Questions.
    pub(super) n: usize,
    /// Sentences that stand.
    pub(super) sentences: usize,
    /// The share of these sentences that the checks find supported.
    pub(super) supported: Option<f64>,
    /// The share of cited pages that are gold, over questions whose gold pages are known.
    pub(super) citation_precision: Option<f64>,
    /// The share of gold pages that are cited.
    pub(super) citation_recall: Option<f64>,
    /// The share of unanswerable questions that were refused, rightly.
    pub(super) refused_unanswerable: Option<f64>,
    /// The share of answerable questions that were refused, wrongly.
    pub(super) refused_answerable: Option<f64>,
    /// Where questions name facts that answers must state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) says: Option<FactCounts>,
    /// Where a model deliberated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<ModelFigures>,
}

/// How many of the required facts answers state.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct FactCounts {
    /// Questions that name such facts.
    pub(super) n: usize,
    /// The facts.
    pub(super) facts: usize,
    /// Facts that the quoted answers state, and facts that the answers that stand do.
    pub(super) quoted: usize,
    pub(super) standing: usize,
    /// Facts of a quoted answer that the model's answer in its place does not state.
    pub(super) lost: usize,
    /// Facts of a model's answer that the quoted one, which it replaced, did not state.
    pub(super) gained: usize,
    /// Quoted answers that state all of their facts, and answers that stand that do.
    pub(super) quoted_whole: usize,
    pub(super) standing_whole: usize,
}

/// The figures of a model, over all questions that it deliberated on.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct ModelFigures {
    /// The answers that it was asked for.
    pub(super) n: usize,
    /// The share of them that replaced the quoted answer.
    pub(super) replaced: Option<f64>,
    /// Why quoted answers stayed, and how often.
    pub(super) kept: BTreeMap<String, usize>,
    /// The share of its own final sentences that are supported, also where the quoted answer stands.
    pub(super) supported: Option<f64>,
    /// Claims of its drafts, and how many of these were flagged.
    pub(super) claims: usize,
    pub(super) flagged: usize,
    /// The share of flagged claims that are still in its final texts.
    pub(super) flagged_survival: Option<f64>,
    pub(super) tokens_written: usize,
    pub(super) tokens_read: usize,
    pub(super) tokens_known: usize,
    /// Seconds for an answer.
    pub(super) seconds_mean: f64,
    pub(super) seconds_most: f64,
}

impl Figures {
    /// The figures of all answers, then of those of each kind.
    pub(super) fn of_kinds(observations: &[AnswerObservation]) -> Vec<(String, Figures)> {
        let mut kinds: Vec<&str> = observations.iter().map(|observation| observation.case.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut figures = vec![("all".to_owned(), Figures::of(&observations.iter().collect::<Vec<_>>()))];
        for kind in kinds {
            let of_kind: Vec<&AnswerObservation> =
                observations.iter().filter(|observation| observation.case.kind == kind).collect();
            figures.push((kind.to_owned(), Figures::of(&of_kind)));
        }
        figures
    }

    fn of(observations: &[&AnswerObservation]) -> Figures {
        let sentences = observations.iter().flat_map(|observation| &observation.sentences);
        let supported = sentences.clone().filter(|sentence| sentence.verdict == Verdict::Supported).count();
        let with_gold = observations.iter().filter(|observation| !observation.case.known_gold().is_empty());
        let (right, cited, gold) = with_gold
            .map(|observation| observation.citations())
            .fold((0, 0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1, sum.2 + of.2));
        let (unanswerable, answerable): (Vec<&AnswerObservation>, Vec<&AnswerObservation>) =
            observations.iter().copied().partition(|observation| observation.case.is_unanswerable());
        let empty =
            |of: &[&AnswerObservation]| share(of.iter().filter(|observation| observation.empty).count(), of.len());
        Figures {
            n: observations.len(),
            sentences: sentences.clone().count(),
            supported: share(supported, sentences.count()),
            citation_precision: share(right, cited),
            citation_recall: share(right, gold),
            refused_unanswerable: empty(&unanswerable),
            refused_answerable: empty(&answerable),
            says: FactCounts::of(observations.iter().map(|observation| &observation.facts[..])),
            model: ModelFigures::of(
                &observations.iter().filter_map(|observation| observation.model.as_ref()).collect::<Vec<_>>(),
            ),
        }
    }
}

impl FactCounts {
    fn of<'s>(answers: impl Iterator<Item = &'s [FactStatement]>) -> Option<FactCounts> {
        let answers: Vec<&[FactStatement]> = answers.filter(|facts| !facts.is_empty()).collect();
        let facts = || answers.iter().copied().flatten();
        let whole =
            |states: fn(&FactStatement) -> bool| answers.iter().filter(|facts| facts.iter().all(states)).count();
        let counts = FactCounts {
            n: answers.len(),
            facts: facts().count(),
            quoted: facts().filter(|fact| fact.quoted).count(),
            standing: facts().filter(|fact| fact.standing).count(),
            lost: facts().filter(|fact| fact.quoted && !fact.standing).count(),
            gained: facts().filter(|fact| fact.standing && !fact.quoted).count(),
            quoted_whole: whole(|fact| fact.quoted),
            standing_whole: whole(|fact| fact.standing),
        };
        (counts.n > 0).then_some(counts)
    }

    /// The counts as lines of text. With a model there are two, of quoted answers and of those that stand.
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

impl ModelFigures {
    fn of(models: &[&ModelAnswer]) -> Option<ModelFigures> {
        if models.is_empty() {
            return None;
        }
        let sum = |count: &dyn Fn(&ModelAnswer) -> usize| models.iter().map(|model| count(model)).sum::<usize>();
        let seconds = || models.iter().map(|model| model.seconds);
        let mut kept = BTreeMap::new();
        for reason in models.iter().filter_map(|model| model.failed.as_ref().or(model.kept.as_ref())) {
            *kept.entry(kind_of_reason(reason)).or_default() += 1;
        }
        let flagged = sum(&|model| model.flagged.len());
        let supported = |model: &ModelAnswer| {
            model.sentences.iter().take(model.own).filter(|one| one.verdict == Verdict::Supported).count()
        };
        Some(ModelFigures {
            n: models.len(),
            replaced: share(models.iter().filter(|model| model.replaces()).count(), models.len()),
            kept,
            supported: share(sum(&supported), sum(&|model| model.own)),
            claims: sum(&|model| model.claims),
            flagged,
            flagged_survival: share(sum(&|model| model.flagged.iter().filter(|one| one.survives).count()), flagged),
            tokens_written: sum(&|model| model.tokens.written),
            tokens_read: sum(&|model| model.tokens.read),
            tokens_known: sum(&|model| model.tokens.cached),
            seconds_mean: tenth(seconds().sum::<f64>() / models.len() as f64),
            seconds_most: tenth(seconds().fold(0.0, f64::max)),
        })
    }
}

/// A reason without its numbers and names, so that reasons of a kind count together.
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
    /// The figures that are not in the table, as lines of text.
    pub(super) fn lines(&self) -> Vec<String> {
        let says = self.says.as_ref().map(|says| says.lines(self.model.is_some())).unwrap_or_default();
        says.into_iter().chain(self.model.as_ref().map(ModelFigures::lines).unwrap_or_default()).collect()
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

impl ModelFigures {
    /// The figures as lines of text.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "{} asked of the model, {} replaced the quoted one",
                pluralize(self.n, "answer"),
                percent(self.replaced)
            ),
            format!("{} of its final sentences supported", percent(self.supported)),
            format!(
                "{} in its drafts, {} flagged, {} of these stand in the final text",
                pluralize(self.claims, "claim"),
                self.flagged,
                percent(self.flagged_survival)
            ),
            format!(
                "{} written, {} read, {} of them known from before",
                pluralize(self.tokens_written, "token"),
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
    fn there_is_no_share_of_nothing() {
        let none = Figures::of(&[]);
        assert_eq!(none.row(), ["0", "0", "–", "–", "–", "–", "–"]);
        assert_eq!(serde_json::to_value(&none).ok().map(|json| json["supported"].clone()), Some(Value::Null));
        let model = ModelFigures { n: 1, claims: 3, ..ModelFigures::default() };
        assert_eq!(model.lines()[2], "3 claims in its drafts, 0 flagged, – of these stand in the final text");
    }

    #[test]
    fn facts_are_stated_lost_and_gained() {
        let fact = |quoted, standing| FactStatement { quoted, standing };
        let answers =
            [vec![fact(true, true), fact(true, false)], vec![fact(false, true)], vec![], vec![fact(false, false)]];
        let counts = FactCounts::of(answers.iter().map(Vec::as_slice)).unwrap();
        assert_eq!(
            (counts.n, counts.facts, counts.quoted, counts.standing, counts.lost, counts.gained),
            (3, 4, 2, 2, 1, 1)
        );
        assert_eq!((counts.quoted_whole, counts.standing_whole), (1, 1));
        assert_eq!(counts.lines(false), ["quoted answers say 2 of 4 facts, and all of them in 1 of 3 answers"]);
        assert_eq!(FactCounts::of([[].as_slice()].into_iter()), None);
    }

    #[test]
    fn reasons_of_a_kind_count_together() {
        let check = |reason: &str, expected: &str| assert_eq!(kind_of_reason(reason), expected);
        check("only 13 of 4 claims are supported", "only N of N claims are supported");
        check("nothing on this part: green tea", "nothing on this part");
        check("no sentence", "no sentence");
    }
}
