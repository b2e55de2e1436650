//! Gates: what can be checked of a claim without a model, one kind of value a file.
//!
//! Each takes the values of its kind out of the claim and looks for them in the passages beside it. A value is borne
//! out where a passage that speaks of the claim's subject has it, missing where none has, and contradicted where a
//! passage that says all the rest of the claim has another value in its place. A claim without such a value passes
//! without a word.

use std::ops::Range;

use crate::deliberate::evidence::{AlignedPassage, Alignment, SHORT_EXCERPT};
use crate::trace::{Describe, Detail, detail};

mod acronyms;
mod antonyms;
mod apposition;
mod dates;
mod countries;
mod months;
mod names;
mod negation;
mod numbers;
mod quantifiers;
mod quantity;
mod quotes;
mod units;
mod words;

#[cfg(test)]
mod tests;

/// What one gate found of one value of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// Which gate.
    pub kind: CheckKind,
    /// The value, as the claim has it.
    pub claimed: String,
    /// What a passage has: the same, or what stands in its place or may stand there; empty where it has nothing.
    pub found: String,
    /// What comes of it.
    pub outcome: CheckOutcome,
}

/// The gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckKind {
    /// Numbers, with their units.
    Number,
    /// Years, months, days and centuries.
    Date,
    /// Names and acronyms.
    Name,
    /// What stands between quotation marks.
    Quote,
    /// Whether something is or is not, and words of opposite meaning.
    Negation,
    /// All, most, some, none, only; at least and at most.
    Quantifier,
}

/// What comes of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckOutcome {
    /// A passage has it.
    Supported,
    /// No passage has it.
    NotFound,
    /// A passage that fits otherwise has another in its place.
    Contradicted,
}

impl CheckKind {
    /// All of them.
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
            CheckOutcome::Supported => "borne-out",
            CheckOutcome::NotFound => "missing",
            CheckOutcome::Contradicted => "against",
        }
    }
}

impl Describe for CheckResult {
    fn note(&self) -> String {
        let (kind, claimed, found) = (self.kind.name(), &self.claimed, &self.found);
        match self.outcome {
            CheckOutcome::Supported => format!("{kind} {claimed} borne out"),
            CheckOutcome::NotFound if found.is_empty() => format!("{kind} {claimed} in no passage"),
            CheckOutcome::NotFound => format!("{kind} {claimed} in no passage, but {found}"),
            CheckOutcome::Contradicted => format!("{kind} {claimed} against {found}"),
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

/// A passage that holds less than this of the claim's other words speaks of something else, and bears no value out.
const RELATED: f64 = 0.15;
/// A passage must hold so much of the claim's other words before another value in it speaks against the claim's.
const STRONG: f64 = 0.6;
/// A passage that holds so much of them, and has another value of the kind, is where the claim's would stand if it were
/// true.
const ALTERNATIVE: f64 = 0.2;

/// A gate's finding, and the passage that it rests on, by its place in the alignment.
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

/// Passes the claim through all gates.
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

/// A claim with the passages beside it, as every gate looks at it.
struct CheckContext<'a> {
    claim: &'a str,
    alignment: &'a Alignment<'a>,
}

impl<'a> CheckContext<'a> {
    /// Whether the claim denies this value of its own: then a page that has another is no wonder.
    fn denies(&self, value: &str) -> bool {
        let at = self.claim.find(value).unwrap_or(0);
        negation::is_denied(self.claim, &(at..at + value.len()))
    }

    /// All texts that may bear a value out: titles and summaries, and every passage.
    fn texts(&self) -> impl Iterator<Item = &'a str> {
        let evidence = self.alignment.evidence;
        evidence.contexts().chain(evidence.passages().map(|passage| passage.text.as_str()))
    }

    /// The passages that hold at least `least` of what the claim says outside of `range`, with their places.
    fn passages_covering(
        &self,
        range: &'a Range<usize>,
        least: f64,
    ) -> impl Iterator<Item = (usize, &'a AlignedPassage<'a>)> {
        let passages = self.alignment.passages.iter().enumerate();
        passages.filter(move |(_, aligned)| aligned.score_without(range) >= least)
    }

    /// The finding of a value at `range`: `same` gives what a passage has that is the same, `other` what stands in its
    /// place, and `alternative` what may stand in its place.
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

/// No rival: a value that may as well be left out.
fn no_alternative(_: &str) -> Option<String> {
    None
}
