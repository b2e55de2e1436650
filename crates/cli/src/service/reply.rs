//! The replies, but for that to a question, which is [`AnswerJson`](crate::answer_json::AnswerJson).

use schemars::JsonSchema;
use serde::Serialize;

use crate::search_rows::ResultRow;

/// The pages that a search found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchReply {
    /// The words that were searched for.
    pub(crate) query: String,
    /// The pages, best first.
    pub(crate) results: Vec<ResultRow>,
}

/// A page, as it was authored.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct PageReply {
    /// Its id: the pack's path and the page's file without `.md`.
    pub(crate) page: String,
    /// Its path under the packs root.
    pub(crate) path: String,
    /// Its title.
    pub(crate) title: String,
    /// Its Markdown, front matter included.
    pub(crate) text: String,
    /// Whether its file changed since the index was built.
    pub(crate) changed: bool,
}

/// The entries nearest to a question, with patterns of reasoning for it.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct RetrieveReply {
    /// The question.
    pub(crate) query: String,
    /// How many entries there are.
    pub(crate) matches_found: usize,
    /// Whether an entry is near enough to be quoted as the answer.
    pub(crate) strong_match: bool,
    /// The id that feedback names.
    pub(crate) interaction_id: String,
}
