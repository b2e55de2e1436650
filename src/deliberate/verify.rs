//! `verify`: judges every sentence of the final text as the draft's claims were judged, so that additions of the
//! Synthesizer get a verdict too. A flagged sentence is removed, and the supported claims that it contained take its
//! place. A sentence that cannot be verified stays and is marked, if the tier allows it. Ungrounded text that makes no
//! claim is removed first.

use crate::deliberate::claims::Citations;
use crate::deliberate::critic::{judge_all, judgement_detail};
use crate::deliberate::evidence::Passage;
use crate::deliberate::fallback_claims::{FallbackClaim, restorable};
use crate::deliberate::overlap::WordSet;
use crate::deliberate::step::{OnStep, Role};
use crate::deliberate::synthesizer::Synthesis;
use crate::deliberate::ungrounded::without_ungrounded;
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::model::{Model, ModelError};
use crate::retrieve::assemble::Manifest;
use crate::tier::{PromptBudget, Tier};
use crate::trace::{Describe, Detail, counted, detail};

/// The final text with a verdict for each sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifiedText {
    /// The text that remains.
    pub text: String,
    /// Its sentences, with their ranges in it.
    pub sentences: Vec<Judgement>,
    /// The sentences that were removed because no page supports them.
    pub removed: Vec<Judgement>,
    /// Why the model's part is missing, if it failed.
    pub failed: Option<String>,
}

impl VerifiedText {
    /// The sentences that a page supports.
    pub(crate) fn supported(&self) -> Vec<&Judgement> {
        self.sentences.iter().filter(|sentence| sentence.verdict == Verdict::Supported).collect()
    }
}

/// Judges `synthesis` against `manifest`. The tier determines how close a sentence must be to its passage, and whether
/// a sentence that cannot be verified may stand.
///
/// # Errors
/// [`ModelError::Stopped`], when `on_step` stopped it.
pub async fn verify<M: Model>(
    model: &M,
    synthesis: &Synthesis,
    manifest: &Manifest,
    tier: Tier,
    on_step: OnStep<'_>,
) -> Result<VerifiedText, ModelError> {
    let mut failed = None;
    let (text, mut removed) = without_ungrounded(&synthesis.text, manifest);
    let judged = judge_all(model, &text, manifest, Role::Verifier, &mut failed, on_step).await?;
    let (text, sentences, flagged) = apply_verdicts(&text, judged, tier.prompt_budget(), &synthesis.fallback_claims);
    removed.extend(flagged);
    Ok(VerifiedText { text, sentences, removed, failed })
}

/// The text without the flagged sentences. A supported sentence cites its supporting page, whatever number the model
/// gave it; other sentences keep their citations.
fn apply_verdicts(
    text: &str,
    judged: Vec<Judgement>,
    budget: PromptBudget,
    fallback_claims: &[FallbackClaim],
) -> (String, Vec<Judgement>, Vec<Judgement>) {
    let must_go = |judgement: &Judgement| !may_stand(judgement, budget);
    let staying = judged.iter().filter(|judgement| !must_go(judgement));
    let mut stated: Vec<WordSet> = staying.map(|judgement| WordSet::of(&judgement.claim.text)).collect();
    let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
    let (mut sentences, mut removed) = (Vec::new(), Vec::new());
    for mut judgement in judged {
        let range = judgement.claim.range.clone();
        kept += &text[from..range.start];
        from = range.end;
        if must_go(&judgement) {
            let lost = WordSet::of(&judgement.claim.text);
            let restored = restorable(&lost, fallback_claims, &mut stated);
            let restored: Vec<&FallbackClaim> =
                restored.into_iter().filter(|fallback| may_stand(&fallback.judgement, budget)).collect();
            let sentence = &text[range];
            put_back(&restored, &mut kept, &mut sentences);
            kept += if restored.is_empty() { "" } else { &sentence[sentence.trim_end().len()..] };
            if judgement.verdict == Verdict::Supported {
                // Its words support it, but it is too far from them.
                judgement.verdict = Verdict::CannotVerify;
            }
            removed.push(judgement);
            continue;
        }
        let start = kept.len();
        kept += &with_citation(&text[range], &mut judgement);
        judgement.claim.range = start..kept.len();
        sentences.push(judgement);
    }
    kept += &text[from..];
    let end = kept.trim_end().len();
    kept.truncate(end);
    for sentence in &mut sentences {
        sentence.claim.range.end = sentence.claim.range.end.min(end);
    }
    (kept, sentences, removed)
}

