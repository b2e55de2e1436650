//! Shares, as evaluations report them: to four digits, and of nothing there is none.

/// `count` of `of`; none where there is nothing to be a share of, which is not the same as none of it.
pub fn share(count: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| rounded(count as f64 / of as f64))
}

/// To four digits.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// A number in a table: a dash where there is none.
pub fn cell(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.3}"))
}

/// A share in a sentence.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_there_is_no_share() {
        let check = |count, of, number: Option<f64>, shown: &str, told: &str| {
            let share = share(count, of);
            assert_eq!((share, cell(share), percent(share)), (number, shown.to_owned(), told.to_owned()));
        };
        check(2, 3, Some(0.6667), "0.667", "66.7 %");
        check(0, 3, Some(0.0), "0.000", "0.0 %");
        check(0, 0, None, "–", "–");
    }
}
