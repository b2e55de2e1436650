//! The switches of the stages, and their constants.

use std::fmt;

use seealso_chunks::chunk_ranking;
use seealso_index::Bm25;

use super::expand_top::ExpansionLimits;
use super::fusion::Fusion;
use super::graph::GraphWeights;
use super::quality::QUALITY_THRESHOLD;
use crate::mode::Mode;

/// Which stages a question goes through where the site has their data, and how. Each can be switched alone; with all of them
/// off, an answer is that of the words alone.
#[derive(Debug, Clone, PartialEq)]
pub struct StageOptions {
    /// Whether pages are ranked by their chunks.
    pub chunks: bool,
    /// Whether pages are ranked by the vectors of their chunks.
    pub vectors: bool,
    /// Whether chunks that the index found are ranked anew by their vectors.
    pub rerank: bool,
    /// Whether a question that no page is near to is left without pages, where the site stored a threshold.
    pub gate: bool,
    /// Whether pages that others link to come earlier.
    pub graph: bool,
    /// Whether neighbours of the first page are read too.
    pub expand_top: bool,
    /// Whether pages that say too little are left out.
    pub quality: bool,
    /// Whether a cross-encoder ranks the pages that were read.
    pub cross_encoder: bool,
    /// Whether the question is asked in other words too.
    pub multi_query: bool,
    /// Whether an answer says so where the site does not have a stage that is switched on.
    pub says_missing: bool,
    /// Names that somebody gave as stages and that are none. The answer says so.
    pub unknown: Vec<String>,
    /// How many chunks the index of chunks is asked for, for each part of a question.
    pub top: usize,
    /// The constants by which the index of chunks ranks them.
    pub chunk_bm25: Bm25,
    /// How many pages a stage finds for each part of a question.
    pub pages: usize,
    /// How the rankings by words and by meaning become one.
    pub fusion: Fusion,
    /// What similarity and links count.
    pub graph_weights: GraphWeights,
    /// How far the first page is expanded.
    pub expansion: ExpansionLimits,
    /// The quality below which a page is left out.
    pub quality_threshold: f64,
}

/// What meaning counts beside words. On sentences held out of pages, weights from 0.3 to 0.4 found most of their pages.
const MEANING: f64 = 0.35;

/// The stages that are data of a site, by the names of their switches.
pub const STAGES: [&str; 3] = ["chunks", "vectors", "graph"];
/// The other switches.
pub const ENHANCERS: [&str; 6] = ["rerank", "gate", "expand-top", "quality", "cross-encoder", "multi-query"];

/// The name that stands for all stages that a site has.
pub const ALL_STAGES: &str = "all";

/// A name that is no switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSwitch {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [&STAGES[..], &ENHANCERS].concat().join(", ");
        write!(f, "there is no stage \"{}\"; there are {known}", self.name)
    }
}

impl std::error::Error for UnknownSwitch {}

impl Default for StageOptions {
    fn default() -> Self {
        StageOptions {
            chunks: true,
            vectors: true,
            rerank: true,
            gate: true,
            graph: false,
            expand_top: true,
            quality: true,
            cross_encoder: false,
            multi_query: false,
            says_missing: false,
            unknown: Vec::new(),
            top: 40,
            chunk_bm25: chunk_ranking(),
            pages: 20,
            fusion: Fusion::Convex { meaning: MEANING },
            graph_weights: GraphWeights::default(),
            expansion: ExpansionLimits::default(),
            quality_threshold: QUALITY_THRESHOLD,
        }
    }
}

impl StageOptions {
    /// All stages and enhancers switched off.
    pub fn none() -> StageOptions {
        let mut options = StageOptions::default();
        for name in STAGES.into_iter().chain(ENHANCERS) {
            *options.switch(name).expect("every listed name is a switch") = false;
        }
        options
    }

    /// The options by the stages that somebody names: those, with the enhancers that are on by default. [`ALL_STAGES`] stands for
    /// what the site has and is on by default; links, which are not, can be named beside it. Where the site lacks a stage that is
    /// named, the answer says so. No name is no stage.
    ///
    /// # Errors
    /// [`UnknownSwitch`] for a name that is no stage.
    pub fn of_stages(names: &[String]) -> Result<StageOptions, UnknownSwitch> {
        if let Some(name) = names.iter().find(|name| !STAGES.contains(&name.as_str()) && *name != ALL_STAGES) {
            return Err(UnknownSwitch { name: name.clone() });
        }
        if names.is_empty() {
            return Ok(StageOptions::none());
        }
        let mut options = StageOptions::default();
        let is_named = |name: &str| names.iter().any(|named| named == name);
        if is_named(ALL_STAGES) {
            options.graph = is_named("graph");
        } else {
            options.says_missing = true;
            for name in STAGES {
                options.set(name, is_named(name))?;
            }
        }
        Ok(options)
    }