/// Whether a sentence with this judgement may stand.
fn may_stand(judgement: &Judgement, budget: PromptBudget) -> bool {
    let near = |passage: &Passage| {
        WordSet::of(&passage.text).share_of(&WordSet::of(&judgement.claim.text)) >= budget.least_overlap
    };
    match judgement.verdict {
        Verdict::Supported => judgement.passage.as_ref().is_none_or(near),
        Verdict::CannotVerify => budget.keeps_unverified,
        Verdict::Unsupported | Verdict::Contradicts => false,
    }
}

/// Appends claims of the draft to the text, each with its range there.
fn put_back(restored: &[&FallbackClaim], kept: &mut String, sentences: &mut Vec<Judgement>) {
    for (at, fallback) in restored.iter().enumerate() {
        *kept += if at > 0 { " " } else { "" };
        let (start, mut judgement) = (kept.len(), fallback.judgement.clone());
        *kept += &fallback.text();
        judgement.claim.range = start..kept.len();
        judgement.claim.citations = judgement.passage.iter().map(|passage| passage.source).collect();
        sentences.push(judgement);
    }
}

/// The sentence as written, with the citation of its supporting page before its last full stop.
fn with_citation(sentence: &str, judgement: &mut Judgement) -> String {
    let source = judgement.passage.as_ref().map(|passage| passage.source);
    let Some(source) = source.filter(|_| judgement.verdict == Verdict::Supported) else { return sentence.to_owned() };
    if judgement.claim.citations == [source] {
        return sentence.to_owned();
    }
    judgement.claim.citations = vec![source];
    let (bare, _) = Citations::keep(sentence, |_| false);
    let words = bare.trim_end();
    let space = &sentence[sentence.trim_end().len()..];
    // In a table row, the citation stands in the last cell.
    let (body, end) = match words.strip_suffix('|') {
        Some(cells) => (cells.trim_end(), " |"),
        None => (words.trim_end_matches(['.', '!', '。', '！']), ""),
    };
    let end = if end.is_empty() { &words[body.len()..] } else { end };
    format!("{body} [{source}]{end}{space}")
}

impl Describe for VerifiedText {
    fn note(&self) -> String {
        let supported = self.sentences.iter().filter(|sentence| sentence.verdict == Verdict::Supported).count();
        let sentences = counted(self.sentences.len(), "sentence");
        format!("{sentences}, {supported} supported, {} taken out", self.removed.len())
    }

    fn detail(&self) -> Detail {
        detail!({
            "text": self.text,
            "sentences": self.sentences.iter().map(judgement_detail).collect::<Vec<_>>(),
            "removed": self.removed.iter().map(judgement_detail).collect::<Vec<_>>(),
            "failed": self.failed.clone().unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliberate::claims::claims;

    /// Judges the sentences of `text` with `verdicts`; supported ones rest on source 3.
    #[track_caller]
    fn check(text: &str, verdicts: &[Verdict], expected: &str) {
        let passage =
            Passage { source: 3, section: String::new(), anchor: String::new(), text: "It is so.".to_owned() };
        let judged = claims(text).into_iter().zip(verdicts).map(|(claim, &verdict)| {
            let passage = Some(passage.clone());
            Judgement { claim, verdict, passage, checks: Vec::new(), log_odds: None }
        });
        let (kept, sentences, _) = apply_verdicts(text, judged.collect(), Tier::Mid.prompt_budget(), &[]);
        assert_eq!(kept, expected);
        for sentence in sentences {
            let place = &kept[sentence.claim.range.clone()];
            let first = sentence.claim.text.split(' ').next().unwrap();
            assert!(place.trim_start_matches(['|', ' ']).starts_with(first), "{place:?}");
        }
    }

    #[test]
    fn what_stands_cites_the_page_that_bears_it_out() {
        use Verdict::{CannotVerify, Contradicts, Supported, Unsupported};
        check("Tea is hot. It is old.", &[Supported, Supported], "Tea is hot [3]. It is old [3].");
        check("Tea is hot [1]. It is old [3].", &[Supported, Supported], "Tea is hot [3]. It is old [3].");
        check("Tea is cold. It is old [2].", &[Contradicts, CannotVerify], "It is old [2].");
        check("Tea is hot.\n\nIt is old.", &[Supported, Unsupported], "Tea is hot [3].");
        let code = "Brew it by this command.\n\n```sh\ntea brew\n```\n\nIt is old.";
        check(code, &[Supported, Unsupported], "Brew it by this command [3].\n\n```sh\ntea brew\n```");
        check(code, &[Contradicts, Supported], "```sh\ntea brew\n```\n\nIt is old [3].");
        let kept = "Tea | Heat\n---|---\n| Green | 70 degrees [3] |";
        check("Tea | Heat\n---|---\n| Green | 70 degrees |", &[Supported], kept);
    }
}
