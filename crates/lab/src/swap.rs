//! Plants errors: swaps a number, unit, date, name, negation or quantifier of a claim for another.
//!
//! The values are found by rules that are simpler than those of the checks, so that errors are planted which the checks overlook.

use std::ops::Range;

use crate::random::Random;

/// A kind of value that is swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ErrorKind {
    Number,
    Unit,
    Date,
    Name,
    Negation,
    Quantifier,
}

impl ErrorKind {
    pub(crate) const ALL: [ErrorKind; 6] = [
        ErrorKind::Number,
        ErrorKind::Unit,
        ErrorKind::Date,
        ErrorKind::Name,
        ErrorKind::Negation,
        ErrorKind::Quantifier,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            ErrorKind::Number => "number",
            ErrorKind::Unit => "unit",
            ErrorKind::Date => "date",
            ErrorKind::Name => "name",
            ErrorKind::Negation => "negation",
            ErrorKind::Quantifier => "quantifier",
        }
    }
}

/// The names in all claims, from which replacements are taken.
pub(crate) struct NamePool(Vec<String>);

impl NamePool {
    pub(crate) fn of<'t>(claims: impl Iterator<Item = &'t str>) -> NamePool {
        let mut all: Vec<String> =
            claims.flat_map(|claim| names(claim).into_iter().map(|range| claim[range].to_owned())).collect();
        all.sort();
        all.dedup();
        NamePool(all)
    }
}

/// Plants an error of that kind in `claim`; none where the claim has no such value. A number, date or name is only swapped if
/// the evidence has it, at least in part, and only for one that the evidence does not have.
pub(crate) fn swap(
    kind: ErrorKind,
    claim: &str,
    evidence: &str,
    names: &NamePool,
    random: &mut Random,
) -> Option<String> {
    const TRIES: usize = 20;
    for _ in 0..TRIES {
        let (range, value) = match kind {
            ErrorKind::Number => number(claim, random)?,
            ErrorKind::Unit => from_table(claim, &UNITS, random)?,
            ErrorKind::Date => date(claim, random)?,
            ErrorKind::Name => name(claim, names, random)?,
            ErrorKind::Negation => negation(claim, random)?,
            ErrorKind::Quantifier => from_table(claim, &QUANTIFIERS, random)?,
        };
        let is_value = matches!(kind, ErrorKind::Number | ErrorKind::Date | ErrorKind::Name);
        let known = claim[range.clone()].split(' ').any(|word| has(evidence, word));
        if value != claim[range.clone()] && (!is_value || known && !has(evidence, &value)) {
            return Some(format!("{}{value}{}", &claim[..range.start], &claim[range.end..]));
        }
    }
    None
}

/// Whether the text contains the value as whole words.
fn has(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.to_lowercase());
    let bounded = |at: usize| {
        let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        before && text[at + value.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric())
    };
    text.match_indices(&value).any(|(at, _)| bounded(at))
}

/// The places of words, without the punctuation around them.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in text.split(' ') {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let start = at + piece.find(bare).unwrap_or(0);
        if !bare.is_empty() {
            found.push(start..start + bare.len());
        }
        at += piece.len() + 1;
    }
    found
}

const NUMBER_WORDS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1500..2100).contains(&year))
}

