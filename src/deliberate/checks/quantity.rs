//! Quantities: the numbers of a text, in digits and in words, with units and bounds.

use std::ops::Range;

use super::units::{Unit, multiplier, unit};

/// A number of a text.
#[derive(Debug, Clone)]
pub(super) struct Quantity {
    pub(super) range: Range<usize>,
    /// Its possible values: `1.500` is one and a half, or fifteen hundred.
    pub(super) readings: Vec<f64>,
    pub(super) unit: Option<Unit>,
    /// The bound that the words before it express.
    pub(super) bound: Bound,
    /// Half the value of its last digit if a word such as "million" shows that it was rounded; otherwise 0.
    rounding: f64,
    /// Whether it is an ordinal.
    pub(super) ordinal: bool,
    /// Its text if it is not a number: `1.2.3`.
    literal: Option<String>,
    /// Whether it is written as a word.
    in_words: bool,
    /// The word after it and its unit, in lower case.
    pub(super) counted: String,
}

/// The bound of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    About,
    AtLeast,
    AtMost,
}

/// Phrases that bound the number after them.
const BOUNDS: [(&str, Bound); 33] = [
    ("more than", Bound::AtLeast),
    ("over", Bound::AtLeast),
    ("at least", Bound::AtLeast),
    ("above", Bound::AtLeast),
    ("exceeding", Bound::AtLeast),
    ("a minimum of", Bound::AtLeast),
    (">", Bound::AtLeast),
    ("≥", Bound::AtLeast),
    ("mehr als", Bound::AtLeast),
    ("mindestens", Bound::AtLeast),
    ("plus de", Bound::AtLeast),
    ("less than", Bound::AtMost),
    ("fewer than", Bound::AtMost),
    ("under", Bound::AtMost),
    ("below", Bound::AtMost),
    ("at most", Bound::AtMost),
    ("up to", Bound::AtMost),
    ("no more than", Bound::AtMost),
    ("<", Bound::AtMost),
    ("a maximum of", Bound::AtMost),
    ("weniger als", Bound::AtMost),
    ("höchstens", Bound::AtMost),
    ("≤", Bound::AtMost),
    ("moins de", Bound::AtMost),
    ("about", Bound::About),
    ("around", Bound::About),
    ("approximately", Bound::About),
    ("roughly", Bound::About),
    ("nearly", Bound::About),
    ("almost", Bound::About),
    ("some", Bound::About),
    ("etwa", Bound::About),
    ("environ", Bound::About),
];

/// The width of "about", as a share of the number.
const ABOUT: f64 = 0.1;

/// Number words.
const WORDS: [(&str, f64); 28] = [
    ("zero", 0.0),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
];

/// Ordinals. "Second" is more often a unit of time.
const ORDINALS: [(&str, f64); 11] = [
    ("first", 1.0),
    ("second", 2.0),
    ("third", 3.0),
    ("fourth", 4.0),
    ("fifth", 5.0),
    ("sixth", 6.0),
    ("seventh", 7.0),
    ("eighth", 8.0),
    ("ninth", 9.0),
    ("tenth", 10.0),
    ("twelfth", 12.0),
];

impl Quantity {
    /// Whether `other` on a page supports this number: the same value, or one within its bound.
    pub(super) fn is_supported_by(&self, other: &Quantity) -> bool {
        self.agrees(other, Bound::Exact) || self.measures_as(other) && self.agrees(other, self.bound)
    }

    /// Whether `other` is comparable: an ordinal or a percentage is not within the bound of a count.
    fn measures_as(&self, other: &Quantity) -> bool {
        let is_share = |quantity: &Quantity| {
            quantity.unit.is_some_and(|own| unit("%").is_some_and(|share| share.dimension == own.dimension))
        };
        self.ordinal == other.ordinal && is_share(self) == is_share(other)
    }

    fn agrees(&self, other: &Quantity, bound: Bound) -> bool {
        if self.literal.is_some() || other.literal.is_some() {
            return self.literal == other.literal;
        }
        let converts = match (self.unit, other.unit) {
            (Some(a), Some(b)) if a.dimension != b.dimension => return false,
            (Some(_), Some(_)) => true,
            _ => false,
        };
        self.readings.iter().any(|&a| {
            other.readings.iter().any(|&b| {
                let (a, b, rounding) = match (self.unit, other.unit) {
                    (Some(mine), Some(theirs)) if converts => (mine.of(a), theirs.of(b), self.rounding * mine.factor),
                    _ => (a, b, self.rounding),
                };
                bound.holds(a, b, rounding)
            })
        })
    }

