//! A day of the calendar, as front matter has it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A day of the Gregorian calendar, from the year 1 to the year 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The days before each month of a year that is no leap year.
const DAYS_BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

impl Date {
    /// Reads `YYYY-MM-DD`; a time of the day may follow, as in `2026-01-31T09:30:00Z`, and does not count.
    pub fn parse(text: &str) -> Option<Date> {
        let text = text.trim();
        let (date, rest) = text.split_at_checked(10)?;
        if !(rest.is_empty() || rest.starts_with(['T', 't', ' '])) {
            return None;
        }
        let mut parts = date.split('-');
        let mut part = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits && part.bytes().all(|c| c.is_ascii_digit()))?;
            part.parse::<u16>().ok()
        };
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        let is_real = year > 0 && (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
        is_real.then_some(Date { year, month: month as u8, day: day as u8 })
    }

    /// The days from `earlier` to this date; negative where `earlier` is later.
    pub fn days_since(self, earlier: Date) -> i64 {
        self.number() - earlier.number()
    }

    /// The days since the beginning of the year 1.
    fn number(self) -> i64 {
        let before = i64::from(self.year) - 1;
        let leap_days = before / 4 - before / 100 + before / 400;
        let leap_day = i64::from(self.month > 2 && is_leap(self.year));
        let of_year = i64::from(DAYS_BEFORE[usize::from(self.month) - 1]) + leap_day + i64::from(self.day) - 1;
        before * 365 + leap_days + of_year
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of(year: u16, month: u16) -> u16 {
    match month {
        2 => 28 + u16::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Date, String> {
        Date::parse(&text).ok_or_else(|| format!("\"{text}\" is no date such as 2026-01-31"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_and_written() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Date::parse(text).map(|date| date.to_string()).as_deref(), expected, "{text}");
        };
        check("2026-01-31", Some("2026-01-31"));
        check(" 2024-02-29 ", Some("2024-02-29"));
        check("2026-01-31T09:30:00Z", Some("2026-01-31"));
        for text in ["", "2026", "2026-1-31", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "0000-01-01"] {
            check(text, None);
        }
        for text in ["2026-01-31x", "2026/01/31", "+026-01-31", "2026-01-éé", "31.01.2026"] {
            check(text, None);
        }
    }

    #[test]
    fn days_between_dates() {
        let check = |from: &str, to: &str, days: i64| {
            let [from, to] = [from, to].map(|text| Date::parse(text).unwrap());
            assert_eq!((to.days_since(from), from.days_since(to)), (days, -days), "{from} {to}");
        };
        check("2026-01-31", "2026-01-31", 0);
        check("2023-12-31", "2024-03-01", 61);
        check("1970-01-01", "2026-03-01", 20_513);
        check("1999-12-31", "2000-12-31", 366);
        check("0001-01-01", "9999-12-31", 3_652_058);
    }
}
