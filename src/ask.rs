//! `ask`: from a question to an answer with its sources. About one line a stage.

use std::fmt;

use crate::answer::extract::{Extract, extract};
use crate::answer::{Answer, AnsweredSubQuery, Notice, SourcePage};
use seealso_index::{Filter, Hit, Index};

use crate::config::Config;
use crate::library::{IndexFault, Library};
use crate::model::{Model, OnEvent};
use crate::question::Question;
use crate::retrieve::assemble::{Assembly, Manifest, assemble};
use crate::retrieve::decompose::by_model::decompose_by;
use crate::retrieve::decompose::{SubQueries, decompose};
use crate::retrieve::expand::{Directories, LinkedPages, expand};
use crate::retrieve::fetch::{FetchedPage, LostPage, Pages, fetch};
use crate::retrieve::merge::{Pick, Picks, merge};
use crate::retrieve::rerank::rerank;
use crate::retrieve::search::{Rankings, search};
use crate::retrieve::whole_or_parts::whole_or_parts;
use crate::trace::{Describe, Detail, Progress, Tracer, counted, detail};
use crate::world::{Clock, PackSource};

/// Why a question gets no answer at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// It has no words to search for.
    EmptyQuestion,
    /// The index cannot be queried.
    Index(IndexFault),
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::EmptyQuestion => f.write_str("the question is empty; type a few words"),
            AskError::Index(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AskError {}

impl From<IndexFault> for AskError {
    fn from(error: IndexFault) -> Self {
        AskError::Index(error)
    }
}

/// The result of retrieval, before any sentence is chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Retrieval {
    /// The subjects of the question.
    pub sub_queries: SubQueries,
    /// The merged pages.
    pub picks: Picks,
    /// The context, and every page that was kept.
    pub assembled: Assembly,
    /// Pages that could not be fetched.
    pub lost: Vec<LostPage>,
}

/// Rankings, and the pages picked from them.
struct RankedPicks {
    rankings: Rankings,
    picks: Picks,
}

impl Describe for RankedPicks {
    fn note(&self) -> String {
        format!("{}: {}", self.rankings.note(), counted(self.picks.items.len(), "page"))
    }

    fn detail(&self) -> Detail {
        detail!({ "rankings": self.rankings.detail(), "picks": self.picks.detail() })
    }
}

/// Answers `typed` from `library`; `watch` receives the progress of each stage.
///
/// # Errors
/// [`AskError`]; a lost page is none.
pub async fn ask<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    typed: &str,
    watch: &mut dyn FnMut(Progress),
) -> Result<Answer, AskError> {
    ask_within(library, typed, library.config.filter.clone(), watch).await
}

/// Answers `typed` from the pages that pass `filter`. The See Also links of a page, which never leave its pack, are
/// followed regardless.
///
/// # Errors
/// [`AskError`]; a lost page is none.
pub async fn ask_within<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    typed: &str,
    filter: Filter,
    watch: &mut dyn FnMut(Progress),
) -> Result<Answer, AskError> {
    Ok(ask_and_keep(library, typed, filter, watch).await?.0)
}

/// As [`ask_within`], and returns the pages behind the answer too, in the order of its sources.
///
/// # Errors
/// [`AskError`]; a lost page is none.
pub async fn ask_and_keep<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    typed: &str,
    filter: Filter,
    watch: &mut dyn FnMut(Progress),
) -> Result<(Answer, Manifest), AskError> {
    let config = &Config { filter, ..library.config.clone() };
    let question = Question::new(typed, config.question_chars).ok_or(AskError::EmptyQuestion)?;
    let tracer = Tracer::new(&library.clock, watch);
    let splitting = library.resolve(|index| {
        index.searcher(&config.bm25).prefetch(question.text())?;
        decompose(&question, index, config)
    });
    answer(library, config, &question, splitting, tracer).await
}

