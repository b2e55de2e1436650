//! The subject of a claim, and the apposition that only distinguishes it from others of its name: "Victoria (Dance
//! Exponents song)".

use std::ops::Range;

use super::proper_names::{names, run};
use super::words::{Word, is_capital, words};

/// The name at the beginning of a claim, and the text in parentheses after it.
pub(super) fn subject(claim: &str) -> [Range<usize>; 2] {
    let named = names(claim).into_iter().next().filter(|name| name.opens).map(|name| 0..name.range.end);
    let apposition = apposition(claim).filter(|apposition| !apposition.is_place).map(|apposition| apposition.range);
    [named.unwrap_or_default(), apposition.unwrap_or_default()]
}

/// An apposition after the name at the beginning of a claim. It only distinguishes the name from others, so a passage
/// need not contain it.
pub(super) struct Apposition {
    pub(super) range: Range<usize>,
    /// Whether it stands between commas, "Charlotte, North Carolina", rather than in parentheses, "Victoria (Dance
    /// Exponents song)".
    pub(super) is_place: bool,
}

/// The apposition of a claim; most claims have none.
pub(super) fn apposition(claim: &str) -> Option<Apposition> {
    let is_name = |text: &str| {
        let words = words(text);
        let capital = |word: &Word| is_capital(&text[word.range.clone()]);
        // "In Paris" is not a name.
        let is_led =
            words.first().is_some_and(|first| first.stop && !matches!(first.lower.as_str(), "the" | "a" | "an"));
        !is_led && words.iter().all(|word| word.stop || capital(word)) && words.iter().any(|word| !word.stop)
    };
    if let Some((name, behind)) = claim.split_once(" (").filter(|(name, _)| is_name(name)) {
        let from = name.len() + " (".len();
        return behind.find(')').map(|length| Apposition { range: from..from + length, is_place: false });
    }
    let (name, behind) = claim.split_once(", ").filter(|(name, _)| is_name(name))?;
    let from = name.len() + ", ".len();
    let all = words(behind);
    let end = run(behind, &all, 0);
    let last = all.get(end.checked_sub(1)?).filter(|_| all[0].range.start == 0)?;
    let next = all.get(end)?;
    // "Brown, Smith and Jones" is a list.
    let is_list =
        matches!(next.lower.as_str(), "and" | "or" | "und" | "et" | "y") || is_capital(&behind[next.range.clone()]);
    (!is_list).then(|| Apposition { range: from..from + last.range.end, is_place: true })
}
