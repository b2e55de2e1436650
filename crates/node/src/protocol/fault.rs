//! The errors of servers, in the forms in which they send them.

use serde::Serialize;
use serde_json::Value;

use super::json::whole_number;

/// An error body: `{"error": {…}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultBody {
    /// The error.
    pub error: Fault,
}

/// An error.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Fault {
    /// The message.
    pub message: String,
    /// Its kind, such as `invalid_request_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A code for programs, or a number.
    pub code: Value,
    /// Tokens of the prompt, if they are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_prompt_tokens: Option<usize>,
    /// Tokens of the context, if the prompt's are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_ctx: Option<usize>,
}

/// The most characters of a server's message that are passed on.
const MOST_CHARS: usize = 300;

/// The fields in which servers put their message.
const WORDS: [&str; 3] = ["message", "detail", "msg"];

/// Phrases of servers for a prompt that is too long, in lower case.
const TOO_LONG: [&str; 9] = [
    "maximum context length",
    "exceed context window",
    "exceeds the available context size",
    "context length of only",
    "exceeds the maximum number of tokens",
    "prompt is too long",
    "too large for model",
    "must have less than",
    "`max_new_tokens` must be <=",
];

/// Phrases before the number of the context's tokens, and before or after that of the prompt's, if a message has more
/// than these two numbers.
const CONTEXT_AFTER: [&str; 2] = ["maximum context length is ", "must be <= "];
const CONTEXT_BEFORE: [&str; 1] = [" maximum context length"];
const PROMPT_BEFORE: [&str; 4] = [" input tokens", " in the messages", " `inputs` tokens", " tokens and 0 draft"];

impl Fault {
    /// Parses an error body. Besides the form above there are `{"error": "…"}`, `{"message": "…"}`, `{"detail": …}`, a
    /// list of one of these, and plain text. `None` if it is none of them, such as a web page.
    pub fn parse(body: &str) -> Option<Fault> {
        match super::json::parse(body) {
            Ok(body) => Fault::of(&body),
            Err(_) if body.trim().is_empty() || body.trim_start().starts_with(['<', '{', '[']) => None,
            Err(_) => Some(Fault { message: body.trim().to_owned(), ..Fault::default() }),
        }
    }

    /// [`Fault::parse`], of a body that is JSON already.
    pub fn of(body: &Value) -> Option<Fault> {
        let body = body.as_array().and_then(|list| list.first()).unwrap_or(body);
        let error = body.get("error").filter(|error| !error.is_null());
        let fields = error.filter(|error| error.is_object()).unwrap_or(body);
        let plain = error.filter(|error| !error.is_object());
        let message = plain.or_else(|| WORDS.iter().find_map(|name| fields.get(name).filter(|words| !words.is_null())));
        error.or(message)?;
        let text = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
        let count = |name: &str| whole_number(&fields[name]).map(|count| count as usize);
        Some(Fault {
            message: message.map(words).unwrap_or_default(),
            kind: text("type"),
            code: fields["code"].clone(),
            n_prompt_tokens: count("n_prompt_tokens"),
            n_ctx: count("n_ctx"),
        })
    }

    /// The message on one line, cut to its limit.
    pub fn words(&self) -> String {
        let line: String = self.message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((cut, _)) = words.char_indices().nth(MOST_CHARS) {
            words.truncate(cut);
            words.push('…');
        }
        words.trim_end_matches('.').to_owned()
    }

    /// Whether the error is that likelihoods were requested.
    pub fn is_about_logprobs(&self) -> bool {
        self.message.to_ascii_lowercase().contains("logprobs")
    }

    /// Whether the prompt is too long: its tokens and the context's, 0 if the server gives no numbers.
    pub fn too_long(&self) -> Option<(usize, usize)> {
        let message = self.message.to_ascii_lowercase();
        let is_too_long = self.code.as_str() == Some("context_length_exceeded")
            || self.kind == "exceed_context_size_error"
            || TOO_LONG.iter().any(|words| message.contains(words));
        if !is_too_long {
            return None;
        }
        if let (Some(prompt), Some(context)) = (self.n_prompt_tokens, self.n_ctx) {
            return Some((prompt, context));
        }
        let context = CONTEXT_AFTER
            .iter()
            .find_map(|words| number_after(&message, words))
            .or_else(|| CONTEXT_BEFORE.iter().find_map(|words| number_before(&message, words)));
        let prompt = PROMPT_BEFORE.iter().find_map(|words| number_before(&message, words));
        if let (Some(prompt), Some(context)) = (prompt, context) {
            return Some((prompt, context));
        }
        // "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens", and
        // "Requested tokens (9000) exceed context window of 8192".
        let mut numbers = message.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
        let (one, other): (usize, usize) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        Some((one.max(other), one.min(other)))
    }
}

/// The text of a message, or the texts of the errors that it lists, each with its field.
fn words(message: &Value) -> String {
    match message {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(words).collect::<Vec<_>>().join("; "),
        other => match WORDS.iter().find_map(|name| other.get(name)) {
            Some(inner) => match other["loc"].as_array().and_then(|place| place.last()) {
                Some(Value::String(field)) => format!("{field}: {}", words(inner)),
                _ => words(inner),
            },
            None => other.to_string(),
        },
    }
}

fn number_before(text: &str, words: &str) -> Option<usize> {
    let mut places = text.match_indices(words).map(|(at, _)| &text[..at]);
    places.find_map(|before| before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
}

fn number_after(text: &str, words: &str) -> Option<usize> {
    let (_, after) = text.split_once(words)?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
