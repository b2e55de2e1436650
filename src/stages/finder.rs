//! `ByStages`: pages are found by their words, and by the stages of a site beside them.
//!
//! For each sub-query: what it is called otherwise, its vector, its chunks, its nearest chunks, whether any of them is near enough,
//! and which of their pages are central. A stage that fails is a sentence in the answer, and the question goes on without it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use seealso_index::{Error, PackNo};

use super::by_chunks::{ChunkOrder, ChunkRanking};
use super::cross_encoder::{NoPairScorer, PairScorer};
use super::fault::StageFault;
use super::gate::gate;
use super::graph::{LinkGraph, rerank_by_graph};
use super::lookup::{Lookup, NearLists};
use super::multi_query::{alternatives_by_model, alternatives_by_names};
use super::near::{NearChunk, join_by_highest};
use super::note::Note;
use super::open::Stages;
use super::options::StageOptions;
use super::ranker::{NearRanking, StageRanker};
use super::report::{QueryType, StageReport};
use crate::config::Config;
use crate::embedder::{Embedder, NoEmbedder, embed_checked};
use crate::library::Library;
use crate::model::{Model, NoModel};
use crate::question::Question;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::finder::Finder;
use crate::retrieve::search::search;
use crate::trace::{Detail, Tracer, counted, detail};
use crate::world::{Clock, PackSource, within};

/// Pages by their words and by the stages of a site.
pub struct ByStages<'o, E = NoEmbedder, P = NoPairScorer, M = NoModel> {
    /// The opened stages.
    pub stages: &'o Stages,
    /// Which of them are used, and how.
    pub options: &'o StageOptions,
    /// The encoder of the space of the stored vectors.
    pub embedder: Option<&'o E>,
    /// The cross-encoder; it is asked where [`StageOptions::cross_encoder`] is on.
    pub pair_scorer: Option<&'o P>,
    /// The model that says a question in other words, where [`StageOptions::multi_query`] is on; without one, the index does.
    pub writer: Option<&'o M>,
    /// Receives what the stages did.
    pub report: &'o mut StageReport,
}

impl<'o> ByStages<'o> {
    /// The stages without an encoder: chunks are ranked by their words.
    pub fn without_models(stages: &'o Stages, options: &'o StageOptions, report: &'o mut StageReport) -> Self {
        ByStages { stages, options, embedder: None, pair_scorer: None, writer: None, report }
    }
}

impl<'o, E: Embedder, P: PairScorer, M: Model> Finder for ByStages<'o, E, P, M> {
    type Ranker = StageRanker<'o, P>;

    #[allow(private_interfaces, reason = "as in the trait")]
    async fn prepare<S: PackSource, C: Clock>(
        self,
        question: &Question,
        sub_queries: &SubQueries,
        library: &Library<S, C>,
        config: &Config,
        tracer: &mut Tracer<'_, C>,
    ) -> StageRanker<'o, P> {
        let mut report = StageReport::default();
        for fault in self.stages.faults() {
            if self.options.says_missing || !matches!(fault, StageFault::NotProvided { .. }) {
                report.notify_fault(fault);
            }
        }
        for name in &self.options.unknown {
            report.notify_fault(&StageFault::UnknownStage { name: name.clone() });
        }
        let mut run =
            Run { with: &self, library, config, report, graphs: BTreeMap::new(), packs_without_vectors: Vec::new() };
        let queries = run.queries(question, sub_queries, tracer).await;
        let near = if self.stages.is_empty() { Vec::new() } else { run.near(sub_queries, &queries, tracer).await };
        let Run { report, graphs, packs_without_vectors, .. } = run;
        StageRanker {
            options: self.options,
            pair_scorer: self.pair_scorer,
            near,
            queries: queries.into_iter().map(|mut texts| texts.swap_remove(0)).collect(),
            graphs,
            packs_without_vectors,
            report,
            out: self.report,
            neighbours: RefCell::default(),
            changes_ranking: Cell::new(false),
        }
    }
}

/// A pack of more pages has no graph: to count its links, all of them are read.
const MOST_PAGES_OF_GRAPH: usize = 20_000;

