//! Dates: years, months, days, decades and centuries, in several spellings.

use std::cmp::Ordering;
use std::ops::Range;

use super::months::{is_ambiguous, month};
use super::quantity::quantities;
use super::words::{Word, words};
use super::{CheckContext, CheckKind, CheckOutcome, Finding, RELATED};

/// A date, with the parts that a text gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) range: Range<usize>,
    /// The year, or the first year of a decade or a century, which is `span` years long.
    year: Option<u32>,
    span: u32,
    month: Option<u32>,
    day: Option<u32>,
}

/// Words before a date that make it a bound.
const BOUND_WORDS: [(&str, Ordering); 3] =
    [("before", Ordering::Less), ("prior to", Ordering::Less), ("after", Ordering::Greater)];

/// Words before a bound word that give it another meaning: "not before", "two years after", "soon after".
const UNBOUNDING_WORDS: [&str; 16] = [
    "not", "never", "n't", "n’t", "year", "years", "month", "months", "week", "weeks", "day", "days", "shortly",
    "soon", "just", "right",
];

/// The bound that the words before a date express: earlier or later than the date.
fn bound_before(before: &str) -> Option<Ordering> {
    const NEAR: usize = 24;
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(NEAR))..];
    let near = near.trim_end().to_lowercase();
    let near = near.strip_suffix(" the").unwrap_or(&near);
    let is_bound = |head: &str| {
        !head.ends_with(char::is_alphanumeric) && !UNBOUNDING_WORDS.iter().any(|word| head.trim_end().ends_with(word))
    };
    let ends = |word: &str| near.strip_suffix(word).is_some_and(is_bound);
    BOUND_WORDS.iter().find(|(word, _)| ends(word)).map(|(_, order)| *order)
}

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    // The year of a title has no place that another date could take.
    let (titles, claimed): (Vec<Date>, Vec<Date>) =
        dates(context.claim).into_iter().partition(|date| is_of_title(context.claim, &date.range));
    if claimed.is_empty() && titles.is_empty() {
        return Vec::new();
    }
    let passages = context.alignment.evidence.passages();
    let datelines: Vec<&str> = passages.map(|passage| passage.text.as_str()).filter(|text| is_dateline(text)).collect();
    let of_page: Vec<Date> = datelines.iter().flat_map(|line| dates(line)).collect();
    let found = |date| check_date(context, date, &claimed, &datelines, &of_page);
    let is_open =
        |finding: &Finding| finding.result.outcome == CheckOutcome::NotFound && finding.result.found.is_empty();
    let of_claim = claimed.iter().map(|date| (date, found(date))).filter(|(date, finding)| {
        // One part of a page may give the year, and another the day.
        let partly = || {
            context.passages_covering(&date.range, RELATED).any(|(_, aligned)| date.is_partly_in(&aligned.passage.text))
        };
        !is_open(finding) || context.alignment.evidence.is_whole() || !partly()
    });
    let of_titles = titles.iter().map(found).filter(|finding| !is_open(finding));
    of_claim.map(|(_, finding)| finding).chain(of_titles).collect()
}

/// Whether the year at `range` only distinguishes things of the same name: "Australia (2008 film)".
fn is_of_title(claim: &str, range: &Range<usize>) -> bool {
    const MOST_BYTES: usize = 24;
    let tail = claim[range.end..].strip_prefix(' ').and_then(|rest| rest.split_once(')'));
    let word = |tail: &str| tail.len() <= MOST_BYTES && tail.trim().chars().all(|c| c.is_alphabetic() || c == ' ');
    claim[..range.start].trim_end().ends_with('(')
        && tail.is_some_and(|(tail, _)| !tail.trim().is_empty() && word(tail))
}

/// Words for a birth.
const BIRTH: [&str; 5] = ["born", "birth", "birthday", "geboren", "geburt"];
/// Marks right before a date of birth.
const BORN: [&str; 3] = ["(*", "生于", "出生于"];

fn tells_birth(words: &[Word]) -> bool {
    words.iter().any(|word| BIRTH.contains(&word.lower.as_str()))
}

/// Whether the words before a date make it a date of birth: "born in London in ".
fn leads_to_birth(before: &str) -> bool {
    const NEAR: usize = 4;
    let words = words(before);
    let before = before.trim_end();
    tells_birth(&words[words.len().saturating_sub(NEAR)..]) || BORN.iter().any(|born| before.ends_with(born))
}

