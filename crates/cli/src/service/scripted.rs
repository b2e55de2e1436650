//! An engine for tests. It answers from one page in memory, and retrieves by a script: the first word of a question decides.

use seealso::{
    AskOptions, Config, EntryFault, EntryMatch, EntryRequest, EntryResponse, FixedClock, Library, MemorySource, Notice,
    PatternMatch, ask,
};
use seealso_pack::{Confidence, Date, EntryType, Stability, Variant};

use crate::answer_json::AnswerJson;
use crate::search_rows::ResultRow;

use super::engine::Engine;
use super::fault::ServiceFault;
use super::overview::{IndexOverview, Overview, PackOverview};
use super::reply::{PageReply, SearchReply};
use super::request::{AskRequest, PageRequest, SearchRequest};

/// The page.
pub(crate) const PAGE: &str = "---\ntitle: Green tea\nsummary: How green tea is steeped.\n---\n\n# Green tea\n\n\
                               > Green tea is steeped at about 70 degrees.\n";

/// An engine with a script.
pub(crate) struct ScriptedEngine {
    library: Library<MemorySource, FixedClock>,
}

impl ScriptedEngine {
    /// Opens it.
    pub(crate) async fn open() -> anyhow::Result<ScriptedEngine> {
        let source = MemorySource::of_packs(&[("tea", &[("concepts/green-tea.md", PAGE)])]);
        Ok(ScriptedEngine { library: Library::open(source, FixedClock, Config::default()).await? })
    }
}

/// What it serves.
pub(crate) fn overview() -> Overview {
    let pack = PackOverview { path: "tea".into(), title: "Tea".into(), language: "en".into(), pages: 1 };
    let index = IndexOverview { version: 1, sha256: "ab".into() };
    Overview { index, packs: vec![pack], entries: 1, ..Overview::default() }
}

fn response(request: &EntryRequest, id: &str) -> EntryResponse {
    EntryResponse {
        query: request.question().to_owned(),
        matches_found: 0,
        strong_match: false,
        interaction_id: id.to_owned(),
        entries: Vec::new(),
        reasoning_patterns: Vec::new(),
        threshold: Some(0.5),
        notices: vec![Notice { code: "scripted", message: "This is a script.".to_owned() }],
    }
}

fn entry() -> EntryMatch {
    EntryMatch {
        topic: "Small releases".to_owned(),
        entry_type: EntryType::Framework,
        position: "Release small and often.".to_owned(),
        reasoning: "A small change is easily undone.".to_owned(),
        reasoning_pattern: Some("reversible-first".to_owned()),
        confidence: Confidence::High,
        stability: Stability::Evergreen,
        updated: Date::parse("2026-11-20"),
        relevance_score: 0.75,
        score: 0.85,
        page: "maintainer/entries/small-releases".to_owned(),
        path: "maintainer/entries/small-releases.md".to_owned(),
    }
}

fn pattern() -> PatternMatch {
    PatternMatch {
        slug: "reversible-first".to_owned(),
        description: "Prefer what can be undone.".to_owned(),
        template: "Since {change} can be undone, try it.".to_owned(),
        variants: vec![Variant { context: "a public format".to_owned(), text: "Formats stay.".to_owned() }],
        page: "maintainer/patterns/reversible-first".to_owned(),
    }
}

impl Engine for ScriptedEngine {
    async fn search(&self, request: &SearchRequest) -> Result<SearchReply, ServiceFault> {
        let row = ResultRow {
            page: "tea/concepts/green-tea".to_owned(),
            pack_path: "tea".to_owned(),
            page_file: "concepts/green-tea.md".to_owned(),
            title: "Green tea".to_owned(),
            summary: "How green tea is steeped.".to_owned(),
            score: 1.5,
            exact: false,
            pack_summary: String::new(),
        };
        let results = if request.query.contains("tea") { vec![row] } else { Vec::new() };
        Ok(SearchReply { query: request.query.clone(), results })
    }

    async fn read_page(&self, request: &PageRequest) -> Result<PageReply, ServiceFault> {
        match request.page.as_str() {
            "tea/concepts/green-tea" => Ok(PageReply {
                page: request.page.clone(),
                path: "tea/wiki/concepts/green-tea.md".to_owned(),
                title: "Green tea".to_owned(),
                text: PAGE.to_owned(),
                changed: false,
            }),
            "lost" => Err(ServiceFault::PageLost("lost.md: the server can't be reached".to_owned())),
            other => Err(ServiceFault::UnknownPage(other.to_owned())),
        }
    }

    async fn ask(&self, request: &AskRequest) -> Result<AnswerJson, ServiceFault> {
        let answered = ask(&self.library, &request.question, AskOptions::default()).await;
        let (answer, manifest) = answered.map_err(|error| ServiceFault::Index(error.to_string()))?;
        Ok(AnswerJson::of(&answer, &manifest, None))
    }

    async fn retrieve(&self, request: &EntryRequest, id: &str) -> Result<EntryResponse, ServiceFault> {
        let response = response(request, id);
        let (entries, reasoning_patterns) = (vec![entry()], vec![pattern()]);
        let found = EntryResponse { matches_found: 1, entries, reasoning_patterns, ..response.clone() };
        match request.question().split(' ').next().unwrap_or_default() {
            "strong" => Ok(EntryResponse { strong_match: true, ..found }),
            "weak" => Ok(found),
            "unencodable" => Err(ServiceFault::Entries(EntryFault::EncoderFailed { reason: "no memory".to_owned() })),
            "endless" => std::future::pending().await,
            "panic" => panic!("the script says so"),
            _ => Ok(response),
        }
    }
}
