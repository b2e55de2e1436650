//! Words that stand side by side in the question and on the page.
//!
//! BM25 sees a bag of words. A page whose title or summary says two words of the question one right after the other, as
//! the question does, is likelier meant than one that says them apart (sequential dependence: Metzler and Croft,
//! 2005). Stop words count here, beside a word that is none. Only the best pages are looked at so, since it takes their
//! texts, which a result list needs anyway.

use crate::analysis::{Analysis, Kind, Token};
use crate::bm25::Bm25;
use crate::error::Error;
use crate::index::{Index, PageNo};
use crate::search::{Hit, Query};

/// A pair of terms, and what it counts.
type Pair = (String, String, f64);

impl Index {
    /// Adds to each hit's score what its texts share with the order of the question's words.
    pub(crate) fn add_adjacent(&self, query: Query<'_>, bm25: &Bm25, hits: &mut [Hit]) -> Result<(), Error> {
        if bm25.adjacent <= 0.0 || hits.is_empty() {
            return Ok(());
        }
        self.foresee_pages(hits.iter().map(|hit| hit.page))?;
        for (analysis, _) in self.analyses() {
            let pairs = self.pairs_in(*analysis, query.text, bm25)?;
            if pairs.is_empty() {
                continue;
            }
            for hit in hits.iter_mut() {
                if self.pack_of(hit.page).is_some_and(|pack| self.analysis_of(pack) == *analysis) {
                    hit.score += self.adjacency(*analysis, hit.page, &pairs)?;
                }
            }
        }
        Ok(())
    }

    /// The same for one page.
    pub(crate) fn adjacent_part(
        &self,
        analysis: Analysis,
        query: Query<'_>,
        page: PageNo,
        bm25: &Bm25,
    ) -> Result<f64, Error> {
        match bm25.adjacent > 0.0 {
            true => self.adjacency(analysis, page, &self.pairs_in(analysis, query.text, bm25)?),
            false => Ok(0.0),
        }
    }

    /// The pairs of words that follow each other in `text`, each once.
    fn pairs_in(&self, analysis: Analysis, text: &str, bm25: &Bm25) -> Result<Vec<Pair>, Error> {
        let tokens = words(analysis, text);
        let mut pairs: Vec<Pair> = Vec::new();
        for two in tokens.windows(2).filter(|two| !(two[0].stop && two[1].stop)) {
            let weight = |token: &Token| match token.stop {
                true => Ok(0.0),
                false => self.rarity(analysis, &token.term, bm25).map(|(rarity, _)| rarity),
            };
            let counts = bm25.adjacent * (weight(&two[0])? + weight(&two[1])?) / 2.0;
            if !pairs.iter().any(|(a, b, _)| *a == two[0].term && *b == two[1].term) {
                pairs.push((two[0].term.clone(), two[1].term.clone(), counts));
            }
        }
        Ok(pairs)
    }

    fn adjacency(&self, analysis: Analysis, page: PageNo, pairs: &[Pair]) -> Result<f64, Error> {
        let entry = self.page(page)?;
        let texts: Vec<Vec<Token>> = [&entry.title, &entry.summary]
            .into_iter()
            .chain(&entry.aliases)
            .map(|text| words(analysis, text))
            .collect();
        let stands = |(a, b, _): &&Pair| {
            texts.iter().any(|tokens| tokens.windows(2).any(|two| two[0].term == *a && two[1].term == *b))
        };
        Ok(pairs.iter().filter(stands).map(|(.., counts)| counts).sum())
    }
}

/// The words of a text. Pairs of characters stand side by side by themselves.
fn words(analysis: Analysis, text: &str) -> Vec<Token> {
    let mut tokens = analysis.all_tokens(text);
    tokens.retain(|token| token.kind == Kind::Word);
    tokens
}
