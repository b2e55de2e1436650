//! Dividing text into words and other runs of one script.

use crate::analysis::fold::{fold, is_mark};

/// A kind of script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// A script with spaces between words: a run is a word.
    Spaced,
    /// A script without spaces, or Hangul, whose words carry their particles. Each such script has a number, and makes
    /// runs of its own.
    Unspaced(u8),
    /// A symbol, such as an arrow or an emoji: each symbol is a run.
    Symbol,
}

/// A run of characters of one script, with its place in the text.
#[derive(Debug)]
pub(super) struct Run {
    /// The folded text.
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) script: Script,
}

/// The scripts whose runs are divided into pairs: first and last character, and the number of the script.
const UNSPACED: &[(u32, u32, u8)] = &[
    (0x0e00, 0x0e7f, 1),   // Thai
    (0x0e80, 0x0eff, 2),   // Lao
    (0x1000, 0x109f, 3),   // Myanmar
    (0x1100, 0x11ff, 4),   // Hangul letters
    (0x1780, 0x17ff, 5),   // Khmer
    (0x3005, 0x3007, 6),   // 々〆〇
    (0x3040, 0x30ff, 6),   // Hiragana, Katakana
    (0x3130, 0x318f, 4),   // Hangul letters, compatibility
    (0x31f0, 0x31ff, 6),   // Katakana for Ainu
    (0x3400, 0x9fff, 6),   // Han
    (0xa960, 0xa97f, 4),   // Hangul letters
    (0xaa60, 0xaa7f, 3),   // Myanmar
    (0xac00, 0xd7ff, 4),   // Hangul syllables
    (0xf900, 0xfaff, 6),   // Han, compatibility
    (0xff66, 0xff9f, 6),   // Katakana, half width
    (0xffa0, 0xffdc, 4),   // Hangul letters, half width
    (0x20000, 0x3ffff, 6), // Han, further planes
];

/// The ranges of symbols: arrows, mathematical and technical symbols, shapes, dingbats, emoji.
const SYMBOLS: [(u32, u32); 3] = [(0x2190, 0x245f), (0x2500, 0x2bff), (0x1f000, 0x1faff)];

/// Whether `c` is a symbol that means something by itself.
pub(super) fn is_symbol(c: char) -> bool {
    SYMBOLS.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(c))) && !c.is_alphanumeric()
}

/// The script of a letter, digit, mark or symbol.
pub(super) fn script(c: char) -> Script {
    let number = u32::from(c);
    // Most characters of most texts.
    if number < UNSPACED[0].0 {
        return Script::Spaced;
    }
    if is_symbol(c) {
        return Script::Symbol;
    }
    // The digits of these scripts make numbers, which are words. Han has no digits of its own.
    let digit = number < 0x3000 && c.is_numeric();
    match UNSPACED.iter().find(|(first, last, _)| (*first..=*last).contains(&number)) {
        Some((_, _, script)) if !digit => Script::Unspaced(*script),
        _ => Script::Spaced,
    }
}

/// Divides `text` into runs. An apostrophe between letters is part of a word.
pub(super) fn runs(text: &str) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let mut open: Option<(usize, Script)> = None;
    let mut close = |from: (usize, Script), end: usize| {
        let folded = fold(&text[from.0..end]);
        if !folded.is_empty() {
            found.push(Run { text: folded, start: from.0, end, script: from.1 });
        }
    };
    for (at, c) in text.char_indices() {
        let mark = is_mark(c);
        let class = if c.is_alphanumeric() || mark || is_symbol(c) { Some(script(c)) } else { None };
        open = match (open, class) {
            (Some(run), Some(script)) if mark || script == run.1 && script != Script::Symbol => Some(run),
            (Some(run), None) if stays_inside(run.1, c, &text[at..]) => Some(run),
            (Some(run), class) => {
                close(run, at);
                class.map(|script| (at, script))
            }
            (None, class) => class.map(|script| (at, script)),
        };
    }
    if let Some(run) = open {
        close(run, text.len());
    }
    found
}

/// Whether the character `c`, with which `rest` begins, is part of a run although it is no letter.
fn stays_inside(script: Script, c: char, rest: &str) -> bool {
    let before_letter =
        || rest[c.len_utf8()..].chars().next().is_some_and(|next| next.is_alphabetic() || is_mark(next));
    match c {
        '\'' | '\u{2019}' => script == Script::Spaced && before_letter(),
        // Soft hyphens and joiners are invisible inside a word. Khmer and Thai have zero-width spaces at any place.
        '\u{ad}' | '\u{200d}' => true,
        // In Persian a non-joiner is between parts of a word that are also written as separate words.
        '\u{200c}' => before_letter() && !matches!(rest.chars().nth(1), Some('\u{600}'..='\u{6ff}')),
        '\u{200b}' => script != Script::Spaced,
        _ => false,
    }
}
