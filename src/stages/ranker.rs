//! What the stages know of one question, at the places of retrieval where it counts: near pages are read beside those that the
//! words find, both rankings are fused, neighbours of the first page are read, and pages that say too little are left out.

mod details;
mod page_quality;
mod pairs;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use seealso_chunks::{ChunkSizes, chunks, section_path};
use seealso_index::{Error, Hit, Index, PackNo, PageNo, sort_by};

use super::cross_encoder::{PairScorer, pair_candidates};
use super::expand_top::expand_top;
use super::fusion::{FusedPage, MeaningScale, fuse};
use super::graph::LinkGraph;
use super::near::NearChunk;
use super::note::Note;
use super::options::StageOptions;
use super::quality::select_good;
use super::report::StageReport;
use crate::answer::{Answer, SourcePage};
use crate::config::Config;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::retrieve::expand::{Directories, LinkedPages, expand};
use crate::retrieve::fetch::{FetchedPage, PageRequest, Pages, Via};
use crate::retrieve::finder::Ranker;
use crate::retrieve::rerank::rerank;
use crate::retrieve::search::{Ranking, Rankings, lead, search};
use crate::trace::{Tracer, counted, detail};
use crate::world::Clock;
use details::Details;
use page_quality::{page_quality, quality_note};
use pairs::{best_first_by_pairs, score_all};

/// The near pages of one sub-query.
#[derive(Debug, Clone, Default)]
pub(super) struct NearRanking {
    /// The best chunk of each page, best first.
    pub(super) pages: Vec<NearChunk>,
    /// The scores of a cross-encoder, by page.
    pub(super) pairs: BTreeMap<PageNo, f64>,
}

impl NearRanking {
    /// What its pages are ranked by.
    fn scale(&self) -> MeaningScale {
        match self.pages.iter().all(|chunk| chunk.similarity.is_some()) {
            true => MeaningScale::Cosine,
            false => MeaningScale::Relative,
        }
    }
}

/// How many more pages are read for a sub-query, and in all, where near pages come in.
const NEAR_PAGES_READ: usize = 4;
const NEAR_PAGES_READ_IN_ALL: usize = 8;

/// The stages, prepared for one question.
pub struct StageRanker<'o, P> {
    pub(super) options: &'o StageOptions,
    pub(super) pair_scorer: Option<&'o P>,
    /// The near pages of each sub-query that is searched, that of the whole question last; none where no stage was used.
    pub(super) near: Vec<NearRanking>,
    /// The texts of the sub-queries, as an encoder is asked.
    pub(super) queries: Vec<String>,
    pub(super) graphs: BTreeMap<PackNo, LinkGraph>,
    /// Packs in languages that the encoder does not know.
    pub(super) packs_without_vectors: Vec<PackNo>,
    pub(super) report: StageReport,
    pub(super) out: &'o mut StageReport,
    /// The neighbours that were added to the pages to read.
    pub(super) neighbours: RefCell<Vec<PageNo>>,
    /// Whether near pages were added to a ranking by words.
    pub(super) changes_ranking: Cell<bool>,
}

