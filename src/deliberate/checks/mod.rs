//! Checks of a claim that need no model, one kind of value a file.
//!
//! Each check extracts the values of its kind from the claim and looks for them in the aligned passages. A value is
//! supported if a passage about the claim's subject contains it, not found if none does, and contradicted if a passage
//! that states all the rest of the claim has another value in its place. A claim without such a value produces no
//! finding.

use std::ops::Range;

use crate::deliberate::evidence::{AlignedPassage, Alignment, SHORT_EXCERPT};
use crate::trace::{Describe, Detail, detail};

mod acronyms;
mod antonyms;
mod apposition;
mod countries;
mod dates;
mod months;
mod names;
mod negation;
mod numbers;
mod proper_names;
mod quantifiers;
mod quantity;
mod quotes;
mod units;
mod words;

#[cfg(test)]
mod tests;

/// What a check found about one value of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// The kind of value.
    pub kind: CheckKind,
    /// The value, as the claim states it.
    pub claimed: String,
    /// The passage's value: the same one, the one in its place, or an alternative that may stand in its place; empty if
    /// there is none.
    pub found: String,
    /// The outcome.
    pub outcome: CheckOutcome,
}

/// The kinds of value that are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Numbers, with their units.
    Number,
    /// Years, months, days and centuries.
    Date,
    /// Names and acronyms.
    Name,
    /// Text between quotation marks.
    Quote,
    /// Negations, and words of opposite meaning.
    Negation,
    /// All, most, some, none, only; at least and at most.
    Quantifier,
}

/// The outcome for one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckOutcome {
    /// A passage contains it.
    Supported,
    /// No passage contains it.
    NotFound,
    /// A passage that otherwise matches has another value in its place.
    Contradicted,
}

impl CheckKind {
    /// All kinds.
    pub const ALL: [CheckKind; 6] = [
        CheckKind::Number,
        CheckKind::Date,
        CheckKind::Name,
        CheckKind::Quote,
        CheckKind::Negation,
        CheckKind::Quantifier,
    ];

    /// A short word for programs.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Number => "number",
            CheckKind::Date => "date",
            CheckKind::Name => "name",
            CheckKind::Quote => "quote",
            CheckKind::Negation => "negation",
            CheckKind::Quantifier => "quantifier",
        }
    }
}

impl CheckOutcome {
    /// A short word for programs.
    pub fn name(self) -> &'static str {
        match self {
            CheckOutcome::Supported => "supported",
            CheckOutcome::NotFound => "not-found",
            CheckOutcome::Contradicted => "contradicted",
        }
    }
}

impl Describe for CheckResult {
    fn note(&self) -> String {
        let (kind, claimed, found) = (self.kind.name(), &self.claimed, &self.found);
        match self.outcome {
            CheckOutcome::Supported => format!("{kind} {claimed} supported"),
            CheckOutcome::NotFound if found.is_empty() => format!("{kind} {claimed} in no passage"),
            CheckOutcome::NotFound => format!("{kind} {claimed} in no passage, but {found}"),
            CheckOutcome::Contradicted => format!("{kind} {claimed} contradicted by {found}"),
        }
    }

    fn detail(&self) -> Detail {
        detail!({
            "kind": self.kind.name(),
            "claimed": self.claimed,
            "found": self.found,
            "outcome": self.outcome.name(),
        })
    }
}

/// A passage that covers less of the claim's other words has another subject, and supports no value.
const RELATED: f64 = 0.15;
/// A passage must cover this share of the claim's other words before another value in it contradicts the claim's.
const STRONG: f64 = 0.6;
/// A passage that covers this share of them and has another value of the kind is where the claim's value would stand if
/// it were true.
const ALTERNATIVE: f64 = 0.2;

/// A check's result, and the index in the alignment of the passage that it rests on.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) result: CheckResult,
    pub(crate) passage: Option<usize>,
}

fn is_contradicted(finding: &Finding) -> bool {
    finding.result.outcome == CheckOutcome::Contradicted
}

