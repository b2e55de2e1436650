//! Numbers with their units.

use super::dates::dates;
use super::quantity::{Bound, Quantity, quantities};
use super::{Beside, Finding, Gate, GateKind, GateOutcome, apposition};

pub(super) fn check(beside: &Beside<'_>) -> Vec<Finding> {
    let claimed = without_dates(beside.claim);
    let checked = claimed.iter().filter(|quantity| !is_idle(quantity, beside.claim));
    let found = checked.map(|quantity| (quantity, one(beside, quantity, &claimed)));
    // A part of a page calls what it is about "the film", not "Despicable Me 2" or "American Idol (season 8)".
    let is_laid = beside.alignment.evidence.is_laid();
    let [name, aside] = apposition::subject(beside.claim);
    let is_unsaid = |quantity: &Quantity, finding: &Finding| {
        let (from, Gate { outcome, found, .. }) = (quantity.range.start, &finding.gate);
        let is_title = name.contains(&from) || aside.contains(&from) && found.is_empty();
        is_laid && *outcome == GateOutcome::Missing && quantity.unit.is_none() && is_title
    };
    found.filter(|(quantity, finding)| !is_unsaid(quantity, finding)).map(|(_, finding)| finding).collect()
}

/// The numbers that are no part of a date.
fn without_dates(text: &str) -> Vec<Quantity> {
    let dates: Vec<_> = dates(text).into_iter().map(|date| date.range).collect();
    let is_date = |quantity: &Quantity| dates.iter().any(|date| date.contains(&quantity.range.start));
    quantities(text).into_iter().filter(|quantity| !is_date(quantity)).collect()
}

/// "One" and "first" mostly say no number: "one of the", "at first".
fn is_idle(quantity: &Quantity, claim: &str) -> bool {
    let word = claim[quantity.range.clone()].to_lowercase();
    matches!(word.as_str(), "one" | "first" | "second") || quantity.range.is_empty()
}

fn one(beside: &Beside<'_>, quantity: &Quantity, claimed: &[Quantity]) -> Finding {
    let text_of = |text: &str, found: Quantity| text[found.range].to_owned();
    let same = |text: &str| {
        let found = quantities(text).into_iter().find(|other| quantity.is_borne_out_by(other));
        found.map(|found| text_of(text, found))
    };
    // What bears out another number of the claim stands in that one's place, not in this one's.
    let free = |other: &Quantity| !claimed.iter().any(|own| own.is_borne_out_by(other));
    let other = |text: &str| {
        let found = without_dates(text).into_iter().find(|other| quantity.is_of_a_kind_with(other) && free(other));
        found.filter(|_| quantity.bound != Bound::About).map(|found| text_of(text, found))
    };
    let rival = |text: &str| {
        let found = without_dates(text).into_iter().find(|other| quantity.may_stand_for(other) && free(other));
        found.map(|found| text_of(text, found))
    };
    beside.find(GateKind::Number, &quantity.range, same, other, rival)
}
