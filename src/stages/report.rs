//! The report of the stages: how the pages of an answer were found, and what could not be used.

use crate::answer::Notice;

use super::fault::StageFault;
use super::gate::Gate;
use super::near::NearChunk;
use crate::trace::{Describe as _, Detail, detail};

/// How the pages of an answer were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryType {
    /// By their meaning, beside their words.
    VectorSearch,
    /// Not at all: no page is near enough to the question.
    ConfidenceGatedFallback,
    /// By their words alone, although they were to be found by their meaning.
    VectorFallback,
    /// By their words.
    #[default]
    Bm25,
}

impl QueryType {
    /// Its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            QueryType::VectorSearch => "vector_search",
            QueryType::ConfidenceGatedFallback => "confidence_gated_fallback",
            QueryType::VectorFallback => "vector_fallback",
            QueryType::Bm25 => "bm25",
        }
    }
}

/// What the stages did for one question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StageReport {
    /// How the pages were found.
    pub query_type: QueryType,
    /// The stages and enhancers that had an effect, in the order in which they ran.
    pub used: Vec<&'static str>,
    /// What the gate decided; `None` where there is none.
    pub gate: Option<Gate>,
    /// The chunk by which each page was found that is a source of the answer, in the order of the sources. Pages that only words
    /// or links found have none.
    pub chunks: Vec<NearChunk>,
    /// What could not be used, and why: a sentence each for the reader.
    pub notices: Vec<Notice>,
}

impl StageReport {
    /// Records that a stage had an effect.
    pub(super) fn use_stage(&mut self, name: &'static str) {
        if !self.used.contains(&name) {
            self.used.push(name);
        }
    }

    /// Adds the notice of a fault, unless the same is there.
    pub(super) fn notify_fault(&mut self, fault: &StageFault) {
        self.notify(fault.code(), fault.to_string());
    }

    /// Records that no stage changed the ranking by words: neither chunks nor vectors nor what orders them was used.
    pub(super) fn use_words_alone(&mut self) {
        self.used.retain(|name| !["chunks", "vectors", "graph", "multi-query"].contains(name));
        if self.query_type == QueryType::VectorSearch {
            self.query_type = QueryType::VectorFallback;
        }
    }

    /// Everything but the notices, for programs.
    pub fn detail(&self) -> Detail {
        let chunks: Vec<Detail> = self.chunks.iter().map(chunk_detail).collect();
        let gate = self.gate.map_or(Detail::Number(None), |gate| gate.detail());
        detail!({ "used": self.used.clone(), "gate": gate, "chunks": chunks })
    }

    /// Adds a notice, unless the same is there.
    pub(super) fn notify(&mut self, code: &'static str, message: String) {
        let notice = Notice { code, message };
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

fn chunk_detail(chunk: &NearChunk) -> Detail {
    let number = |number: Option<f64>| number.unwrap_or(f64::NAN);
    detail!({
        "page": chunk.id, "chunk": chunk.chunk, "section": chunk.section, "similarity": number(chunk.similarity),
        "bm25": number(chunk.bm25), "centrality": number(chunk.centrality),
    })
}
