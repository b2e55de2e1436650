//! An entry: a position on a subject, with its reasoning.

use serde::{Deserialize, Serialize};

use super::date::Date;
use super::section::{below, text_of};
use crate::page::{Page, PageRole};

/// What an entry is. The order is that of how far it carries over to other situations, the farthest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryType {
    /// A way of deciding a kind of question.
    Framework,
    /// A rule that holds for all work of a kind.
    Standard,
    /// What somebody values, and to what end.
    Philosophy,
    /// What was decided in one case.
    Decision,
    /// What somebody said to one thing once.
    Reaction,
}

/// How sure its holder is of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Sure.
    High,
    /// Sure enough to act on.
    Medium,
    /// Tentative.
    Low,
}

/// How fast an entry ages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stability {
    /// Not at all.
    Evergreen,
    /// Over years.
    Stable,
    /// Over months.
    Evolving,
}

impl EntryType {
    /// All types.
    pub const ALL: [EntryType; 5] =
        [EntryType::Framework, EntryType::Standard, EntryType::Philosophy, EntryType::Decision, EntryType::Reaction];

    /// Its name in front matter.
    pub fn name(self) -> &'static str {
        match self {
            EntryType::Framework => "framework",
            EntryType::Standard => "standard",
            EntryType::Philosophy => "philosophy",
            EntryType::Decision => "decision",
            EntryType::Reaction => "reaction",
        }
    }
}

impl Confidence {
    /// All of them.
    pub const ALL: [Confidence; 3] = [Confidence::High, Confidence::Medium, Confidence::Low];

    /// Its name in front matter.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
        }
    }
}

impl Stability {
    /// All of them.
    pub const ALL: [Stability; 3] = [Stability::Evergreen, Stability::Stable, Stability::Evolving];

    /// Its name in front matter.
    pub fn name(self) -> &'static str {
        match self {
            Stability::Evergreen => "evergreen",
            Stability::Stable => "stable",
            Stability::Evolving => "evolving",
        }
    }
}

/// A position on a subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeEntry {
    /// The file of its page, below the pack's page root.
    pub file: String,
    /// The subject: the page's title.
    pub topic: String,
    /// What it is.
    #[serde(rename = "type")]
    pub entry_type: EntryType,
    /// What is held, in Markdown.
    pub position: String,
    /// Why, in Markdown; may be empty.
    pub reasoning: String,
    /// The slug of the pattern that it reasons by.
    pub pattern: Option<String>,
    /// How sure its holder is.
    pub confidence: Confidence,
    /// How fast it ages.
    pub stability: Stability,
    /// When it was last looked at: `updated`, else `created`.
    pub updated: Option<Date>,
}

impl KnowledgeEntry {
    /// The entry of a page; `None` for a page that is none, and for one that another entry supersedes.
    pub fn of(page: &Page) -> Option<KnowledgeEntry> {
        if page.role() != PageRole::Entry || superseded_by(page).is_some() {
            return None;
        }
        let sections = page.sections();
        let position = text_of(below(&sections, "Position"));
        Some(KnowledgeEntry {
            file: page.file.clone(),
            topic: page.title.clone(),
            entry_type: entry_type(page).ok().flatten().unwrap_or(EntryType::Reaction),
            position: if position.is_empty() { page.snippet() } else { position },
            reasoning: text_of(below(&sections, "Reasoning")),
            pattern: page.field("pattern"),
            confidence: confidence(page).ok().flatten().unwrap_or(Confidence::Low),
            stability: stability(page).ok().flatten().unwrap_or(Stability::Evolving),
            updated: ["updated", "created"].into_iter().find_map(|key| date(page, key).ok().flatten()),
        })
    }
}

/// The slug of the entry that takes the place of this one. The word `null` is none, as in front matter of TOML, which has no
/// other way to say so.
pub(crate) fn superseded_by(page: &Page) -> Option<String> {
    page.field("superseded_by").filter(|slug| slug != "null")
}

/// The type of an entry's page; none where it has none.
///
/// # Errors
/// What stands there, where it is no type.
pub(crate) fn entry_type(page: &Page) -> Result<Option<EntryType>, String> {
    named(page.category.clone(), &EntryType::ALL, EntryType::name)
}

/// The confidence of an entry's page.
///
/// # Errors
/// As [`entry_type`].
pub(crate) fn confidence(page: &Page) -> Result<Option<Confidence>, String> {
    named(page.field("confidence"), &Confidence::ALL, Confidence::name)
}

/// The stability of an entry's page.
///
/// # Errors
/// As [`entry_type`].
pub(crate) fn stability(page: &Page) -> Result<Option<Stability>, String> {
    named(page.field("stability"), &Stability::ALL, Stability::name)
}

/// The date in a field of an entry's page.
///
/// # Errors
/// As [`entry_type`].
pub(crate) fn date(page: &Page, key: &str) -> Result<Option<Date>, String> {
    page.field(key).map(|text| Date::parse(&text).ok_or(text)).transpose()
}

/// Whether the page has a section of that heading with text in it.
pub(crate) fn has_section(page: &Page, name: &str) -> bool {
    !text_of(below(&page.sections(), name)).is_empty()
}

fn named<T: Copy>(text: Option<String>, all: &[T], name: fn(T) -> &'static str) -> Result<Option<T>, String> {
    let find = |text: String| {
        let found = all.iter().find(|value| name(**value).eq_ignore_ascii_case(&text));
        found.copied().ok_or(text)
    };
    text.map(find).transpose()
}
