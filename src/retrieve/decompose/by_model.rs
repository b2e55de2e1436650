//! `decompose_by`: a model proposes the subjects of a question; the question and the index decide which are accepted.
//!
//! A small model invents, repeats and omits. So a sub-query must share a content word with the question and contain one
//! that the index knows, and all together must keep most of the question. If that fails, the rules' split stands.

use seealso_index::{Analysis, Error, Index, Token, fold};

use super::by_rules::decompose_by_rules;
use super::evidence::Evidence;
use super::reply::{self, texts};
use super::{SubQueries, SubQuery, bare, join_surplus};
use crate::config::Config;
use crate::library::{IndexFault, Library};
use crate::model::{Generation, GenerationRequest, Model, OnEvent, Prompt, Shape};
use crate::question::Question;
use crate::reasoning;
use crate::trace::{Describe, Detail, detail};
use crate::world::{Clock, PackSource};

/// The system message.
const SYSTEM: &str = "You split questions into search queries. You answer in JSON.";

/// The task. The examples are about nothing that packs are likely to be about.
const RULES: &str = "Which subjects does a question ask about? Write one search query for each, in the words of the \
    question. Most questions have one subject; the most is four.\n\n\
    Question: Why does a guitar string break?\n\
    {\"sub_queries\": [\"why does a guitar string break\"]}\n\
    Question: How do glaciers move, and who invented the zip?\n\
    {\"sub_queries\": [\"how do glaciers move\", \"who invented the zip\"]}\n\
    Question: Compare violins and trumpets\n\
    {\"sub_queries\": [\"violins\", \"trumpets\"]}\n\
    Question: What do I need to open a hotel in Peru?\n\
    {\"sub_queries\": [\"what do I need to open a hotel in Peru\"]}\n\
    Question: I painted my door last week and it peels. What did I do wrong?\n\
    {\"sub_queries\": [\"painted my door last week and it peels what did I do wrong\"]}";

/// The most bytes of a sub-query: a long clause.
const LONGEST: usize = 200;
/// The most tokens of a reply: four long clauses.
const MAX_TOKENS: usize = 200;
/// The share of the question's content words that the sub-queries must contain together.
const LEAST_KEPT: f64 = 0.5;

/// The subjects of a question, and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// The subjects.
    pub sub_queries: SubQueries,
    /// Why they are the rules'; `None` if they are the model's.
    pub by_rules: Option<String>,
    /// The model's proposal.
    pub proposed: Vec<String>,
    /// The rejected sub-queries, and why.
    pub dropped: Vec<(String, &'static str)>,
    /// The model's output, verbatim.
    pub written: Generation,
    /// The model's name.
    pub model: String,
}

/// Lets `model` split `question`; `on_event` receives its events, and may stop it. If the model fails or is stopped,
/// the rules' split stands.
///
/// # Errors
/// [`IndexFault`].
pub async fn decompose_by<S: PackSource, C: Clock, M: Model>(
    model: &M,
    question: &Question,
    library: &Library<S, C>,
    config: &Config,
    on_event: OnEvent<'_>,
) -> Result<Decomposition, IndexFault> {
    let mut done = Decomposition {
        sub_queries: decompose_by_rules(question, library, config).await?,
        by_rules: None,
        proposed: Vec::new(),
        dropped: Vec::new(),
        written: Generation::default(),
        model: model.abilities().name.clone(),
    };
    match reasoning::write(model, &writing(question, config), on_event).await {
        Ok(written) => done.written = written,
        Err(error) => {
            done.by_rules = Some(error.to_string());
            return Ok(done);
        }
    }
    let Some(proposed) = texts(&done.written.text) else {
        done.by_rules = Some("the model wrote no list of sub-queries".to_owned());
        return Ok(done);
    };
    let accepting = library.resolve(|index| {
        let accepted = accept(&proposed, question, index, config)?;
        Ok((sub_queries(accepted.texts, question, index, config)?, accepted.dropped))
    });
    let (sub_queries, dropped) = accepting.await?;
    done.proposed = proposed;
    done.dropped = dropped;
    match sub_queries {
        Ok(sub_queries) => done.sub_queries = sub_queries,
        Err(reason) => done.by_rules = Some(reason.to_owned()),
    }
    Ok(done)
}

/// The request to the model: at temperature 0, and in a form that a program reads.
fn writing(question: &Question, config: &Config) -> GenerationRequest {
    let user = format!("{RULES}\nQuestion: {}", question.text());
    GenerationRequest {
        prompt: Prompt { system: SYSTEM.to_owned(), user, ..Prompt::default() },
        max_tokens: MAX_TOKENS,
        temperature: 0.0,
        seed: 0,
        shape: Some(Shape { name: reply::NAME, most: config.sub_queries, longest: LONGEST }),
    }
}

