//! What one question showed: what stands, what its sentences rest on, and what the model did.

use seealso::{Answer, Claim, Deliberation, Evidence, Judgement, Manifest, ScriptedModel, Verdict, judge};
use serde_json::{Value, json};

use super::Asked;
use super::survival::stands;
use crate::deliberation::BESIDE;

/// What one question showed.
pub(super) struct Seen {
    pub(super) asked: Asked,
    /// Whether the packs were said not to answer it.
    pub(super) empty: bool,
    /// The sentences that stand.
    pub(super) sentences: Vec<Sentence>,
    /// For each fact that the answer must say, whether the quoted answer says it, and whether what stands does.
    pub(super) says: Vec<Fact>,
    /// What the model did; none where there was none, or nothing for it to do.
    pub(super) model: Option<ByModel>,
}

/// Who says a fact that the answer must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) quoted: bool,
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

/// What a model did.
#[derive(Default)]
pub(super) struct ByModel {
    /// Why it has no answer, where it failed.
    pub(super) failed: Option<String>,
    /// Why the quoted answer stands all the same.
    pub(super) kept: Option<String>,
    /// Its final text.
    pub(super) text: String,
    /// The sentences of it.
    pub(super) sentences: Vec<Sentence>,
    /// So many of them, the first, are its own; the others are quotations.
    pub(super) own: usize,
    pub(super) draft: String,
    /// How many claims the draft has.
    pub(super) claims: usize,
    pub(super) flagged: Vec<Flagged>,
    /// What was taken out of the final text, and why.
    pub(super) removed: Vec<(String, String)>,
    /// The parts of the question that quoted sentences answer in it.
    pub(super) quoted: Vec<String>,
    pub(super) tokens: Tokens,
    pub(super) seconds: f64,
}

/// A claim of the draft that was flagged.
pub(super) struct Flagged {
    pub(super) claim: String,
    pub(super) label: &'static str,
    /// Whether the final text says it all the same.
    pub(super) stands: bool,
}

/// Tokens of both of the roles that write.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tokens {
    pub(super) written: usize,
    pub(super) read: usize,
    /// Of those read, the ones known from before.
    pub(super) known: usize,
}

/// How long a deliberation took.
pub(super) struct Timing {
    /// Milliseconds that its remembered parts took when they were asked.
    pub(super) remembered_ms: f64,
}

/// What a model made of a question.
pub(super) enum Deliberated<'d> {
    Done(&'d Deliberation, Timing),
    Failed(String),
}

impl Seen {
    /// The quoted answer alone.
    pub(super) async fn of_quoted(asked: &Asked, answer: &Answer, manifest: &Manifest) -> anyhow::Result<Seen> {
        let sentences = quoted(answer, manifest).await?;
        let says = facts(asked, answer, None);
        Ok(Seen { asked: asked.clone(), empty: answer.is_empty(), sentences, says, model: None })
    }

    /// What a model made of it.
    pub(super) async fn of_deliberated(
        asked: &Asked,
        answer: &Answer,
        manifest: &Manifest,
        deliberated: Deliberated<'_>,
    ) -> anyhow::Result<Seen> {
        let model = match deliberated {
            Deliberated::Done(done, timing) => ByModel::of(done, timing, answer),
            Deliberated::Failed(reason) => ByModel { failed: Some(reason), ..ByModel::default() },
        };
        let sentences = match model.replaces() {
            true => model.sentences.clone(),
            false => quoted(answer, manifest).await?,
        };
        let says = facts(asked, answer, model.replaces().then_some(&model.text));
        Ok(Seen { asked: asked.clone(), empty: answer.is_empty(), sentences, says, model: Some(model) })
    }

    /// How many of the pages that are cited are gold, how many are cited, and how many gold pages there are.
    pub(super) fn citations(&self) -> (usize, usize, usize) {
        let mut cited: Vec<&String> = self.sentences.iter().flat_map(|sentence| &sentence.cites).collect();
        cited.sort();
        cited.dedup();
        let gold = self.asked.known_gold();
        (cited.iter().filter(|page| gold.contains(page)).count(), cited.len(), gold.len())
    }

