//! What a draft has that a page bears out, kept in reserve: a sentence that must go may have said it along with what is
//! wrong, and then it takes that sentence's place.

use crate::deliberate::overlap::WordSet;
use crate::deliberate::verdict::{Judgement, Verdict};

/// A claim of the draft that a page bears out.
#[derive(Debug, Clone, PartialEq)]
pub struct FallbackClaim {
    /// The claim, with its verdict.
    pub judgement: Judgement,
    pub(crate) words: WordSet,
}

impl FallbackClaim {
    /// The claim, where a page bears it out.
    pub(crate) fn of(judgement: &Judgement) -> Option<FallbackClaim> {
        let fallback = FallbackClaim { judgement: judgement.clone(), words: WordSet::of(&judgement.claim.text) };
        (judgement.verdict == Verdict::Supported).then_some(fallback)
    }

    /// The claim with the mark of the page that bears it out.
    pub(crate) fn text(&self) -> String {
        let text = self.judgement.claim.text.trim_end();
        let body = text.trim_end_matches(['.', '!', '。', '！']);
        let source = self.judgement.passage.as_ref().map(|passage| format!(" [{}]", passage.source));
        format!("{body}{}{}", source.unwrap_or_default(), &text[body.len()..])
    }
}

/// What stands for a sentence that must go: the claims of `fallback_claims` that it held and that no sentence of `stated` holds.
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
