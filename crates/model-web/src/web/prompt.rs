//! A conversation as tokens.

use seealso_gguf::{Special, Tokenizer};

use super::options::{Message, Prompt};

/// The tokens of a prompt and of the answer's beginning. What people or pages wrote never becomes a control token.
pub(super) fn tokens(tokenizer: &Tokenizer, prompt: &Prompt, begun: &str) -> Vec<u32> {
    let mut tokens = match prompt {
        Prompt::Text(text) => tokenizer.encode(text, Special::Parse),
        Prompt::Messages(messages) => chat(tokenizer, messages),
    };
    tokens.extend(tokenizer.encode(begun, Special::Plain));
    tokens
}

fn chat(tokenizer: &Tokenizer, messages: &[Message]) -> Vec<u32> {
    let mut tokens = Vec::new();
    for Message { role, content } in messages {
        tokens.extend(tokenizer.encode(&format!("<|im_start|>{role}\n"), Special::Parse));
        tokens.extend(tokenizer.encode(content, Special::Plain));
        tokens.extend(tokenizer.encode("<|im_end|>\n", Special::Parse));
    }
    tokens.extend(tokenizer.encode("<|im_start|>assistant\n", Special::Parse));
    tokens
}
