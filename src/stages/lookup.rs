//! What the stages of a site hold for the queries of a question: chunks, near chunks, and the links between pages.

use std::collections::BTreeMap;

use seealso_index::{Error, Filter, Index, PackNo, PageNo, Query, try_all};
use seealso_vectors::{Budget, ChunkName, ChunkNo, Near, Vectors};

use super::by_chunks::{ChunkCandidate, ChunkRanking, chunk_candidates, rank_by_chunks};
use super::by_vectors::{VectorRanking, chunks_to_search, rank_by_vectors};
use super::fault::StageFault;
use super::graph::LinkGraph;
use super::near::{NearChunk, join_by_highest};
use super::open::{ChunkStage, Stages};
use super::options::StageOptions;
use super::vector_stage::{ChunkPlace, VectorFault, VectorStage};
use crate::config::Config;
use crate::library::{IndexFault, Library, page_id};
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::trace::{Describe, Detail, Tracer, detail};
use crate::world::{Clock, PackSource};

/// Where tags keep pages out, this many times as many chunks are searched for as the time before, up to this many.
const MORE_TAGGED_CHUNKS: usize = 4;
const MOST_TAGGED_CHUNKS: usize = 4_000;

/// The stages, and the library that they belong to.
pub(super) struct Lookup<'l, S, C> {
    pub(super) stages: &'l Stages,
    pub(super) options: &'l StageOptions,
    pub(super) library: &'l Library<S, C>,
    pub(super) config: &'l Config,
}

/// The rankings of the searched sub-queries, one each; none where a stage is not there, is switched off, or failed.
#[derive(Default)]
pub(super) struct NearLists {
    pub(super) chunks: Vec<ChunkRanking>,
    pub(super) vectors: Vec<VectorRanking>,
    pub(super) faults: Vec<StageFault>,
}

/// A chunk, and where the stages have it.
#[derive(Clone)]
struct PlacedChunk {
    place: ChunkPlace,
    chunk: NearChunk,
}

