//! Families of models whose form of a conversation is known by the names of their special tokens.

use super::{Message, Prompt};
use crate::Tokenizer;

/// A form of conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// `<|im_start|>role⏎content<|im_end|>⏎`: SmolLM2, Qwen.
    ChatMl,
    /// `<|start_header_id|>role<|end_header_id|>⏎⏎content<|eot_id|>`: Llama 3.
    Llama3,
    /// `<|role|>⏎content</s>⏎`: TinyLlama.
    Zephyr,
}

impl Family {
    /// The family whose tokens are there.
    pub(super) fn of(tokenizer: &Tokenizer) -> Option<Family> {
        let all = |names: &[&str]| names.iter().all(|name| tokenizer.special(name).is_some());
        let table: [(&[&str], Family); 3] = [
            (&["<|im_start|>", "<|im_end|>"], Family::ChatMl),
            (&["<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"], Family::Llama3),
            (&["<s>", "</s>"], Family::Zephyr),
        ];
        table.into_iter().find(|(names, _)| all(names)).map(|(_, family)| family)
    }

    pub(super) fn prompt(self, messages: &[Message], answer: bool) -> Prompt {
        let mut prompt = Prompt::default();
        if self == Family::Llama3 {
            prompt.push_frame("<|begin_of_text|>");
        }
        for message in messages {
            prompt.push_frame(self.before(message.speaker.name()));
            prompt.push_plain(message.content.as_str());
            prompt.push_frame(self.after());
        }
        if answer {
            prompt.push_frame(self.before("assistant"));
        }
        prompt
    }

    fn before(self, role: &str) -> String {
        match self {
            Family::ChatMl => format!("<|im_start|>{role}\n"),
            Family::Llama3 => format!("<|start_header_id|>{role}<|end_header_id|>\n\n"),
            Family::Zephyr => format!("<|{role}|>\n"),
        }
    }

    fn after(self) -> &'static str {
        match self {
            Family::ChatMl => "<|im_end|>\n",
            Family::Llama3 => "<|eot_id|>",
            Family::Zephyr => "</s>\n",
        }
    }
}