    /// Whether `other` may stand in its place: the same unit, or the same things counted.
    pub(super) fn is_of_a_kind_with(&self, other: &Quantity) -> bool {
        let dimension = |quantity: &Quantity| quantity.unit.map(|unit| unit.dimension);
        if self.ordinal != other.ordinal || self.literal.is_some() != other.literal.is_some() {
            return false;
        }
        match (dimension(self), dimension(other)) {
            _ if self.literal.is_some() => true,
            (Some(a), Some(b)) => a == b || self.readings == other.readings,
            (None, None) => !self.counted.is_empty() && are_same_noun(&self.counted, &other.counted),
            _ => false,
        }
    }

    /// Whether they are of similar size: a crowd of 63,000 is no alternative to a score of 5.
    fn is_as_large_as(&self, other: &Quantity) -> bool {
        const MOST: f64 = 1000.0;
        let size = |quantity: &Quantity| quantity.readings.first().map_or(0.0, |reading| reading.abs());
        let (mine, theirs) = (size(self), size(other));
        self.unit.is_some() || other.unit.is_some() || mine.max(theirs) <= MOST * mine.min(theirs).max(1.0)
    }

    /// Whether it may stand in the place of `other`: nothing shows that they measure different things.
    pub(super) fn may_stand_for(&self, other: &Quantity) -> bool {
        let differ = matches!((self.unit, other.unit), (Some(a), Some(b)) if a.dimension != b.dimension);
        let alike = self.ordinal == other.ordinal && self.literal.is_some() == other.literal.is_some() && !differ;
        let alike = alike && self.is_as_large_as(other);
        // Writers often count small numbers themselves: "two albums", of which the page names both.
        alike && (!self.in_words || self.is_of_a_kind_with(other))
    }
}

/// Whether two words are the singular and plural of one noun.
fn are_same_noun(a: &str, b: &str) -> bool {
    let stem = |word: &str| word.strip_suffix("es").or(word.strip_suffix('s')).unwrap_or(word).to_owned();
    stem(a) == stem(b)
}

impl Unit {
    fn of(self, number: f64) -> f64 {
        number * self.factor + self.offset
    }
}

impl Bound {
    fn holds(self, claimed: f64, found: f64, rounding: f64) -> bool {
        let close = (claimed - found).abs() <= rounding + 1e-9 * claimed.abs().max(found.abs());
        close
            || match self {
                Bound::Exact => false,
                Bound::About => (claimed - found).abs() <= ABOUT * claimed.abs(),
                Bound::AtLeast => found >= claimed,
                Bound::AtMost => found <= claimed,
            }
    }
}

/// The quantities of `text`, in order.
pub(super) fn quantities(text: &str) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let inside_word = text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let bare = if inside_word { None } else { number(rest).or_else(|| word(rest)) };
        match bare {
            Some(bare) => {
                let sign = sign(&text[..at]);
                let mut quantity = finish(text, at, if sign > 0 { bare.negated() } else { bare });
                quantity.range.start -= sign;
                at = quantity.range.end.max(at + 1);
                found.push(quantity);
            }
            None => at += run(rest),
        }
    }
    share_units(&mut found, text);
    found
}

/// The length of the minus sign before a number. A minus that joins it to something, or a range, is not a sign.
fn sign(before: &str) -> usize {
    let Some(rest) = before.strip_suffix(['-', '−', '\u{2011}']) else { return 0 };
    let alone = rest.chars().next_back().is_none_or(|c| c.is_whitespace() || "([~≈".contains(c));
    let range = rest.trim_end().ends_with(|c: char| c.is_ascii_digit());
    if alone && !range { before.len() - rest.len() } else { 0 }
}

/// The length of the text at the beginning of `rest` that is not a number: a word, or one other character.
fn run(rest: &str) -> usize {
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    word.max(rest.chars().next().map_or(1, char::len_utf8))
}