impl<P: PairScorer> StageRanker<'_, P> {
    /// Whether a stage was used, so that an answer is not that of the words alone.
    fn is_active(&self) -> bool {
        !self.near.is_empty() && !self.is_closed()
    }

    fn is_closed(&self) -> bool {
        self.report.gate.is_some_and(|gate| !gate.passes)
    }

    /// Whether `near` says nothing of a query: it is by meaning, and the query's best page by words is in a pack without vectors,
    /// so the query is in the language of that pack.
    fn is_foreign(&self, near: &NearRanking, hits: &[Hit], index: &Index) -> bool {
        let pack = hits.first().and_then(|hit| index.pack_of(hit.page));
        near.scale() == MeaningScale::Cosine && pack.is_some_and(|pack| self.packs_without_vectors.contains(&pack))
    }

    /// The ranking of `hits` by words and of `near` by meaning, with the hits that both have.
    fn fuse_near(&self, hits: &[Hit], near: &NearRanking) -> Vec<(Hit, FusedPage)> {
        let words: Vec<(PageNo, f64)> = hits.iter().map(|hit| (hit.page, hit.score)).collect();
        let meaning: Vec<(PageNo, f64)> = near.pages.iter().map(|chunk| (chunk.page, chunk.score)).collect();
        let of = |fused: FusedPage| {
            let known = hits.iter().find(|hit| hit.page == fused.page).copied();
            (known.unwrap_or(Hit { page: fused.page, score: 0.0, exact: false, quoted: false }), fused)
        };
        let mut fused: Vec<(Hit, FusedPage)> =
            fuse(&words, &meaning, near.scale(), self.options.fusion).into_iter().map(of).collect();
        // What a question names or quotes stays first.
        sort_by(&mut fused, |a, b| (b.0.exact, b.0.quoted).cmp(&(a.0.exact, a.0.quoted)));
        fused
    }

    /// Adds the near pages to a ranking by words, whose scores stay as they are.
    fn add_near(&self, ranking: &mut Ranking, near: &NearRanking) {
        let mut details = Details::of(ranking);
        let fused = self.fuse_near(&ranking.hits, near);
        ranking.hits = fused.iter().map(|(hit, _)| *hit).collect();
        ranking.explained = fused.iter().map(|(hit, page)| details.with(hit.page, page, near)).collect();
    }

    /// Orders a ranking of pages that were read by words and meaning, and then by pairs.
    fn order_read(&self, ranking: &mut Ranking, near: &NearRanking, pages: &Pages, keep: usize) {
        let is_read = |hit: &Hit| pages.items.iter().any(|page| page.number == hit.page);
        let (read, unread): (Vec<Hit>, Vec<Hit>) = ranking.hits.iter().partition(|hit| is_read(hit));
        let mut fused = self.fuse_near(&read, near);
        fused.retain(|(hit, _)| read.iter().any(|known| known.page == hit.page));
        for (hit, page) in &mut fused {
            hit.score = page.score;
        }
        if !near.pairs.is_empty() {
            fused = best_first_by_pairs(fused, &near.pairs, keep);
        }
        let mut details = Details::of(ranking);
        ranking.explained = fused.iter().map(|(hit, page)| details.with(hit.page, page, near)).collect();
        let read: Vec<Hit> = fused.into_iter().map(|(hit, _)| hit).collect();
        // A lead beside lost pages was measured where their scores are known. Pages that nobody read have scores on another scale.
        if pages.lost.is_empty() {
            ranking.lead = lead(&read);
        }
        ranking.hits = read.into_iter().chain(unread).collect();
    }

    /// Names the sections of those near chunks that a stage knows by their numbers alone.
    fn name_sections(&mut self, pages: &[FetchedPage]) {
        for chunk in self.near.iter_mut().flat_map(|near| &mut near.pages).filter(|chunk| chunk.section.is_empty()) {
            let Some(page) = pages.iter().find(|page| page.number == chunk.page) else { continue };
            let divided = chunks(&page.page, &ChunkSizes::default());
            let found = divided.iter().find(|one| one.number == chunk.chunk as usize);
            chunk.section = found.map(|one| section_path(&page.page.title, &one.headings)).unwrap_or_default();
        }
    }

    /// The text of the chunk by which a page was found, or of its first one.
    fn chunk_text(page: &FetchedPage, near: &NearRanking) -> String {
        let number = near.pages.iter().find(|chunk| chunk.page == page.number).map_or(0, |chunk| chunk.chunk as usize);
        let mut made = chunks(&page.page, &ChunkSizes::default());
        match number < made.len() {
            true => made.swap_remove(number).contextualized_text,
            false => page.page.summary.clone(),
        }
    }
}