fn is_digits(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

/// Whether the word before or after is a month.
fn beside_month(claim: &str, all: &[Range<usize>], at: usize) -> bool {
    let is_month = |at: usize| all.get(at).is_some_and(|range| MONTHS.contains(&&claim[range.clone()]));
    is_month(at + 1) || at > 0 && is_month(at - 1)
}

fn number(claim: &str, random: &mut Random) -> Option<(Range<usize>, String)> {
    let all = words(claim);
    let is_number = |(at, range): &(usize, Range<usize>)| {
        let word = &claim[range.clone()];
        (is_digits(word) && !is_year(word) && !beside_month(claim, &all, *at)) || NUMBER_WORDS.contains(&word)
    };
    let found: Vec<(usize, Range<usize>)> = all.iter().cloned().enumerate().filter(is_number).collect();
    let (_, range) = random.choose(&found)?.clone();
    let word = &claim[range.clone()];
    if NUMBER_WORDS.contains(&word) {
        return Some((range, (*random.choose(&NUMBER_WORDS)?).to_owned()));
    }
    // One digit becomes another; the first never becomes zero.
    let digits: Vec<usize> = word.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *random.choose(&digits)?;
    let digit = char::from(b'1' + random.below(9) as u8);
    Some((range, format!("{}{digit}{}", &word[..at], &word[at + 1..])))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn date(claim: &str, random: &mut Random) -> Option<(Range<usize>, String)> {
    let all = words(claim);
    let is_date = |(at, range): &(usize, Range<usize>)| {
        let word = &claim[range.clone()];
        let day = is_digits(word) && word.len() <= 2 && beside_month(claim, &all, *at);
        is_year(word) || day || (MONTHS.contains(&word) && (word != "May" || claim[..range.start].ends_with("in ")))
    };
    let found: Vec<(usize, Range<usize>)> = all.iter().cloned().enumerate().filter(is_date).collect();
    let (_, range) = random.choose(&found)?.clone();
    let word = &claim[range.clone()];
    let value = match word.parse::<u32>() {
        Ok(year) if word.len() == 4 => {
            let by = 1 + random.below(30) as u32;
            if random.below(2) == 0 { year - by } else { year + by }.to_string()
        }
        Ok(_) => (1 + random.below(28)).to_string(),
        Err(_) => (*random.choose(&MONTHS)?).to_owned(),
    };
    Some((range, value))
}

/// Runs of capitalised words. A single word at the beginning of the sentence is none.
fn names(claim: &str) -> Vec<Range<usize>> {
    const COMMON: [&str; 16] =
        ["The", "A", "An", "In", "On", "At", "It", "He", "She", "They", "His", "Her", "There", "This", "As", "I"];
    let is_capital = |range: &Range<usize>| {
        let word = &claim[range.clone()];
        word.starts_with(char::is_uppercase) && !MONTHS.contains(&word) && !COMMON.contains(&word)
    };
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    for range in words(claim).into_iter().filter(is_capital) {
        match found.last_mut() {
            Some((last, count)) if claim.get(last.end..range.start) == Some(" ") => {
                last.end = range.end;
                *count += 1;
            }
            _ => found.push((range, 1)),
        }
    }
    found.retain(|(range, count)| range.start > 0 || *count > 1);
    found.into_iter().map(|(range, _)| range).collect()
}

fn name(claim: &str, others: &NamePool, random: &mut Random) -> Option<(Range<usize>, String)> {
    let range = random.choose(&names(claim))?.clone();
    let own = &claim[range.clone()];
    // The replacement has as many words as the name, so that the claim reads alike.
    let length = own.split(' ').count();
    let alike: Vec<&String> = others.0.iter().filter(|other| other.split(' ').count() == length).collect();
    let other = random.choose(&alike)?;
    let shares = other.split(' ').any(|word| has(claim, word));
    Some((range, if shares { own.to_owned() } else { (*other).clone() }))
}

const AUXILIARIES: [&str; 16] = [
    "is",
    "are",
    "was",
    "were",
    "has been",
    "have been",
    "had been",
    "can",
    "could",
    "will",
    "would",
    "did",
    "does",
    "has",
    "have",
    "had",
];

/// Removes a "not", or inserts one behind the first auxiliary.
fn negation(claim: &str, random: &mut Random) -> Option<(Range<usize>, String)> {
    for denial in [" not ", " never "] {
        if let Some(at) = claim.find(denial) {
            return Some((at..at + denial.len(), " ".to_owned()));
        }
    }
    let first = AUXILIARIES.iter().filter_map(|word| {
        let phrase = format!(" {word} ");
        claim.find(&phrase).map(|at| (at + 1..at + 1 + word.len(), word))
    });
    let (range, word) = first.min_by_key(|(range, _)| range.start)?;
    let not = if random.below(3) == 0 { "never" } else { "not" };
    let head = word.split(' ').next().unwrap_or(word);
    let value = format!("{head} {not}{}", &word[head.len()..]);
    Some((range, value))
}

const UNITS: [(&str, &str); 34] = [
    ("miles", "kilometres"),
    ("mile", "kilometre"),
    ("kilometres", "miles"),
    ("kilometers", "miles"),
    ("km", "miles"),
    ("metres", "feet"),
    ("meters", "feet"),
    ("feet", "metres"),
    ("inches", "feet"),
    ("kg", "pounds"),
    ("kilograms", "pounds"),
    ("pounds", "kilograms"),
    ("tonnes", "kilograms"),
    ("tons", "kilograms"),
    ("minutes", "hours"),
    ("minute", "hour"),
    ("hours", "days"),
    ("hour", "day"),
    ("days", "weeks"),
    ("weeks", "months"),
    ("months", "years"),
    ("years", "months"),
    ("year", "month"),
    ("seconds", "minutes"),
    ("million", "billion"),
    ("billion", "million"),
    ("thousand", "million"),
    ("percent", "million"),
    ("hectares", "acres"),
    ("acres", "hectares"),
    ("dollars", "euros"),
    ("MW", "kW"),
    ("mph", "knots"),
    ("decades", "years"),
];

const QUANTIFIERS: [(&str, &str); 22] = [
    ("all", "few"),
    ("every", "hardly any"),
    ("most", "few"),
    ("many", "few"),
    ("some", "all"),
    ("several", "all"),
    ("at least", "at most"),
    ("at most", "at least"),
    ("more than", "less than"),
    ("less than", "more than"),
    ("fewer than", "more than"),
    ("over", "under"),
    ("both", "neither"),
    ("none", "all"),
    ("no", "every"),
    ("always", "never"),
    ("usually", "never"),
    ("often", "never"),
    ("sometimes", "always"),
    ("various", "all"),
    ("few", "many"),
    ("one of", "none of"),
];

/// Swaps a word by a table. Units and "over" are only swapped beside a number.
fn from_table(claim: &str, table: &[(&str, &str)], random: &mut Random) -> Option<(Range<usize>, String)> {
    let numeric = |text: &str| {
        let word = text.trim_matches(|c: char| !c.is_alphanumeric());
        word.chars().any(|c| c.is_ascii_digit()) || NUMBER_WORDS.contains(&word)
    };
    let mut found = Vec::new();
    for (from, to) in table {
        for (at, _) in claim.match_indices(from) {
            let (before, after) = (&claim[..at], &claim[at + from.len()..]);
            let whole = before.chars().next_back().is_none_or(|c| c == ' ' || c == '-')
                && after.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-');
            let behind_number = before.trim_end_matches([' ', '-']).rsplit(' ').next().is_some_and(numeric);
            let before_number = after.trim_start().split(' ').next().is_some_and(numeric);
            let is_unit = table.len() == UNITS.len();
            let fits = if is_unit { behind_number } else { *from != "over" || before_number };
            if whole && fits {
                found.push((at..at + from.len(), (*to).to_owned()));
            }
        }
    }
    random.choose(&found).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_swapped_where_it_is() {
        let names = NamePool::of(["He met Ada Lovelace in Turin.", "It was made by Alan Turing."].into_iter());
        let check = |kind: ErrorKind, claim: &str, expected: Option<&str>| {
            assert_eq!(swap(kind, claim, claim, &names, &mut Random::new(1)).as_deref(), expected, "{claim}");
        };
        check(ErrorKind::Number, "It has two legs.", Some("It has ten legs."));
        check(ErrorKind::Number, "It was sold in 1980.", None);
        check(ErrorKind::Unit, "It is 5 miles long.", Some("It is 5 kilometres long."));
        check(ErrorKind::Unit, "Some years passed.", None);
        check(ErrorKind::Date, "It ended in May.", Some("It ended in August."));
        check(ErrorKind::Name, "It was made by Grace Hopper.", Some("It was made by Alan Turing."));
        check(ErrorKind::Name, "It was made.", None);
        check(ErrorKind::Negation, "It was made by hand.", Some("It was not made by hand."));
        check(ErrorKind::Negation, "It was never made.", Some("It was made."));
        check(ErrorKind::Quantifier, "It has at least 5 legs.", Some("It has at most 5 legs."));
        check(ErrorKind::Quantifier, "It went overseas.", None);
    }
}