    /// All of it, for programs.
    pub(super) fn as_json(&self) -> Value {
        let (right, cited, gold) = self.citations();
        json!({
            "id": self.asked.id,
            "question": self.asked.question,
            "kind": self.asked.kind,
            "empty": self.empty,
            "sentences": self.sentences.iter().map(Sentence::as_json).collect::<Vec<_>>(),
            "says": self.says.iter().map(|fact| json!({ "quoted": fact.quoted, "standing": fact.standing })).collect::<Vec<_>>(),
            "citations": { "right": right, "cited": cited, "gold": gold },
            "model": self.model.as_ref().map(ByModel::as_json),
        })
    }
}

impl ByModel {
    fn of(done: &Deliberation, timing: Timing, answer: &Answer) -> ByModel {
        let sentences: Vec<Sentence> =
            done.verified.sentences.iter().map(|judgement| Sentence::of(judgement, answer)).collect();
        let own = sentences.len().saturating_sub(done.quotations);
        let final_texts = || sentences.iter().map(|sentence| sentence.text.as_str());
        let flagged = done.review.flagged().map(|judgement| Flagged {
            claim: judgement.claim.text.clone(),
            label: judgement.verdict.label().unwrap_or_default(),
            stands: stands(judgement, final_texts()),
        });
        let repaired = done.synthesis.removed.iter().map(|(text, why)| (text.clone(), (*why).to_owned()));
        let taken_out =
            done.verified.removed.iter().map(|judgement| {
                (judgement.claim.text.clone(), judgement.verdict.label().unwrap_or_default().to_owned())
            });
        let beside = done.beside.iter().map(|text| (text.clone(), BESIDE.to_owned()));
        let (draft, synthesis) = (&done.draft.written, &done.synthesis.written);
        ByModel {
            failed: None,
            kept: done.kept.clone(),
            draft: done.draft.text.clone(),
            claims: done.review.judgements.len(),
            flagged: flagged.collect(),
            removed: repaired.chain(taken_out).chain(beside).collect(),
            quoted: done.quoted.clone(),
            tokens: Tokens {
                written: draft.tokens + synthesis.tokens,
                read: draft.prompt_tokens + synthesis.prompt_tokens,
                known: draft.known_tokens + synthesis.known_tokens,
            },
            text: done.verified.text.clone(),
            seconds: (done.ms + timing.remembered_ms) / 1000.0,
            sentences,
            own,
        }
    }

    /// Whether its text stands instead of the quoted answer.
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
                "claim": flagged.claim, "label": flagged.label, "stands": flagged.stands,
            })).collect::<Vec<_>>(),
            "removed": self.removed.iter().map(|(text, why)| json!({ "text": text, "why": why })).collect::<Vec<_>>(),
            "quoted": self.quoted,
            "tokens": { "written": self.tokens.written, "read": self.tokens.read, "known": self.tokens.known },
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

/// Who says what the answer to `asked` must say: the quoted answer, and what stands, which is `written` where a model's text
/// replaced it.
fn facts(asked: &Asked, answer: &Answer, written: Option<&String>) -> Vec<Fact> {
    let text: Vec<&str> = answer.sentences.iter().map(|quote| quote.text.as_str()).collect();
    let quoted = asked.needs.held_by(&text.join(" "));
    let standing = written.map_or_else(|| quoted.clone(), |written| asked.needs.held_by(written));
    quoted.into_iter().zip(standing).map(|(quoted, standing)| Fact { quoted, standing }).collect()
}

/// The quoted answer's sentences, judged like a model's: by the gates and the words that they share with the pages.
async fn quoted(answer: &Answer, manifest: &Manifest) -> anyhow::Result<Vec<Sentence>> {
    let evidence = Evidence::of(manifest);
    let mut sentences = Vec::with_capacity(answer.sentences.len());
    for quote in &answer.sentences {
        let claim = Claim { text: quote.text.clone(), citations: vec![quote.source], range: 0..quote.text.len() };
        let judgement = judge(claim, &evidence, None::<&ScriptedModel>).await?;
        sentences.push(Sentence::of(&judgement, answer));
    }
    Ok(sentences)
}
