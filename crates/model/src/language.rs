//! A model's language: its tokenizer, what its tokens stand for, and how it wants a conversation to be written.

use seealso_gguf::{ChatTemplate, Header, Message, TokenKind, Tokenizer};

use crate::Error;
use crate::vocabulary::Vocabulary;

/// The tokenizer of a model, its vocabulary as masks read it, and its form of a conversation.
#[derive(Debug, Clone)]
pub struct Language {
    /// Text to tokens and back.
    pub tokenizer: Tokenizer,
    /// The bytes of every token, and those that end an answer.
    pub vocabulary: Vocabulary,
    /// A conversation's frame.
    pub template: ChatTemplate,
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
        let template = ChatTemplate::from_header(header, &tokenizer);
        Ok(Self { tokenizer, vocabulary, template })
    }

    /// The tokens of a conversation, up to where the model's answer begins. No text of a message becomes a control
    /// token.
    ///
    /// # Errors
    ///
    /// A template that fails, in a family that is not known.
    pub fn prompt(&self, messages: &[Message]) -> Result<Vec<u32>, Error> {
        Ok(self.tokenizer.encode_prompt(&self.template.prompt(messages, true)?))
    }

    /// The tokens of a conversation's last message alone, up to where the answer begins: [`Language::prompt`] without what the
    /// messages before it are. Where there are none, or the model's form can't tell them apart, it is all of it.
    ///
    /// # Errors
    ///
    /// As of [`Language::prompt`].
    pub fn last_turn(&self, messages: &[Message]) -> Result<Vec<u32>, Error> {
        let mut tokens = self.prompt(messages)?;
        let before = messages.split_last().map_or(&[][..], |(_, before)| before);
        if !before.is_empty()
            && let Ok(before) = self.template.prompt(before, false)
        {
            let before = self.tokenizer.encode_prompt(&before);
            if tokens.len() > before.len() && tokens.starts_with(&before) {
                tokens.drain(..before.len());
            }
        }
        Ok(tokens)
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