/// As [`ask_and_keep`], with `model` to split the question; `on_event` receives its events, and may stop it. If the
/// model fails or is stopped, the rules' split stands, as the trace records.
///
/// # Errors
/// [`AskError`]; a model that fails is none.
pub async fn ask_with_model<S: PackSource, C: Clock, M: Model>(
    library: &Library<S, C>,
    model: &M,
    typed: &str,
    filter: Filter,
    watch: &mut dyn FnMut(Progress),
    on_event: OnEvent<'_>,
) -> Result<(Answer, Manifest), AskError> {
    let config = &Config { filter, ..library.config.clone() };
    let question = Question::new(typed, config.question_chars).ok_or(AskError::EmptyQuestion)?;
    let tracer = Tracer::new(&library.clock, watch);
    let splitting = decompose_by(model, &question, library, config, on_event);
    answer(library, config, &question, splitting, tracer).await
}

/// Answers `question`, which `splitting` decomposes: all stages. It is one function, because each one that awaits
/// another costs the browser some hundred bytes.
async fn answer<S: PackSource, C: Clock, D: Describe + Into<SubQueries>>(
    library: &Library<S, C>,
    config: &Config,
    question: &Question,
    splitting: impl Future<Output = Result<D, IndexFault>>,
    mut tracer: Tracer<'_, C>,
) -> Result<(Answer, Manifest), AskError> {
    let sub_queries: SubQueries = tracer.attempt("decompose", splitting).await?.into();
    let to_read = config.of_reading();
    let (mut by_index, mut chosen) = (Picks { items: Vec::new() }, sub_queries.clone());
    let search = |index: &Index| {
        let rankings = search(&sub_queries, index, config)?;
        by_index = merge(&rankings, index, config)?;
        let picks = merge(&rankings, index, &to_read)?;
        Ok(RankedPicks { rankings, picks })
    };
    let found = tracer.attempt("search", library.resolve(search)).await?;
    let mut read = tracer.wait("fetch", fetch(library, &found.picks.wanted(), Vec::new())).await;
    let merge = |index: &Index| {
        let mut reranked = rerank(&found.rankings, &sub_queries, &read, index, config)?;
        // A hit that was not read is no page to answer from, even if lost pages make room for it.
        for (number, (ranking, found)) in reranked.all_mut().zip(found.rankings.all()).enumerate() {
            let found = &found.hits;
            let least = least_to_stand_in(found, number, &by_index, &read);
            let is_read = |hit: &Hit| read.items.iter().any(|page| page.number == hit.page);
            let stands_in = |hit: &Hit| found.iter().any(|known| known.page == hit.page && known.score >= least);
            ranking.hits.retain(|hit| is_read(hit) && stands_in(hit));
        }
        let rankings;
        (chosen, rankings) = whole_or_parts(&sub_queries, reranked, &read, index, config)?;
        let picks = merge(&rankings, index, config)?;
        Ok(RankedPicks { rankings, picks })
    };
    let picks = tracer.attempt("merge", library.resolve(merge)).await?.picks;
    renumber(&mut read, &sub_queries, &chosen);
    let (pages, unpicked) = pick_pages(read, &picks, &by_index);
    let linked = tracer.wait("expand", see_also(library, &pages, unpicked, config)).await;
    let (pages, lost) = join_pages(pages, linked);
    let assembled = tracer.stage("assemble", || Ok::<_, AskError>(assemble(pages, config.tier)))?;
    let manifest = &assembled.manifest;
    let extract =
        tracer.attempt("answer", library.resolve(|index| extract(question, &chosen, manifest, index, config))).await?;
    let (trace, ms) = tracer.finish();
    let found = Retrieval { sub_queries: chosen, picks, assembled, lost };
    let (answer, manifest) = compose(question, found, extract, library.missing_languages());
    Ok((Answer { trace, ms, ..answer }, manifest))
}

/// Assigns the pages that were read for the parts of a question to the one sub-query of `chosen`, if that is the whole
/// question.
fn renumber(read: &mut Pages, searched: &SubQueries, chosen: &SubQueries) {
    if searched.whole.is_none() || chosen.items.first() != searched.whole.as_ref() {
        return;
    }
    let numbers = read.items.iter_mut().map(|page| &mut page.sub_queries);
    for numbers in numbers.chain(read.lost.iter_mut().map(|page| &mut page.sub_queries)) {
        *numbers = vec![0];
    }
}