impl<P: PairScorer> Ranker for StageRanker<'_, P> {
    fn search(&self, sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
        if self.is_closed() {
            let nothing = |item: &SubQuery| Ranking {
                sub_query: item.text.clone(),
                hits: Vec::new(),
                lead: 0.0,
                explained: Vec::new(),
            };
            return Ok(Rankings::of(sub_queries.searched().map(nothing).collect(), sub_queries));
        }
        let mut rankings = search(sub_queries, index, config)?;
        for (ranking, near) in rankings.all_mut().zip(&self.near).filter(|(_, near)| !near.pages.is_empty()) {
            if !self.is_foreign(near, &ranking.hits, index) {
                self.add_near(ranking, near);
                self.changes_ranking.set(true);
            }
        }
        Ok(rankings)
    }

    fn limits_of_reading(&self, config: &Config) -> Config {
        let limits = config.of_reading();
        match self.near.iter().any(|near| !near.pages.is_empty()) {
            true => Config {
                pages_per_sub_query: limits.pages_per_sub_query + NEAR_PAGES_READ,
                pages: limits.pages + NEAR_PAGES_READ_IN_ALL,
                ..limits
            },
            false => limits,
        }
    }

    #[allow(private_interfaces, reason = "as in the trait")]
    async fn note_read<C: Clock>(&mut self, rankings: &Rankings, read: &Pages, tracer: &mut Tracer<'_, C>) {
        let Some(scorer) = self.pair_scorer.filter(|_| self.options.cross_encoder && self.is_active()) else { return };
        let most = pair_candidates(self.options.pages);
        let mut asked = Vec::new();
        for (number, (ranking, near)) in rankings.all().zip(&self.near).enumerate() {
            let pages = ranking.hits.iter().filter_map(|hit| read.items.iter().find(|page| page.number == hit.page));
            let pages: Vec<&FetchedPage> = pages.take(most).collect();
            let texts = pages.iter().map(|page| Self::chunk_text(page, near)).collect();
            asked.push((number, pages.iter().map(|page| page.number).collect(), texts));
        }
        let scored = tracer.wait("cross-encoder", score_all(scorer, &self.queries, asked, read)).await;
        for (number, pairs) in scored.rankings {
            self.near[number].pairs = pairs;
        }
        match scored.failed {
            None => self.report.use_stage("cross-encoder"),
            Some(error) => {
                let message = format!("The cross-encoder failed, so pages were ranked without it: {error}.");
                self.report.notify("cross-encoder-failed", message);
            }
        }
    }

    fn rerank(
        &self,
        rankings: &Rankings,
        sub_queries: &SubQueries,
        pages: &Pages,
        index: &Index,
        config: &Config,
    ) -> Result<Rankings, Error> {
        let mut reranked = rerank(rankings, sub_queries, pages, index, config)?;
        let near = reranked.all_mut().zip(&self.near);
        for (ranking, near) in near.filter(|(_, near)| !near.pages.is_empty() || !near.pairs.is_empty()) {
            if !self.is_foreign(near, &ranking.hits, index) {
                self.order_read(ranking, near, pages, self.options.pages);
            }
        }
        Ok(reranked)
    }

    fn expand(&self, pages: &Pages, directories: &Directories, config: &Config) -> Result<LinkedPages, Error> {
        let mut linked = expand(pages, directories, config)?;
        let Some(top) = pages.items.first().filter(|_| self.options.expand_top && self.is_active()) else {
            return Ok(linked);
        };
        let own = directories.links(top.number)?;
        let linked_with = |page: PageNo| match self.graphs.get(&top.pack) {
            Some(graph) => graph.neighbours(page),
            None if page == top.number => &own,
            None => &[],
        };
        let numbers: Vec<PageNo> = pages.items.iter().map(|page| page.number).collect();
        let is_lost = |page: &PageNo| pages.lost.iter().any(|lost| lost.number == Some(*page));
        let mut added = expand_top(&numbers, linked_with, self.options.expansion);
        added.retain(|page| !is_lost(page));
        linked.wanted.retain(|want| !added.contains(&want.page));
        let request = |&page: &PageNo| PageRequest { page, via: Via::SeeAlso, sub_queries: top.sub_queries.clone() };
        linked.wanted.splice(0..0, added.iter().map(request));
        *self.neighbours.borrow_mut() = added;
        Ok(linked)
    }

    #[allow(private_interfaces, reason = "as in the trait")]
    fn retain<C: Clock>(
        &mut self,
        pages: Vec<FetchedPage>,
        sub_queries: &SubQueries,
        tracer: &mut Tracer<'_, C>,
    ) -> Vec<FetchedPage> {
        if !self.is_active() {
            return pages;
        }
        self.name_sections(&pages);
        if self.options.expand_top {
            let neighbours = self.neighbours.take();
            let added: Vec<String> =
                pages.iter().filter(|page| neighbours.contains(&page.number)).map(|page| page.id.clone()).collect();
            if !added.is_empty() {
                self.report.use_stage("expand-top");
            }
            tracer.stage("expand-top", || Note {
                note: counted(added.len(), "page"),
                detail: detail!({ "pages": added }),
            });
        }
        if !self.options.quality {
            return pages;
        }
        let qualities: Vec<f64> = pages.iter().map(|page| page_quality(page, sub_queries)).collect();
        let kept = select_good(&qualities, self.options.quality_threshold);
        if kept.contains(&false) {
            self.report.use_stage("quality");
        }
        tracer.stage("quality", || quality_note(&pages, &qualities, &kept));
        pages.into_iter().zip(kept).filter_map(|(page, is_kept)| is_kept.then_some(page)).collect()
    }

    fn finish(self, answer: &mut Answer) {
        let mut report = self.report;
        if !self.near.is_empty() && !self.changes_ranking.get() && report.gate.is_none_or(|gate| gate.passes) {
            report.use_words_alone();
        }
        let near = |source: &SourcePage| {
            let chunks = self.near.iter().flat_map(|near| &near.pages).filter(|chunk| chunk.id == source.page);
            chunks.fold(None, |best: Option<&NearChunk>, chunk| match best {
                Some(best) if best.similarity >= chunk.similarity => Some(best),
                _ => Some(chunk),
            })
        };
        report.chunks = answer.sources.iter().filter_map(near).cloned().collect();
        answer.notices.extend(report.notices.iter().cloned());
        *self.out = report;
    }
}