fn check_date(
    context: &CheckContext<'_>,
    date: &Date,
    claimed: &[Date],
    datelines: &[&str],
    of_page: &[Date],
) -> Finding {
    // A date that supports another date of the claim does not stand in this one's place.
    let free = |other: &Date| !claimed.iter().any(|own| own.year_fits(other) && own.day_fits(other));
    // A date of birth is no alternative to another date, unless they partly agree.
    let is_of_birth = |text: &str, other: &Date| {
        let is_alike = date.year.is_some() && date.year_fits(other) || date.month.is_some() && date.day_fits(other);
        !is_alike && leads_to_birth(&text[..other.range.start])
    };
    let tells_birth =
        tells_birth(&words(context.claim)) || ["生于", "出生"].iter().any(|word| context.claim.contains(word));
    let fits = |text: &str, other: &Date| free(other) && (tells_birth || !is_of_birth(text, other));
    let with = |text: &str, is: &dyn Fn(&Date) -> bool| {
        let found = dates(text).into_iter().find(|other| is(other) && fits(text, other));
        found.map(|found| text[found.range].to_owned())
    };
    let bound = bound_before(&context.claim[..date.range.start]);
    // None of several dates may violate the bound, because it is not known which of them is meant.
    let keeps = |other: &Date| bound.is_some() && other.compared_to(date) == bound;
    let breaks = |other: &Date| other.compared_to(date).is_some_and(|order| Some(order) != bound);
    let within = |text: &str| if with(text, &breaks).is_none() { with(text, &keeps) } else { None };
    let same = |text: &str| date.find_support(text, of_page).or_else(|| within(text));
    let other = |text: &str| with(text, &|other| date.conflicts(other));
    let alternative = |text: &str| with(text, &|other| date.may_stand_for(other));
    let mut finding = context.check_value(CheckKind::Date, &date.range, same, other, alternative);
    if finding.result.outcome != CheckOutcome::Supported
        && let Some(found) = datelines.iter().find_map(|line| same(line))
    {
        finding.result.found = found;
        (finding.result.outcome, finding.passage) = (CheckOutcome::Supported, None);
    } else if finding.result.found.is_empty() {
        // An event a few days before the page was written has the page's month at least.
        let of_another_month =
            |line: &&str| with(line, &|other| date.may_stand_for(other) && !date.shares_month(other));
        finding.result.found = datelines.iter().find_map(of_another_month).unwrap_or_default();
    }
    finding
}

/// Whether a line is a dateline: a date and little else. It tells when the whole page was written, and its events have
/// their year from it.
fn is_dateline(text: &str) -> bool {
    const MOST_BYTES: usize = 90;
    const MOST_WORDS: usize = 8;
    let is_word = |word: &&str| word.chars().any(char::is_alphabetic) && month(word).is_none();
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(is_word).count();
    text.len() <= MOST_BYTES
        && words() <= MOST_WORDS
        && dates(text).iter().any(|date| date.year.is_some() && date.month.is_some() && date.day.is_some())
}

impl Date {
    /// The text that supports it: one date with all its parts, or several dates with a part each; the page's dateline
    /// may give the year.
    fn find_support(&self, text: &str, of_page: &[Date]) -> Option<String> {
        let found = dates(text);
        if let Some(whole) = found.iter().find(|other| self.year_fits(other) && self.day_fits(other)) {
            return Some(text[whole.range.clone()].to_owned());
        }
        let year = self.year.is_none() || found.iter().chain(of_page).any(|other| self.year_fits(other));
        let day = found.iter().find(|other| other.year.is_none() && self.month.is_some() && self.day_fits(other));
        if let (true, Some(day)) = (year, day) {
            return Some(text[day.range.clone()].to_owned());
        }
        // A bare year may be a number: "1500 people" and "1,500 people".
        let number = f64::from(self.year.filter(|_| self.month.is_none() && self.span == 1)?);
        let found = quantities(text).into_iter().find(|quantity| quantity.readings.contains(&number));
        found.map(|found| text[found.range].to_owned())
    }

