//! The replies, but for that to a question, which is [`AnswerJson`](crate::answer_json::AnswerJson).

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer_json::NoticeJson;
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

/// The schema of [`EntryResponse`](seealso::EntryResponse), which the engine's crate does not make: a test holds the two together.
#[derive(JsonSchema)]
#[schemars(rename = "EntryResponse")]
#[allow(dead_code, reason = "it is a schema, of which no value is made")]
pub(crate) struct EntryResponseSchema {
    /// The question.
    query: String,
    /// How many entries were found; none is a valid reply.
    matches_found: usize,
    /// Whether one of them answers the question nearly directly: then quote it. Else reason from the patterns.
    strong_match: bool,
    /// The id that feedback names.
    interaction_id: String,
    /// The entries, by descending score.
    entries: Vec<EntrySchema>,
    /// At most four patterns, by descending relevance to this question.
    reasoning_patterns: Vec<PatternSchema>,
    /// The least relevance of a strong match; null where none was measured for the encoder.
    #[schemars(required)]
    threshold: Option<f64>,
    /// What a reader should know.
    notices: Vec<NoticeJson>,
}

/// A found entry.
#[derive(JsonSchema)]
#[schemars(rename = "Entry")]
#[allow(dead_code, reason = "it is a schema, of which no value is made")]
struct EntrySchema {
    /// The subject.
    topic: String,
    /// What it is: framework, decision, standard, philosophy or reaction.
    r#type: String,
    /// What is held, in Markdown.
    position: String,
    /// Why, in Markdown; may be empty.
    reasoning: String,
    /// The slug of the pattern that it reasons by.
    #[schemars(required)]
    reasoning_pattern: Option<String>,
    /// How sure its holder is: high, medium or low.
    confidence: String,
    /// How fast it ages: evergreen, stable or evolving.
    stability: String,
    /// When it was last looked at, as YYYY-MM-DD.
    #[schemars(required)]
    updated: Option<String>,
    /// Its cosine with the question, from 0 to 1.
    relevance_score: f64,
    /// What it is ordered by, from 0 to 1.
    score: f64,
    /// Its page's id.
    page: String,
    /// The path of its page's file, under the packs root.
    path: String,
}

/// A pattern of reasoning.
#[derive(JsonSchema)]
#[schemars(rename = "Pattern")]
#[allow(dead_code, reason = "it is a schema, of which no value is made")]
struct PatternSchema {
    /// Its name, by which entries name it.
    slug: String,
    /// What it is for.
    description: String,
    /// The reasoning, with a place in braces for each thing that differs from case to case.
    template: String,
    /// How it reads in certain situations: look for the asker's first.
    variants: Vec<VariantSchema>,
    /// Its page's id.
    page: String,
}

/// A pattern in one situation.
#[derive(JsonSchema)]
#[schemars(rename = "Variant")]
#[allow(dead_code, reason = "it is a schema, of which no value is made")]
struct VariantSchema {
    /// The situation.
    context: String,
    /// The reasoning in it.
    text: String,
}
