//! `EntryResponse`: the answer to a request, one type for the command, for a server and for the browser, so that all give the
//! same JSON.

use seealso_pack::{Confidence, Date, EntryType, Stability, Variant};
use serde::{Serialize, Serializer};

use crate::answer::Notice;

/// The entries and patterns for a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryResponse {
    /// The question.
    pub query: String,
    /// How many entries were found; none is a valid answer.
    pub matches_found: usize,
    /// Whether one of them answers the question nearly directly: whether the best relevance reaches the threshold.
    pub strong_match: bool,
    /// The id of this interaction, by which feedback names it.
    pub interaction_id: String,
    /// The entries, by descending score.
    pub entries: Vec<EntryMatch>,
    /// At most four patterns, by descending relevance to this question.
    pub reasoning_patterns: Vec<PatternMatch>,
    /// The threshold that is stored with the encoder; none where none was measured.
    #[serde(serialize_with = "write_threshold")]
    pub threshold: Option<f64>,
    /// What a reader should know: sentences, each with a code for programs.
    pub notices: Vec<Notice>,
}

/// A found entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryMatch {
    /// The subject.
    pub topic: String,
    /// What it is.
    #[serde(rename = "type")]
    pub entry_type: EntryType,
    /// What is held, in Markdown.
    pub position: String,
    /// Why, in Markdown; may be empty.
    pub reasoning: String,
    /// The slug of the pattern that it reasons by.
    pub reasoning_pattern: Option<String>,
    /// How sure its holder is.
    pub confidence: Confidence,
    /// How fast it ages.
    pub stability: Stability,
    /// When it was last looked at.
    pub updated: Option<Date>,
    /// Its cosine with the question, from 0 to 1, to four places.
    #[serde(serialize_with = "write_number")]
    pub relevance_score: f64,
    /// What it is ordered by, from 0 to 1, to four places.
    #[serde(serialize_with = "write_number")]
    pub score: f64,
    /// Its page's id, such as `maintainer/entries/small-releases`.
    pub page: String,
    /// The path of its page's file, under the packs root.
    pub path: String,
}

/// A pattern of reasoning that comes with the entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PatternMatch {
    /// Its name, by which entries of its pack name it.
    pub slug: String,
    /// What it is for.
    pub description: String,
    /// The reasoning, with a place in braces for each thing that differs from case to case.
    pub template: String,
    /// How it reads in certain situations.
    pub variants: Vec<Variant>,
    /// Its page's id.
    pub page: String,
}

/// Writes a number as JavaScript does: a whole one without a fraction.
fn write_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number.fract() == 0.0 {
        true => serializer.serialize_i64(*number as i64),
        false => serializer.serialize_f64(*number),
    }
}

fn write_threshold<S: Serializer>(threshold: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match threshold {
        Some(number) => write_number(number, serializer),
        None => serializer.serialize_none(),
    }
}