    /// Whether a date of `text` gives a part of this date and contradicts none.
    fn is_partly_in(&self, text: &str) -> bool {
        let fits = |mine: Option<u32>, theirs: Option<u32>| theirs.is_none() || mine == theirs;
        let part = |other: &Date| {
            (other.year.is_none() || self.year_fits(other))
                && fits(self.month, other.month)
                && fits(self.day, other.day)
        };
        dates(text).iter().any(part)
    }

    fn year_fits(&self, other: &Date) -> bool {
        let Some(year) = self.year else { return true };
        // The 1700s are the 18th century except for a year at either end.
        let slack = u32::from(self.span == 100 && other.span == 100);
        other.year.is_some_and(|found| found + slack >= year && found + other.span <= year + self.span + slack)
    }

    /// Whether they have no year in common.
    fn years_are_apart(&self, other: &Date) -> bool {
        let slack = u32::from(self.span == 100 && other.span == 100);
        let ends = |date: &Date| date.year.map(|year| (year, year + date.span));
        let apart = |((from, to), (first, last)): ((u32, u32), (u32, u32))| to <= first + slack || last <= from + slack;
        ends(self).zip(ends(other)).is_some_and(apart)
    }

    /// Whether it is earlier or later than `other`, as far as both are known.
    fn compared_to(&self, other: &Date) -> Option<Ordering> {
        let by_year = match (self.year, other.year) {
            (Some(from), Some(first)) if from + self.span <= first => Some(Ordering::Less),
            (Some(from), Some(first)) if from >= first + other.span => Some(Ordering::Greater),
            (None, Some(_)) => return None,
            _ => None,
        };
        let by = |mine: Option<u32>, theirs: Option<u32>| Some(mine?.cmp(&theirs?));
        let unequal = |order: &Ordering| order.is_ne();
        by_year.or_else(|| match by(self.month, other.month)? {
            Ordering::Equal => by(self.day, other.day).filter(unequal),
            order => Some(order),
        })
    }

    fn day_fits(&self, other: &Date) -> bool {
        (self.month.is_none() || self.month == other.month) && (self.day.is_none() || self.day == other.day)
    }

    fn shares_month(&self, other: &Date) -> bool {
        self.month == other.month && self.year_fits(other)
    }

    /// Whether `other` differs in some part.
    fn may_stand_for(&self, other: &Date) -> bool {
        let differ = |mine: Option<u32>, theirs: Option<u32>| mine.is_some() && theirs.is_some() && mine != theirs;
        self.years_are_apart(other)
            || differ(self.month, other.month)
            || (differ(self.day, other.day) && self.month == other.month)
    }

    /// Whether `other` gives all parts of this date and differs in one.
    fn conflicts(&self, other: &Date) -> bool {
        let has = |mine: Option<u32>, theirs: Option<u32>| mine.is_none() || theirs.is_some();
        let same_parts = has(self.year, other.year) && has(self.month, other.month) && has(self.day, other.day);
        let month_differs = self.month.is_some() && other.month.is_some() && self.month != other.month;
        let day_differs = self.day.is_some() && other.day.is_some() && self.day != other.day;
        same_parts && self.years_are_apart(other)
            || month_differs && has(self.year, other.year)
            || day_differs && self.month == other.month
    }
}

/// The dates of `text`, in order.
pub(super) fn dates(text: &str) -> Vec<Date> {
    let parts = parts(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let reader = Reader { text, parts: &parts[at..] };
        match reader.date() {
            Some((date, used)) => {
                found.push(date);
                at += used;
            }
            None => at += 1,
        }
    }
    found
}

/// The runs of digits and of letters.
fn parts(text: &str) -> Vec<Range<usize>> {
    let class = |c: char| if c.is_ascii_digit() { 1 } else { 2 * u8::from(c.is_alphabetic()) };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut last = 0;
    for (at, c) in text.char_indices() {
        let now = class(c);
        match found.last_mut() {
            Some(part) if now != 0 && now == last && part.end == at => part.end = at + c.len_utf8(),
            _ if now != 0 => found.push(at..at + c.len_utf8()),
            _ => {}
        }
        last = now;
    }
    found
}

/// A text from one of its parts onward.
struct Reader<'t> {
    text: &'t str,
    parts: &'t [Range<usize>],
}

