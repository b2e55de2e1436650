//! SentencePiece's byte-pair encoding (<https://arxiv.org/abs/1808.06226>): pieces with scores, bytes where none fits.
//!
//! Files write a space as U+2581; the vocabulary here has it as a space.

use super::merge::{NONE, Symbol, merge};
use super::vocabulary::{TokenKind, Vocabulary};
use crate::Error;
use crate::metadata::{Array, Metadata};

/// The scores, and what else is needed to encode.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    /// For each token its place in the order of scores, the best first.
    ranks: Vec<u32>,
    /// The token of each byte, or [`NONE`].
    bytes: Vec<u32>,
    /// The token for what has none, or [`NONE`].
    unknown: u32,
    adds_space: bool,
}

impl Pieces {
    pub(super) fn read(metadata: &Metadata, vocabulary: &Vocabulary) -> Result<Pieces, Error> {
        const KEY: &str = "tokenizer.ggml.scores";
        let Some(Array::Float(scores)) = metadata.array(KEY) else {
            return Err(Error::metadata(KEY, "a list of numbers"));
        };
        if scores.len() != vocabulary.len() {
            let reason = format!("{} tokens, but {} scores", vocabulary.len(), scores.len());
            return Err(Error::corrupt("tokenizer", reason));
        }
        let mut bytes = vec![NONE; 256];
        let mut unknown = NONE;
        for (token, kind) in vocabulary.kinds() {
            match (kind, vocabulary.bytes(token)) {
                (TokenKind::Byte, Some(&[byte])) => bytes[usize::from(byte)] = token,
                (TokenKind::Unknown, _) => unknown = token,
                _ => {}
            }
        }
        let adds_space = metadata.bool("tokenizer.ggml.add_space_prefix").unwrap_or(true);
        Ok(Pieces { ranks: ranks(scores), bytes, unknown, adds_space })
    }

    /// Whether a space is put before a text.
    pub(super) fn adds_space(&self) -> bool {
        self.adds_space
    }

    /// Appends the tokens of `text`, the whole of it or a part between special tokens.
    pub(super) fn encode(&self, text: &str, vocabulary: &Vocabulary, tokens: &mut Vec<u32>) {
        let text = if self.adds_space { format!(" {text}") } else { text.to_owned() };
        let bytes = text.as_bytes();
        let token = |start: usize, end: usize| vocabulary.find(&bytes[start..end]);
        let symbols = text
            .char_indices()
            .map(|(at, c)| (at, at + c.len_utf8()))
            .map(|(start, end)| Symbol::new(start, end, token(start, end).unwrap_or(NONE)))
            .collect();
        let merged = merge(symbols, |left, right| {
            let token = token(left.start, right.end)?;
            Some((self.ranks[token as usize], token))
        });
        for symbol in merged {
            match symbol.token {
                NONE => self.encode_bytes(&bytes[symbol.start..symbol.end], tokens),
                token => tokens.push(token),
            }
        }
    }

    /// A character without a token, byte by byte, where all bytes have tokens.
    fn encode_bytes(&self, character: &[u8], tokens: &mut Vec<u32>) {
        let found: Vec<u32> = character.iter().map(|&byte| self.bytes[usize::from(byte)]).collect();
        if !found.contains(&NONE) {
            tokens.extend(found);
        } else if self.unknown != NONE {
            tokens.push(self.unknown);
        }
    }
}

/// The places of scores in falling order; equal scores share a place, so that the leftmost pair goes first.
fn ranks(scores: &[f64]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut ranks = vec![0; scores.len()];
    let mut rank = 0;
    for (place, &token) in order.iter().enumerate() {
        if place > 0 && scores[order[place - 1]] != scores[token] {
            rank = place as u32;
        }
        ranks[token] = rank;
    }
    ranks
}
