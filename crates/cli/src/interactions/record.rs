//! The lines of the log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum LogLine {
    /// Something was asked.
    Interaction(InteractionLine),
    /// Somebody said whether it helped.
    Feedback(FeedbackLine),
}

impl LogLine {
    /// When it was written, in UTC, to the second.
    pub(super) fn time(&self) -> &str {
        match self {
            LogLine::Interaction(InteractionLine { time, .. }) | LogLine::Feedback(FeedbackLine { time, .. }) => time,
        }
    }
}

/// A question, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct InteractionLine {
    /// Its id, which holds the time too.
    pub(crate) id: Uuid,
    /// When it was, in UTC, to the second.
    pub(crate) time: String,
    /// What was asked for.
    pub(crate) route: Route,
    /// Who asked, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asker: Option<String>,
    /// The question, where the log keeps questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<String>,
    /// What came of it.
    pub(crate) verdict: Verdict,
    /// The code of the error, where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    /// How many entries were found, or pages cited.
    pub(crate) matches: usize,
    /// Their addresses, best first.
    pub(crate) entries: Vec<String>,
    /// How long it took, in milliseconds.
    pub(crate) ms: f64,
}

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Route {
    /// Entries.
    Retrieve,
    /// An answer.
    Ask,
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// An entry near enough to be quoted.
    Strong,
    /// Entries, none of them near enough.
    Weak,
    /// No entries.
    None,
    /// An answer.
    Answered,
    /// No answer.
    Unanswered,
    /// An error.
    Failed,
}

impl Verdict {
    /// Its name, for programs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Strong => "strong",
            Verdict::Weak => "weak",
            Verdict::None => "none",
            Verdict::Answered => "answered",
            Verdict::Unanswered => "unanswered",
            Verdict::Failed => "failed",
        }
    }

    /// Whether the packs lack what was asked for.
    pub(crate) fn is_gap(self) -> bool {
        matches!(self, Verdict::Weak | Verdict::None | Verdict::Unanswered)
    }
}

/// Whether an interaction helped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeedbackLine {
    /// The id of the interaction.
    pub(crate) interaction_id: Uuid,
    /// When it was given, in UTC, to the second.
    pub(crate) time: String,
    /// Up or down.
    pub(crate) thumb: Thumb,
    /// What was said to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// The addresses that the interaction returned.
    pub(crate) entries: Vec<String>,
}

/// Whether it helped: up where it did, down where it did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Thumb {
    // A variant with words of its own would be no plain value of the schema's list.
    Up,
    Down,
}