impl<S: PackSource, C: Clock> Lookup<'_, S, C> {
    /// Ranks pages for each sub-query by its chunks and its vectors. `vectors` has the vector of each text of `queries`.
    pub(super) async fn find(
        &self,
        sub_queries: &SubQueries,
        queries: &[Vec<String>],
        vectors: Option<&[Vec<Vec<f32>>]>,
        tracer: &mut Tracer<'_, C>,
    ) -> NearLists {
        let mut lists = NearLists::default();
        if let Some(stage) = self.stages.chunks.as_ref().filter(|_| self.options.chunks) {
            let ranking = self.all_by_chunks(stage, sub_queries, queries, vectors, &mut lists.faults);
            match tracer.wait("chunks", StageLine::of(ranking)).await.0 {
                Ok(rankings) => lists.chunks = rankings,
                Err(reason) => lists.faults.push(StageFault::Unreadable { stage: "chunks", reason }),
            }
        }
        let stage = self.stages.vectors.as_ref().filter(|_| self.options.vectors);
        if let Some((stage, vectors)) = stage.zip(vectors) {
            match tracer.wait("vectors", StageLine::of(self.all_by_vectors(stage, vectors))).await.0 {
                Ok(rankings) => lists.vectors = rankings,
                Err(reason) => lists.faults.push(StageFault::Unreadable { stage: "vectors", reason }),
            }
        }
        lists
    }

    /// The packs of today's index that have no vectors, since the encoder does not know their language.
    pub(super) async fn packs_without_vectors(&self) -> Result<Vec<PackNo>, IndexFault> {
        let Some(stage) = &self.stages.vectors else { return Ok(Vec::new()) };
        let without = stage.vectors().packs().filter(|pack| pack.chunks.is_empty());
        let paths: Vec<&str> = without.map(|pack| pack.path).collect();
        let finding = self.library.resolve(|index| {
            let packs: Vec<Result<Option<PackNo>, Error>> = paths.iter().map(|path| index.find_pack(path)).collect();
            try_all(packs.iter().map(|pack| pack.as_ref().map(drop).map_err(Clone::clone)))?;
            packs.into_iter().collect::<Result<Vec<_>, _>>()
        });
        Ok(finding.await?.into_iter().flatten().collect())
    }

    async fn all_by_chunks(
        &self,
        stage: &ChunkStage,
        sub_queries: &SubQueries,
        queries: &[Vec<String>],
        vectors: Option<&[Vec<Vec<f32>>]>,
        faults: &mut Vec<StageFault>,
    ) -> Result<Vec<ChunkRanking>, String> {
        let mut rankings = Vec::new();
        for (number, (item, texts)) in sub_queries.searched().zip(queries).enumerate() {
            let of_texts = vectors.filter(|_| self.options.rerank).and_then(|vectors| vectors.get(number));
            rankings.push(self.by_chunks(stage, item, texts, of_texts, faults).await?);
        }
        Ok(rankings)
    }

    /// The pages of one sub-query by its chunks. Alternatives to it count only where cosines are known: scores of two queries by
    /// words are not comparable.
    async fn by_chunks(
        &self,
        stage: &ChunkStage,
        item: &SubQuery,
        texts: &[String],
        vectors: Option<&Vec<Vec<f32>>>,
        faults: &mut Vec<StageFault>,
    ) -> Result<ChunkRanking, String> {
        let (top, keep) = (self.options.top, self.options.pages);
        let own = self.candidates(stage, item.query()).await?;
        let Some(vectors) = vectors else { return Ok(rank_by_chunks(chunks(own), None, top, keep)) };
        let mut first: Option<ChunkRanking> = None;
        for (place, vector) in vectors.iter().enumerate() {
            let candidates = match texts.get(place) {
                Some(text) if place > 0 => self.candidates(stage, Query::from(text.as_str())).await?,
                _ => own.clone(),
            };
            let similarities = match self.similarities(vector, &candidates).await {
                Ok(similarities) => similarities,
                Err(fault) => {
                    if !faults.contains(&fault) {
                        faults.push(fault);
                    }
                    return Ok(rank_by_chunks(chunks(own), None, top, keep));
                }
            };
            let ranking = rank_by_chunks(chunks(candidates), Some(&similarities), top, keep);
            first = Some(match first {
                None => ranking,
                Some(known) => ChunkRanking {
                    candidates: known.candidates + ranking.candidates,
                    reranked: known.reranked + ranking.reranked,
                    deduplicated: known.deduplicated + ranking.deduplicated,
                    pages: join_by_highest(vec![known.pages, ranking.pages], keep),
                    ..known
                },
            });
        }
        Ok(first.unwrap_or_else(|| rank_by_chunks(chunks(own), None, top, keep)))
    }

    /// The chunks that the index of chunks finds, of those pages of today's index that the filter admits.
    async fn candidates(&self, stage: &ChunkStage, query: Query<'_>) -> Result<Vec<PlacedChunk>, String> {
        let (bm25, top) = (&self.options.chunk_bm25, self.options.top);
        let query = Query { filter: Some(&self.config.filter), ..query };
        let finding = stage.resolve(self.library, |index| chunk_candidates(query, index, bm25, top));
        let mut found = finding.await.map_err(|error| error.to_string())?;
        found.retain(|candidate| !stage.outdated.contains(&candidate.pack));
        let placed = |candidate: ChunkCandidate| {
            let ChunkCandidate { pack, file, number, place, section, bm25 } = candidate;
            let mut chunk = NearChunk::new(PageNo(0), page_id(&pack, &file), number);
            (chunk.section, chunk.bm25) = (section, Some(bm25));
            PlacedChunk { place: ChunkPlace { pack, place, name: ChunkName { file, number } }, chunk }
        };
        self.on_pages(found.into_iter().map(placed).collect()).await.map_err(|error| error.to_string())
    }

    /// The chunks whose pages are in today's index and pass the filter, with the numbers of these pages.
    async fn on_pages(&self, placed: Vec<PlacedChunk>) -> Result<Vec<PlacedChunk>, IndexFault> {
        let finding = self.library.resolve(|index| {
            let pages: Vec<Result<Option<PageNo>, Error>> = placed.iter().map(|one| page_of(one, index)).collect();
            try_all(pages.iter().map(|page| page.as_ref().map(drop).map_err(Clone::clone)))?;
            let pages: Vec<Option<PageNo>> = pages.into_iter().collect::<Result<_, _>>()?;
            let known = pages.iter().flatten().copied().collect();
            let passing = index.searcher(&self.config.bm25).pages_passing(Some(&self.config.filter), known)?;
            Ok(pages.into_iter().map(|page| page.filter(|page| passing.contains(page))).collect::<Vec<_>>())
        });
        let pages = finding.await?;
        let with_page = |(mut one, page): (PlacedChunk, Option<PageNo>)| {
            one.chunk.page = page?;
            Some(one)
        };
        Ok(placed.into_iter().zip(pages).filter_map(with_page).collect())
    }

    /// The cosine of each chunk's stored vector and `vector`.
    async fn similarities(&self, vector: &[f32], placed: &[PlacedChunk]) -> Result<Vec<Option<f64>>, StageFault> {
        let stage = self.stages.vectors.as_ref().ok_or(StageFault::NotProvided { stage: "vectors" })?;
        let places: Vec<ChunkPlace> = placed.iter().map(|one| one.place.clone()).collect();
        let measured = stage.similarities(self.library, vector, &places).await.map_err(|fault| match fault {
            VectorFault::OtherChunks => StageFault::Mismatch,
            VectorFault::Unreadable { reason } => StageFault::Unreadable { stage: "vectors", reason },
        })?;
        Ok(measured.into_iter().map(|similarity| similarity.map(f64::from)).collect())
    }

    /// The near pages of each query by its vectors, one for each text that it is asked as.
    async fn all_by_vectors(
        &self,
        stage: &VectorStage,
        queries: &[Vec<Vec<f32>>],
    ) -> Result<Vec<VectorRanking>, String> {
        let admitted = self.admitted(stage).await.map_err(|error| error.to_string())?;
        let keep = self.options.pages;
        let mut rankings = Vec::new();
        for vectors in queries {
            let (mut pages, mut chunks) = (Vec::new(), 0);
            for vector in vectors {
                let ranking = self.by_vector(stage, vector, &admitted).await?;
                chunks += ranking.chunks;
                pages.push(ranking.pages);
            }
            rankings.push(VectorRanking { pages: join_by_highest(pages, keep), chunks });
        }
        Ok(rankings)
    }

    /// The nearest pages to a vector. Of a page's tags its vectors say nothing, so where tags keep pages out, more chunks are
    /// searched for until enough pages pass.
    async fn by_vector(&self, stage: &VectorStage, vector: &[f32], admitted: &[bool]) -> Result<VectorRanking, String> {
        let least = chunks_to_search(self.options.pages);
        let most = if self.config.filter.tags.is_empty() { least } else { MOST_TAGGED_CHUNKS.max(least) };
        let mut count = least;
        loop {
            let near = self.nearest(stage, vector, count, admitted).await?;
            let found = near.len();
            let placed = self.on_pages(near).await.map_err(|error| error.to_string())?;
            let ranking = rank_by_vectors(chunks(placed), self.options.pages);
            if found < count || count >= most || ranking.pages.len() >= self.options.pages {
                return Ok(ranking);
            }
            count = (count * MORE_TAGGED_CHUNKS).min(most);
        }
    }

    /// The `count` nearest chunks of the admitted packs.
    async fn nearest(
        &self,
        stage: &VectorStage,
        vector: &[f32],
        count: usize,
        admitted: &[bool],
    ) -> Result<Vec<PlacedChunk>, String> {
        let finding = stage.resolve(self.library, |vectors| {
            let is_admitted = |chunk: ChunkNo| vectors.pack_of(chunk).is_some_and(|pack| admitted[pack]);
            let near = vectors.search(vector, count, Budget::default(), &is_admitted)?;
            near.into_iter().map(|near| placed_chunk(near, vectors)).collect::<Result<Vec<_>, _>>()
        });
        finding.await
    }

    /// For each pack of the vectors whether its pages may be found: it is in today's index, it has not changed, and the filter
    /// admits it. What else the filter says of pages is looked at page by page.
    async fn admitted(&self, stage: &VectorStage) -> Result<Vec<bool>, IndexFault> {
        let filter = Filter { tags: Vec::new(), ..self.config.filter.clone() };
        let paths: Vec<&str> = stage.vectors().packs().map(|pack| pack.path).collect();
        let finding = self.library.resolve(|index| {
            try_all(paths.iter().map(|path| index.find_pack(path).map(drop)))?;
            let first =
                |path: &&str| Ok(index.find_pack(path)?.and_then(|pack| index.pages_of(pack).next()).map(PageNo));
            let pages: Vec<Option<PageNo>> = paths.iter().map(first).collect::<Result<_, Error>>()?;
            let known = pages.iter().flatten().copied().collect();
            let passing = index.searcher(&self.config.bm25).pages_passing(Some(&filter), known)?;
            Ok(pages.into_iter().map(|page| page.is_some_and(|page| passing.contains(&page))).collect::<Vec<bool>>())
        });
        let mut admitted = finding.await?;
        for (admitted, path) in admitted.iter_mut().zip(paths) {
            *admitted &= !stage.outdated().iter().any(|outdated| outdated == path);
        }
        Ok(admitted)
    }
}