fn is_other_date(finding: &Finding) -> bool {
    is_contradicted(finding) && finding.result.kind == CheckKind::Date
}

/// Runs all checks on the claim.
pub(crate) fn check(claim: &str, alignment: &Alignment<'_>) -> Vec<Finding> {
    let context = CheckContext { claim, alignment };
    let mut found = numbers::check(&context);
    found.extend(dates::check(&context));
    found.extend(names::check(&context));
    let has_other_date = found.iter().any(is_other_date);
    found.retain(|finding| {
        finding.result.outcome == CheckOutcome::Supported || !context.denies(&finding.result.claimed)
    });
    found.extend(quotes::check(&context));
    let denial = negation::check(&context);
    // "Did not sign in 2014" is what "signed in 2018" says.
    if has_other_date
        && denial.iter().any(|finding| is_contradicted(finding) && negation::denies(&finding.result.claimed))
    {
        found.retain(|finding| !is_other_date(finding));
    } else {
        found.extend(denial);
    }
    found.extend(antonyms::check(&context));
    found.extend(quantifiers::check(&context));
    found
}

/// A claim and its aligned passages, as every check sees them.
struct CheckContext<'a> {
    claim: &'a str,
    alignment: &'a Alignment<'a>,
}

impl<'a> CheckContext<'a> {
    /// Whether the claim denies this value of its own: another value on a page is then no contradiction.
    fn denies(&self, value: &str) -> bool {
        let at = self.claim.find(value).unwrap_or(0);
        negation::is_denied(self.claim, &(at..at + value.len()))
    }

    /// All texts that may support a value: titles and summaries, and every passage.
    fn texts(&self) -> impl Iterator<Item = &'a str> {
        let evidence = self.alignment.evidence;
        evidence.contexts().chain(evidence.passages().map(|passage| passage.text.as_str()))
    }

    /// The passages that cover at least `least` of the claim outside `range`, with their indices.
    fn passages_covering(
        &self,
        range: &'a Range<usize>,
        least: f64,
    ) -> impl Iterator<Item = (usize, &'a AlignedPassage<'a>)> {
        let passages = self.alignment.passages.iter().enumerate();
        passages.filter(move |(_, aligned)| aligned.score_without(range) >= least)
    }

    /// The finding for the value at `range`. `same` returns a text's equal value, `other` the value in its place, and
    /// `alternative` a value that may stand in its place.
    fn check_value(
        &self,
        kind: CheckKind,
        range: &Range<usize>,
        same: impl Fn(&str) -> Option<String>,
        other: impl Fn(&str) -> Option<String>,
        alternative: impl Fn(&str) -> Option<String>,
    ) -> Finding {
        let claimed = self.claim[range.clone()].to_owned();
        let finding = |found: String, outcome, passage| {
            let result = CheckResult { kind, claimed: claimed.clone(), found, outcome };
            Finding { result, passage }
        };
        let few = self.alignment.evidence.passages().nth(SHORT_EXCERPT).is_none();
        for (at, aligned) in self.passages_covering(range, if few { 0.0 } else { RELATED }) {
            if let Some(found) = same(&aligned.passage.text) {
                return finding(found, CheckOutcome::Supported, Some(at));
            }
        }
        if let Some(found) = self.alignment.evidence.contexts().find_map(&same) {
            return finding(found, CheckOutcome::Supported, None);
        }
        for (at, aligned) in self.passages_covering(range, STRONG) {
            if let Some(found) = other(&aligned.passage.text) {
                return finding(found, CheckOutcome::Contradicted, Some(at));
            }
        }
        let alternatives = self
            .passages_covering(range, if few { 0.0 } else { ALTERNATIVE })
            .find_map(|(at, aligned)| Some((alternative(&aligned.passage.text)?, at)));
        let (found, at) = alternatives.map_or((String::new(), None), |(found, at)| (found, Some(at)));
        finding(found, CheckOutcome::NotFound, at)
    }
}

/// No alternative: texts often leave out such a value.
fn no_alternative(_: &str) -> Option<String> {
    None
}
