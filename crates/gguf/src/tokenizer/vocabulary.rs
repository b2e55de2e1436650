//! The list of tokens: the bytes of each, its sort, and the way back from bytes to a token.

use super::merge::NONE;
use crate::Error;
use crate::metadata::{Array, Metadata};

/// What sort of token it is; the numbers are the file's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A piece of text.
    Normal = 1,
    /// Stands for what has no token.
    Unknown = 2,
    /// Steers the model, and is no text.
    Control = 3,
    /// Text that is never taken apart.
    UserDefined = 4,
    /// A number without use.
    Unused = 5,
    /// One byte, where no piece fits.
    Byte = 6,
}

/// No vocabulary is larger.
const MAX_TOKENS: usize = 1 << 22;

/// Tokens that lie in another's place one after another: with a million of them eighty are to be expected.
const MAX_COLLISIONS: usize = 500;

/// All tokens.
#[derive(Debug, Clone)]
pub(super) struct Vocabulary {
    /// The tokens' bytes, one after another.
    block: Vec<u8>,
    /// Where each token's bytes end in `block`.
    ends: Vec<u32>,
    kinds: Vec<TokenKind>,
    /// The normal tokens by the hash of their bytes, each at the first free place from there on: a power of two of
    /// places, at most half of them taken, or [`NONE`].
    places: Vec<u32>,
    /// The most bytes of a normal token.
    longest: usize,
}

impl Vocabulary {
    /// Reads the tokens; `byte_level` says that their characters stand for bytes.
    pub(super) fn read(metadata: &Metadata, byte_level: bool) -> Result<Vocabulary, Error> {
        let texts = metadata.need_texts("tokenizer.ggml.tokens")?;
        if texts.is_empty() || texts.len() > MAX_TOKENS {
            return Err(Error::corrupt("tokenizer", format!("{} tokens", texts.len())));
        }
        let kinds = read_kinds(metadata, texts.len())?;
        let (mut block, mut ends) = (Vec::new(), Vec::with_capacity(texts.len()));
        for (text, &kind) in texts.iter().zip(&kinds) {
            match kind {
                TokenKind::Byte => block.push(byte_named(text)?),
                TokenKind::Control | TokenKind::UserDefined => block.extend(text.as_bytes()),
                _ if byte_level => block.extend(bytes_of(text)),
                _ => block.extend(text.replace('\u{2581}', " ").as_bytes()),
            }
            // A header is far shorter than 4 GiB, and no text grows here.
            ends.push(block.len() as u32);
        }
        let places = vec![NONE; (2 * ends.len()).next_power_of_two()];
        let mut vocabulary = Vocabulary { block, ends, kinds, places, longest: 0 };
        for token in 0..vocabulary.len() as u32 {
            if vocabulary.kinds[token as usize] == TokenKind::Normal {
                vocabulary.place(token)?;
            }
        }
        Ok(vocabulary)
    }

    /// Makes a token findable, unless an earlier one has the same bytes. Tokens made to lie in each other's places would
    /// make every search a walk through all of them, so they are refused.
    fn place(&mut self, token: u32) -> Result<(), Error> {
        self.longest = self.longest.max(self.at(token).len());
        let Some(place) = self.place_of(self.at(token)) else {
            return Err(Error::corrupt("tokenizer", "tokens whose hashes are too much alike"));
        };
        if self.places[place] == NONE {
            self.places[place] = token;
        }
        Ok(())
    }

    /// Where the token of these bytes is, or would be.
    fn place_of(&self, bytes: &[u8]) -> Option<usize> {
        let first = hash(bytes) as usize;
        let mut places = (0..MAX_COLLISIONS).map(|step| (first + step) & (self.places.len() - 1));
        places.find(|&place| self.places[place] == NONE || self.at(self.places[place]) == bytes)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self, token: u32) -> Option<&[u8]> {
        ((token as usize) < self.len()).then(|| self.at(token))
    }

    pub(super) fn kind(&self, token: u32) -> Option<TokenKind> {
        self.kinds.get(token as usize).copied()
    }

    /// All tokens with their sorts.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (u32, TokenKind)> + '_ {
        self.kinds.iter().enumerate().map(|(token, &kind)| (token as u32, kind))
    }

    /// The normal token of these bytes.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > self.longest {
            return None;
        }
        self.place_of(bytes).map(|place| self.places[place]).filter(|&token| token != NONE)
    }

    fn at(&self, token: u32) -> &[u8] {
        let token = token as usize;
        let start = token.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.block[start..self.ends[token] as usize]
    }
}

fn read_kinds(metadata: &Metadata, count: usize) -> Result<Vec<TokenKind>, Error> {
    const KEY: &str = "tokenizer.ggml.token_type";
    let numbers: Vec<i64> = match metadata.array(KEY) {
        None => return Ok(vec![TokenKind::Normal; count]),
        Some(Array::Signed(numbers)) => numbers.clone(),
        Some(Array::Unsigned(numbers)) => numbers.iter().map(|&number| number.min(99) as i64).collect(),
        Some(_) => return Err(Error::metadata(KEY, "a list of numbers")),
    };
    if numbers.len() != count {
        return Err(Error::corrupt("tokenizer", format!("{count} tokens, but {} types of tokens", numbers.len())));
    }
    numbers.into_iter().map(kind).collect()
}

fn kind(number: i64) -> Result<TokenKind, Error> {
    use TokenKind::*;
    [Normal, Unknown, Control, UserDefined, Unused, Byte]
        .into_iter()
        .find(|&kind| kind as i64 == number)
        .ok_or_else(|| Error::corrupt("tokenizer", format!("a token of type {number}")))
}

/// A hash of bytes by multiplication, eight at a time.
pub(super) fn hash(bytes: &[u8]) -> u32 {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as u32 ^ (hash >> 15) as u32
}

/// The byte of a token such as `<0x0A>`.
fn byte_named(text: &str) -> Result<u8, Error> {
    let digits = text.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>'));
    let byte = digits.filter(|digits| digits.len() == 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    byte.ok_or_else(|| Error::corrupt("tokenizer", format!("a byte's token named `{}`", super::clipped(text))))
}

/// The bytes that a byte-level token's characters stand for; a character that stands for none is its own UTF-8.
///
/// Printable characters of Latin-1 are their own bytes; the other 68 bytes have the characters from U+0100 on, in
/// their order.
pub(super) fn bytes_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match c as u32 {
            code @ (0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff) => bytes.push(code as u8),
            code @ 0x100..=0x120 => bytes.push((code - 0x100) as u8),
            code @ 0x121..=0x142 => bytes.push((code - 0x121 + 0x7f) as u8),
            0x143 => bytes.push(0xad),
            _ => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}
