//! What a server says where it gives no answer, in the forms that servers have.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An error body: `{"error": {…}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultBody {
    /// The error.
    pub error: Fault,
}

/// An error.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Fault {
    /// In words.
    pub message: String,
    /// Its kind, such as `invalid_request_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A word for programs, or a number.
    pub code: Value,
    /// Tokens of the prompt, where they are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_prompt_tokens: Option<usize>,
    /// Tokens of the context, where the prompt's are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_ctx: Option<usize>,
}

/// The most characters of a server's words that are passed on.
const MOST_CHARS: usize = 300;

impl Fault {
    /// Reads an error body. Beside the form above there are `{"error": "…"}`, `{"message": "…"}` and `{"detail": …}`.
    /// `None` for what is no such body.
    pub fn parse(body: &str) -> Option<Fault> {
        Fault::of(&serde_json::from_str(body).ok()?)
    }

    /// [`Fault::parse`], of a body that is JSON already.
    pub fn of(body: &Value) -> Option<Fault> {
        let plain = |message: &Value| match message {
            Value::String(text) => Fault { message: text.clone(), ..Fault::default() },
            other => Fault { message: other.to_string(), ..Fault::default() },
        };
        match body.get("error").filter(|error| !error.is_null()) {
            Some(error @ Value::Object(_)) => {
                Some(Fault::deserialize(error).unwrap_or_else(|_| plain(error.get("message").unwrap_or(error))))
            }
            Some(error) => Some(plain(error)),
            None => ["message", "detail"].iter().find_map(|name| body.get(*name)).map(plain),
        }
    }

    /// The words, on one line and not too many.
    pub fn words(&self) -> String {
        let line: String = self.message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((cut, _)) = words.char_indices().nth(MOST_CHARS) {
            words.truncate(cut);
            words.push('…');
        }
        words.trim_end_matches('.').to_owned()
    }

    /// Whether the complaint is that likelihoods were asked for.
    pub fn is_about_logprobs(&self) -> bool {
        self.message.to_ascii_lowercase().contains("logprobs")
    }

    /// Whether the prompt is too long: its tokens and the context's, 0 where the server gives no numbers.
    pub fn too_long(&self) -> Option<(usize, usize)> {
        let message = self.message.to_ascii_lowercase();
        let code = self.code.as_str().unwrap_or_default();
        let told = code == "context_length_exceeded"
            || self.kind == "exceed_context_size_error"
            || message.contains("maximum context length")
            || message.contains("exceed context window")
            || message.contains("exceeds the available context size");
        if let (Some(prompt), Some(context)) = (self.n_prompt_tokens, self.n_ctx) {
            return told.then_some((prompt, context));
        }
        // "This model's maximum context length is 4096 tokens and your request has 3000 input tokens", after vLLM's words on
        // how many the answer may have; or "… However, you requested 9000 tokens (7000 in the messages, 2000 in the
        // completion)".
        let context = number_after(&message, "maximum context length is ");
        let prompt = number_before(&message, " input tokens").or_else(|| number_before(&message, " in the messages"));
        if let (Some(prompt), Some(context)) = (prompt, context) {
            return told.then_some((prompt, context));
        }
        // "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens", and
        // "Requested tokens (9000) exceed context window of 8192".
        let mut numbers = message.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
        let (one, other): (usize, usize) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        told.then_some((one.max(other), one.min(other)))
    }
}

fn number_before(text: &str, words: &str) -> Option<usize> {
    let (before, _) = text.split_once(words)?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn number_after(text: &str, words: &str) -> Option<usize> {
    let (_, after) = text.split_once(words)?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
