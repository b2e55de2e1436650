//! The observation of one answer: the text that stands, the verdicts of its sentences, and the work of the model.

use seealso::{Answer, Claim, Deliberation, Evidence, Judgement, Manifest, ScriptedModel, Verdict, judge};
use serde_json::{Value, json};

use super::AnswerCase;
use super::survival::survives;
use crate::deliberation::ADDS_NOTHING;

/// The observation of one answer.
pub(super) struct AnswerObservation {
    pub(super) case: AnswerCase,
    /// Whether the question was refused.
    pub(super) empty: bool,
    /// The sentences that stand.
    pub(super) sentences: Vec<Sentence>,
    /// The facts that the answer must state.
    pub(super) facts: Vec<FactStatement>,
    /// The model's answer; none without a model, and where the question was refused.
    pub(super) model: Option<ModelAnswer>,
}

/// Which answers state a fact that is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FactStatement {
    /// The quoted answer.
    pub(super) quoted: bool,
    /// The answer that stands, which is the model's where it replaced the quoted one.
    pub(super) standing: bool,
}

/// A sentence of an answer.
#[derive(Clone)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// The pages that it cites.
    pub(super) cites: Vec<String>,
    pub(super) verdict: Verdict,
}

/// A model's answer, and how it came about.
#[derive(Default)]
pub(super) struct ModelAnswer {
    /// Why the model failed, where it did.
    pub(super) failed: Option<String>,
    /// Why the quoted answer stands instead.
    pub(super) kept: Option<String>,
    /// The final text.
    pub(super) text: String,
    /// The sentences of the final text.
    pub(super) sentences: Vec<Sentence>,
    /// How many of the sentences, from the first, are the model's own; the others are quotations.
    pub(super) own: usize,
    pub(super) draft: String,
    /// The number of claims in the draft.
    pub(super) claims: usize,
    pub(super) flagged: Vec<FlaggedClaim>,
    /// Sentences that were removed from the final text, and why.
    pub(super) removed: Vec<(String, String)>,
    /// The parts of the question that quoted sentences answer in the final text.
    pub(super) quoted: Vec<String>,
    pub(super) tokens: Tokens,
    pub(super) seconds: f64,
}

/// A claim of the draft that was flagged.
pub(super) struct FlaggedClaim {
    pub(super) claim: String,
    pub(super) label: &'static str,
    /// Whether it is still in the final text.
    pub(super) survives: bool,
}

/// Tokens of both roles that write.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tokens {
    pub(super) written: usize,
    pub(super) read: usize,
    /// Of those read, the ones that the cache of the model had.
    pub(super) cached: usize,
}

/// How long a deliberation took.
pub(super) struct Timing {
    /// Milliseconds that it once took to compute the parts that came from the cache.
    pub(super) cached_ms: f64,
}

/// How a deliberation ended.
pub(super) enum DeliberationOutcome<'d> {
    Done(&'d Deliberation, Timing),
    Failed(String),
}

impl AnswerObservation {
    /// Of a quoted answer, without a model.
    pub(super) async fn of_quoted(
        case: &AnswerCase,
        answer: &Answer,
        manifest: &Manifest,
    ) -> anyhow::Result<AnswerObservation> {
        let sentences = judge_quoted(answer, manifest).await?;
        let facts = required_facts(case, answer, None);
        Ok(AnswerObservation { case: case.clone(), empty: answer.is_empty(), sentences, facts, model: None })
    }

    /// Of an answer that a model deliberated on.
    pub(super) async fn of_deliberated(
        case: &AnswerCase,
        answer: &Answer,
        manifest: &Manifest,
        outcome: DeliberationOutcome<'_>,
    ) -> anyhow::Result<AnswerObservation> {
        let model = match outcome {
            DeliberationOutcome::Done(done, timing) => ModelAnswer::of(done, timing, answer),
            DeliberationOutcome::Failed(reason) => ModelAnswer { failed: Some(reason), ..ModelAnswer::default() },
        };
        let sentences = match model.replaces() {
            true => model.sentences.clone(),
            false => judge_quoted(answer, manifest).await?,
        };
        let facts = required_facts(case, answer, model.replaces().then_some(&model.text));
        Ok(AnswerObservation { case: case.clone(), empty: answer.is_empty(), sentences, facts, model: Some(model) })
    }

    /// The number of cited pages that are gold, of cited pages, and of gold pages.
    pub(super) fn citations(&self) -> (usize, usize, usize) {
        let mut cited: Vec<&String> = self.sentences.iter().flat_map(|sentence| &sentence.cites).collect();
        cited.sort();
        cited.dedup();
        let gold = self.case.known_gold();
        (cited.iter().filter(|page| gold.contains(page)).count(), cited.len(), gold.len())
    }

