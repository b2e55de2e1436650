//! Edits of a text claim by claim, which leave everything else unchanged.

use crate::deliberate::claims::{Claim, claims};

/// Replaces claims of `text`. `replacement` gives a reason and new words for a claim, or `None` to keep it; with empty
/// words, the claim is removed. Returns the new text, and the replaced claims with their reasons.
pub(crate) fn replace_claims<R>(
    text: &str,
    mut replacement: impl FnMut(usize, &Claim) -> Option<(R, String)>,
) -> (String, Vec<(Claim, R)>) {
    replace_claims_by(text, &mut replacement)
}

/// Gives a reason and new words for a claim, which has that number in its text.
type Replacement<'f, R> = &'f mut dyn FnMut(usize, &Claim) -> Option<(R, String)>;

/// One function for all callers with the same kind of reason, which takes less room in a wasm.
fn replace_claims_by<R>(text: &str, replacement: Replacement<'_, R>) -> (String, Vec<(Claim, R)>) {
    let (mut kept, mut from, mut removed) = (String::with_capacity(text.len()), 0, Vec::new());
    for (at, claim) in claims(text).into_iter().enumerate() {
        if let Some((reason, words)) = replacement(at, &claim) {
            kept += &text[from..claim.range.start];
            kept += &words;
            let sentence = &text[claim.range.clone()];
            if !words.is_empty() {
                kept += &sentence[sentence.trim_end().len()..];
            }
            from = claim.range.end;
            removed.push((claim, reason));
        }
    }
    kept += &text[from..];
    (kept, removed)
}

/// Removes the claims of `text` for which `remove` gives a reason. Returns the new text, and the removed claims with
/// their reasons.
pub(crate) fn remove_claims<R>(text: &str, mut remove: impl FnMut(&Claim) -> Option<R>) -> (String, Vec<(Claim, R)>) {
    replace_claims(text, |_, claim| remove(claim).map(|reason| (reason, String::new())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_exchanged_for_other_words() {
        let cold = |at: usize, _: &Claim| (at == 0).then(|| ("cold", "Tea is hot.".to_owned()));
        let (text, removed) = replace_claims("Tea is so cold. It is so old.", cold);
        assert_eq!((text.as_str(), removed.len()), ("Tea is hot. It is so old.", 1));
    }
}
