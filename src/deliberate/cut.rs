//! Taking sentences out of a text, the rest kept as it is.

use crate::deliberate::claims::{Claim, claims};

/// `text` without the claims that `remove` gives a reason for, and these with their reasons.
pub(crate) fn cut<R>(text: &str, mut remove: impl FnMut(&Claim) -> Option<R>) -> (String, Vec<(Claim, R)>) {
    let (mut kept, mut from, mut removed) = (String::with_capacity(text.len()), 0, Vec::new());
    for claim in claims(text) {
        if let Some(reason) = remove(&claim) {
            kept += &text[from..claim.range.start];
            from = claim.range.end;
            removed.push((claim, reason));
        }
    }
    kept += &text[from..];
    (kept, removed)
}
