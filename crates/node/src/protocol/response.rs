//! The responses: a whole answer, an event of a streamed one, and the list of models.

use serde::{Deserialize, Deserializer, Serialize};

use super::json::{count, logarithm, some_count};

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChatResponse {
    /// The answer's own name.
    #[serde(deserialize_with = "null_is_none")]
    pub id: String,
    /// `chat.completion`.
    #[serde(deserialize_with = "null_is_none")]
    pub object: String,
    /// Seconds since 1970.
    #[serde(deserialize_with = "count")]
    pub created: u64,
    /// Who answered.
    #[serde(deserialize_with = "null_is_none")]
    pub model: String,
    /// The answers; one.
    #[serde(deserialize_with = "null_is_none")]
    pub choices: Vec<Choice>,
    /// How many tokens it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// Its place.
    #[serde(deserialize_with = "count")]
    pub index: u32,
    /// The answer.
    #[serde(deserialize_with = "null_is_none")]
    pub message: Reply,
    /// `stop`, `length`, or what else ended it.
    pub finish_reason: Option<String>,
    /// The tokens' likelihoods, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Likelihoods>,
}

/// The answer's message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    /// `assistant`.
    #[serde(deserialize_with = "null_is_none")]
    pub role: String,
    /// The text.
    pub content: Option<String>,
}

/// An event of a streamed answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chunk {
    /// The answer's own name.
    #[serde(deserialize_with = "null_is_none")]
    pub id: String,
    /// `chat.completion.chunk`.
    #[serde(deserialize_with = "null_is_none")]
    pub object: String,
    /// Seconds since 1970.
    #[serde(deserialize_with = "count")]
    pub created: u64,
    /// Who answers.
    #[serde(deserialize_with = "null_is_none")]
    pub model: String,
    /// What is new; none in the event that counts the tokens.
    #[serde(deserialize_with = "null_is_none")]
    pub choices: Vec<ChunkChoice>,
    /// How many tokens it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// How far the prompt is read, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_progress: Option<Progress>,
}

/// What is new in an answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChunkChoice {
    /// Its place.
    #[serde(deserialize_with = "count")]
    pub index: u32,
    /// What is new.
    #[serde(deserialize_with = "null_is_none")]
    pub delta: Delta,
    /// What ended it, at its end.
    pub finish_reason: Option<String>,
}

/// What is new in a message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Delta {
    /// `assistant`, in the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// More text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// Tokens counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Of the prompt.
    #[serde(deserialize_with = "count")]
    pub prompt_tokens: usize,
    /// Of the answer.
    #[serde(deserialize_with = "count")]
    pub completion_tokens: usize,
    /// Both.
    #[serde(deserialize_with = "count")]
    pub total_tokens: usize,
    /// Of the prompt's, those that were known from an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens_details: Option<CachedTokens>,
}

/// See [`Usage::prompt_tokens_details`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CachedTokens {
    /// How many.
    #[serde(deserialize_with = "count")]
    pub cached_tokens: usize,
}

/// How far a prompt is read, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// All.
    #[serde(deserialize_with = "count")]
    pub total: usize,
    /// Those that were known from an earlier prompt.
    #[serde(deserialize_with = "count")]
    pub cache: usize,
    /// Those that are read, known ones included.
    #[serde(deserialize_with = "count")]
    pub processed: usize,
}

/// The likelihoods of an answer's tokens.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Likelihoods {
    /// One for each token.
    #[serde(deserialize_with = "null_is_none")]
    pub content: Vec<TokenLikelihood>,
}

/// A token and how likely it was.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenLikelihood {
    /// The token as text.
    #[serde(deserialize_with = "null_is_none")]
    pub token: String,
    /// The natural logarithm of its probability.
    #[serde(deserialize_with = "logarithm")]
    pub logprob: f64,
    /// The token's bytes.
    pub bytes: Option<Vec<u8>>,
    /// The likeliest tokens in its place.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_none")]
    pub top_logprobs: Vec<TokenLikelihood>,
}

/// The models of a node.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ModelList {
    /// `list`.
    #[serde(default)]
    #[serde(deserialize_with = "null_is_none")]
    pub object: String,
    /// The models.
    #[serde(deserialize_with = "null_is_none")]
    pub data: Vec<ListedModel>,
}

/// A model of a node.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListedModel {
    /// Its name.
    #[serde(deserialize_with = "null_is_none")]
    pub id: String,
    /// `model`.
    #[serde(deserialize_with = "null_is_none")]
    pub object: String,
    /// Seconds since 1970.
    #[serde(deserialize_with = "count")]
    pub created: u64,
    /// Whose it is; some servers write their own name.
    #[serde(deserialize_with = "null_is_none")]
    pub owned_by: String,
    /// Its context in tokens, as `seealso node` and others tell.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some_count")]
    pub context_length: Option<usize>,
    /// The same, as vLLM tells.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some_count")]
    pub max_model_len: Option<usize>,
}

impl ListedModel {
    /// Its context in tokens, where the node tells.
    pub fn context(&self) -> Option<usize> {
        self.context_length.or(self.max_model_len).filter(|&tokens| tokens > 0)
    }

    /// Whether its server is one that tells how far it has read a prompt. Others may reject the request for it.
    pub fn tells_progress(&self) -> bool {
        matches!(self.owned_by.as_str(), "seealso" | "llamacpp")
    }
}

/// Some servers write `null` for what is empty.
fn null_is_none<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Option::deserialize(from).map(Option::unwrap_or_default)
}
