//! Byte-pair encoding of one word (<https://arxiv.org/abs/1508.07909>), by ranked merges.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::merge::{NONE, Symbol, merge};
use super::vocabulary::{Vocabulary, bytes_of};
use crate::Error;
use crate::metadata::Metadata;

/// The merges of a byte-level vocabulary.
#[derive(Debug, Clone)]
pub(super) struct Merges {
    /// For a pair of tokens, its rank and what it becomes.
    pairs: HashMap<(u32, u32), (u32, u32), BuildHasherDefault<PairHasher>>,
    /// The token of each byte, or [`NONE`].
    bytes: Vec<u32>,
    /// Whether a word that is a token is taken as it is, whatever the merges say (Llama 3).
    whole_words: bool,
}

impl Merges {
    pub(super) fn read(metadata: &Metadata, vocabulary: &Vocabulary, whole_words: bool) -> Result<Merges, Error> {
        let list = metadata.need_texts("tokenizer.ggml.merges")?;
        let mut pairs = HashMap::default();
        for (rank, text) in list.iter().enumerate() {
            let space = text.char_indices().skip(1).find(|&(_, c)| c == ' ');
            let Some((left, right)) = space.map(|(at, _)| (bytes_of(&text[..at]), bytes_of(&text[at + 1..]))) else {
                return Err(Error::corrupt("tokenizer", format!("a merge of one part, `{}`", super::clipped(text))));
            };
            let whole = [left.as_slice(), &right].concat();
            // A merge to what is no token can never be: without it, the rest means the same.
            if let (Some(left), Some(right), Some(whole)) =
                (vocabulary.find(&left), vocabulary.find(&right), vocabulary.find(&whole))
            {
                pairs.entry((left, right)).or_insert((rank as u32, whole));
            }
        }
        let bytes = (0..=255u8).map(|byte| vocabulary.find(&[byte]).unwrap_or(NONE)).collect();
        Ok(Merges { pairs, bytes, whole_words })
    }

    /// Appends the tokens of `word`. A byte that has no token, in vocabularies that lack some, is left out.
    pub(super) fn encode(&self, word: &[u8], vocabulary: &Vocabulary, tokens: &mut Vec<u32>) {
        if self.whole_words
            && let Some(token) = vocabulary.find(word)
        {
            tokens.push(token);
            return;
        }
        let symbols: Vec<Symbol> = word
            .iter()
            .enumerate()
            .map(|(at, &byte)| Symbol::new(at, at + 1, self.bytes[usize::from(byte)]))
            .filter(|symbol| symbol.token != NONE)
            .collect();
        let merged = merge(symbols, |left, right| self.pairs.get(&(left.token, right.token)).copied());
        tokens.extend(merged.map(|symbol| symbol.token));
    }
}

/// Mixes two small numbers by multiplication: the keys come from a vocabulary, and a slow table harms its own file
/// alone.
#[derive(Debug, Default, Clone, Copy)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