fn chunks(placed: Vec<PlacedChunk>) -> Vec<NearChunk> {
    placed.into_iter().map(|one| one.chunk).collect()
}

/// The page of a chunk in today's index; `None` if it is gone.
fn page_of(placed: &PlacedChunk, index: &Index) -> Result<Option<PageNo>, Error> {
    match index.find_pack(&placed.place.pack)? {
        Some(pack) => index.find_page(pack, &placed.place.name.file),
        None => Ok(None),
    }
}

fn placed_chunk(near: Near, vectors: &Vectors) -> Result<PlacedChunk, seealso_vectors::Error> {
    let name = vectors.name(near.chunk)?;
    let pack = vectors.pack_of(near.chunk).and_then(|at| vectors.packs().nth(at));
    let (pack, place) =
        pack.map_or((String::new(), 0), |pack| (pack.path.to_owned(), near.chunk.0 - pack.chunks.start));
    let mut chunk = NearChunk::new(PageNo(0), page_id(&pack, &name.file), name.number);
    chunk.similarity = Some(f64::from(near.similarity));
    Ok(PlacedChunk { place: ChunkPlace { pack, place, name }, chunk })
}

/// How many pages that a query finds tell what its subject is called.
const PAGES_OF_NAMES: usize = 3;

/// The names of the first pages that the index finds for `query`: for each its title and its aliases.
pub(super) fn names_found(query: &str, index: &Index, config: &Config) -> Result<Vec<Vec<String>>, Error> {
    let query = Query { filter: Some(&config.filter), ..Query::from(query) };
    let hits = index.searcher(&config.bm25).search(query, PAGES_OF_NAMES)?;
    index.prefetch_pages(hits.iter().map(|hit| hit.page))?;
    let names = |page: PageNo| {
        let entry = index.page(page)?;
        Ok([entry.title].into_iter().chain(entry.aliases).collect())
    };
    hits.iter().map(|hit| names(hit.page)).collect()
}

