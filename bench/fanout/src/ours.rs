//! seealso's own stages over packs in a folder: the one file that knows their interface.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use futures_executor::block_on;
use seealso::{
    Config, FixedClock, MemorySource, Rankings, SubQueries, SubQuery, decompose, fetch, merge, page_id, rerank, search,
    whole_or_parts,
};
use seealso_index::{Error, Hit, Index, PageNo};
use seealso_pack::{CATALOG_FILE, Pack, catalog_of, discover};

use crate::RANKED;
use crate::questions::Question;

/// A page's text, for the search in chunks.
pub(crate) struct PageText {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) body: String,
}

/// What a ranking goes by.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RankingBasis {
    /// The index and the texts of the pages that an answer reads.
    Texts,
    /// The index alone.
    Index,
}

/// Packs and their index, in memory.
pub(crate) struct Library {
    packs: Vec<Pack>,
    opened: seealso::Library<MemorySource, FixedClock>,
}

impl Library {
    /// Reads the packs below `root` and indexes them as `seealso build` does.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let packs = discover(root)?
            .into_iter()
            .map(|(folder, path)| Ok(Pack::read(&folder, &path)?))
            .collect::<Result<Vec<_>>>()?;
        let built = catalog_of(&packs)?;
        let catalog = (CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
        let texts = packs.iter().flat_map(|pack| {
            let path = |file: &str| format!("{}/{}", pack.path, pack.page_path(file));
            pack.pages.iter().map(move |page| (path(&page.file), page.to_markdown().into_bytes()))
        });
        let source = MemorySource::new(built.files.into_iter().chain([catalog]).chain(texts));
        // As `seealso eval` has it: the ranking's caps are lifted, so that twelve pages can be looked at.
        let usual = Config::default();
        let hits = RANKED * usual.hits_per_sub_query / usual.pages_per_sub_query;
        let config = Config { hits_per_sub_query: hits, pages_per_sub_query: RANKED, pages: RANKED, ..usual };
        let opened = block_on(seealso::Library::open(source, FixedClock, config))?;
        Ok(Library { packs, opened })
    }

    pub(crate) fn page_count(&self) -> usize {
        self.packs.iter().map(|pack| pack.pages.len()).sum()
    }

    /// The text of all pages.
    pub(crate) fn pages(&self) -> impl Iterator<Item = PageText> {
        self.packs.iter().flat_map(|pack| {
            pack.pages.iter().map(|page| PageText {
                id: page_id(&pack.path, &page.file),
                title: page.title.clone(),
                summary: page.summary.clone(),
                body: page.body.clone(),
            })
        })
    }

    /// The share of `questions` that have more than one sub-query.
    pub(crate) fn split_share(&self, questions: &[Question]) -> Result<f64> {
        let mut split = 0;
        for question in questions {
            split += usize::from(self.sub_queries(&question.question)?.items.len() > 1);
        }
        Ok(split as f64 / questions.len().max(1) as f64)
    }

    /// As seealso does it: a ranking for each sub-query, merged round-robin.
    pub(crate) fn round_robin(&self, question: &str, by: RankingBasis) -> Result<Vec<String>> {
        let sub_queries = self.sub_queries(question)?;
        let (rankings, _) = self.rankings(&sub_queries, by, Config::default().hits_per_sub_query)?;
        let picks = self.resolve(|index| merge(&rankings, index, &self.opened.config))?;
        Ok(picks.items.into_iter().map(|pick| pick.id).collect())
    }

    /// The same rankings, their hits put together by score.
    pub(crate) fn by_score(&self, question: &str, by: RankingBasis) -> Result<Vec<String>> {
        let sub_queries = self.sub_queries(question)?;
        let (rankings, read) = self.rankings(&sub_queries, by, Config::default().hits_per_sub_query)?;
        let mut hits: Vec<Hit> = rankings.items.into_iter().flat_map(|ranking| ranking.hits).collect();
        // Scores with and without a page's text are not alike.
        let tier = |hit: &Hit| (hit.exact, hit.quoted, read.contains(&hit.page));
        hits.sort_by(|a, b| tier(b).cmp(&tier(a)).then(b.score.total_cmp(&a.score)));
        let mut pages: Vec<PageNo> = Vec::new();
        for hit in hits {
            if !pages.contains(&hit.page) && pages.len() < RANKED {
                pages.push(hit.page);
            }
        }
        pages.into_iter().map(|page| self.id(page)).collect()
    }

    /// One search with the whole question, of which as many pages are read as of two sub-queries.
    pub(crate) fn undivided(&self, question: &str, by: RankingBasis) -> Result<Vec<String>> {
        let whole = SubQuery { text: question.to_owned(), context: String::new() };
        let whole = SubQueries::of_one(whole);
        let (rankings, _) = self.rankings(&whole, by, Config::default().pages_read)?;
        let hits = rankings.items.into_iter().flat_map(|ranking| ranking.hits).take(RANKED);
        hits.map(|hit| self.id(hit.page)).collect()
    }

    /// The rankings, and the pages that were read for them, so many of each sub-query at most.
    fn rankings(&self, sub_queries: &SubQueries, by: RankingBasis, read: usize) -> Result<(Rankings, Vec<PageNo>)> {
        let config = &self.opened.config;
        let rankings = self.resolve(|index| search(sub_queries, index, config))?;
        if by == RankingBasis::Index {
            return Ok((Rankings { whole: None, ..rankings }, Vec::new()));
        }
        let to_read = Config { pages_per_sub_query: read, ..Config::default().of_reading() };
        let to_read = self.resolve(|index| merge(&rankings, index, &to_read))?.wanted();
        let read = block_on(fetch(&self.opened, &to_read, Vec::new()));
        ensure!(read.lost.is_empty(), "a page could not be read");
        let (_, rankings) = self.resolve(|index| {
            let reranked = rerank(&rankings, sub_queries, &read, index, config)?;
            whole_or_parts(sub_queries, reranked, &read, index, config)
        })?;
        Ok((rankings, read.items.into_iter().map(|page| page.number).collect()))
    }

    fn sub_queries(&self, question: &str) -> Result<SubQueries> {
        let config = &self.opened.config;
        let question = seealso::Question::new(question, config.question_chars).context("a question is empty")?;
        self.resolve(|index| decompose(&question, index, config))
    }

    fn id(&self, page: PageNo) -> Result<String> {
        self.resolve(|index| {
            let entry = index.page(page)?;
            Ok(page_id(&index.pack(entry.pack)?.path, &entry.file))
        })
    }

    /// Asks the index, whose files are all in memory.
    fn resolve<T>(&self, ask: impl FnMut(&Index) -> Result<T, Error>) -> Result<T> {
        Ok(block_on(self.opened.resolve(ask))?)
    }
}
