//! Special tokens in a text, where the caller wants them found.

use std::collections::HashMap;

use super::vocabulary::{TokenKind, Vocabulary};

/// Control and user-defined tokens by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Specials {
    by_name: HashMap<String, u32>,
    /// The lengths of names that begin with each byte, longest first.
    lengths: HashMap<u8, Vec<usize>>,
}

impl Specials {
    pub(super) fn new(vocabulary: &Vocabulary) -> Specials {
        let mut specials = Specials::default();
        let is_special = |kind| matches!(kind, TokenKind::Control | TokenKind::UserDefined);
        for (token, _) in vocabulary.kinds().filter(|&(_, kind)| is_special(kind)) {
            let name = vocabulary.bytes(token).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
            if let Some(&first) = name.as_bytes().first() {
                specials.by_name.entry(name.to_owned()).or_insert(token);
                specials.lengths.entry(first).or_default().push(name.len());
            }
        }
        for lengths in specials.lengths.values_mut() {
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            lengths.dedup();
        }
        specials
    }

    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The leftmost special token in `text`, of those that begin there the longest: what is before it, the token, and
    /// what comes after.
    pub(super) fn next_in<'t>(&self, text: &'t str) -> Option<(&'t str, u32, &'t str)> {
        for (at, byte) in text.bytes().enumerate() {
            for &length in self.lengths.get(&byte).into_iter().flatten() {
                if let Some(token) = text.get(at..at + length).and_then(|name| self.find(name)) {
                    return Some((&text[..at], token, &text[at + length..]));
                }
            }
        }
        None
    }
}