/// The accepted and the rejected sub-queries of a proposal.
struct AcceptedQueries {
    texts: Vec<String>,
    dropped: Vec<(String, &'static str)>,
}

/// Decides which of the `proposed` sub-queries are accepted.
fn accept(proposed: &[String], question: &Question, index: &Index, config: &Config) -> Result<AcceptedQueries, Error> {
    let evidence = Evidence::new(question.text(), index, &config.bm25);
    let asked = terms(&telling(question.text(), Analysis::English, index, config)?);
    let mut accepted = AcceptedQueries { texts: Vec::new(), dropped: Vec::new() };
    let mut seen: Vec<String> = Vec::new();
    for text in proposed {
        let text = bare(&evidence.words(text)?);
        let key = fold(&text);
        let why = if seen.contains(&key) {
            Some("it is there already")
        } else if !terms(&telling(&text, Analysis::English, index, config)?).iter().any(|term| asked.contains(term)) {
            Some("the question does not ask for it")
        } else if !is_known(&text, index, config)? {
            Some("the index knows none of its words")
        } else {
            None
        };
        match why {
            Some(why) => accepted.dropped.push((text, why)),
            None => accepted.texts.push(text),
        }
        seen.push(key);
    }
    Ok(accepted)
}

/// The content words of `text`.
fn telling(text: &str, analysis: Analysis, index: &Index, config: &Config) -> Result<Vec<Token>, Error> {
    let mut tokens = index.searcher(&config.bm25).query_words(analysis, text)?;
    tokens.retain(|token| !token.stop && !token.weak);
    Ok(tokens)
}

fn terms(tokens: &[Token]) -> Vec<String> {
    tokens.iter().map(|token| token.term.clone()).collect()
}

/// Whether a page contains one of the content words of `text`.
fn is_known(text: &str, index: &Index, config: &Config) -> Result<bool, Error> {
    for (analysis, _) in index.analyses() {
        for token in telling(text, *analysis, index, config)? {
            if index.pages_with(*analysis, &token.term)? > 0 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// What is searched for: the accepted sub-queries, with the rest of the question as their shared context. If only one
/// was accepted, the whole question, which loses nothing.
fn sub_queries(
    mut texts: Vec<String>,
    question: &Question,
    index: &Index,
    config: &Config,
) -> Result<Result<SubQueries, &'static str>, Error> {
    match texts.len() {
        0 => return Ok(Err("nothing that the model proposed holds")),
        1 => {
            let words = Evidence::new(question.text(), index, &config.bm25).words(question.text())?;
            let whole = SubQuery { text: bare(&words), context: String::new() };
            return Ok(Ok(SubQueries::of_one(whole)));
        }
        _ => {}
    }
    let mut said = Vec::new();
    for text in &texts {
        said.extend(terms(&telling(text, Analysis::English, index, config)?));
    }
    let words =
        telling(question.text(), Analysis::English, index, config)?.into_iter().filter(|token| !token.is_beside());
    let (kept, left): (Vec<_>, Vec<_>) = words.partition(|token| said.contains(&token.term));
    if (kept.len() as f64) < LEAST_KEPT * (kept.len() + left.len()) as f64 {
        return Ok(Err("the model left out most of the question"));
    }
    let left: Vec<&str> = left.iter().map(|token| &question.text()[token.start..token.end]).collect();
    let joined = join_surplus(&mut texts, config.sub_queries);
    let items = texts.into_iter().map(|text| SubQuery { text, context: left.join(" ") });
    Ok(Ok(SubQueries { items: items.collect(), whole: None, split_rules: vec!["model"], joined }))
}

impl From<Decomposition> for SubQueries {
    fn from(done: Decomposition) -> SubQueries {
        done.sub_queries
    }
}

impl Describe for Decomposition {
    fn note(&self) -> String {
        let note = self.sub_queries.note();
        match &self.by_rules {
            None => format!("{note} (by {})", self.model),
            Some(reason) => format!("{note} (by rules: {reason})"),
        }
    }

    fn detail(&self) -> Detail {
        let row = |(text, why): &(String, &'static str)| detail!({ "text": text, "why": *why });
        let how = detail!({
            "by": if self.by_rules.is_none() { "model" } else { "rules" },
            "why": self.by_rules.clone().unwrap_or_default(),
            "model": self.model,
            "proposed": self.proposed,
            "dropped": self.dropped.iter().map(row).collect::<Vec<_>>(),
            "prompt_tokens": self.written.prompt_tokens,
            "tokens": self.written.tokens,
        });
        match (self.sub_queries.detail(), how) {
            (Detail::Map(mut pairs), Detail::Map(how)) => {
                pairs.extend(how);
                Detail::map(pairs)
            }
            (_, how) => how,
        }
    }
}
