//! Candidates: the best pages of each analysis.

use std::rc::Rc;

use super::filter::{Accept, Filter};
use super::lazy_topk::{Decision, LengthBounds, PartialScore, UnfetchedBlock, decide};
use super::packs::PackBoost;
use super::prepared::PreparedQuery;
use super::rescore::GROUP;
use super::searcher::Searcher;
use super::topk::{Bonus, BonusScore, ListPosting, ScoredList, ScoredPage, Scorer, top};
use super::{Hit, Query};
use crate::error::{Error, try_all};
use crate::ids::PageNo;
use crate::postings::list::{Postings, PostingsList};
use crate::postings::profile::{COMMON_PROFILES, TermProfile};

impl Searcher<'_> {
    /// The `k` best pages of each analysis, of those that `accept` takes. With `every_word` common terms find pages
    /// too.
    pub(super) fn candidates(
        self,
        query: Query<'_>,
        k: usize,
        accept: &Accept<'_>,
        every_word: bool,
    ) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::new();
        try_all(self.index.analyses().iter().map(|(analysis, statistics)| {
            let prepared = self.prepare(*analysis, *statistics, query, every_word)?;
            hits.extend(self.candidates_of(&prepared, query.text, k, accept)?);
            Ok(())
        }))?;
        Ok(hits)
    }

    /// Whether common terms are to find pages too: where the query has a filter, and the rarer terms find no page that
    /// passes it.
    pub(super) fn needs_every_word(self, query: Query<'_>, accept: &Accept<'_>) -> Result<bool, Error> {
        if query.filter.is_none_or(Filter::is_empty) {
            return Ok(false);
        }
        let mut has_common = false;
        try_all(self.index.analyses().iter().map(|(analysis, statistics)| {
            let prepared = self.prepare(*analysis, *statistics, query, false)?;
            has_common |= prepared.terms.iter().any(|term| term.own && term.common);
            Ok(())
        }))?;
        Ok(has_common && self.candidates(query, 1, accept, false)?.is_empty())
    }

    /// The `k` best pages of one analysis.
    fn candidates_of(
        self,
        prepared: &PreparedQuery,
        text: &str,
        k: usize,
        accept: &Accept<'_>,
    ) -> Result<Vec<Hit>, Error> {
        let mut unfetched = Vec::new();
        let lists = self.scored_lists(prepared, &mut unfetched)?;
        if prepared.every_word {
            // Otherwise all blocks of a very long list would be fetched for a filter that few pages pass.
            unfetched.retain(|block| (block.pages.0..=block.pages.1).any(accept));
        }
        let mut bonuses: Vec<Bonus<'_>> = Vec::new();
        for boost in prepared.boosts.iter().filter(|boost| !prepared.terms[boost.order].common) {
            bonuses.push(Bonus { order: boost.order, pages: &boost.pages, most: boost.most(), score: boost });
        }
        let scorer = Scorer { lists: &lists, bonuses: &bonuses };
        let found = match unfetched.is_empty() {
            true => top(&scorer, k, accept),
            false => self.lazy_top(prepared, &scorer, &unfetched, k, accept)?,
        };
        let hit = |(page, score): ScoredPage| Hit { page: PageNo(page), score, exact: false, quoted: false };
        let mut hits: Vec<Hit> = found.into_iter().map(hit).collect();
        self.rescore(prepared, text, &mut hits)?;
        Ok(hits)
    }

    /// The lists of all terms that find pages, with the postings that are there. The blocks that are not go to `unfetched`.
    fn scored_lists(
        self,
        prepared: &PreparedQuery,
        unfetched: &mut Vec<UnfetchedBlock>,
    ) -> Result<Vec<ScoredList>, Error> {
        let PreparedQuery { analysis, statistics, terms, .. } = prepared;
        let average = statistics.average_length;
        let norms: Vec<f64> = self.index.root.profiles.iter().map(|profile| profile.norm(self.bm25, average)).collect();
        let mut lists = Vec::new();
        for (order, term) in terms.iter().enumerate().filter(|(_, term)| !term.common) {
            let list = self.index.list(*analysis, &term.term)?;
            let Some(list) = list.filter(|list| list.count > 0) else { continue };
            let weight = term.factor * self.bm25.idf(statistics.pages, list.pages_with);
            let mut scores: Vec<f64> = norms.iter().map(|norm| weight * norm).collect();
            scores.resize(COMMON_PROFILES, 0.0);
            scores.extend(list.profiles.iter().map(|profile| weight * profile.norm(self.bm25, average)));
            lists.push(self.scored_list(order, &list, scores, unfetched)?);
        }
        Ok(lists)
    }

    /// A list with the postings that are there. The blocks that are not go to `unfetched`.
    fn scored_list(
        self,
        order: usize,
        list: &PostingsList,
        scores: Vec<f64>,
        unfetched: &mut Vec<UnfetchedBlock>,
    ) -> Result<ScoredList, Error> {
        let bounds_hold = self.index.bounds_hold(self.bm25);
        let most = scores.iter().fold(0.0, |most: f64, &score| most.max(score));
        let mut runs = Vec::new();
        match &list.postings {
            Postings::Inline(run) => runs.push(Rc::clone(run)),
            Postings::Blocks(blocks) => {
                for (number, block) in blocks.iter().enumerate() {
                    if let Some(run) = self.index.run_if_fetched(list, block)? {
                        runs.push(run);
                        continue;
                    }
                    let bound =
                        if bounds_hold { scores.get(block.best as usize).copied().unwrap_or(most) } else { most };
                    let pages = (block.base, block.last);
                    unfetched.push(UnfetchedBlock { list: order, block: number, pages, bound, count: list.count });
                }
            }
        }
        let mut profiles = self.index.root.profiles.clone();
        profiles.resize(COMMON_PROFILES, TermProfile::default());
        profiles.extend(&list.profiles);
        Ok(ScoredList { order, runs, profiles, scores, bounds_hold })
    }

    /// The best pages while blocks are not there: the blocks that decide are recorded as missing.
    fn lazy_top(
        self,
        prepared: &PreparedQuery,
        scorer: &Scorer<'_>,
        unfetched: &[UnfetchedBlock],
        k: usize,
        accept: &Accept<'_>,
    ) -> Result<Vec<ScoredPage>, Error> {
        let limit = |list: &ScoredList| (list.order, LengthBounds::new(&list.profiles, &list.scores));
        let limits: Vec<(usize, LengthBounds)> = scorer.lists.iter().map(limit).collect();
        let scores = partial_scores(scorer, accept);
        let (blocks, likely) = match decide(&scores, unfetched, &limits, scorer.most_bonus(), k) {
            Decision::Done(found) => return Ok(found),
            Decision::Fetch { blocks, likely } => (blocks, likely),
        };
        // The texts of the best pages will be read next. Fetching them together with the blocks saves a round.
        self.prefetch_likely(likely.into_iter().take(GROUP).map(PageNo))?;
        for block in blocks {
            let UnfetchedBlock { list, block, .. } = unfetched[block];
            self.prefetch_block(prepared.analysis, &prepared.terms[list].term, block)?;
        }
        Err(Error::Missing)
    }
}

impl BonusScore for PackBoost {
    fn added_to(&self, page: PageNo, profile: &TermProfile) -> f64 {
        self.score(page, profile)
    }
}

/// Every page with a posting that is there, with its score by these postings.
fn partial_scores(scorer: &Scorer<'_>, accept: &Accept<'_>) -> Vec<PartialScore> {
    let mut postings: Vec<(u32, ListPosting)> = Vec::new();
    for (number, list) in scorer.lists.iter().enumerate() {
        let entries = list.runs.iter().flat_map(|run| run.entries()).filter(|(page, _)| accept(*page));
        postings.extend(entries.map(|(page, profile)| (page, (number, profile))));
    }
    postings.sort_unstable();
    let of_one_page = postings.chunk_by(|a, b| a.0 == b.0);
    let scores = of_one_page.map(|postings| {
        let of_page: Vec<ListPosting> = postings.iter().map(|&(_, posting)| posting).collect();
        let (page, (list, profile)) = postings[0];
        let length = scorer.lists[list].profiles.get(profile as usize).map_or(0, |profile| profile.length);
        PartialScore { page, score: scorer.total(page, &of_page), length }
    });
    scores.collect()
}
