//! seealso's own stages over packs in a folder: the one file that knows their interface.

use std::path::Path;

use anyhow::{Context as _, Result};
use seealso::{Config, Rankings, SubQueries, SubQuery, decompose, merge, page_id, search};
use seealso_index::{Hit, Index, PageNo};
use seealso_pack::{Pack, catalog_of, discover};

use crate::RANKED;
use crate::questions::Question;

/// A page's text, for the search in chunks.
pub(crate) struct PageText {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) body: String,
}

/// Packs and their index.
pub(crate) struct Library {
    packs: Vec<Pack>,
    index: Index,
    config: Config,
}

impl Library {
    /// Reads the packs below `root` and indexes them in memory.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let packs = discover(root)?
            .into_iter()
            .map(|(folder, path)| Ok(Pack::read(&folder, &path)?))
            .collect::<Result<Vec<_>>>()?;
        let (_, bytes) = catalog_of(&packs)?;
        // As `seealso eval` has it: the ranking's caps are lifted, so that twelve pages can be looked at.
        let config =
            Config { hits_per_sub_query: RANKED, pages_per_sub_query: RANKED, pages: RANKED, ..Config::default() };
        Ok(Library { packs, index: Index::open(bytes)?, config })
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
    pub(crate) fn round_robin(&self, question: &str) -> Result<Vec<String>> {
        let rankings = self.rankings(question)?;
        let picks = merge(&rankings, &self.index, &self.config)?;
        Ok(picks.items.into_iter().map(|pick| pick.id).collect())
    }

    /// The same rankings, their hits put together by score.
    pub(crate) fn by_score(&self, question: &str) -> Result<Vec<String>> {
        let rankings = self.rankings(question)?;
        let mut hits: Vec<Hit> = rankings.items.into_iter().flat_map(|ranking| ranking.hits).collect();
        hits.sort_by(|a, b| b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)));
        let mut pages: Vec<PageNo> = Vec::new();
        for hit in hits {
            if !pages.contains(&hit.page) && pages.len() < RANKED {
                pages.push(hit.page);
            }
        }
        pages.into_iter().map(|page| self.id(page)).collect()
    }

    /// One search with the whole question.
    pub(crate) fn undivided(&self, question: &str) -> Result<Vec<String>> {
        let whole = SubQuery { text: question.to_owned(), context: String::new() };
        let whole = SubQueries { items: vec![whole], seams: Vec::new(), joined: false };
        let rankings = search(&whole, &self.index, &self.config)?;
        let hits = rankings.items.into_iter().flat_map(|ranking| ranking.hits);
        hits.map(|hit| self.id(hit.page)).collect()
    }

    fn rankings(&self, question: &str) -> Result<Rankings> {
        Ok(search(&self.sub_queries(question)?, &self.index, &self.config)?)
    }

    fn sub_queries(&self, question: &str) -> Result<SubQueries> {
        let question = seealso::Question::new(question, self.config.question_chars).context("a question is empty")?;
        Ok(decompose(&question, &self.index, &self.config)?)
    }

    fn id(&self, page: PageNo) -> Result<String> {
        let entry = self.index.page(page)?;
        Ok(page_id(&self.index.packs()[entry.pack.0].path, &entry.file))
    }
}
