//! The content of an event of a streamed answer, or of an answer in one piece, in the forms of OpenAI's chat
//! completions, of Ollama's own chat, and of servers that mix them.

use serde::Deserialize as _;
use serde_json::Value;

use super::json::whole_number;
use super::{Progress, Usage};
use crate::error::Instead;

/// The content of an event, or of a whole answer, for the first of its choices.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Piece {
    /// Whether it has a choice at all; the event that counts the tokens has none.
    pub(crate) answers: bool,
    /// More of its text.
    pub(crate) text: String,
    /// More of the reasoning before it.
    pub(crate) reasoning: String,
    /// Its content other than text.
    pub(crate) instead: Instead,
    /// The reason for its end, if it has one; empty if the field is empty.
    pub(crate) finish: Option<String>,
    /// How many tokens it took.
    pub(crate) usage: Option<Usage>,
    /// The progress through the prompt.
    pub(crate) progress: Option<Progress>,
}

/// The fields in which servers put a model's reasoning; the first that is filled counts.
const REASONING: [&str; 3] = ["reasoning_content", "reasoning", "thinking"];

impl Piece {
    /// Reads an event, or an answer.
    ///
    /// # Errors
    /// What is wrong with its form.
    pub(crate) fn of(value: &Value) -> Result<Piece, &'static str> {
        if !value.is_object() {
            return Err("no object");
        }
        let mut piece = Piece { usage: usage(value), progress: progress(value), ..Piece::default() };
        let choices = match &value["choices"] {
            Value::Array(choices) => choices.as_slice(),
            Value::Null => &[],
            _ => return Err("choices that are no list"),
        };
        let first = choices.iter().find(|choice| whole_number(&choice["index"]).unwrap_or(0) == 0);
        if let Some(choice) = first {
            piece.take(["delta", "message"].map(|name| &choice[name]).into_iter().find(|message| is_filled(message)));
            piece.text.push_str(choice["text"].as_str().unwrap_or_default());
            piece.finish = choice["finish_reason"].as_str().map(str::to_owned);
        } else if value["message"].is_object() {
            // Ollama's own.
            piece.take(Some(&value["message"]));
            let ended = value["done"].as_bool().unwrap_or_default();
            piece.finish = ended.then(|| value["done_reason"].as_str().unwrap_or("stop").to_owned());
        }
        piece.answers = first.is_some() || value["message"].is_object();
        Ok(piece)
    }

    fn take(&mut self, message: Option<&Value>) {
        let Some(message) = message else { return };
        add(&message["content"], &mut self.text, &mut self.reasoning);
        let reasoning = REASONING.map(|name| &message[name]).into_iter().find(|said| is_filled(said));
        if let Some(said) = reasoning {
            let mut more = String::new();
            add(said, &mut more, &mut self.reasoning);
            self.reasoning.push_str(&more);
        }
        self.instead = if is_filled(&message["refusal"]) {
            Instead::Refusal
        } else if is_filled(&message["tool_calls"]) {
            Instead::ToolCall
        } else if reasoning.is_some() || !self.reasoning.is_empty() {
            Instead::Reasoning
        } else {
            Instead::Nothing
        };
    }
}

/// Adds the content: a text, or a list of parts, some of which are reasoning.
fn add(content: &Value, text: &mut String, reasoning: &mut String) {
    match content {
        Value::String(said) => text.push_str(said),
        Value::Array(parts) => parts.iter().for_each(|part| add(part, text, reasoning)),
        Value::Object(part) => {
            let thinks = REASONING.iter().find_map(|name| part.get(*name));
            let is_reasoning = matches!(content["type"].as_str(), Some("thinking" | "reasoning"));
            match (thinks, &content["text"]) {
                (Some(thinks), _) => {
                    let mut more = String::new();
                    add(thinks, &mut more, reasoning);
                    reasoning.push_str(&more);
                }
                (None, said) => {
                    (if is_reasoning { reasoning } else { text }).push_str(said.as_str().unwrap_or_default());
                }
            }
        }
        _ => (),
    }
}

/// Whether a value is filled: servers write `null`, or an empty text or list, for nothing.
fn is_filled(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
        _ => false,
    }
}

fn usage(value: &Value) -> Option<Usage> {
    if value["usage"].is_object() {
        return Usage::deserialize(&value["usage"]).ok();
    }
    let count = |name: &str| whole_number(&value[name]).map(|count| count as usize);
    let (prompt, answer) = (count("prompt_eval_count"), count("eval_count"));
    (prompt.is_some() || answer.is_some()).then(|| Usage {
        prompt_tokens: prompt.unwrap_or(0),
        completion_tokens: answer.unwrap_or(0),
        ..Usage::default()
    })
}

fn progress(value: &Value) -> Option<Progress> {
    Progress::deserialize(value.get("prompt_progress").filter(|progress| progress.is_object())?).ok()
}
