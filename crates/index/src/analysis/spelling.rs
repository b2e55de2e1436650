//! Unicode's normal forms and lower case, and the interface to their tables.
//!
//! Natively the crate `unicode-normalization` and the standard library are linked in. A browser has all of it already,
//! and the tables would be 12 KB of what a page loads, so there the browser's own functions are supplied with
//! `Spelling::supply`. Both agree on all characters that Unicode had when the browser was made, since these must not
//! change (<https://www.unicode.org/policies/stability_policy.html>).

#[cfg(target_arch = "wasm32")]
use std::sync::OnceLock;
#[cfg(not(target_arch = "wasm32"))]
use unicode_normalization::UnicodeNormalization;

/// A spelling that a text can be brought into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Decomposed, in lower case: NFKD, lower case, and NFKD again, since a lower-case letter may have marks of its
    /// own. A capital sigma may become either of its lower-case forms.
    Apart,
    /// Composed: NFC.
    Together,
    /// In lower case, letter by letter, so that a word's last sigma is like any other.
    Small,
}

/// A function that brings a text into a spelling.
pub type Speller = fn(text: &str, spelling: Spelling) -> String;

#[cfg(target_arch = "wasm32")]
static SUPPLIED: OnceLock<Speller> = OnceLock::new();

impl Spelling {
    /// Supplies the browser's own functions, before any text is spelt.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(speller: Speller) {
        let _ = SUPPLIED.set(speller);
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

/// `text` in lower case, letter by letter.
pub fn lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { Spelling::Small.of(text) }
}

/// `text` with letters and marks composed (NFC), as most keyboards write them.
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
