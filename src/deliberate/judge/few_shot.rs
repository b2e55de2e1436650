//! The question for a judge, and the examples that precede it: claims with evidence and the right answers.
//!
//! A small model judges the next claim better after a few such turns. They are about no pack, and each evidence
//! supports one claim and not another, so that the wording of a claim does not give away its answer. They precede
//! everything that differs, so a model with a cache reads them once for a series of claims.

use crate::model::{Prompt, Turn};

/// The model's task.
const SYSTEM: &str = "You check whether a text supports a claim. Read the evidence, then the claim. Answer Yes if the \
                      evidence supports every part of the claim. Answer No if any name, number, date or other detail \
                      differs, or is not in the evidence.";

/// The two answers.
pub(super) const YES: &str = "Yes";
pub(super) const NO: &str = "No";

/// Evidence, a claim, and whether it is supported.
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

/// The question whether `evidence` supports `claim`, after the examples.
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
