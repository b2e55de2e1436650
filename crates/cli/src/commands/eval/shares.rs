//! Shares, as evaluations report them: rounded to four digits; there is no share of nothing.

/// The share that `count` is of `of`; none where `of` is 0, which is not the same as a share of 0.
pub fn share(count: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| rounded(count as f64 / of as f64))
}

/// Rounds to four digits.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// A number as the cell of a table: a dash where there is none.
pub fn cell(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.3}"))
}

/// A share as a percentage, for a sentence.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_share_of_nothing() {
        let check = |count, of, number: Option<f64>, in_table: &str, in_sentence: &str| {
            let share = share(count, of);
            assert_eq!((share, cell(share), percent(share)), (number, in_table.to_owned(), in_sentence.to_owned()));
        };
        check(2, 3, Some(0.6667), "0.667", "66.7 %");
        check(0, 3, Some(0.0), "0.000", "0.0 %");
        check(0, 0, None, "–", "–");
    }
}
