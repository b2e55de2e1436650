//! Tokens to text as they come: a character is given out when its last byte is there, never in parts.

use super::{TokenKind, Tokenizer};

/// Turns a stream of tokens into text.
///
/// What is no UTF-8 becomes U+FFFD, one for each of its longest stretches that could have begun a character, as in
/// [`String::from_utf8_lossy`].
#[derive(Debug, Clone, Default)]
pub struct Detokenizer {
    /// The bytes of a character that is not whole: at most three.
    pending: Vec<u8>,
    /// Whether text has begun, so that no space belongs to the tokenizer any more.
    begun: bool,
}

impl Detokenizer {
    /// One at the beginning of a text.
    pub fn new() -> Detokenizer {
        Detokenizer::default()
    }

    /// Takes a token, and returns the text that is whole now; often empty. Unused tokens, such as do not exist, and
    /// control tokens are no text, but for those that frame the model's reasoning: without them it would pass for its answer.
    pub fn push(&mut self, tokenizer: &Tokenizer, token: u32) -> String {
        let bytes = tokenizer.bytes(token).unwrap_or_default();
        let text = match tokenizer.kind(token) {
            Some(TokenKind::Normal | TokenKind::UserDefined | TokenKind::Byte) => true,
            Some(TokenKind::Control) => frames_reasoning(bytes),
            _ => false,
        };
        let bytes = if text { bytes } else { &[] };
        let begins = !self.begun && !bytes.is_empty();
        self.begun |= begins;
        let bytes = match bytes.strip_prefix(b" ") {
            Some(rest) if begins && tokenizer.drops_first_space() => rest,
            _ => bytes,
        };
        self.pending.extend(bytes);
        self.take_whole()
    }

    /// Ends the text, and returns what is left: U+FFFD where a character was begun and not finished.
    pub fn finish(&mut self) -> String {
        let rest = String::from_utf8_lossy(&self.pending).into_owned();
        *self = Detokenizer::new();
        rest
    }

    fn take_whole(&mut self) -> String {
        let mut whole = String::new();
        let mut rest = self.pending.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    whole.push_str(text);
                    rest = &[];
                    break;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    whole.push_str(std::str::from_utf8(good).expect("as far as it is valid"));
                    rest = bad;
                    // Without a length, the bytes may be the beginning of a character.
                    let Some(length) = error.error_len() else { break };
                    whole.push(char::REPLACEMENT_CHARACTER);
                    rest = &bad[length..];
                }
            }
        }
        self.pending = rest.to_vec();
        whole
    }
}

/// Whether a control token of this name stands around a model's reasoning: `[THINK]`, `</think>`, `<|START_THINKING|>`.
fn frames_reasoning(name: &[u8]) -> bool {
    name.windows(b"think".len()).any(|part| part.eq_ignore_ascii_case(b"think"))
}
