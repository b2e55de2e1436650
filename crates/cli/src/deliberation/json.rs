//! The result of a model's work as JSON: of a deliberation, with the whole exchange, or of an answer from its own knowledge.

use seealso::{Deliberation, Generation, Judgement, OwnKnowledge};
use serde_json::{Value, json};

use super::{ModelResult, Product};

/// The reason for which a sentence is removed that a page may well support.
pub(crate) const ADDS_NOTHING: &str = "adds nothing to the question";

/// What stands before an answer from a model's own knowledge.
pub(super) const OWN_KNOWLEDGE: &str = "From the model's own knowledge; no page of the packs was used.";

/// The result as JSON: null where the model was stopped, an object with `failed` where it failed.
pub(crate) fn as_json(outcome: &ModelResult) -> Value {
    match (&outcome.done, &outcome.failed) {
        (Some(Product::Deliberation(done)), _) => deliberation(outcome, done),
        (Some(Product::OwnKnowledge(answer)), _) => own_knowledge(outcome, answer),
        (None, Some(reason)) => json!({ "model": outcome.model, "failed": reason }),
        (None, None) => Value::Null,
    }
}

fn own_knowledge(outcome: &ModelResult, answer: &OwnKnowledge) -> Value {
    json!({
        "model": outcome.model,
        "threads": outcome.threads,
        "label": OWN_KNOWLEDGE,
        "text": answer.text,
        "written": written(&answer.written),
        "seconds": { "load": rounded(outcome.load_seconds) },
    })
}

fn deliberation(outcome: &ModelResult, done: &Deliberation) -> Value {
    let rejected = done
        .verified
        .removed
        .iter()
        .map(|sentence| (sentence.claim.text.as_str(), sentence.verdict.label().unwrap_or_default()));
    let removed = done.synthesis.removed.iter().map(|(text, why)| (text.as_str(), *why)).chain(rejected);
    let removed = removed.chain(done.off_topic.iter().map(|text| (text.as_str(), ADDS_NOTHING)));
    json!({
        "model": outcome.model,
        "threads": outcome.threads,
        "text": done.verified.text,
        "replaces_quoted": done.kept.is_none(),
        "kept": done.kept,
        "quoted": done.quoted,
        "sentences": done.verified.sentences.iter().map(judgement).collect::<Vec<_>>(),
        "removed": removed.map(|(text, why)| json!({ "text": text, "why": why })).collect::<Vec<_>>(),
        "draft": {
            "text": done.draft.text,
            "sources": done.draft.sources.parts.iter().map(|part| json!({ "number": part.number, "whole": part.whole })).collect::<Vec<_>>(),
            "disclaimers": done.draft.disclaimers,
            "unknown_citations": done.draft.unknown_citations,
            "written": written(&done.draft.written),
        },
        "review": {
            "text": done.review.text(),
            "claims": done.review.judgements.iter().map(judgement).collect::<Vec<_>>(),
            "remarks": done.review.remarks,
            "fetched": done.review.fetched.iter().map(|(page, found)| json!({ "page": page, "found": found })).collect::<Vec<_>>(),
            "failed": done.review.failed,
        },
        "synthesis": { "failed": done.synthesizer_failed, "written": written(&done.synthesis.written) },
        "trace": done.trace,
        "seconds": { "load": rounded(outcome.load_seconds), "deliberation": rounded(done.ms / 1000.0) },
    })
}

fn judgement(judgement: &Judgement) -> Value {
    let passage = judgement.passage.as_ref();
    json!({
        "text": judgement.claim.text,
        "citations": judgement.claim.citations,
        "verdict": judgement.verdict.code(),
        "label": judgement.verdict.label(),
        "source": passage.map(|passage| passage.source),
        "passage": passage.map(|passage| passage.text.as_str()),
        "notes": judgement.notes(),
        "log_odds": judgement.log_odds,
    })
}

fn written(written: &Generation) -> Value {
    json!({
        "text": written.text,
        "reasoning": written.reasoning,
        "tokens": written.tokens,
        "prompt_tokens": written.prompt_tokens,
        "known_tokens": written.known_tokens,
        "cut": written.cut,
    })
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_from_own_knowledge_bears_its_label() {
        let result = |done, failed: Option<&str>| ModelResult {
            model: "m".to_owned(),
            done,
            failed: failed.map(str::to_owned),
            threads: 2,
            load_seconds: 0.25,
        };
        let written = Generation { text: "Tea is hot [1].".to_owned(), tokens: 4, ..Generation::default() };
        let answer = OwnKnowledge { text: "Tea is hot.".to_owned(), written };
        assert_eq!(
            as_json(&result(Some(Product::OwnKnowledge(answer)), None)),
            json!({
                "model": "m",
                "threads": 2,
                "label": "From the model's own knowledge; no page of the packs was used.",
                "text": "Tea is hot.",
                "written": {
                    "text": "Tea is hot [1].", "reasoning": "", "tokens": 4, "prompt_tokens": 0, "known_tokens": 0,
                    "cut": false,
                },
                "seconds": { "load": 0.25 },
            })
        );
        assert_eq!(as_json(&result(None, Some("no network"))), json!({ "model": "m", "failed": "no network" }));
        assert_eq!(as_json(&result(None, None)), Value::Null);
    }
}
