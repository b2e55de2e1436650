//! A conversation as tokens.

use seealso_boundary::bad_call;
use seealso_gguf::{ChatRole, Message as Turn, Special};
use seealso_model::Language;
use wasm_bindgen::JsValue;

use super::error::into_error;
use super::options::{Message, Prompt};

/// The tokens of a prompt. What people or pages wrote never becomes a control token.
pub(super) fn tokens(language: &Language, prompt: &Prompt) -> Result<Vec<u32>, JsValue> {
    match prompt {
        Prompt::Text(text) => Ok(language.tokenizer.encode(text, Special::Parse)),
        Prompt::Messages(messages) => {
            let turns = messages.iter().map(turn).collect::<Result<Vec<_>, _>>()?;
            language.prompt(&turns).map_err(into_error)
        }
    }
}

/// The tokens of a prompt's last turn alone; a text is one.
pub(super) fn last_turn(language: &Language, prompt: &Prompt) -> Result<Vec<u32>, JsValue> {
    match prompt {
        Prompt::Text(_) => tokens(language, prompt),
        Prompt::Messages(messages) => {
            let turns = messages.iter().map(turn).collect::<Result<Vec<_>, _>>()?;
            language.last_turn(&turns).map_err(into_error)
        }
    }
}

fn turn(message: &Message) -> Result<Turn, JsValue> {
    let speaker = match message.role.as_str() {
        "system" => ChatRole::System,
        "user" => ChatRole::User,
        "assistant" => ChatRole::Assistant,
        other => return Err(bad_call(format!("a message's role is {other:?}, not system, user or assistant"))),
    };
    Ok(Turn { speaker, content: message.content.clone() })
}