/// The least score by the index of a hit of sub-query `number`. If most pages that would be kept `by_index` are lost,
/// and no other of them scores half of the best of those `found`, it is that half: a page that hardly matches a
/// question does not become its answer because other pages are missing.
fn least_to_stand_in(found: &[Hit], number: usize, by_index: &Picks, read: &Pages) -> f64 {
    let half = found.iter().map(|hit| hit.score).fold(0.0, f64::max) / 2.0;
    let is_lost = |pick: &&Pick| read.lost.iter().any(|lost| lost.number == Some(pick.page));
    let is_strong = |pick: &Pick| found.iter().any(|hit| hit.page == pick.page && hit.score >= half);
    let kept = || by_index.items.iter().filter(|pick| pick.wanted_by.contains(&number));
    let lost = kept().filter(is_lost).count();
    let is_most = lost * 2 > kept().count();
    let is_any_strong = kept().any(|pick| !is_lost(&pick) && is_strong(pick));
    if is_most && !is_any_strong { half } else { 0.0 }
}

/// The pages that were picked of those read, in the order of `picks`, with the lost ones, and the unpicked pages. A
/// lost page was only to be compared if it is none of those that would be kept `by_index`.
fn pick_pages(mut read: Pages, picks: &Picks, by_index: &Picks) -> (Pages, Vec<FetchedPage>) {
    for lost in &mut read.lost {
        lost.for_comparison_only = !by_index.items.iter().any(|pick| Some(pick.page) == lost.number);
    }
    let (mut items, mut unpicked) = (Vec::new(), read.items);
    for pick in &picks.items {
        if let Some(place) = unpicked.iter().position(|page| page.number == pick.page) {
            items.push(FetchedPage { sub_queries: pick.wanted_by.clone(), ..unpicked.remove(place) });
        }
    }
    (Pages { items, lost: read.lost }, unpicked)
}

/// The pages that the picked ones list under See Also. The `unpicked` pages are not fetched twice, and lost ones are
/// not requested again but reported as lost. Damaged links cost these pages, not the answer.
async fn see_also<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    pages: &Pages,
    unpicked: Vec<FetchedPage>,
    config: &Config,
) -> Pages {
    let directories = Directories::of(library.index());
    match library.resolve(|_| expand(pages, &directories, config)).await {
        Ok(LinkedPages { wanted, missed }) => {
            let mut linked = fetch(library, &wanted, unpicked).await;
            let is_missed = |lost: &&LostPage| lost.number.is_some_and(|number| missed.contains(&number));
            let missed = pages.lost.iter().filter(is_missed);
            linked.lost.extend(missed.map(|lost| LostPage { for_comparison_only: false, ..lost.clone() }));
            linked
        }
        Err(error) => {
            let (id, reason) = ("See Also".to_owned(), error.to_string());
            let lost = LostPage { number: None, id, reason, sub_queries: Vec::new(), for_comparison_only: false };
            Pages { items: Vec::new(), lost: vec![lost] }
        }
    }
}

/// All pages, and each lost one once.
fn join_pages(mut pages: Pages, linked: Pages) -> (Vec<FetchedPage>, Vec<LostPage>) {
    pages.items.extend(linked.items);
    pages.lost.retain(|lost| !linked.lost.iter().any(|other| other.number == lost.number));
    pages.lost.extend(linked.lost);
    (pages.items, pages.lost)
}