    /// The options by what a page names: stages, as [`of_stages`](Self::of_stages) takes them, and enhancers that are off by
    /// default. What is neither is kept among the [unknown](Self::unknown) names, and costs a sentence.
    #[must_use]
    pub fn of_page(names: &[String]) -> StageOptions {
        let is_stage = |name: &&String| STAGES.contains(&name.as_str()) || *name == ALL_STAGES;
        let (stages, others): (Vec<&String>, Vec<&String>) = names.iter().partition(is_stage);
        let stages: Vec<String> = stages.into_iter().cloned().collect();
        let mut options = StageOptions::of_stages(&stages).unwrap_or_else(|_| StageOptions::none());
        for name in others {
            if options.set(name, true).is_err() {
                options.unknown.push(name.clone());
            }
        }
        options
    }

    /// Switches one on or off.
    ///
    /// # Errors
    /// [`UnknownSwitch`].
    pub fn set(&mut self, name: &str, on: bool) -> Result<(), UnknownSwitch> {
        *self.switch(name).ok_or_else(|| UnknownSwitch { name: name.to_owned() })? = on;
        Ok(())
    }

    /// The same for a mode: the deep one asks for twice as many chunks and pages.
    #[must_use]
    pub fn in_mode(self, mode: Mode) -> StageOptions {
        match mode {
            Mode::Quick | Mode::Standard => self,
            Mode::Deep => StageOptions { top: 2 * self.top, pages: 2 * self.pages, ..self },
        }
    }

    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "chunks" => &mut self.chunks,
            "vectors" => &mut self.vectors,
            "graph" => &mut self.graph,
            "rerank" => &mut self.rerank,
            "gate" => &mut self.gate,
            "expand-top" => &mut self.expand_top,
            "quality" => &mut self.quality,
            "cross-encoder" => &mut self.cross_encoder,
            "multi-query" => &mut self.multi_query,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the switches that are on.
    fn on(mut options: StageOptions) -> Vec<&'static str> {
        let names = STAGES.into_iter().chain(ENHANCERS);
        names.filter(|name| *options.switch(name).unwrap()).collect()
    }

    #[test]
    fn expansion_and_quality_are_on_and_links_and_what_takes_a_model_are_off() {
        let default = StageOptions::default();
        assert_eq!(on(default), ["chunks", "vectors", "rerank", "gate", "expand-top", "quality"]);
        assert!(on(StageOptions::none()).is_empty());
    }

    #[test]
    fn each_switch_is_set_alone() {
        for name in STAGES.into_iter().chain(ENHANCERS) {
            let mut options = StageOptions::none();
            options.set(name, true).unwrap();
            assert_eq!(on(options), [name]);
        }
        let error = StageOptions::none().set("hnsw", true).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no stage \"hnsw\"; there are chunks, vectors, graph, rerank, gate, expand-top, quality, \
             cross-encoder, multi-query"
        );
    }

    #[test]
    fn named_stages_are_on_with_the_usual_enhancers() {
        let check = |names: &[&str], expected: &[&str], says_missing: bool| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            let options = StageOptions::of_stages(&names).unwrap();
            assert_eq!((options.says_missing, on(options)), (says_missing, expected.to_vec()), "{names:?}");
        };
        check(&[], &[], false);
        check(&["all"], &["chunks", "vectors", "rerank", "gate", "expand-top", "quality"], false);
        check(&["vectors"], &["vectors", "rerank", "gate", "expand-top", "quality"], true);
        check(&["graph", "chunks"], &["chunks", "graph", "rerank", "gate", "expand-top", "quality"], true);
        let usual = ["chunks", "vectors", "graph", "rerank", "gate", "expand-top", "quality"];
        check(&["all", "graph"], &usual, false);
        assert_eq!(StageOptions::of_stages(&["gate".to_owned()]).unwrap_err().name, "gate");
    }

    #[test]
    fn a_page_may_name_enhancers_and_what_is_unknown_is_kept() {
        let check = |names: &[&str], expected: &[&str], unknown: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            let mut options = StageOptions::of_page(&names);
            let found = std::mem::take(&mut options.unknown);
            assert_eq!((on(options), found), (expected.to_vec(), unknown.iter().map(|&name| name.into()).collect()));
        };
        check(&["chunks", "multi-query"], &["chunks", "rerank", "gate", "expand-top", "quality", "multi-query"], &[]);
        check(&["vector", "chunks"], &["chunks", "rerank", "gate", "expand-top", "quality"], &["vector"]);
        check(&["vector"], &[], &["vector"]);
        check(&[], &[], &[]);
    }

    #[test]
    fn the_deep_mode_asks_for_twice_as_much() {
        let size = |mode: Mode| {
            let options = StageOptions::default().in_mode(mode);
            (options.top, options.pages)
        };
        assert_eq!(Mode::all().map(size).collect::<Vec<_>>(), [(40, 20), (40, 20), (80, 40)]);
    }
}
