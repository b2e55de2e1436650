//! What a draft has that a page bears out, kept in reserve: a sentence that must go may have said it along with what is
//! wrong, and then it takes that sentence's place.

use crate::deliberate::overlap::Said;
use crate::deliberate::verdict::{Judgement, Verdict};

/// A claim of the draft that a page bears out.
#[derive(Debug, Clone, PartialEq)]
pub struct Spare {
    /// The claim, with its verdict.
    pub judgement: Judgement,
    pub(crate) said: Said,
}

impl Spare {
    /// The claim, where a page bears it out.
    pub(crate) fn of(judgement: &Judgement) -> Option<Spare> {
        let spare = Spare { judgement: judgement.clone(), said: Said::of(&judgement.claim.text) };
        (judgement.verdict == Verdict::Supported).then_some(spare)
    }

    /// The claim with the mark of the page that bears it out.
    pub(crate) fn text(&self) -> String {
        let text = self.judgement.claim.text.trim_end();
        let body = text.trim_end_matches(['.', '!', '。', '！']);
        let source = self.judgement.passage.as_ref().map(|passage| format!(" [{}]", passage.source));
        format!("{body}{}{}", source.unwrap_or_default(), &text[body.len()..])
    }
}

/// What stands for a sentence that must go: the claims of `spare` that it held and that no sentence of `said` holds.
pub(crate) fn restored<'s>(lost: &Said, spare: &'s [Spare], said: &mut Vec<Said>) -> Vec<&'s Spare> {
    let mut back = Vec::new();
    for one in spare.iter().filter(|one| lost.holds(&one.said)) {
        if !said.iter().any(|other| other.holds(&one.said)) {
            said.push(one.said.clone());
            back.push(one);
        }
    }
    back
}