/// The preparation of one question.
struct Run<'r, 'o, S, C, E, P, M> {
    with: &'r ByStages<'o, E, P, M>,
    library: &'r Library<S, C>,
    config: &'r Config,
    report: StageReport,
    graphs: BTreeMap<PackNo, LinkGraph>,
    packs_without_vectors: Vec<PackNo>,
}

impl<S: PackSource, C: Clock, E: Embedder, P: PairScorer, M: Model> Run<'_, '_, S, C, E, P, M> {
    /// What each searched sub-query is asked as: its own text, and alternatives to it. A question that stays whole is asked as it
    /// was typed, since an encoder knows questions.
    async fn queries(
        &mut self,
        question: &Question,
        sub_queries: &SubQueries,
        tracer: &mut Tracer<'_, C>,
    ) -> Vec<Vec<String>> {
        let is_whole = sub_queries.items.len() == 1 && sub_queries.whole.is_none();
        let mut queries: Vec<Vec<String>> = Vec::new();
        for item in sub_queries.searched() {
            let is_question = is_whole || sub_queries.whole.as_ref() == Some(item);
            let text = match is_question {
                true => question.text().to_owned(),
                false => [&*item.text, &*item.context].join(" ").trim().to_owned(),
            };
            queries.push(vec![text]);
        }
        if self.with.options.multi_query && !self.with.stages.is_empty() {
            let asking = self.alternatives(&mut queries);
            tracer.wait("multi-query", asking).await;
            if queries.iter().any(|texts| texts.len() > 1) {
                self.report.use_stage("multi-query");
            }
        }
        queries
    }

    /// Adds alternatives to each query.
    async fn alternatives(&self, queries: &mut [Vec<String>]) -> Note {
        let mut count = 0;
        for texts in &mut *queries {
            let own = texts[0].clone();
            let found = match self.with.writer {
                Some(model) => {
                    let mut on_event = |_: crate::model::GenerationEvent<'_>| std::ops::ControlFlow::Continue(());
                    let asking = alternatives_by_model(model, &own, &mut on_event);
                    within(&self.library.clock, super::multi_query::TIMEOUT_MS, asking).await.unwrap_or_default()
                }
                None => self.alternatives_of_index(&own).await,
            };
            count += found.len();
            texts.extend(found);
        }
        let rows: Vec<Detail> =
            queries.iter().map(|texts| detail!({ "query": texts[0], "alternatives": texts[1..].to_vec() })).collect();
        Note { note: counted(count, "alternative"), detail: detail!({ "queries": rows }) }
    }

    async fn alternatives_of_index(&self, query: &str) -> Vec<String> {
        let names = self.library.resolve(|index| super::lookup::names_found(query, index, self.config)).await;
        alternatives_by_names(query, &names.unwrap_or_default())
    }

    /// The near pages of each searched sub-query; none at all where no stage could be used.
    async fn near(
        &mut self,
        sub_queries: &SubQueries,
        queries: &[Vec<String>],
        tracer: &mut Tracer<'_, C>,
    ) -> Vec<NearRanking> {
        let vectors = self.embed(queries, tracer).await;
        let lookup =
            Lookup { stages: self.with.stages, options: self.with.options, library: self.library, config: self.config };
        let lists = lookup.find(sub_queries, queries, vectors.as_deref(), tracer).await;
        for fault in &lists.faults {
            self.report.notify_fault(fault);
        }
        // A failure here is one of the index, which the search by words meets and tells.
        self.packs_without_vectors = lookup.packs_without_vectors().await.unwrap_or_default();
        let (mut rankings, is_measured) = self.join(lists, tracer);
        let wants_vectors = self.with.stages.vectors.is_some();
        self.report.query_type = match (is_measured, wants_vectors) {
            (true, _) => QueryType::VectorSearch,
            (false, true) => QueryType::VectorFallback,
            (false, false) => QueryType::Bm25,
        };
        if is_measured && self.with.options.gate {
            self.close_gate(sub_queries, &rankings, tracer).await;
        }
        let is_open = self.report.gate.is_none_or(|gate| gate.passes);
        match self.with.options.graph && is_open {
            true if is_measured => self.rank_by_graph(&mut rankings, tracer).await,
            true => self.report.notify_fault(&StageFault::LinksAlone),
            false => (),
        }
        match rankings.iter().all(Vec::is_empty) && self.report.used.is_empty() {
            true => Vec::new(),
            false => rankings.into_iter().map(|pages| NearRanking { pages, pairs: BTreeMap::new() }).collect(),
        }
    }

