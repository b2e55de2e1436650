//! A model's language: its tokenizer, and what its tokens stand for.

use seealso_gguf::{Header, TokenKind, Tokenizer};

use crate::Error;
use crate::vocabulary::Vocabulary;

/// The tokenizer of a model, and its vocabulary as masks read it.
#[derive(Debug, Clone)]
pub struct Language {
    /// Text to tokens and back.
    pub tokenizer: Tokenizer,
    /// The bytes of every token, and those that end an answer.
    pub vocabulary: Vocabulary,
}

impl Language {
    /// The language that a header describes.
    ///
    /// # Errors
    ///
    /// A tokenizer that is not known, or that does not fit together.
    pub fn from_header(header: &Header) -> Result<Self, Error> {
        let tokenizer = Tokenizer::from_header(header)?;
        let vocabulary =
            Vocabulary::new((0..tokenizer.len() as u32).map(|id| text_of(&tokenizer, id)), tokenizer.ends());
        Ok(Self { tokenizer, vocabulary })
    }
}

/// A token's bytes where it stands for text: a control token's name must never pass for what a model said.
fn text_of(tokenizer: &Tokenizer, token: u32) -> &[u8] {
    match tokenizer.kind(token) {
        Some(TokenKind::Normal | TokenKind::UserDefined | TokenKind::Byte) => {
            tokenizer.bytes(token).unwrap_or_default()
        }
        _ => &[],
    }
}