/// A number without its unit, multiplier and bound.
struct BareNumber {
    length: usize,
    readings: Vec<f64>,
    /// The value of the last digit.
    step: f64,
    ordinal: bool,
    literal: Option<String>,
}

impl BareNumber {
    fn negated(self) -> BareNumber {
        BareNumber { readings: self.readings.into_iter().map(|reading| -reading).collect(), ..self }
    }
}

/// A number in digits at the beginning of `rest`, with its separators.
fn number(rest: &str) -> Option<BareNumber> {
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut length = 0;
    let bytes = rest.as_bytes();
    while length < bytes.len() && bytes[length].is_ascii_digit() {
        length += 1;
        let separator =
            rest[length..].chars().next().filter(|c| matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}'));
        let Some(separator) = separator else { continue };
        let after = &bytes[length + separator.len_utf8()..];
        let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let groups = digits == 3 && (length <= 3 || rest[..length].contains(separator));
        let joins = if matches!(separator, '.' | ',') { digits > 0 } else { groups };
        if joins && !(separator == ' ' && rest[..length].contains(['.', ','])) {
            length += separator.len_utf8();
        }
    }
    let after = &rest[length..];
    let suffix = ["st", "nd", "rd", "th"].iter().find(|suffix| ends_word(after, suffix));
    // Digits followed by letters are a name, such as 3D, unless the letters are a unit or a multiplier.
    let (readings, step, literal) = read(&rest[..length]);
    let ordinal = suffix.is_some();
    Some(BareNumber { length: length + suffix.map_or(0, |suffix| suffix.len()), readings, step, ordinal, literal })
}

fn ends_word(text: &str, suffix: &str) -> bool {
    text.strip_prefix(suffix).is_some_and(|after| !after.starts_with(char::is_alphanumeric))
}

/// The possible values of digits with separators, the value of the last digit, and the text if it is a version.
fn read(text: &str) -> (Vec<f64>, f64, Option<String>) {
    let separators: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let whole = || digits(text).parse::<f64>().unwrap_or(f64::NAN);
    let Some(&last) = separators.last() else { return (vec![whole()], 1.0, None) };
    let (before, after) = text.rsplit_once(last).unwrap_or((text, ""));
    let decimal = || format!("{}.{after}", digits(before)).parse::<f64>().unwrap_or(f64::NAN);
    let step = 0.1_f64.powi(after.len() as i32);
    let same = separators.iter().filter(|c| **c == last).count() == separators.len();
    let groups = text.split(last).skip(1).all(|group| group.len() == 3);
    match () {
        () if !matches!(last, '.' | ',') => (vec![whole()], 1.0, None),
        () if separators.len() > 1 && same && groups => (vec![whole()], 1.0, None),
        () if separators.len() > 1 && same => (Vec::new(), 1.0, Some(text.to_owned())),
        () if separators.len() > 1 || after.len() != 3 || before == "0" => (vec![decimal()], step, None),
        () if last == ',' => (vec![whole()], 1.0, None),
        () => (vec![decimal(), whole()], step, None),
    }
}

/// A number word at the beginning of `rest`.
fn word(rest: &str) -> Option<BareNumber> {
    let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let lower = rest[..length].to_lowercase();
    let bare =
        |length, number, ordinal| BareNumber { length, readings: vec![number], step: 1.0, ordinal, literal: None };
    if let Some((_, number)) = ORDINALS.iter().find(|(word, _)| *word == lower) {
        return Some(bare(length, *number, true));
    }
    let (_, number) = WORDS.iter().find(|(word, _)| *word == lower)?;
    if *number >= 20.0 {
        let after = rest[length..].strip_prefix(['-', ' ']).unwrap_or_default();
        let unit = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let unit_word = after[..unit].to_lowercase();
        if let Some((_, ones)) = WORDS[1..10].iter().find(|(word, _)| *word == unit_word) {
            return Some(bare(length + 1 + unit, number + ones, false));
        }
    }
    Some(bare(length, *number, false))
}

