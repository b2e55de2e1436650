//! The system's time as text, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// The seconds of a day.
const DAY: u64 = 86_400;

/// Today in UTC, as `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    day_of(seconds())
}

/// The day in UTC that is `seconds` after the beginning of 1970, as `YYYY-MM-DD`.
pub(crate) fn day_of(seconds: u64) -> String {
    date((seconds / DAY) as i64)
}

/// Now, to the second, as RFC 3339 has it: `2026-11-20T09:30:00Z`.
pub(crate) fn now() -> String {
    moment(seconds())
}

/// The seconds since 1970.
fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn moment(seconds: u64) -> String {
    let (day, rest) = ((seconds / DAY) as i64, seconds % DAY);
    format!("{}T{:02}:{:02}:{:02}Z", date(day), rest / 3600, rest / 60 % 60, rest % 60)
}

/// The date that lies `days` days after 1970-01-01 (`civil_from_days` of
/// <https://howardhinnant.github.io/date_algorithms.html>): years begin in March there, so that leap days come last.
fn date(days: i64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let check = |days: i64, expected: &str| assert_eq!(date(days), expected);
        check(0, "1970-01-01");
        check(59, "1970-03-01");
        check(11_016, "2000-02-29");
        check(19_723, "2024-01-01");
        check(20_513, "2026-03-01");
        check(47_540, "2100-02-28");
        check(47_541, "2100-03-01");
    }

    #[test]
    fn seconds_become_moments() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (1_704_067_261, "2024-01-01T00:01:01Z"),
        ] {
            assert_eq!(moment(seconds), expected);
        }
    }
}
