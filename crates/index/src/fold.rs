//! Folding: Unicode's compatibility form (NFKC) in lower case, without the marks that writers leave out (accents of Latin
//! and Greek, points of Hebrew, vowels of Arabic), and with one letter for those that they mix up.
//!
//! It reads the table that `build.rs` makes from Unicode's data. Two simplifications against the full algorithm
//! (<https://www.unicode.org/reports/tr15/>): several marks on one letter keep the order in which they are written, and
//! the third part of a Hangul syllable joins only a syllable that was built from two parts.

use std::sync::OnceLock;

use crate::fold_rules::{drops_marks, is_algorithmic};

/// Compatibility form in lower case, without the marks of Latin, Greek, Hebrew and Arabic letters, with one letter for
/// those that writers mix up (`ß` is `ss`); every apostrophe becomes `'`.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let table = Table::get();
    let mut out = Folded { text: String::with_capacity(text.len()), base: ' ' };
    for c in text.chars() {
        match c {
            'A'..='Z' => out.push(c.to_ascii_lowercase(), table),
            '\u{2019}' => out.push('\'', table),
            '\0'..='\u{7f}' => out.push(c, table),
            _ => table.each(c, &mut |part| out.push(part, table)),
        }
    }
    out.text
}

/// Whether `c` is a mark that combines with the letter before it.
pub(crate) fn is_mark(c: char) -> bool {
    c >= '\u{300}' && Table::get().is_mark(c)
}

struct Folded {
    text: String,
    base: char,
}

impl Folded {
    fn push(&mut self, c: char, table: &Table) {
        let mark = c >= '\u{300}' && table.is_mark(c);
        if mark && drops_marks(self.base) {
            return;
        }
        match self.text.chars().next_back().and_then(|last| compose(last, c, table)) {
            Some(composed) => {
                self.text.pop();
                self.text.push(composed);
            }
            None => self.text.push(c),
        }
        if !mark {
            self.base = c;
        }
    }
}

fn compose(last: char, c: char, table: &Table) -> Option<char> {
    if c < '\u{300}' {
        return None;
    }
    hangul(last as u32, c as u32).or_else(|| {
        let at = table.pairs.binary_search_by_key(&(last as u32, c as u32), |pair| (pair.0, pair.1)).ok()?;
        char::from_u32(table.pairs[at].2)
    })
}

/// Hangul syllables compose by arithmetic (The Unicode Standard, section 3.12).
fn hangul(last: u32, c: u32) -> Option<char> {
    let (l, v, t, s) = (0x1100, 0x1161, 0x11a7, 0xac00);
    if (l..l + 19).contains(&last) && (v..v + 21).contains(&c) {
        return char::from_u32(s + ((last - l) * 21 + (c - v)) * 28);
    }
    let open = is_algorithmic(char::from_u32(last)?) && (last - s).is_multiple_of(28);
    (open && (t + 1..t + 28).contains(&c)).then(|| char::from_u32(last + (c - t))).flatten()
}

/// The table, unpacked.
struct Table {
    /// First and one past the last of each range of marks.
    marks: Vec<(u32, u32)>,
    /// First character, how many, and what the first becomes.
    runs: Vec<(u32, u32, u32)>,
    /// A character, and where in `parts` what it becomes begins.
    singles: Vec<(u32, u32)>,
    parts: Vec<char>,
    /// Letter, mark, and the letter that both make; sorted.
    pairs: Vec<(u32, u32, u32)>,
}

impl Table {
    fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Table::unpack(include_bytes!(concat!(env!("OUT_DIR"), "/fold.bin"))))
    }

    fn unpack(bytes: &[u8]) -> Table {
        let mut numbers = Numbers { bytes };
        let mut last = 0;
        let marks = numbers.list(|numbers| {
            last += numbers.next();
            (last, last + numbers.next())
        });
        let mut last = 0;
        let runs = numbers.list(|numbers| {
            last += numbers.next();
            (last, numbers.next(), numbers.next())
        });
        let mut last = 0;
        let mut singles = numbers.list(|numbers| {
            last += numbers.next();
            (last, 0)
        });
        let mut end = 0;
        for single in &mut singles {
            single.1 = end;
            end += numbers.next();
        }
        let mut last = 0;
        let mut parts = Vec::new();
        for _ in 0..end {
            last = numbers.from(last);
            parts.extend(char::from_u32(last));
        }
        let mut last = 0;
        let mut pairs = numbers.list(|numbers| {
            last = numbers.from(last);
            (last, numbers.next(), numbers.from(last))
        });
        crate::sort_by(&mut pairs, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        Table { marks, runs, singles, parts, pairs }
    }

    fn is_mark(&self, c: char) -> bool {
        let at = self.marks.partition_point(|range| range.1 <= c as u32);
        self.marks.get(at).is_some_and(|range| range.0 <= c as u32)
    }

    /// Hands on what `c` becomes.
    fn each(&self, c: char, take: &mut dyn FnMut(char)) {
        let number = c as u32;
        let run = self.runs.partition_point(|run| run.0 <= number).checked_sub(1).map(|at| self.runs[at]);
        if let Some((start, length, to)) = run.filter(|run| number - run.0 < run.1) {
            debug_assert!(number - start < length);
            return take(char::from_u32(to + (number - start)).unwrap_or(c));
        }
        match self.singles.binary_search_by_key(&number, |single| single.0) {
            Ok(at) => {
                let end = self.singles.get(at + 1).map_or(self.parts.len(), |next| next.1 as usize);
                self.parts[self.singles[at].1 as usize..end].iter().for_each(|&part| take(part));
            }
            Err(_) => take(c),
        }
    }
}

/// The varints of our own table, which are always whole.
struct Numbers<'a> {
    bytes: &'a [u8],
}

impl Numbers<'_> {
    fn next(&mut self) -> u32 {
        let mut value = 0;
        let mut shift = 0;
        while let Some((&byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            value |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    /// The number at the next distance from `start`.
    fn from(&mut self, start: u32) -> u32 {
        let distance = self.next();
        if distance & 1 == 0 { start + (distance >> 1) } else { start - (distance >> 1) }
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.next();
        (0..count).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold_rules::beyond_normalisation;
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
            } else if !drops_marks(base) {
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
