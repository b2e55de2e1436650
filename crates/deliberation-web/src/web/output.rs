//! The values for JavaScript: events while a model works, and the result.

use seealso::{Deliberation, GenerationEvent, Judgement, OwnKnowledge, Step};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// A step of the deliberation, as JavaScript receives it.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Event<'t> {
    Stage {
        stage: &'t str,
        state: seealso::ProgressState,
        ms: f64,
        note: &'t str,
    },
    #[serde(rename = "reading")]
    PromptProgress {
        role: &'static str,
        done: usize,
        known: usize,
        total: usize,
    },
    /// `part` is `answer`, `reasoning`, or `revised`: the answer so far is replaced by this, because the rest of it was
    /// reasoning.
    Text {
        role: &'static str,
        part: &'static str,
        text: &'t str,
    },
    #[serde(rename = "judging")]
    JudgeProgress {
        role: &'static str,
        done: usize,
        total: usize,
    },
}

/// A step as a plain object.
pub(super) fn step(step: Step<'_>) -> Option<JsValue> {
    let output = match step {
        Step::Stage(progress) => {
            Event::Stage { stage: progress.stage, state: progress.state, ms: progress.ms, note: &progress.note }
        }
        Step::Generation(role, GenerationEvent::Read { done, known, total }) => {
            Event::PromptProgress { role: role.name(), done, known, total }
        }
        Step::Generation(role, GenerationEvent::Text(text)) => Event::Text { role: role.name(), part: "answer", text },
        Step::Generation(role, GenerationEvent::Reasoning(text)) => {
            Event::Text { role: role.name(), part: "reasoning", text }
        }
        Step::Generation(role, GenerationEvent::Revised(text)) => {
            Event::Text { role: role.name(), part: "revised", text }
        }
        Step::Judging { role, done, total } => Event::JudgeProgress { role: role.name(), done, total },
    };
    to_js(&output).ok()
}

#[derive(Serialize)]
struct DeliberationOutput<'d> {
    /// The final text; `sentences` has its ranges.
    text: &'d str,
    sentences: Vec<Sentence<'d>>,
    /// Why the quoted answer stays; null if this one replaces it.
    kept: Option<&'d str>,
    draft: DraftOutput<'d>,
    review: ReviewOutput<'d>,
    /// The Synthesizer's output, verbatim.
    synthesis: &'d str,
    /// The reasoning before it.
    synthesis_reasoning: &'d str,
    /// Sentences that were removed from it, and why.
    removed: Vec<(&'d str, &'d str)>,
    /// The parts of the question that quoted sentences answer, because no sentence of the model's own on them is
    /// supported.
    quoted: &'d [String],
    synthesizer_failed: Option<&'d str>,
    trace: &'d [seealso::Stage],
    /// Whether a role's last sentence was removed because its model was stopped in the middle of it.
    cut: bool,
    ms: f64,
    tokens: usize,
    prompt_tokens: usize,
    known_tokens: usize,
}

#[derive(Serialize)]
struct DraftOutput<'d> {
    text: &'d str,
    written: &'d str,
    /// The reasoning before the draft.
    reasoning: &'d str,
    sources: Vec<usize>,
    disclaimers: &'d [String],
    unknown_citations: &'d [usize],
}

#[derive(Serialize)]
struct ReviewOutput<'d> {
    text: String,
    remarks: &'d str,
    claims: Vec<Sentence<'d>>,
    fetched: &'d [(String, bool)],
    failed: Option<&'d str>,
}

/// A claim or a sentence, with its verdict.
#[derive(Serialize)]
struct Sentence<'d> {
    text: &'d str,
    /// Its range in its text, in UTF-16 units.
    start: usize,
    end: usize,
    citations: &'d [usize],
    verdict: &'static str,
    label: Option<&'static str>,
    /// The passage that supports or contradicts it.
    source: Option<usize>,
    section: Option<&'d str>,
    anchor: Option<&'d str>,
    passage: Option<&'d str>,
    /// The results of the checks, one line each, if there was something to check.
    notes: Vec<String>,
    log_odds: Option<f64>,
}

/// The complete result of a deliberation, as a plain object.
pub(super) fn deliberation(done: &Deliberation) -> Result<JsValue, JsValue> {
    let written = [&done.draft.written, &done.synthesis.written];
    let sum = |count: fn(&seealso::Generation) -> usize| written.iter().map(|written| count(written)).sum();
    let verified = &done.verified;
    let taken_out = verified.removed.iter().map(|sentence| {
        let label = sentence.verdict.label().unwrap_or_default();
        (sentence.claim.text.as_str(), label)
    });
    let removed = done.synthesis.removed.iter().map(|(text, why)| (text.as_str(), *why));
    let off_topic = done.off_topic.iter().map(|text| (text.as_str(), "adds nothing to the question"));
    let output = DeliberationOutput {
        text: &verified.text,
        sentences: verified.sentences.iter().map(|judgement| sentence(judgement, &verified.text)).collect(),
        kept: done.kept.as_deref(),
        draft: DraftOutput {
            text: &done.draft.text,
            written: &done.draft.written.text,
            reasoning: &done.draft.written.reasoning,
            sources: done.draft.sources.parts.iter().map(|part| part.number).collect(),
            disclaimers: &done.draft.disclaimers,
            unknown_citations: &done.draft.unknown_citations,
        },
        review: ReviewOutput {
            text: done.review.text(),
            remarks: &done.review.remarks,
            claims: done.review.judgements.iter().map(|judgement| sentence(judgement, &done.draft.text)).collect(),
            fetched: &done.review.fetched,
            failed: done.review.failed.as_deref(),
        },
        synthesis: &done.synthesis.written.text,
        synthesis_reasoning: &done.synthesis.written.reasoning,
        removed: removed.chain(taken_out).chain(off_topic).collect(),
        quoted: &done.quoted,
        synthesizer_failed: done.synthesizer_failed.as_deref(),
        trace: &done.trace,
        cut: done.left_unfinished(),
        ms: done.ms,
        tokens: sum(|written| written.tokens),
        prompt_tokens: sum(|written| written.prompt_tokens),
        known_tokens: sum(|written| written.known_tokens),
    };
    to_js(&output)
}

/// An answer from a model's own knowledge.
#[derive(Serialize)]
struct OwnKnowledgeOutput<'k> {
    text: &'k str,
    /// The reasoning before it.
    reasoning: &'k str,
    /// Whether the model was stopped before its end.
    cut: bool,
}

/// An answer from a model's own knowledge, as a plain object.
pub(super) fn own_knowledge(answer: &OwnKnowledge) -> Result<JsValue, JsValue> {
    let written = &answer.written;
    to_js(&OwnKnowledgeOutput { text: &answer.text, reasoning: &written.reasoning, cut: written.cut })
}

fn sentence<'d>(judgement: &'d Judgement, text: &str) -> Sentence<'d> {
    let units = |at: usize| text[..at].encode_utf16().count();
    let passage = judgement.passage.as_ref();
    Sentence {
        text: &judgement.claim.text,
        start: units(judgement.claim.range.start),
        end: units(judgement.claim.range.end),
        citations: &judgement.claim.citations,
        verdict: judgement.verdict.code(),
        label: judgement.verdict.label(),
        source: passage.map(|passage| passage.source),
        section: passage.map(|passage| passage.section.as_str()),
        anchor: passage.map(|passage| passage.anchor.as_str()),
        passage: passage.map(|passage| passage.text.as_str()),
        notes: judgement.notes(),
        log_odds: judgement.log_odds,
    }
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let value = value.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
    value.map_err(seealso_boundary::bad_call)
}