    /// The vector of each text of each query; none where they cannot be had.
    async fn embed(&mut self, queries: &[Vec<String>], tracer: &mut Tracer<'_, C>) -> Option<Vec<Vec<Vec<f32>>>> {
        let stage = self.with.stages.vectors.as_ref()?;
        let (stored, dimensions) = (stage.vectors().space().id(), stage.vectors().space().dimensions);
        let fault = match self.with.embedder {
            None => StageFault::NoEncoder { stored },
            Some(embedder) if stage.vectors().space().check(embedder.space()).is_err() => {
                StageFault::OtherModel { stored, encoder: embedder.space().to_owned() }
            }
            Some(embedder) => {
                let texts: Vec<&str> = queries.iter().flatten().map(String::as_str).collect();
                let embedding = Embedding::of(embed_checked(embedder, &texts, dimensions));
                match tracer.wait("embed", embedding).await.0 {
                    Ok(vectors) => {
                        let mut vectors = vectors.into_iter();
                        return Some(
                            queries.iter().map(|texts| vectors.by_ref().take(texts.len()).collect()).collect(),
                        );
                    }
                    Err(error) => StageFault::EncoderFailed { reason: error.to_string() },
                }
            }
        };
        self.report.notify_fault(&fault);
        None
    }

    /// One ranking for each sub-query, and whether one is by similarities. Chunks in the order of their index count only where
    /// nothing is known of similarities, so that no two scales are mixed: where there are no vectors, or where the best chunk is
    /// in a pack without them.
    fn join(&mut self, lists: NearLists, _tracer: &mut Tracer<'_, C>) -> (Vec<Vec<NearChunk>>, bool) {
        let keep = self.with.options.pages;
        let has_vectors = !lists.vectors.is_empty();
        let (mut joined, mut is_measured) = (Vec::new(), false);
        let (mut uses_chunks, mut uses_vectors) = (false, false);
        let (mut by_chunks, mut by_vectors) = (lists.chunks.into_iter(), lists.vectors.into_iter());
        loop {
            let (chunks, vectors) = (by_chunks.next(), by_vectors.next());
            if chunks.is_none() && vectors.is_none() {
                break;
            }
            let order = chunks.as_ref().map(|ranking| ranking.order);
            let takes_chunks = match order {
                Some(ChunkOrder::Cosine) => true,
                Some(ChunkOrder::Bm25) => !has_vectors || self.is_best_without_vector(&chunks),
                None => false,
            };
            let takes_vectors = vectors.is_some() && !(takes_chunks && order == Some(ChunkOrder::Bm25));
            let has_pages = |pages: Option<&Vec<NearChunk>>| pages.is_some_and(|pages| !pages.is_empty());
            uses_chunks |= takes_chunks && has_pages(chunks.as_ref().map(|ranking| &ranking.pages));
            uses_vectors |= takes_vectors && has_pages(vectors.as_ref().map(|ranking| &ranking.pages));
            is_measured |= takes_vectors || order == Some(ChunkOrder::Cosine);
            let of_chunks = chunks.filter(|_| takes_chunks).map(|ranking| ranking.pages);
            let of_vectors = vectors.filter(|_| takes_vectors).map(|ranking| ranking.pages);
            joined.push(join_by_highest(of_chunks.into_iter().chain(of_vectors).collect(), keep));
        }
        if uses_chunks {
            self.report.use_stage("chunks");
        }
        if uses_vectors {
            self.report.use_stage("vectors");
        }
        (joined, is_measured)
    }

    /// Whether the best chunk is in a pack without vectors.
    fn is_best_without_vector(&self, ranking: &Option<ChunkRanking>) -> bool {
        let best = ranking.as_ref().and_then(|ranking| ranking.pages.first());
        let pack = best.and_then(|chunk| self.library.index().pack_of(chunk.page));
        pack.is_some_and(|pack| self.packs_without_vectors.contains(&pack))
    }

