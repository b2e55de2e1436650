//! Unicode's normal forms and small letters, and the seam behind which their tables live.
//!
//! Natively the crate `unicode-normalization` and the standard library are linked in. A browser has all of it already,
//! and its tables would be 12 KB of what a page loads, so there its own is handed over with `Spelling::supply`. Both
//! sides agree on all characters that Unicode had when the browser was made: they may not change any more
//! (<https://www.unicode.org/policies/stability_policy.html>).

#[cfg(target_arch = "wasm32")]
use std::sync::OnceLock;
#[cfg(not(target_arch = "wasm32"))]
use unicode_normalization::UnicodeNormalization;

/// A way to spell a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// In small letters and taken apart: NFKD, lower case, and NFKD again, for a small letter may have marks of its own.
    /// A capital sigma may become either small one.
    Apart,
    /// Put together: NFC.
    Together,
    /// In small letters, each by itself, so that a word's last sigma is like any other.
    Small,
}

/// Spells a text.
pub type Spell = fn(text: &str, spelling: Spelling) -> String;

#[cfg(target_arch = "wasm32")]
static SUPPLIED: OnceLock<Spell> = OnceLock::new();

impl Spelling {
    /// Hands over the browser's own spelling, before anything is spelt.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(spell: Spell) {
        let _ = SUPPLIED.set(spell);
    }

    /// The text in this spelling.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn of(self, text: &str) -> String {
        SUPPLIED.get().map_or_else(|| text.to_owned(), |spell| spell(text, self))
    }

    /// The text in this spelling.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn of(self, text: &str) -> String {
        match self {
            Spelling::Apart => text.nfkd().flat_map(char::to_lowercase).nfkd().collect(),
            Spelling::Together => text.nfc().collect(),
            Spelling::Small => text.chars().flat_map(char::to_lowercase).collect(),
        }
    }
}

/// `text` in lower case, each letter by itself.
pub fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { Spelling::Small.of(text) }
}

/// `text` with its letters and marks put together (NFC), as most keyboards write them.
pub fn composed(text: &str) -> String {
    if text.is_ascii() { text.to_owned() } else { Spelling::Together.of(text) }
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn small_letters_do_not_depend_on_their_neighbours() {
        for (text, expected) in
            [("WORD", "word"), ("ΛΌΓΟΣ λόγος", "λόγοσ λόγος"), ("İÉ", "i\u{307}é"), ("ß 漢", "ß 漢")]
        {
            assert_eq!(lower(text), expected, "{text}");
        }
    }
}