impl Reader<'_> {
    fn part(&self, at: usize) -> &str {
        self.parts.get(at).map_or("", |part| &self.text[part.clone()])
    }

    /// The text between a part and the one before.
    fn gap(&self, at: usize) -> &str {
        let (Some(before), Some(part)) = (self.parts.get(at.wrapping_sub(1)), self.parts.get(at)) else { return "\n" };
        &self.text[before.end..part.start]
    }

    /// The date at the beginning, and the number of parts that it uses.
    fn date(&self) -> Option<(Date, usize)> {
        let numeric = || self.iso().or_else(|| self.by_numbers()).or_else(|| self.chinese());
        let words = || self.day_month().or_else(|| self.month_day());
        numeric().or_else(words).or_else(|| self.century()).or_else(|| self.year_alone()).or_else(|| self.last_year())
    }

    fn found(&self, used: usize, year: Option<u32>, month: Option<u32>, day: Option<u32>) -> Option<(Date, usize)> {
        let sound =
            month.is_none_or(|month| (1..=12).contains(&month)) && day.is_none_or(|day| (1..=31).contains(&day));
        let range = self.parts[0].start..self.parts[used - 1].end;
        sound.then_some((Date { range, year, span: 1, month, day }, used))
    }

    fn number(&self, at: usize, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
        let part = self.part(at);
        let fits = digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse().ok()).flatten()
    }

    fn year(&self, at: usize) -> Option<u32> {
        self.number(at, 4..=4).filter(|year| (1000..2100).contains(year))
    }

    /// `1980-06-26`.
    fn iso(&self) -> Option<(Date, usize)> {
        let separated = self.gap(1) == "-" && self.gap(2) == "-";
        let (year, month, day) = (self.year(0)?, self.number(1, 2..=2)?, self.number(2, 2..=2)?);
        separated.then(|| self.found(3, Some(year), Some(month), Some(day))).flatten()
    }

    /// `26.06.1980`, `26/6/1980`; if either number may be the month, only the year is certain.
    fn by_numbers(&self) -> Option<(Date, usize)> {
        let separated = |sign: &str| self.gap(1).trim_end() == sign && self.gap(2).trim_end() == sign;
        let (first, second, year) = (self.number(0, 1..=2)?, self.number(1, 1..=2)?, self.year(2)?);
        match () {
            () if separated(".") || (separated("/") && first > 12) => {
                self.found(3, Some(year), Some(second), Some(first))
            }
            () if separated("/") && second > 12 => self.found(3, Some(year), Some(first), Some(second)),
            () if separated("/") => self.found(3, Some(year), None, None),
            () => None,
        }
    }

    /// `1980年6月26日`, or its beginning.
    fn chinese(&self) -> Option<(Date, usize)> {
        let year = self.year(0).filter(|_| self.part(1).starts_with('年'))?;
        let month = self.number(2, 1..=2).filter(|_| self.part(1) == "年" && self.part(3).starts_with('月'));
        let day = month.and(self.number(4, 1..=2)).filter(|_| self.part(3) == "月" && self.part(5).starts_with('日'));
        let used = 2 + 2 * usize::from(month.is_some()) + 2 * usize::from(day.is_some());
        self.found(used, Some(year), month, day)
    }

    /// `26 June 1980`, `26th of June`, `26. Juni 1980`.
    fn day_month(&self) -> Option<(Date, usize)> {
        let day = self.number(0, 1..=2)?;
        let mut at = 1 + usize::from(matches!(self.part(1), "st" | "nd" | "rd" | "th" | "er"));
        at += usize::from(matches!(self.part(at), "of" | "de" | "di"));
        let near = (1..=at).all(|at| matches!(self.gap(at).trim(), "" | "." | "º"));
        let month = month(self.part(at)).filter(|_| near)?;
        let year = self.year_after(at);
        self.found(year.map_or(at + 1, |(_, used)| used), year.map(|(year, _)| year), Some(month), Some(day))
    }

    /// `June 26th , 1980`, `June 1980`, `June`.
    fn month_day(&self) -> Option<(Date, usize)> {
        let month = month(self.part(0))?;
        if let Some((year, used)) = self.year_after(0) {
            return self.found(used, Some(year), Some(month), None);
        }
        let near = matches!(self.gap(1).trim(), "" | ".");
        if let Some(day) = self.number(1, 1..=2).filter(|day| near && (1..=31).contains(day)) {
            let at = 1 + usize::from(matches!(self.part(2), "st" | "nd" | "rd" | "th"));
            let year = self.year_after(at);
            return self.found(
                year.map_or(at + 1, |(_, used)| used),
                year.map(|(year, _)| year),
                Some(month),
                Some(day),
            );
        }
        let before = self.text[..self.parts[0].start].trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
        let led = matches!(
            before.as_str(),
            "in" | "since" | "until" | "by" | "of" | "from" | "late" | "early" | "mid" | "im" | "en"
        );
        let capital = self.part(0).starts_with(char::is_uppercase) && self.part(0).len() > 2;
        (capital && (led || !is_ambiguous(self.part(0)))).then(|| self.found(1, None, Some(month), None)).flatten()
    }

    /// The year after a part, and the number of parts up to its end.
    fn year_after(&self, at: usize) -> Option<(u32, usize)> {
        let next = at + 1 + usize::from(matches!(self.part(at + 1), "of" | "de" | "del"));
        let near = (at + 1..=next).all(|at| matches!(self.gap(at).trim(), "" | "," | "."));
        self.year(next).filter(|_| near).map(|year| (year, next + 1))
    }

    /// `19th century`.
    fn century(&self) -> Option<(Date, usize)> {
        let number = self.number(0, 1..=2).filter(|number| (1..=21).contains(number))?;
        let at = 1 + usize::from(matches!(self.part(1), "st" | "nd" | "rd" | "th"));
        let named =
            matches!(self.part(at).to_lowercase().as_str(), "century" | "jahrhundert" | "jahrhunderts" | "世纪");
        let range = self.parts[0].start..self.parts.get(at)?.end;
        let year = Some(number * 100 - 99);
        named.then_some((Date { range, year, span: 100, month: None, day: None }, at + 1))
    }

    /// The `19` of `2018–19`.
    fn last_year(&self) -> Option<(Date, usize)> {
        let last = self.number(0, 2..=2)?;
        let before = self.text[..self.parts[0].start].strip_suffix(['-', '–'])?;
        let first: u32 = before.get(before.len().checked_sub(4)?..)?.parse().ok()?;
        let alone = !before[..before.len() - 4].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let ends = !self.text[self.parts[0].end..].starts_with(['-', '%']);
        let year = first / 100 * 100 + last;
        (alone && ends && (1000..2100).contains(&first) && year > first)
            .then(|| self.found(1, Some(year), None, None))?
    }

    /// `1980`, `1980s`, `1980's`.
    fn year_alone(&self) -> Option<(Date, usize)> {
        let part = self.parts[0].clone();
        let year = self.year(0)?;
        let (before, after) = (&self.text[..part.start], &self.text[part.end..]);
        let joined =
            before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '$' | '€' | '£' | '#' | '/'));
        let goes_on = after.strip_prefix(['.', ',']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_plural = |end: &&str| {
            let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
            // "1996's" is a possessive, "1990's" usually a decade.
            after.strip_prefix(*end).is_some_and(ends) && (*end == "s" || year.is_multiple_of(10))
        };
        let plural = ["s", "'s", "’s"].into_iter().find(is_plural);
        let decade = plural.is_some() || after.starts_with("er");
        if joined
            || goes_on
            || after.trim_start().starts_with(['%', '°'])
            || (!decade && after.starts_with(char::is_alphabetic))
        {
            return None;
        }
        let range = part.start..part.end + plural.map_or(0, str::len);
        // The 1700s are a century, and the 1900s may be; the 2000s are usually a decade.
        let span = if !decade {
            1
        } else if year.is_multiple_of(100) && year < 2000 {
            100
        } else {
            10
        };
        Some((Date { range, year: Some(year), span, month: None, day: None }, 1 + usize::from(decade)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_a_date_makes_it_a_bound() {
        let check = |before: &str, expected: Option<Ordering>| assert_eq!(bound_before(before), expected, "{before:?}");
        check("Tea was sold before ", Some(Ordering::Less));
        check("Tea was sold Prior to the ", Some(Ordering::Less));
        check("Tea was sold after the ", Some(Ordering::Greater));
        check("Tea was sold not before ", None);
        check("Tea was sold two years after ", None);
        check("Tea wasn’t before ", None);
        check("Tea was sold in ", None);
        check("Hereafter ", None);
        check("", None);
        check("überal Tee trank, after ", Some(Ordering::Greater));
    }
}