    /// Decides whether pages may be read. What is best by words in a pack without similarities passes: nobody measured how near
    /// that is.
    async fn close_gate(&mut self, sub_queries: &SubQueries, rankings: &[Vec<NearChunk>], tracer: &mut Tracer<'_, C>) {
        let threshold = self.with.stages.vectors.as_ref().and_then(|stage| stage.threshold());
        let similarities = rankings.iter().flatten().filter_map(|chunk| chunk.similarity);
        let mut gate = gate(similarities, threshold);
        if !gate.passes && self.is_unmeasured(sub_queries).await {
            gate = gate.unmeasured();
        }
        tracer.stage("gate", || gate);
        self.report.gate = Some(gate);
        if threshold.is_some() {
            self.report.use_stage("gate");
        }
        if !gate.passes {
            self.report.query_type = QueryType::ConfidenceGatedFallback;
        }
    }

    /// Whether the best page by words of any sub-query is in a pack of which no similarities are known: the encoder does not know
    /// its language, or its pages are newer than the vectors.
    async fn is_unmeasured(&self, sub_queries: &SubQueries) -> bool {
        let outdated = self.with.stages.vectors.as_ref().map_or(&[][..], |stage| stage.outdated());
        if outdated.is_empty() && self.packs_without_vectors.is_empty() {
            return false;
        }
        let searching = self.library.resolve(|index| {
            let rankings = search(sub_queries, index, self.config)?;
            let packs: Vec<PackNo> =
                rankings.all().filter_map(|ranking| index.pack_of(ranking.hits.first()?.page)).collect();
            packs.into_iter().map(|pack| Ok((pack, index.pack(pack)?.path))).collect::<Result<Vec<_>, Error>>()
        });
        // A failure here is one of the index, which the search by words meets and tells.
        let packs = searching.await.unwrap_or_default();
        packs.iter().any(|(pack, path)| self.packs_without_vectors.contains(pack) || outdated.contains(path))
    }

    async fn rank_by_graph(&mut self, rankings: &mut [Vec<NearChunk>], tracer: &mut Tracer<'_, C>) {
        let index = self.library.index();
        let mut packs: Vec<_> = rankings.iter().flatten().filter_map(|chunk| index.pack_of(chunk.page)).collect();
        packs.sort_unstable();
        packs.dedup();
        packs.retain(|&pack| index.pages_of(pack).len() <= MOST_PAGES_OF_GRAPH);
        let reading = self.library.resolve(|index| super::lookup::link_graphs(index, &packs));
        match reading.await {
            Ok(graphs) => self.graphs = graphs,
            Err(error) => {
                let fault = StageFault::Unreadable { stage: "graph", reason: error.to_string() };
                self.report.notify_fault(&fault);
                return;
            }
        }
        let graphs = &self.graphs;
        let graph_of = |page| index.pack_of(page).and_then(|pack| graphs.get(&pack));
        let mut ranked = 0;
        for ranking in &mut *rankings {
            ranked += usize::from(rerank_by_graph(ranking, graph_of, self.with.options.graph_weights));
        }
        let sparse = graphs.values().filter(|graph| graph.is_sparse()).count();
        tracer.stage("graph", || graph_note(rankings, ranked, sparse));
        if ranked > 0 {
            self.report.use_stage("graph");
        }
    }
}

fn graph_note(rankings: &[Vec<NearChunk>], ranked: usize, sparse: usize) -> Note {
    let rows = |ranking: &Vec<NearChunk>| Detail::List(ranking.iter().map(NearChunk::detail).collect());
    let rows: Vec<Detail> = rankings.iter().map(rows).collect();
    Note {
        note: format!("{}, {} sparse", counted(ranked, "ranking"), counted(sparse, "pack")),
        detail: detail!({ "rankings": rows, "sparse": sparse }),
    }
}

/// The vectors of some texts, as a line of the trace.
struct Embedding(Result<Vec<Vec<f32>>, crate::embedder::EmbedError>);

impl Embedding {
    async fn of(embedding: impl Future<Output = Result<Vec<Vec<f32>>, crate::embedder::EmbedError>>) -> Embedding {
        Embedding(embedding.await)
    }
}

impl crate::trace::Describe for Embedding {
    fn note(&self) -> String {
        match &self.0 {
            Ok(vectors) => counted(vectors.len(), "vector"),
            Err(error) => format!("failed: {error}"),
        }
    }

    fn detail(&self) -> Detail {
        let vectors = self.0.as_ref().map_or(0, Vec::len);
        detail!({ "vectors": vectors })
    }
}
