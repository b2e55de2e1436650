//! Numbers with their units.

use super::dates::dates;
use super::quantity::{Bound, Quantity, quantities};
use super::{CheckContext, CheckKind, CheckOutcome, CheckResult, Finding, apposition};

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    let claimed = without_dates(context.claim);
    let checked = claimed.iter().filter(|quantity| !states_no_number(quantity, context.claim));
    let found = checked.map(|quantity| (quantity, check_number(context, quantity, &claimed)));
    // An excerpt may say "the film" instead of "Despicable Me 2" or "American Idol (season 8)".
    let is_excerpt = context.alignment.evidence.is_excerpt();
    let [name, in_apposition] = apposition::subject(context.claim);
    let is_unsaid = |quantity: &Quantity, finding: &Finding| {
        let (from, CheckResult { outcome, found, .. }) = (quantity.range.start, &finding.result);
        let is_title = name.contains(&from) || in_apposition.contains(&from) && found.is_empty();
        is_excerpt && *outcome == CheckOutcome::NotFound && quantity.unit.is_none() && is_title
    };
    found.filter(|(quantity, finding)| !is_unsaid(quantity, finding)).map(|(_, finding)| finding).collect()
}

/// The numbers that are not part of a date.
fn without_dates(text: &str) -> Vec<Quantity> {
    let dates: Vec<_> = dates(text).into_iter().map(|date| date.range).collect();
    let is_date = |quantity: &Quantity| dates.iter().any(|date| date.contains(&quantity.range.start));
    quantities(text).into_iter().filter(|quantity| !is_date(quantity)).collect()
}

/// Whether the word states no number, as "one of the" and "at first" usually do not.
fn states_no_number(quantity: &Quantity, claim: &str) -> bool {
    let word = claim[quantity.range.clone()].to_lowercase();
    matches!(word.as_str(), "one" | "first" | "second") || quantity.range.is_empty()
}

fn check_number(context: &CheckContext<'_>, quantity: &Quantity, claimed: &[Quantity]) -> Finding {
    let text_of = |text: &str, found: Quantity| text[found.range].to_owned();
    let same = |text: &str| {
        let found = quantities(text).into_iter().find(|other| quantity.is_supported_by(other));
        found.map(|found| text_of(text, found))
    };
    // A number that supports another number of the claim does not stand in this one's place.
    let free = |other: &Quantity| !claimed.iter().any(|own| own.is_supported_by(other));
    let other = |text: &str| {
        let found = without_dates(text).into_iter().find(|other| quantity.is_of_a_kind_with(other) && free(other));
        found.filter(|_| quantity.bound != Bound::About).map(|found| text_of(text, found))
    };
    let alternative = |text: &str| {
        let found = without_dates(text).into_iter().find(|other| quantity.may_stand_for(other) && free(other));
        found.map(|found| text_of(text, found))
    };
    context.check_value(CheckKind::Number, &quantity.range, same, other, alternative)
}
