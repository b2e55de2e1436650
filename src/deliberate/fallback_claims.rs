//! Fallback claims: supported claims of the draft. If a sentence that must be removed contained one along with
//! something wrong, the claim takes its place.

use crate::deliberate::overlap::WordSet;
use crate::deliberate::verdict::{Judgement, Verdict};

/// A claim of the draft that a page supports.
#[derive(Debug, Clone, PartialEq)]
pub struct FallbackClaim {
    /// The claim, with its verdict.
    pub judgement: Judgement,
    pub(crate) words: WordSet,
}

impl FallbackClaim {
    /// The claim, if a page supports it.
    pub(crate) fn of(judgement: &Judgement) -> Option<FallbackClaim> {
        let fallback = FallbackClaim { judgement: judgement.clone(), words: WordSet::of(&judgement.claim.text) };
        (judgement.verdict == Verdict::Supported).then_some(fallback)
    }

    /// The claim with the citation of its supporting page.
    pub(crate) fn text(&self) -> String {
        let text = self.judgement.claim.text.trim_end();
        let body = text.trim_end_matches(['.', '!', '。', '！']);
        let source = self.judgement.passage.as_ref().map(|passage| format!(" [{}]", passage.source));
        format!("{body}{}{}", source.unwrap_or_default(), &text[body.len()..])
    }
}

/// The claims of `fallback_claims` that the `lost` sentence contained and that no sentence of `stated` contains; they
/// are added to `stated`.
pub(crate) fn restorable<'s>(
    lost: &WordSet,
    fallback_claims: &'s [FallbackClaim],
    stated: &mut Vec<WordSet>,
) -> Vec<&'s FallbackClaim> {
    let mut restored = Vec::new();
    for fallback in fallback_claims.iter().filter(|fallback| lost.contains_all(&fallback.words)) {
        if !stated.iter().any(|other| other.contains_all(&fallback.words)) {
            stated.push(fallback.words.clone());
            restored.push(fallback);
        }
    }
    restored
}