/// Adds the context of a number: a currency sign or a bound before it, a multiplier and a unit after it.
fn finish(text: &str, at: usize, bare: BareNumber) -> Quantity {
    let mut end = at + bare.length;
    let (mut readings, mut rounding) = (bare.readings, 0.0);
    let mut counted = String::new();
    let mut start = at;
    let mut money = None;
    for sign in ["US$", "$", "€", "£", "¥"] {
        if money.is_none() && text[..at].trim_end_matches(' ').ends_with(sign) {
            money = unit(sign);
            start = text[..at].trim_end_matches(' ').len() - sign.len();
        }
    }
    let mut found_unit = money;
    for _ in 0..3 {
        let Some((from, to)) = next_word(text, end) else { break };
        let next = &text[from..to];
        let short = |c: &str| next == c && (money.is_some() || from == end);
        let times = multiplier(next).or_else(|| (short("M") || short("m") && money.is_some()).then_some(1e6));
        if let Some(times) = times.filter(|_| !bare.ordinal) {
            readings.iter_mut().for_each(|reading| *reading *= times);
            rounding = bare.step * times / 2.0;
            end = to;
        } else if let (None, Some(named)) = (found_unit, unit_at(text, from, to)) {
            found_unit = Some(named.0);
            end = named.1;
        } else {
            counted = next.to_lowercase();
            break;
        }
    }
    let in_words = !text[at..].starts_with(|c: char| c.is_ascii_digit());
    let bound = bound(&text[..start]);
    let range = start..end;
    Quantity {
        range,
        readings,
        unit: found_unit,
        bound,
        rounding,
        ordinal: bare.ordinal,
        literal: bare.literal,
        in_words,
        counted,
    }
}

/// The next word after `end`, or a sign such as `%`; `None` if a punctuation mark comes first.
fn next_word(text: &str, end: usize) -> Option<(usize, usize)> {
    let rest = &text[end..];
    let skipped = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-']);
    let from = end + rest.len() - skipped.len();
    let first = skipped.chars().next()?;
    if matches!(first, '%' | '°' | '€' | '$' | '£' | '℃' | '℉') {
        let letters = skipped[first.len_utf8()..].chars().next().filter(|c| first == '°' && matches!(c, 'C' | 'F'));
        return Some((from, from + first.len_utf8() + letters.map_or(0, char::len_utf8)));
    }
    let length = skipped.find(|c: char| !c.is_alphanumeric() && c != '²').unwrap_or(skipped.len());
    (length > 0 && first.is_alphabetic()).then_some((from, from + length))
}

/// The unit at a range, and its end: "per cent" is two words, and the word after "degrees" names the scale.
fn unit_at(text: &str, from: usize, to: usize) -> Option<(Unit, usize)> {
    let word = text[from..to].to_lowercase();
    if matches!(word.as_str(), "per" | "degrees" | "degree" | "grad") {
        let (next_from, next_to) = next_word(text, to)?;
        let next = &text[next_from..next_to];
        return match word.as_str() {
            "per" => next.eq_ignore_ascii_case("cent").then(|| Some((unit("%")?, next_to)))?,
            _ => unit(match next {
                "C" => "°C",
                "F" => "°F",
                other => other,
            })
            .map(|unit| (unit, next_to)),
        };
    }
    unit(&text[from..to]).map(|unit| (unit, to))
}

fn bound(before: &str) -> Bound {
    let lower = before[before.floor_char_boundary(before.len().saturating_sub(24))..].to_lowercase();
    let lower = lower.trim_end_matches([' ', '~', '≈']);
    if before.trim_end().ends_with(['~', '≈']) {
        return Bound::About;
    }
    let ends = |phrase: &str| {
        lower.strip_suffix(phrase).is_some_and(|head| head.is_empty() || !head.ends_with(char::is_alphanumeric))
    };
    BOUNDS.iter().find(|(phrase, _)| ends(phrase)).map_or(Bound::Exact, |(_, bound)| *bound)
}

/// Gives a number without a unit that of the next: "5 to 10 km", "5–10 km".
fn share_units(found: &mut [Quantity], text: &str) {
    for at in (1..found.len()).rev() {
        let between = text.get(found[at - 1].range.end..found[at].range.start).unwrap_or_default().trim();
        if found[at - 1].unit.is_none() && matches!(between, "-" | "–" | "—" | "to" | "and" | "or" | "bis" | "à") {
            found[at - 1].unit = found[at].unit;
        }
    }
}
