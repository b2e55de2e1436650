//! What a judge is asked, and what it is shown first: claims beside evidence, with the right answers.
//!
//! A small model that saw a few such turns has the next claim's truth more clearly in mind. They say nothing of any pack, and
//! each evidence bears one claim out and another not, so that no claim's wording tells its answer. They stand before
//! everything that differs, so a model with a cache reads them once for a run of claims.

use crate::model::{Prompt, Turn};

/// What the model is to do.
const SYSTEM: &str = "You check whether a text supports a claim. Read the evidence, then the claim. Answer Yes if the \
                      evidence supports every part of the claim. Answer No if any name, number, date or other detail \
                      differs, or is not in the evidence.";

/// The two answers.
pub(super) const YES: &str = "Yes";
pub(super) const NO: &str = "No";

/// Evidence, a claim, and whether it is borne out.
const EXAMPLES: [(&str, &str, bool); 4] = [
    ("The Eiffel Tower was finished in 1889 and is 330 metres tall.", "The Eiffel Tower was completed in 1889.", true),
    ("The Eiffel Tower was finished in 1889 and is 330 metres tall.", "The Eiffel Tower was completed in 1901.", false),
    (
        "Marta Keller, a Swiss chemist, has written four novels and lives in Basel.",
        "Marta Keller has never written a book.",
        false,
    ),
    (
        "Marta Keller, a Swiss chemist, has written four novels and lives in Basel.",
        "Marta Keller is from Switzerland.",
        true,
    ),
];

/// The question whether `evidence` bears `claim` out, after those that are shown.
pub(super) fn prompt(evidence: &str, claim: &str) -> Prompt {
    let before = EXAMPLES.map(|(evidence, claim, is_true)| Turn {
        user: question(evidence, claim),
        assistant: if is_true { YES } else { NO }.to_owned(),
    });
    Prompt { system: SYSTEM.to_owned(), before: before.into(), user: question(evidence, claim) }
}

fn question(evidence: &str, claim: &str) -> String {
    format!("Evidence: {evidence}\n\nClaim: {claim}\n\nDoes the evidence support the claim? Answer Yes or No.")
}
