//! `seealso` answers questions from curated wikis: whole pages, their links, and an answer whose every sentence is
//! cited.
//!
//! A question flows one way, stage by stage, each stage a function in a file of its name:
//!
//! ```text
//! question → decompose → search → fetch → rerank → merge → expand → assemble → extract → compose
//! ```
//!
//! The engine touches the world through five traits: [`PackSource`], [`Clock`], and for models [`Model`], [`Embedder`] and
//! [`PairScorer`]. Everything else is pure, so the same code runs in a browser, in the `seealso` command, and in tests.
//!
//! ```
//! use seealso::{AskOptions, Config, FixedClock, Library, MemorySource, ask};
//!
//! let page = "---\ntitle: Stomata\nsummary: Pores through which a leaf breathes.\n---\n\n\
//!             # Stomata\n\n> Stomata are pores in the skin of a leaf that let carbon dioxide in.\n";
//! let source = MemorySource::of_packs(&[("plants", &[("concepts/stomata.md", page)])]);
//! let run = async {
//!     let library = Library::open(source, FixedClock, Config::default()).await?;
//!     let (answer, _) = ask(&library, "What are stomata?", AskOptions::default()).await?;
//!     assert_eq!(answer.text(), "Stomata are pores in the skin of a leaf that let carbon dioxide in. [1]");
//!     assert_eq!(answer.sources[0].page, "plants/concepts/stomata");
//!     Ok::<(), Box<dyn std::error::Error>>(())
//! };
//! futures_executor::block_on(run)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Quirks
//!
//! - The answer is extractive: sentences of pages, verbatim. A caller with a [`Model`] can let it deliberate on the same
//!   pages: [`deliberate()`] drafts an answer, checks each claim against the pages, and integrates the checks.
//! - Rankings of two sub-queries are never compared by score; pages are merged round-robin.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod world;
mod model;
mod embedder;
mod reasoning;
mod config;
mod tier;
mod mode;
mod trace;
mod library;
mod question;
mod retrieve;
mod answer;
mod stages;
mod fence;
mod entries;
mod deliberate;
mod ask;
mod page;
mod highlight;
mod memory;
#[cfg(all(target_arch = "wasm32", feature = "browser"))]
pub mod browser;
#[cfg(all(target_arch = "wasm32", feature = "web"))]
mod web;

pub use answer::extract::Extract;
pub use answer::sentences::{SentenceRules, is_lead_in, sentences};
pub use answer::{Answer, AnsweredSubQuery, CitedSentence, Form, Layout, Notice, SourcePage, cited_text, passage_text};
pub use ask::{AskError, AskOptions, ask};
pub use config::Config;
pub use deliberate::checks::{CheckKind, CheckOutcome, CheckResult};
pub use deliberate::claims::{Claim, claims};
pub use deliberate::critic::{Review, review};
pub use deliberate::deliberation::{Deliberation, DeliberationConfig, Roles, deliberate};
pub use deliberate::evidence::{Evidence, Passage};
pub use deliberate::expert::{Draft, Settings, draft, draft_prompt};
pub use deliberate::fallback_claims::FallbackClaim;
pub use deliberate::judge::{LAYERS, ScoredJudgement, judge, score_claim};
pub use deliberate::own_knowledge::{OwnKnowledge, answer_from_own_knowledge};
pub use deliberate::sources::{SourcePart, SourceSelection, Sources, lay_out};
pub use deliberate::step::{OnStep, Role, Step};
pub use deliberate::synthesizer::{Synthesis, synthesize};
pub use deliberate::verdict::{Judgement, Verdict};
pub use deliberate::verify::{VerifiedText, verify};
pub use embedder::{EmbedError, Embedder, NoEmbedder};
pub use entries::fault::EntryFault;
pub use entries::prompt::entry_prompt;
pub use entries::request::{EntryRequest, EntryRequestError};
pub use entries::response::{EntryMatch, EntryResponse, PatternMatch};
pub use entries::retrieve::{Interaction, retrieve_entries};
pub use entries::stage::EntryStage;
pub use fence::fence_around;
pub use highlight::Highlighter;
pub use library::{IndexFault, Library, OpenError, page_id};
pub use memory::{FixedClock, MemorySource, ScriptedEmbedder, ScriptedModel, ScriptedPairScorer};
pub use mode::Mode;
pub use model::{
    Abilities, Generation, GenerationEvent, GenerationRequest, Judge, Model, ModelError, NoModel, OnEvent, Prompt,
    Shape, Turn, log_odds,
};
pub use page::{OpenedPage, PageError, render_page};
pub use question::Question;
pub use retrieve::assemble::{Assembly, Context, Manifest, SourceText, assemble};
pub use retrieve::decompose::by_model::{Decomposition, decompose_by};
pub use retrieve::decompose::splitter::{ByModel, ByRules, Splitter};
pub use retrieve::decompose::{SubQueries, SubQuery, decompose};
pub use retrieve::expand::{Directories, LinkedPages, expand};
pub use retrieve::fetch::{FetchedPage, LostPage, PageRequest, Pages, Via, fetch};
pub use retrieve::finder::{ByWords, Finder, Ranker, note_read, prepare};
pub use retrieve::merge::{Pick, Picks, merge};
pub use retrieve::overview::ByOverview;
pub use retrieve::rerank::rerank;
pub use retrieve::search::{Ranking, Rankings, search};
pub use retrieve::whole_or_parts::whole_or_parts;
pub use seealso_index::Filter;
pub use stages::by_chunks::{ChunkCandidate, ChunkOrder, ChunkRanking, chunk_candidates, rank_by_chunks};
pub use stages::by_vectors::{VectorRanking, chunks_to_search, rank_by_vectors};
pub use stages::cross_encoder::{
    NoPairScorer, PairScoreError, PairScorer, best_by_pairs, pair_candidates, pair_scores,
};
pub use stages::expand_top::{ExpansionLimits, expand_top};
pub use stages::fault::StageFault;
pub use stages::finder::ByStages;
pub use stages::fusion::{FusedPage, Fusion, MeaningScale, fuse};
pub use stages::gate::{Gate, gate};
pub use stages::graph::{BadWeights, GraphWeights, LinkGraph, rerank_by_graph};
pub use stages::near::{NearChunk, best_of_pages, join_by_highest};
pub use stages::open::{Stages, stage_model};
pub use stages::options::{ALL_STAGES, ENHANCERS, STAGES, StageOptions, UnknownSwitch};
pub use stages::ranker::StageRanker;
pub use stages::report::{QueryType, StageReport};
pub use stages::vector_stage::{ChunkPlace, VectorFault, VectorStage};
pub use tier::Tier;
pub use trace::{Detail, Progress, ProgressState, Stage};
pub use world::{Clock, Expected, Fault, FetchedFile, PackSource, Request, SourceError};
