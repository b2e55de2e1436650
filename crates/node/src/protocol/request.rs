//! The request: the body of a POST to `/chat/completions`.

use seealso::{GenerationRequest, Prompt};
use serde::{Deserialize, Serialize};

use super::TOP_LOGPROBS;

/// A request for an answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChatRequest {
    /// The model's name.
    pub model: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The most tokens of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// The name of `max_tokens` in newer clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_completion_tokens: Option<usize>,
    /// 0 takes the likeliest token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// Only the likeliest tokens with this cumulative probability may be sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f32>,
    /// The same seed draws the same tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// Texts that end the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stops>,
    /// Whether the answer comes as events.
    pub stream: bool,
    /// How.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<StreamOptions>,
    /// Whether tokens' likelihoods are requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<bool>,
    /// How many of the likeliest tokens in each place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_logprobs: Option<u32>,
    /// Whether progress through the prompt is requested: an extension of llama.cpp's server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_progress: Option<bool>,
    /// The number of answers requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: String,
    /// The text.
    pub content: Content,
}

/// A message's text, in either of its forms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// One text.
    Text(String),
    /// Parts, of which only texts are understood.
    Parts(Vec<ContentPart>),
    /// Nothing.
    Nothing(()),
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentPart {
    /// `text`, or a kind that is not understood.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text.
    pub text: String,
}

/// Texts that end an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Stops {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// How an answer comes as events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamOptions {
    /// Whether the last event counts the tokens.
    pub include_usage: bool,
}

/// Servers hold a seed in 31 bits at least.
const SEED_BITS: u64 = 0x7fff_ffff;

impl ChatRequest {
    /// Requests what `writing` describes, as events. `progress` requests progress through the prompt.
    pub fn writing(model: &str, writing: &GenerationRequest, progress: bool) -> ChatRequest {
        let drawn = writing.temperature > 0.0;
        ChatRequest {
            max_tokens: Some(writing.max_tokens),
            temperature: Some(writing.temperature),
            seed: drawn.then_some((writing.seed & SEED_BITS) as i64),
            stream: true,
            stream_options: Some(StreamOptions { include_usage: true }),
            return_progress: progress.then_some(true),
            ..ChatRequest::of(model, &writing.prompt)
        }
    }

    /// Requests the likelihoods of the answer's first token.
    pub fn scoring(model: &str, prompt: &Prompt) -> ChatRequest {
        ChatRequest {
            max_tokens: Some(1),
            temperature: Some(0.0),
            logprobs: Some(true),
            top_logprobs: Some(TOP_LOGPROBS),
            ..ChatRequest::of(model, prompt)
        }
    }

    fn of(model: &str, prompt: &Prompt) -> ChatRequest {
        let message =
            |role: &str, text: &str| Message { role: role.to_owned(), content: Content::Text(text.to_owned()) };
        let system = (!prompt.system.is_empty()).then(|| message("system", &prompt.system));
        let before =
            prompt.before.iter().flat_map(|turn| [message("user", &turn.user), message("assistant", &turn.assistant)]);
        let messages = system.into_iter().chain(before).chain([message("user", &prompt.user)]).collect();
        ChatRequest { model: model.to_owned(), messages, ..ChatRequest::default() }
    }

    /// The most tokens of the answer, under either name.
    pub fn most_tokens(&self) -> Option<usize> {
        self.max_tokens.or(self.max_completion_tokens)
    }
}

impl Default for Content {
    fn default() -> Self {
        Content::Nothing(())
    }
}

impl Content {
    /// The text; none where a part is of another kind.
    pub fn text(&self) -> Option<String> {
        match self {
            Content::Text(text) => Some(text.clone()),
            Content::Parts(parts) => parts.iter().map(|part| (part.kind == "text").then_some(&*part.text)).collect(),
            Content::Nothing(()) => Some(String::new()),
        }
    }
}

impl Stops {
    /// The texts, without empty ones.
    pub fn into_texts(self) -> Vec<String> {
        let texts = match self {
            Stops::One(text) => vec![text],
            Stops::Several(texts) => texts,
        };
        texts.into_iter().filter(|text| !text.is_empty()).collect()
    }
}