/// Composes the answer, and returns its pages; the trace is added later.
fn compose(
    question: &Question,
    mut found: Retrieval,
    extract: Extract,
    missing_languages: impl Iterator<Item = &'static str>,
) -> (Answer, Manifest) {
    let answered = |number: usize| extract.sentences.iter().any(|sentence| sentence.sub_query == number);
    // If a page that was fetched only for reranking is lost, it is reported when its part of the question has no other
    // page: it may have answered the part.
    found.lost.retain(|lost| !lost.for_comparison_only || !lost.sub_queries.iter().all(|&number| answered(number)));
    let brought = |number: usize| -> Vec<String> {
        found.picks.items.iter().filter(|pick| pick.wanted_by.contains(&number)).map(|pick| pick.id.clone()).collect()
    };
    let sub_queries = found.sub_queries.items.iter().enumerate().map(|(number, item)| AnsweredSubQuery {
        text: item.text.clone(),
        pages: brought(number),
        answered: answered(number),
        coverage: extract.coverage.get(number).copied().unwrap_or_default(),
    });
    let cited = |place: usize| extract.sentences.iter().any(|sentence| sentence.source == place + 1);
    let pages = &found.assembled.manifest.pages;
    let sources = pages.iter().enumerate().map(|(place, page)| SourcePage::of(page, cited(place))).collect();
    let answer = Answer {
        question: question.text().to_owned(),
        sub_queries: sub_queries.collect(),
        sources,
        notices: notices(question, &found, missing_languages),
        context_chars: found.assembled.context.chars,
        context: found.assembled.context.text,
        sentences: extract.sentences,
        trace: Vec::new(),
        ms: 0.0,
    };
    (answer, Manifest { lost: found.lost.len(), ..found.assembled.manifest })
}

fn notices(
    question: &Question,
    found: &Retrieval,
    missing_languages: impl Iterator<Item = &'static str>,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    for language in missing_languages {
        let message = format!(
            "Language support for {language} could not be loaded; packs in that language were left out. Ask again to \
             try once more."
        );
        notices.push(Notice { code: "language-missing", message });
    }
    if question.was_cut() {
        let message = "The question is very long; only its beginning was asked.".to_owned();
        notices.push(Notice { code: "question-cut", message });
    }
    if found.sub_queries.joined {
        let message = "The question has many subjects; the last of them were searched for together.".to_owned();
        notices.push(Notice { code: "subjects-joined", message });
    }
    for lost in &found.lost {
        let message = format!("A page could not be read and is left out: {}.", lost.reason);
        notices.push(Notice { code: "page-lost", message });
    }
    for page in found.assembled.manifest.pages.iter().filter(|page| page.stale) {
        let message =
            format!("{} changed since the index was built; `seealso build` brings the index up to date.", page.id);
        notices.push(Notice { code: "page-changed", message });
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{FixedClock, MemorySource};

    fn check(filter: &Filter, expected: &[&str]) {
        let page = |title: &str| {
            format!("---\ntitle: {title}\nsummary: What a leaf is.\n---\n\n# {title}\n\n> A leaf is flat.\n")
        };
        let (leaf, other) = (page("Leaf"), page("Leaf of paper"));
        let packs =
            [("paper", [("concepts/sheet.md", other.as_str())]), ("plants", [("concepts/leaf.md", leaf.as_str())])];
        let packs: Vec<(&str, &[(&str, &str)])> = packs.iter().map(|(path, pages)| (*path, pages.as_slice())).collect();
        let source = MemorySource::of_packs(&packs);
        let run = async {
            let library = Library::open(source, FixedClock, Config::default()).await.unwrap();
            ask_within(&library, "What is a leaf?", filter.clone(), &mut |_| {}).await.unwrap()
        };
        let found: Vec<String> =
            futures_executor::block_on(run).sources.into_iter().map(|source| source.page).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_filter_keeps_to_its_packs() {
        let packs = |names: &[&str]| Filter {
            packs: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Filter::default()
        };
        check(&packs(&[]), &["plants/concepts/leaf", "paper/concepts/sheet"]);
        check(&packs(&["paper"]), &["paper/concepts/sheet"]);
        check(&packs(&["nowhere"]), &[]);
        check(
            &Filter { languages: vec!["en".to_owned()], ..Filter::default() },
            &["plants/concepts/leaf", "paper/concepts/sheet"],
        );
        check(&Filter { languages: vec!["de".to_owned()], ..Filter::default() }, &[]);
    }
}
