//! `retrieve_entries`: the read path, from a request to its response.

use seealso_pack::Date;

use super::blend::relevance;
use super::fault::EntryFault;
use super::patterns::{MeasuredPattern, choose_patterns};
use super::rank::{Measured, Ranked, has_strong_match, rank};
use super::request::EntryRequest;
use super::response::{EntryMatch, EntryResponse, PatternMatch};
use super::stage::EntryStage;
use crate::answer::Notice;
use crate::embedder::{Embedder, embed_checked};

/// One interaction with an asker: what the engine cannot know by itself, since it has neither a clock nor chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interaction<'i> {
    /// Its id, by which feedback names it.
    pub id: &'i str,
    /// The day on which it takes place. Entries age by it.
    pub today: Date,
}

/// Finds the entries and patterns for a request. Nothing is written, and nothing is kept of the request.
///
/// The question is encoded by `embedder`, which must be of the space of the stored vectors; `None` where there is no encoder.
///
/// # Errors
/// [`EntryFault::NoVectors`], [`EntryFault::NoEncoder`], [`EntryFault::OtherModel`], [`EntryFault::EncoderFailed`].
pub async fn retrieve_entries<E: Embedder>(
    stage: &EntryStage,
    embedder: Option<&E>,
    request: &EntryRequest,
    interaction: &Interaction<'_>,
) -> Result<EntryResponse, EntryFault> {
    let question = encode(stage, embedder, request.question()).await?;
    let measured = stage.entries.iter().filter_map(|placed| {
        let relevance = relevance(stage.cosine(placed, &question)?);
        let (page, path, pack) = (&placed.page, &placed.path, &placed.pack);
        Some(Measured { entry: &placed.of, page, path, pack, relevance })
    });
    let found = rank(measured.collect(), request.top_n(), interaction.today);
    let patterns = stage.patterns.iter().map(|placed| MeasuredPattern {
        pattern: &placed.of,
        pack: &placed.pack,
        page: &placed.page,
        relevance: stage.cosine(placed, &question).map(relevance),
    });
    let patterns = choose_patterns(patterns.collect(), &found);
    let mut notices = stage.notices().to_vec();
    if stage.threshold().is_none() {
        notices.push(Notice { code: "no-threshold", message: NO_THRESHOLD.to_owned() });
    }
    Ok(EntryResponse {
        query: request.question().to_owned(),
        matches_found: found.len(),
        strong_match: has_strong_match(&found, stage.threshold()),
        interaction_id: interaction.id.to_owned(),
        entries: found.iter().map(entry_match).collect(),
        reasoning_patterns: patterns.iter().map(pattern_match).collect(),
        threshold: stage.threshold(),
        notices,
    })
}

/// What a response says where no threshold is stored.
const NO_THRESHOLD: &str = "No threshold is stored for this encoder, so no match counts as strong; `seealso eval threshold` \
                            measures one, and `seealso setup --strong-match` stores it.";

/// The vector of a question, in the space of the stored vectors.
async fn encode<E: Embedder>(stage: &EntryStage, embedder: Option<&E>, question: &str) -> Result<Vec<f32>, EntryFault> {
    let space = stage.space().ok_or(EntryFault::NoVectors)?;
    let embedder = embedder.ok_or_else(|| EntryFault::NoEncoder { stored: space.id() })?;
    if space.check(embedder.space()).is_err() {
        return Err(EntryFault::OtherModel { stored: space.id(), encoder: embedder.space().to_owned() });
    }
    let encoded = embed_checked(embedder, &[question], space.dimensions).await;
    let vectors = encoded.map_err(|error| EntryFault::EncoderFailed { reason: error.to_string() })?;
    Ok(vectors.into_iter().next().unwrap_or_default())
}

fn entry_match(ranked: &Ranked<'_>) -> EntryMatch {
    let entry = ranked.of.entry;
    EntryMatch {
        topic: entry.topic.clone(),
        entry_type: entry.entry_type,
        position: entry.position.clone(),
        reasoning: entry.reasoning.clone(),
        reasoning_pattern: entry.pattern.clone(),
        confidence: entry.confidence,
        stability: entry.stability,
        updated: entry.updated,
        relevance_score: ranked.of.relevance,
        score: ranked.score,
        page: ranked.of.page.to_owned(),
        path: ranked.of.path.to_owned(),
    }
}

fn pattern_match(chosen: &MeasuredPattern<'_>) -> PatternMatch {
    let pattern = chosen.pattern;
    PatternMatch {
        slug: pattern.slug.clone(),
        description: pattern.description.clone(),
        template: pattern.template.clone(),
        variants: pattern.variants.clone(),
        page: chosen.page.to_owned(),
    }
}
