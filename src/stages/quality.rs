//! `quality`: whether a page says enough to be answered from. Pages of a few words, and short ones that share no word with the
//! question, are left out, unless all of them are.
//!
//! The score of a page of *w* words that has the share *s* of the question's words:
//!
//! ```text
//! 0                                                      where w < 20
//! min(1, min(0.8, 0.2 + w / 200 · 0.6) + min(0.2, s · 0.2))   else
//! ```
//!
//! Words are those of the page's language, without punctuation, in their basic form; function words of the question do not
//! count.

/// A page of fewer words says nothing.
const LEAST_WORDS: usize = 20;
/// The words of a page that is long enough.
const ENOUGH_WORDS: f64 = 200.0;
/// What length counts: the least, the rest up to enough words, and the most.
const LENGTH_BASE: f64 = 0.2;
const LENGTH_SHARE: f64 = 0.6;
const LENGTH_MOST: f64 = 0.8;
/// What the question's words count.
const OVERLAP_SHARE: f64 = 0.2;

/// The threshold below which a page is left out.
pub(super) const QUALITY_THRESHOLD: f64 = 0.3;

/// The quality of a text of `words` words that has the share `overlap` of the question's words (0 to 1).
pub(super) fn quality(words: usize, overlap: f64) -> f64 {
    if words < LEAST_WORDS {
        return 0.0;
    }
    let length = (LENGTH_BASE + words as f64 / ENOUGH_WORDS * LENGTH_SHARE).min(LENGTH_MOST);
    (length + (overlap * OVERLAP_SHARE).min(OVERLAP_SHARE)).min(1.0)
}

/// The share of `asked`, the question's words, that are among those of a text; 0 where the question has none. Each word of the
/// question counts once.
pub(super) fn overlap(asked: &[String], text: &[String]) -> f64 {
    let mut seen: Vec<&String> = Vec::new();
    for word in asked {
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    let found = seen.iter().filter(|word| text.contains(word)).count();
    if seen.is_empty() { 0.0 } else { found as f64 / seen.len() as f64 }
}

/// Which texts of these qualities are kept: those of at least `threshold`, or all where none is as good.
pub(super) fn select_good(qualities: &[f64], threshold: f64) -> Vec<bool> {
    let is_good = |quality: &f64| *quality >= threshold;
    let any = qualities.iter().any(is_good);
    qualities.iter().map(|quality| !any || is_good(quality)).collect()
}

#[cfg(test)]
mod tests {
    use seealso_index::Analysis;

    use super::*;

    #[test]
    fn the_arithmetic_is_that_of_the_table() {
        let check = |words: usize, overlap: f64, expected: f64| {
            let quality = quality(words, overlap);
            assert!((quality - expected).abs() < 1e-9, "{words} words, {overlap}: {quality}");
        };
        check(0, 1.0, 0.0);
        check(19, 0.0, 0.0);
        check(19, 1.0, 0.0);
        check(20, 0.0, 0.26);
        check(33, 0.0, 0.299);
        check(34, 0.0, 0.302);
        check(50, 0.0, 0.35);
        check(100, 0.0, 0.5);
        check(200, 0.0, 0.8);
        check(5_000, 0.0, 0.8);
        check(20, 0.2, 0.3);
        check(20, 1.0, 0.46);
        check(100, 0.5, 0.6);
        check(200, 1.0, 1.0);
        check(200, 7.0, 1.0);
    }

    #[test]
    fn what_is_just_good_enough_is_kept_and_so_are_all_where_none_is() {
        let of = |words: &[usize]| -> Vec<f64> { words.iter().map(|&words| quality(words, 0.0)).collect() };
        assert_eq!(select_good(&of(&[33, 34, 19, 200]), QUALITY_THRESHOLD), [false, true, false, true]);
        assert_eq!(select_good(&[0.3, 0.299], QUALITY_THRESHOLD), [true, false]);
        assert_eq!(select_good(&of(&[19, 33]), QUALITY_THRESHOLD), [true, true]);
        assert!(select_good(&[], QUALITY_THRESHOLD).is_empty());
    }

    #[test]
    fn words_are_compared_without_punctuation_and_function_words() {
        let terms = |text: &str| -> Vec<String> {
            Analysis::English.tokens(text).into_iter().map(|token| token.term).collect()
        };
        let check = |question: &str, text: &str, expected: f64| {
            assert_eq!(overlap(&terms(question), &terms(text)), expected, "{question} {text}");
        };
        check("What is scheduling?", "Scheduling: who runs when.", 1.0);
        check("How does the scheduler share time?", "(Time), and \"scheduler\".", 2.0 / 3.0);
        check("tea, tea, and coffee", "Tea.", 0.5);
        check("What is the?", "What is the.", 0.0);
        check("tea", "", 0.0);
    }
}
