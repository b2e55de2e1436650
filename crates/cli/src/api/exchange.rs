//! The bodies that the API alone has: feedback, answers with the id of their interaction, and the list of packs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::answer_json::AnswerJson;
use crate::interactions::Thumb;
use crate::service::PackOverview;

/// An answer, and the id that feedback names.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AskReply {
    /// The id that feedback names.
    #[schemars(with = "String")]
    pub(super) interaction_id: Uuid,
    #[serde(flatten)]
    pub(super) answer: AnswerJson,
}

/// Whether an interaction helped.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedbackRequest {
    /// The `interaction_id` of the response that it is about.
    #[schemars(with = "String")]
    pub(super) interaction_id: Uuid,
    /// Whether it helped.
    pub(super) thumb: Thumb,
    /// What there is to say: at most 2,000 characters.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub(super) note: Option<String>,
}

/// Feedback that was written to the log.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FeedbackReply {
    /// The interaction that it is about.
    #[schemars(with = "String")]
    pub(super) interaction_id: Uuid,
    /// Whether it helped.
    pub(super) thumb: Thumb,
}

/// The packs that are served.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PacksReply {
    /// The packs, in the order of the index.
    pub(super) packs: Vec<PackOverview>,
}
