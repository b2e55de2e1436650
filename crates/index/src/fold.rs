//! Folding: Unicode's compatibility form (NFKC) in lower case, without the accents of Latin and Greek letters.
//!
//! It reads the table that `build.rs` makes from Unicode's data. Two simplifications against the full algorithm
//! (<https://www.unicode.org/reports/tr15/>): several marks on one letter keep the order in which they are written, and
//! the third part of a Hangul syllable joins only a syllable that was built from two parts.

use std::sync::OnceLock;

use crate::fold_rules::{drops_marks, is_algorithmic};

/// Compatibility form in lower case, without the accents of Latin and Greek letters; every apostrophe becomes `'`.
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
    /// Each character that becomes another, in order; its first part, and where in `more` its further parts begin.
    foldings: Vec<(u32, char, usize)>,
    /// The parts behind the first.
    more: Vec<char>,
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
        let count = numbers.next();
        let (starts, lengths) = (numbers.rising(count), numbers.plain(count));
        let marks = starts.into_iter().zip(lengths).map(|(start, length)| (start, start + length)).collect();
        let count = numbers.next();
        let (chars, lengths, steps) = (numbers.rising(count), numbers.plain(count), numbers.moving(count));
        let mut behind = 0;
        let folding = |((number, length), step): ((u32, u32), u32)| {
            let start = behind;
            behind += length - 1;
            (number, character(number.wrapping_add(step)), start as usize)
        };
        let foldings = chars.into_iter().zip(lengths).zip(steps).map(folding).collect();
        let more = numbers.moving(behind).into_iter().map(character).collect();
        let count = numbers.next();
        let [letters, marked, composed] = std::array::from_fn(|_| numbers.moving(count));
        let pair = |((letter, mark), composed)| (letter, mark, composed);
        let mut pairs: Vec<_> = letters.into_iter().zip(marked).zip(composed).map(pair).collect();
        crate::sort_by(&mut pairs, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        Table { marks, foldings, more, pairs }
    }

    fn is_mark(&self, c: char) -> bool {
        let at = self.marks.partition_point(|range| range.1 <= c as u32);
        self.marks.get(at).is_some_and(|range| range.0 <= c as u32)
    }

    /// Hands on what `c` becomes.
    fn each(&self, c: char, take: &mut dyn FnMut(char)) {
        let Ok(at) = self.foldings.binary_search_by_key(&(c as u32), |folding| folding.0) else { return take(c) };
        let (_, first, start) = self.foldings[at];
        let end = self.foldings.get(at + 1).map_or(self.more.len(), |next| next.2);
        take(first);
        self.more[start..end].iter().for_each(|&part| take(part));
    }
}

/// A character of our own table, whose numbers are always characters.
fn character(number: u32) -> char {
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
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

    fn plain(&mut self, count: u32) -> Vec<u32> {
        (0..count).map(|_| self.next()).collect()
    }

    /// Numbers that are written as gaps.
    fn rising(&mut self, count: u32) -> Vec<u32> {
        let mut numbers = self.plain(count);
        add_up(&mut numbers);
        numbers
    }

    /// Numbers that are written as differences, with the sign in the lowest bit.
    fn moving(&mut self, count: u32) -> Vec<u32> {
        let mut numbers = self.plain(count);
        numbers.iter_mut().for_each(|step| *step = (*step >> 1) ^ (*step & 1).wrapping_neg());
        add_up(&mut numbers);
        numbers
    }
}

/// Makes each number the sum of all up to it.
fn add_up(numbers: &mut [u32]) {
    let mut last = 0u32;
    for number in numbers {
        last = last.wrapping_add(*number);
        *number = last;
    }
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
        for c in text.nfkd().flat_map(char::to_lowercase).nfkd() {
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
            let text = format!("\u{5d0}{c}");
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
            ("ΆΛΦΑ ς", "αλφα ς"),
            ("हिन्दी", "हिन्दी"),
            ("İ ẞ", "i ß"),
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