    /// The observation as JSON.
    pub(super) fn as_json(&self) -> Value {
        let (right, cited, gold) = self.citations();
        json!({
            "id": self.case.id,
            "question": self.case.question,
            "kind": self.case.kind,
            "empty": self.empty,
            "sentences": self.sentences.iter().map(Sentence::as_json).collect::<Vec<_>>(),
            "says": self.facts.iter().map(|fact| json!({ "quoted": fact.quoted, "standing": fact.standing })).collect::<Vec<_>>(),
            "citations": { "right": right, "cited": cited, "gold": gold },
            "model": self.model.as_ref().map(ModelAnswer::as_json),
        })
    }
}

impl ModelAnswer {
    fn of(done: &Deliberation, timing: Timing, answer: &Answer) -> ModelAnswer {
        let sentences: Vec<Sentence> =
            done.verified.sentences.iter().map(|judgement| Sentence::of(judgement, answer)).collect();
        let own = sentences.len().saturating_sub(done.quotations);
        let final_texts = || sentences.iter().map(|sentence| sentence.text.as_str());
        let flagged = done.review.flagged().map(|judgement| FlaggedClaim {
            claim: judgement.claim.text.clone(),
            label: judgement.verdict.label().unwrap_or_default(),
            survives: survives(judgement, final_texts()),
        });
        let repaired = done.synthesis.removed.iter().map(|(text, why)| (text.clone(), (*why).to_owned()));
        let rejected =
            done.verified.removed.iter().map(|judgement| {
                (judgement.claim.text.clone(), judgement.verdict.label().unwrap_or_default().to_owned())
            });
        let off_topic = done.off_topic.iter().map(|text| (text.clone(), ADDS_NOTHING.to_owned()));
        let (draft, synthesis) = (&done.draft.written, &done.synthesis.written);
        ModelAnswer {
            failed: None,
            kept: done.kept.clone(),
            draft: done.draft.text.clone(),
            claims: done.review.judgements.len(),
            flagged: flagged.collect(),
            removed: repaired.chain(rejected).chain(off_topic).collect(),
            quoted: done.quoted.clone(),
            tokens: Tokens {
                written: draft.tokens + synthesis.tokens,
                read: draft.prompt_tokens + synthesis.prompt_tokens,
                cached: draft.known_tokens + synthesis.known_tokens,
            },
            text: done.verified.text.clone(),
            seconds: (done.ms + timing.cached_ms) / 1000.0,
            sentences,
            own,
        }
    }

    /// Whether the final text stands instead of the quoted answer.
    pub(super) fn replaces(&self) -> bool {
        self.failed.is_none() && self.kept.is_none()
    }

    fn as_json(&self) -> Value {
        json!({
            "failed": self.failed,
            "kept": self.kept,
            "sentences": self.sentences.iter().map(Sentence::as_json).collect::<Vec<_>>(),
            "own": self.own,
            "text": self.text,
            "draft": self.draft,
            "claims": self.claims,
            "flagged": self.flagged.iter().map(|flagged| json!({
                "claim": flagged.claim, "label": flagged.label, "stands": flagged.survives,
            })).collect::<Vec<_>>(),
            "removed": self.removed.iter().map(|(text, why)| json!({ "text": text, "why": why })).collect::<Vec<_>>(),
            "quoted": self.quoted,
            "tokens": { "written": self.tokens.written, "read": self.tokens.read, "known": self.tokens.cached },
            "seconds": (self.seconds * 10.0).round() / 10.0,
        })
    }
}

impl Sentence {
    fn of(judgement: &Judgement, answer: &Answer) -> Sentence {
        let page = |number: &usize| Some(answer.sources.get(number.checked_sub(1)?)?.page.clone());
        Sentence {
            text: judgement.claim.text.clone(),
            cites: judgement.claim.citations.iter().filter_map(page).collect(),
            verdict: judgement.verdict,
        }
    }

    fn as_json(&self) -> Value {
        json!({ "text": self.text, "cites": self.cites, "verdict": self.verdict.code() })
    }
}

/// Which required facts the quoted answer states, and which the answer that stands: `written`, where a model's text replaced
/// the quoted one.
fn required_facts(case: &AnswerCase, answer: &Answer, written: Option<&String>) -> Vec<FactStatement> {
    let text: Vec<&str> = answer.sentences.iter().map(|quote| quote.text.as_str()).collect();
    let quoted = case.required.stated_in(&text.join(" "));
    let standing = written.map_or_else(|| quoted.clone(), |written| case.required.stated_in(written));
    quoted.into_iter().zip(standing).map(|(quoted, standing)| FactStatement { quoted, standing }).collect()
}

/// The sentences of the quoted answer, judged like a model's: by the checks, and by the words that they share with the pages.
async fn judge_quoted(answer: &Answer, manifest: &Manifest) -> anyhow::Result<Vec<Sentence>> {
    let evidence = Evidence::of(manifest);
    let mut sentences = Vec::with_capacity(answer.sentences.len());
    for quote in &answer.sentences {
        let claim = Claim { text: quote.text.clone(), citations: vec![quote.source], range: 0..quote.text.len() };
        let judgement = judge(claim, &evidence, None::<&ScriptedModel>).await?;
        sentences.push(Sentence::of(&judgement, answer));
    }
    Ok(sentences)
}
