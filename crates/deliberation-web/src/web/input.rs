//! The values from JavaScript: the existing answer, with the text of each page behind it, and the settings of the
//! deliberation.

use seealso::{
    Answer, AnsweredSubQuery, CitedSentence, DeliberationConfig, Form, Layout, Manifest, SourceText, Tier, Via,
};
use serde::Deserialize;

/// An answer as the retrieval engine's boundary gives it; only these of its fields are read.
#[derive(Deserialize)]
pub(super) struct AnswerInput {
    question: String,
    sentences: Vec<Sentence>,
    sub_queries: Vec<SubQuery>,
    sources: Vec<Source>,
    #[serde(default)]
    notices: Vec<Notice>,
}

#[derive(Deserialize)]
struct Notice {
    code: String,
}

#[derive(Deserialize)]
struct Sentence {
    text: String,
    #[serde(default)]
    form: String,
    source: usize,
    section: String,
    anchor: String,
    sub_query: usize,
    /// Answers that were stored by an earlier version have no passages.
    #[serde(default)]
    passage: usize,
    #[serde(default)]
    skips: bool,
    #[serde(default)]
    joins: bool,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    number: Option<u32>,
    #[serde(default)]
    depth: u8,
}

#[derive(Deserialize)]
struct SubQuery {
    text: String,
    pages: Vec<String>,
    answered: bool,
}

#[derive(Deserialize)]
struct Source {
    page: String,
    pack: String,
    file: String,
    via: String,
    language: String,
    /// Answers that were stored by an earlier version do not say it.
    #[serde(default)]
    site: String,
    markdown: String,
}

impl AnswerInput {
    /// The answer and the pages from which it was made.
    pub(super) fn into_parts(self) -> (Answer, Manifest) {
        let of = |page: &str| -> Vec<usize> {
            let brought = |(number, part): (usize, &SubQuery)| part.pages.iter().any(|id| id == page).then_some(number);
            self.sub_queries.iter().enumerate().filter_map(brought).collect()
        };
        let text = |source: &Source| SourceText {
            page: source.page.clone(),
            pack: source.pack.clone(),
            file: source.file.clone(),
            language: source.language.clone(),
            via: if source.via == "see-also" { Via::SeeAlso } else { Via::Search },
            sub_queries: of(&source.page),
            is_on_site: !source.site.is_empty(),
            text: source.markdown.clone(),
        };
        let lost = self.notices.iter().filter(|notice| notice.code == "page-lost").count();
        let manifest = Manifest { lost, ..Manifest::of_texts(self.sources.iter().map(text)) };
        let sentence = |cited: Sentence| CitedSentence {
            text: cited.text,
            form: Form::of_name(&cited.form),
            source: cited.source,
            section: cited.section,
            anchor: cited.anchor,
            sub_query: cited.sub_query,
            passage: cited.passage,
            layout: Layout {
                skips: cited.skips,
                joins: cited.joins,
                truncated: cited.truncated,
                number: cited.number,
                depth: cited.depth,
            },
            score: 0.0,
        };
        let sub_query = |part: SubQuery| AnsweredSubQuery {
            text: part.text,
            pages: part.pages,
            answered: part.answered,
            coverage: 0.0,
        };
        let sentences = self.sentences.into_iter().map(sentence).collect();
        let sub_queries = self.sub_queries.into_iter().map(sub_query).collect();
        (Answer::of_parts(self.question, sub_queries, sentences, &manifest), manifest)
    }
}

/// The settings of a deliberation; omitted ones have their defaults.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct SettingsInput {
    tier: Option<String>,
    max_tokens: Option<usize>,
    seed: Option<u64>,
}

impl SettingsInput {
    pub(super) fn config(&self) -> Result<DeliberationConfig, String> {
        let mut config = DeliberationConfig::default();
        if let Some(name) = &self.tier {
            config.tier = Tier::named(name).ok_or_else(|| format!("there is no tier \"{name}\""))?;
        }
        config.max_tokens = self.max_tokens;
        config.seed = self.seed.unwrap_or(config.seed);
        Ok(config)
    }
}
