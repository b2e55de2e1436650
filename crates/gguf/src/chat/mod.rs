//! A conversation as the prompt that a model was trained on.
//!
//! The frame around the messages comes from the file's own template, or, where there is none or it fails, from what
//! is known of the model's family. Messages never go through the template themselves: marks stand in their place,
//! and only what is left between the marks may hold special tokens. So no text of a page or a reader can end a turn
//! or begin another one.

mod family;
mod template;
mod guard;
mod budget;
#[cfg(test)]
mod tests;

use family::Family;

use crate::{Error, Header, Prompt, Tokenizer};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRole {
    /// Instructions.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

impl ChatRole {
    /// The role's name in templates.
    pub fn name(self) -> &'static str {
        match self {
            ChatRole::System => "system",
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
        }
    }
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub speaker: ChatRole,
    /// What they say.
    pub content: String,
}

impl Message {
    /// A message of the system.
    pub fn system(content: impl Into<String>) -> Message {
        Message { speaker: ChatRole::System, content: content.into() }
    }

    /// A message of the user.
    pub fn user(content: impl Into<String>) -> Message {
        Message { speaker: ChatRole::User, content: content.into() }
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<String>) -> Message {
        Message { speaker: ChatRole::Assistant, content: content.into() }
    }
}

/// How a model wants a conversation to be written.
#[derive(Debug, Clone)]
pub struct ChatTemplate {
    source: Option<String>,
    family: Option<Family>,
    /// The names of the tokens at a text's beginning and end, which templates may ask for.
    beginning: String,
    end: String,
}

impl ChatTemplate {
    /// The template that a file carries, and what is known of its family besides.
    pub fn from_header(header: &Header, tokenizer: &Tokenizer) -> ChatTemplate {
        let name = |token: Option<u32>| {
            let bytes = token.and_then(|token| tokenizer.bytes(token)).unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        ChatTemplate {
            source: header.metadata.text("tokenizer.chat_template").map(str::to_owned),
            family: Family::of(tokenizer),
            beginning: name(tokenizer.beginning()),
            end: name(tokenizer.end()),
        }
    }

    /// The prompt of a conversation. With `answer`, it ends where the model's answer begins.
    ///
    /// Models that can think aloud before they answer are told not to, where their template knows `enable_thinking`.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] where the template fails and the family is not known, or there is neither.
    pub fn prompt(&self, messages: &[Message], answer: bool) -> Result<Prompt, Error> {
        let rendered = match &self.source {
            Some(source) => template::render(source, messages, answer, &self.beginning, &self.end),
            None => Err("it has none".to_owned()),
        };
        match (rendered, self.family) {
            (Ok(prompt), _) => Ok(prompt),
            (Err(_), Some(family)) => Ok(family.prompt(messages, answer)),
            (Err(reason), None) => {
                let what = format!("a chat template that can't be used ({reason})");
                Err(Error::unsupported(what, "templates in Jinja, and the forms ChatML, Llama 3 and Zephyr"))
            }
        }
    }
}
