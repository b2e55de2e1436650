//! `synthesize`: the Synthesizer integrates the draft and the review into the answer.
//!
//! It gets the question, the draft and the review, and nothing else: there is no parameter through which the pages'
//! text could reach it, or it would answer anew and override what the other two found.

use std::collections::BTreeSet;

use crate::deliberate::claims::{Citations, Claim};
use crate::deliberate::critic::{Review, head};
use crate::deliberate::cut::{REPEATS_ITS_PROMPT, before_prompt, cut, is_of_prompt};
use crate::deliberate::expert::{Draft, SYSTEM, Settings, one_line};
use crate::deliberate::step::{Role, Step, Watch};
use crate::model::{Model, ModelError, Prompt, Written, Wrote};
use crate::trace::{Describe, Detail, counted, detail};

/// How the answer is to be integrated.
const RULES: &str = "Write the final answer to the question from the draft and the review above.\n\
    - Keep what the review does not flag: names, dates, numbers, examples, and the source numbers in square brackets.\n\
    - Leave out what the review flags, or say it with less certainty. Add no facts.\n\
    - Be as long as the draft's material warrants.\n\
    - Write about the subject alone: nothing about the draft, the review, or the sources as such.\n\
    - Answer in the language of the question.";

/// Sentences with one of these speak of the work instead of the subject.
const ABOUT_THE_WORK: [&str; 9] = [
    "the draft",
    "the review",
    "the critic",
    "the knowledge context",
    "the provided context",
    "the given context",
    "based on the context",
    "the final answer",
    "flagged claim",
];

/// What the Synthesizer wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesis {
    /// The text, after what may not stand in it was taken out.
    pub text: String,
    /// What the model wrote, word for word.
    pub written: Written,
    /// Sentences that were taken out, and why.
    pub removed: Vec<(String, &'static str)>,
}

/// Lets `model` write the answer to `question` from `draft` and `review`.
///
/// # Errors
/// The model's.
pub async fn synthesize<M: Model>(
    model: &M,
    question: &str,
    draft: &Draft,
    review: &Review,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Synthesis, ModelError> {
    let writing = settings.writing(synthesis_prompt(question, draft, review, settings));
    let mut hear = |wrote: Wrote<'_>| watch(Step::Wrote(Role::Synthesizer, wrote));
    let written = model.write(&writing, &mut hear).await?;
    Ok(repaired(written, draft, review))
}

/// The Synthesizer's prompt.
pub(crate) fn synthesis_prompt(question: &str, draft: &Draft, review: &Review, settings: &Settings) -> Prompt {
    let (text, flags) = (draft.text.as_str(), review.text());
    let text = head(text, settings.tier.synthesizer_draft_chars());
    let flags = head(&flags, settings.tier.synthesizer_review_chars()).trim_end();
    let question = one_line(question);
    Prompt {
        system: SYSTEM.to_owned(),
        user: format!("Question: {question}\n\nDraft:\n{text}\n\nReview:\n{flags}\n\n{RULES}"),
    }
}

/// Without a model, or where it failed: the draft without what the review flags.
pub(crate) fn without_flagged(draft: &Draft, review: &Review) -> Synthesis {
    repaired(Written { text: draft.text.clone(), ..Written::default() }, draft, review)
}

/// Takes out sentences that repeat a flagged claim or speak of the work, and citations of what was not read.
fn repaired(written: Written, draft: &Draft, review: &Review) -> Synthesis {
    let flagged: Vec<BTreeSet<String>> = review.flagged().map(|judgement| words(&judgement.claim.text)).collect();
    let unfit = |claim: &Claim| {
        let lower = claim.text.to_lowercase();
        if ABOUT_THE_WORK.iter().any(|phrase| lower.contains(phrase)) {
            return Some("speaks of the work, not of the subject");
        }
        if is_of_prompt(&claim.text, RULES) {
            return Some(REPEATS_ITS_PROMPT);
        }
        repeats(&words(&claim.text), &flagged).then_some("repeats a flagged claim")
    };
    let (kept, removed) = cut(before_prompt(&written.text), unfit);
    let removed = removed.into_iter().map(|(claim, why)| (claim.text, why)).collect();
    let given = |number: usize| draft.sources.parts.iter().any(|part| part.number == number);
    let (clean, _) = Citations::keep(&kept, given);
    Synthesis { text: clean.trim().to_owned(), written, removed }
}

/// Two sentences with at least this share of all their words in common say the same. A number or name that was changed
/// for the better makes another sentence of it only if it is one word of few: the verdict that follows looks closer.
const SAME: f64 = 0.8;

fn repeats(sentence: &BTreeSet<String>, flagged: &[BTreeSet<String>]) -> bool {
    flagged.iter().any(|claim| {
        let common = sentence.intersection(claim).count() as f64;
        let all = sentence.union(claim).count() as f64;
        all > 0.0 && common / all >= SAME
    })
}

fn words(text: &str) -> BTreeSet<String> {
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect()
}

impl Describe for Synthesis {
    fn note(&self) -> String {
        let words = counted(self.text.split_whitespace().count(), "word");
        match self.removed.len() {
            0 => words,
            count => format!("{words}, {} taken out", counted(count, "sentence")),
        }
    }

    fn detail(&self) -> Detail {
        let removed: Vec<Detail> =
            self.removed.iter().map(|(text, why)| detail!({ "text": text.as_str(), "why": *why })).collect();
        detail!({
            "text": self.text,
            "removed": removed,
            "prompt_tokens": self.written.prompt_tokens,
            "known_tokens": self.written.known_tokens,
            "tokens": self.written.tokens,
            "cut": self.written.cut,
        })
    }
}
