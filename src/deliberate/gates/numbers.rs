//! Numbers with their units.

use super::dates::dates;
use super::quantity::{Bound, Quantity, quantities};
use super::{Beside, Finding, GateKind};

pub(super) fn check(beside: &Beside<'_>) -> Vec<Finding> {
    let in_dates: Vec<_> = dates(beside.claim).into_iter().map(|date| date.range).collect();
    let is_date = |quantity: &Quantity| in_dates.iter().any(|date| date.contains(&quantity.range.start));
    let checked =
        quantities(beside.claim).into_iter().filter(|quantity| !is_date(quantity) && !is_idle(quantity, beside.claim));
    checked.map(|quantity| one(beside, &quantity)).collect()
}

/// "One" and "first" mostly say no number: "one of the", "at first".
fn is_idle(quantity: &Quantity, claim: &str) -> bool {
    let word = claim[quantity.range.clone()].to_lowercase();
    matches!(word.as_str(), "one" | "first" | "second") || quantity.range.is_empty()
}

fn one(beside: &Beside<'_>, quantity: &Quantity) -> Finding {
    let text_of = |text: &str, found: &Quantity| text[found.range.clone()].to_owned();
    let same = |text: &str| {
        let found = quantities(text).into_iter().find(|other| quantity.is_borne_out_by(other));
        found.map(|found| text_of(text, &found))
    };
    let other = |text: &str| {
        let found = quantities(text).into_iter().find(|other| quantity.is_of_a_kind_with(other));
        found.filter(|_| quantity.bound != Bound::About).map(|found| text_of(text, &found))
    };
    beside.find(GateKind::Number, &quantity.range, same, other)
}