/// The graph of links of each of these packs.
pub(super) fn link_graphs(index: &Index, packs: &[PackNo]) -> Result<BTreeMap<PackNo, LinkGraph>, Error> {
    index.prefetch_pages(packs.iter().flat_map(|&pack| index.pages_of(pack)).map(PageNo))?;
    let graph = |&pack: &PackNo| {
        let pages = index.pages_of(pack);
        let mut links = Vec::new();
        for page in pages.clone().map(PageNo) {
            links.extend(index.links(page)?.into_iter().map(|linked| (page, linked)));
        }
        Ok((pack, LinkGraph::new(pages.len(), &links)))
    };
    packs.iter().map(graph).collect()
}

/// The rankings of a stage, or why there are none, as a line of the trace.
struct StageLine<T>(Result<Vec<T>, String>);

impl<T> StageLine<T> {
    async fn of(ranking: impl Future<Output = Result<Vec<T>, String>>) -> StageLine<T> {
        StageLine(ranking.await)
    }
}

impl<T: Describe> Describe for StageLine<T> {
    fn note(&self) -> String {
        match &self.0 {
            Ok(rankings) => rankings.iter().map(Describe::note).collect::<Vec<_>>().join(" · "),
            Err(reason) => format!("failed: {reason}"),
        }
    }

    fn detail(&self) -> Detail {
        match &self.0 {
            Ok(rankings) => Detail::List(rankings.iter().map(Describe::detail).collect()),
            Err(reason) => detail!({ "failed": reason.as_str() }),
        }
    }
}
