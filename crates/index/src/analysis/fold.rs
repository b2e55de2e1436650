//! Folding: Unicode's compatibility form (NFKC) in lower case, without the marks that writers leave out (accents of
//! Latin and Greek, points of Hebrew, vowels of Arabic), and with one letter for those that writers mix up
//! (<https://www.unicode.org/reports/tr15/>).
//!
//! Which characters are marks is asked for every letter, so it has a small table of its own, which `build.rs` makes
//! from Unicode's data.

use std::sync::OnceLock;

use crate::analysis::fold_rules::{beyond_normalisation, drops_mark};
use crate::analysis::spelling::Spelling;

/// `text` in compatibility form and lower case, without the marks of Latin, Greek, Hebrew and Arabic letters, and with
/// one letter for those that writers mix up (`ß` becomes `ss`). Every apostrophe becomes `'`.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = FoldedText { text: String::with_capacity(text.len()), base: ' ' };
    for c in Spelling::Apart.of(text).chars() {
        match beyond_normalisation(c) {
            Some(others) => others.chars().for_each(|other| folded.push(other)),
            None => folded.push(c),
        }
    }
    if folded.text.is_ascii() { folded.text } else { Spelling::Together.of(&folded.text) }
}

/// Letters, and the marks that they keep.
struct FoldedText {
    text: String,
    base: char,
}

impl FoldedText {
    fn push(&mut self, c: char) {
        if !is_mark(c) {
            self.base = c;
        } else if drops_mark(self.base, c) {
            return;
        }
        self.text.push(c);
    }
}

/// Whether `c` is a mark that combines with the letter before it.
pub(crate) fn is_mark(c: char) -> bool {
    /// The ranges of marks, sorted: first, and one past the last.
    static RANGES: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
    if c < '\u{300}' {
        return false;
    }
    let ranges = RANGES.get_or_init(|| unpack(include_bytes!(concat!(env!("OUT_DIR"), "/marks.bin"))));
    let at = ranges.partition_point(|range| range.1 <= c as u32);
    ranges.get(at).is_some_and(|range| range.0 <= c as u32)
}

/// The ranges in the varints that `build.rs` wrote: for each the gap before it, and its length.
fn unpack(bytes: &[u8]) -> Vec<(u32, u32)> {
    let (mut ranges, mut start, mut end) = (Vec::new(), None, 0);
    let (mut value, mut shift) = (0, 0);
    for byte in bytes {
        value |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if *byte >= 0x80 {
            continue;
        }
        end += std::mem::take(&mut value);
        shift = 0;
        start = match start {
            None => Some(end),
            Some(start) => {
                ranges.push((start, end));
                None
            }
        };
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;

    /// The same by the full algorithm.
    fn reference(text: &str) -> String {
        let mut base = ' ';
        let mut kept = String::new();
        let beyond = |c: char| beyond_normalisation(c).map_or(c.to_string(), str::to_owned);
        let parts: String = text.nfkd().flat_map(char::to_lowercase).nfkd().map(beyond).collect();
        for c in parts.chars() {
            if !is_combining_mark(c) {
                base = c;
                kept.push(c);
            } else if !drops_mark(base, c) {
                kept.push(c);
            }
        }
        kept.nfc().map(|c| if c == '\u{2019}' { '\'' } else { c }).collect()
    }

    #[test]
    fn every_character_folds_as_by_the_full_algorithm() {
        for c in '\0'..=char::MAX {
            let mark = is_combining_mark(c);
            assert_eq!(is_mark(c), mark, "{c:?}");
            let text = format!("я{c}");
            if !mark {
                assert_eq!(fold(&text), reference(&text), "{c:?} {:x}", c as u32);
            }
        }
    }

    #[test]
    fn marks_join_their_letters_again() {
        for (text, expected) in [
            ("Cafe\u{301} CAFÉ", "cafe cafe"),
            ("И\u{306}Й", "йй"),
            ("Москва\u{301} за\u{301}мок ѝ ѐ", "москва замок и е"),
            ("ѓубре ќерка ёлка їжак", "ѓубре ќерка ёлка їжак"),
            ("か\u{3099}ハ\u{309a}ﾊﾟ", "がパパ"),
            ("\u{1112}\u{1161}\u{11ab}한", "한한"),
            ("Ⅳ ﬁ ｗｉｄｅ ½", "iv fi wide 1\u{2044}2"),
            ("ΆΛΦΑ ΛΌΓΟς λόγος", "αλφα λογοσ λογοσ"),
            ("हिन्दी क़लम क\u{93c}लम २०२४", "हिन्दी कलम कलम 2024"),
            ("বাংলা ড\u{9bc} ড়", "বাংলা ড় ড়"),
            ("İ IŞIK ışık", "i isik isik"),
            ("Straße STRAẞE STRASSE", "strasse strasse strasse"),
            ("Łódź Ærø œuvre Þór", "lodz aero oeuvre thor"),
            ("שָׁלוֹם שלום", "שלום שלום"),
            ("كِتَابٌ كتـــاب آإأٱ", "كتاب كتاب اااا"),
            ("مدرسة على سؤال ٢٠٢٤", "مدرسه علي سوال 2024"),
            ("کتاب فارسی", "كتاب فارسي"),
            ("co\u{ad}op zero\u{200b}width", "coop zerowidth"),
        ] {
            assert_eq!(fold(text), expected, "{text}");
            assert_eq!(fold(text), reference(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn composed_text_folds_as_by_the_full_algorithm(text in "[a-zA-Z\u{c0}-\u{17f}\u{3b1}-\u{3ce}\u{410}-\u{44f}\u{5d0}-\u{5ea}\u{4e00}-\u{4e09}\u{3041}-\u{3093}\u{30a1}-\u{30f6}\u{ac00}-\u{b000} ]{0,20}") {
            prop_assert_eq!(fold(&text), reference(&text));
            let parts: String = text.nfd().collect();
            prop_assert_eq!(fold(&parts), reference(&text));
        }

        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,20}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
