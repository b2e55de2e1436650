//! `verify`: every sentence of the final text is judged as the draft's claims were, so that what the Synthesizer added
//! gets its verdict too. A sentence that is flagged here is taken out; one that can't be verified stays, and says so.

use crate::deliberate::critic::{judge_all, told};
use crate::deliberate::evidence::Evidence;
use crate::deliberate::step::{Role, Watch};
use crate::deliberate::synthesizer::Synthesis;
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::model::{Model, ModelError};
use crate::retrieve::assemble::Manifest;
use crate::trace::{Describe, Detail, counted, detail};

/// The final text with a verdict for each sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The text that stands.
    pub text: String,
    /// Its sentences, with their places in it.
    pub sentences: Vec<Judgement>,
    /// Sentences that were taken out, since no page bears them out.
    pub removed: Vec<Judgement>,
    /// Why the model's part is missing, where it failed.
    pub failed: Option<String>,
}

/// Judges `synthesis` against `manifest`.
///
/// # Errors
/// [`ModelError::Stopped`], when `watch` stopped it.
pub async fn verify<M: Model>(
    model: &M,
    synthesis: &Synthesis,
    manifest: &Manifest,
    watch: Watch<'_>,
) -> Result<Verified, ModelError> {
    let (evidence, mut failed) = (Evidence::of(manifest), None);
    let judged = judge_all(model, &synthesis.text, &evidence, Role::Verifier, &mut failed, watch).await?;
    let (text, sentences, removed) = standing(&synthesis.text, judged);
    Ok(Verified { text, sentences, removed, failed })
}

/// Takes out what is flagged; what stays gets its place in the text that is left.
fn standing(text: &str, judged: Vec<Judgement>) -> (String, Vec<Judgement>, Vec<Judgement>) {
    let (mut kept, mut from, mut gone) = (String::new(), 0, 0);
    let (mut sentences, mut removed) = (Vec::new(), Vec::new());
    for mut judgement in judged {
        let range = judgement.claim.range.clone();
        if judgement.verdict.is_flag() {
            kept += &text[from..range.start];
            from = range.end;
            gone += range.len();
            removed.push(judgement);
        } else {
            judgement.claim.range = range.start - gone..range.end - gone;
            sentences.push(judgement);
        }
    }
    kept += &text[from..];
    let end = kept.trim_end().len();
    kept.truncate(end);
    for sentence in &mut sentences {
        sentence.claim.range.end = sentence.claim.range.end.min(end);
    }
    (kept, sentences, removed)
}

impl Describe for Verified {
    fn note(&self) -> String {
        let supported = self.sentences.iter().filter(|sentence| sentence.verdict == Verdict::Supported).count();
        let sentences = counted(self.sentences.len(), "sentence");
        format!("{sentences}, {supported} supported, {} taken out", self.removed.len())
    }

    fn detail(&self) -> Detail {
        detail!({
            "text": self.text,
            "sentences": self.sentences.iter().map(told).collect::<Vec<_>>(),
            "removed": self.removed.iter().map(told).collect::<Vec<_>>(),
            "failed": self.failed.clone().unwrap_or_default(),
        })
    }
}
