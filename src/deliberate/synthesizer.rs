//! `synthesize`: the Synthesizer integrates the draft and the review into the answer.
//!
//! It receives the question, the draft and the review, and nothing else. No parameter could pass it the pages' text;
//! with it, the Synthesizer would answer anew and override what the other two roles found.

use crate::deliberate::claim_edits::replace_claims;
use crate::deliberate::claims::strip_markdown::without_prose_fences;
use crate::deliberate::claims::{Citations, Claim, claims, without_unfinished};
use crate::deliberate::critic::{NO_FLAGS, Review, head};
use crate::deliberate::expert::{Draft, SYSTEM, Settings, has_phrase, one_line, repeats_rules};
use crate::deliberate::fallback_claims::{FallbackClaim, restorable};
use crate::deliberate::generation::write;
use crate::deliberate::overlap::{FlaggedClaim, WordSet};
use crate::deliberate::prompt_echo::{REPEATS_ITS_PROMPT, text_before_prompt};
use crate::deliberate::step::{OnStep, Role};
use crate::model::{Generation, Model, ModelError, Prompt};
use crate::trace::{Describe, Detail, counted, detail};

/// The Synthesizer's instructions.
pub(super) const RULES: &str = "Write the final answer to the question from the draft and the review above.\n\
    - Keep what the review does not flag: names, dates, numbers, examples, and the source numbers in square brackets.\n\
    - Leave out what the review flags, or say it with less certainty. Add no facts.\n\
    - Be as long as the draft's material warrants.\n\
    - Write about the subject alone: nothing about the draft, the review, or the sources as such.\n\
    - Answer in the language of the question.";

/// Phrases of sentences about the task instead of the subject.
const ABOUT_THE_WORK: [&str; 10] = [
    "the draft",
    "the review",
    "the critic",
    "the knowledge context",
    "the provided context",
    "the given context",
    "based on the context",
    "the final answer",
    "flagged claim",
    "the answer to the question is:",
];

/// The Synthesizer's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesis {
    /// The text, without the removed sentences.
    pub text: String,
    /// The model's output, verbatim.
    pub written: Generation,
    /// The removed sentences, and why.
    pub removed: Vec<(String, &'static str)>,
    /// Supported claims of the draft: one takes the place of a removed sentence that contained it along with something
    /// else.
    pub fallback_claims: Vec<FallbackClaim>,
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
    on_step: OnStep<'_>,
) -> Result<Synthesis, ModelError> {
    let writing = settings.writing(synthesis_prompt(question, draft, review, settings));
    let written = write(model, &writing, Role::Synthesizer, on_step).await?;
    let synthesis = repair(written, draft, review);
    Ok(if synthesis.lost_most() {
        Synthesis { written: synthesis.written, ..without_flagged(draft, review) }
    } else {
        synthesis
    })
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
        ..Prompt::default()
    }
}

/// The draft without its flagged claims, used if the model fails.
pub(crate) fn without_flagged(draft: &Draft, review: &Review) -> Synthesis {
    repair(Generation { text: draft.text.clone(), ..Generation::default() }, draft, review)
}

/// Removes sentences that repeat a flagged claim or each other or are about the task, and citations of sources that
/// were not read.
fn repair(written: Generation, draft: &Draft, review: &Review) -> Synthesis {
    let flagged: Vec<FlaggedClaim> = review.flagged().map(FlaggedClaim::of).collect();
    let fallback_claims: Vec<FallbackClaim> = review.judgements.iter().filter_map(FallbackClaim::of).collect();
    let finished = if written.cut { without_unfinished(&written.text) } else { &written.text };
    let sources = draft.sources.text.to_lowercase();
    // If the sources mention a draft, it is the subject.
    let about: Vec<&str> = ABOUT_THE_WORK.into_iter().filter(|phrase| !has_phrase(&sources, phrase)).collect();
    let text = &without_announcing_the_work(&without_prose_fences(text_before_prompt(finished)), &about);
    let removal_reasons = removal_reasons(text, &flagged, &about);
    let mut stated: Vec<WordSet> = claims(text)
        .iter()
        .zip(&removal_reasons)
        .filter(|(_, why)| why.is_none())
        .map(|(claim, _)| WordSet::of(&claim.text))
        .collect();
    let (kept, removed) = replace_claims(text, |at, claim| {
        let why = removal_reasons.get(at).copied().flatten()?;
        let restored = restorable(&WordSet::of(&claim.text), &fallback_claims, &mut stated);
        Some((why, restored.into_iter().map(FallbackClaim::text).collect::<Vec<_>>().join(" ")))
    });
    let removed = removed.into_iter().map(|(claim, why)| (claim.text, why)).collect();
    let given = |number: usize| draft.sources.parts.iter().any(|part| part.number == number);
    let (clean, _) = Citations::keep(&kept, given);
    Synthesis { text: clean.trim().to_owned(), written, removed, fallback_claims }
}

/// `text` without lines that announce the answer as made from a draft, and without those that repeat the review's "No
/// flags." Such lines make no claim, so they are not among the claims.
fn without_announcing_the_work(text: &str, about: &[&str]) -> String {
    let announces = |line: &&str| {
        let lower = line.trim().to_lowercase();
        lower.eq_ignore_ascii_case(NO_FLAGS)
            || lower.ends_with(':') && about.iter().any(|phrase| has_phrase(&lower, phrase))
    };
    text.split('\n').filter(|line| !announces(line)).collect::<Vec<_>>().join("\n")
}

/// For each claim of `text`, why it must be removed, if it must. A claim with a phrase of `about` is about the task.
fn removal_reasons(text: &str, flagged: &[FlaggedClaim], about: &[&str]) -> Vec<Option<&'static str>> {
    let mut before: Vec<WordSet> = Vec::new();
    let why = |claim: Claim| {
        let (lower, stated) = (claim.text.to_lowercase(), WordSet::of(&claim.text));
        let again = before.contains(&stated);
        before.push(stated.clone());
        match () {
            () if about.iter().any(|phrase| has_phrase(&lower, phrase)) => {
                Some("speaks of the work, not of the subject")
            }
            () if repeats_rules(&claim.text, RULES) => Some(REPEATS_ITS_PROMPT),
            () if flagged.iter().any(|flagged| flagged.is_in(&stated)) => Some("repeats a flagged claim"),
            () if again => Some("says the same again"),
            () => None,
        }
    };
    claims(text).into_iter().map(why).collect()
}

impl Synthesis {
    /// Whether less than half of the supported claims is left.
    fn lost_most(&self) -> bool {
        let stated: Vec<WordSet> = claims(&self.text).iter().map(|claim| WordSet::of(&claim.text)).collect();
        let left = self
            .fallback_claims
            .iter()
            .filter(|fallback| stated.iter().any(|sentence| sentence.resembles(&fallback.words)))
            .count();
        left * 2 < self.fallback_claims.len()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_not_announced() {
        let check =
            |text: &str, expected: &str| assert_eq!(without_announcing_the_work(text, &ABOUT_THE_WORK), expected);
        check("The final answer from the draft is:\nTea is hot.", "Tea is hot.");
        check("No flags.\n\nTea is hot.", "\nTea is hot.");
        check("No flags. Tea is hot.", "No flags. Tea is hot.");
        check("There are two kinds:\n- Tea\n", "There are two kinds:\n- Tea\n");
    }

    #[test]
    fn what_speaks_of_the_work_goes_but_where_it_is_the_subject() {
        let why = |text: &str, sources: &str| {
            let about: Vec<&str> = ABOUT_THE_WORK.into_iter().filter(|phrase| !has_phrase(sources, phrase)).collect();
            removal_reasons(text, &[], &about)
        };
        let work = Some("speaks of the work, not of the subject");
        assert_eq!(why("The draft says that tea is hot.", "tea is hot."), [work]);
        assert_eq!(why("The critic judges each claim.", "the critic judges each claim of a draft."), [None]);
        assert_eq!(why("The critical heat of tea is 80 degrees.", "tea is hot."), [None]);
        assert_eq!(why("The drafts of tea were reviewed twice.", "tea is hot."), [None]);
    }

    #[test]
    fn a_sentence_that_must_go_leaves_what_it_said_right() {
        use crate::deliberate::checks::{CheckKind, CheckOutcome, CheckResult};
        use crate::deliberate::evidence::Passage;
        use crate::deliberate::verdict::{Judgement, Verdict};
        let text = "Tea is hot when it is drunk [1]. It has nine leaves in all [1].";
        let judged = claims(text).into_iter().enumerate().map(|(at, claim)| {
            let passage =
                Some(Passage { source: 1, section: String::new(), anchor: String::new(), text: claim.text.clone() });
            let (claimed, found) = ("nine leaves".to_owned(), "two leaves".to_owned());
            let check = CheckResult { kind: CheckKind::Number, claimed, found, outcome: CheckOutcome::Contradicted };
            let (verdict, checks) =
                if at == 0 { (Verdict::Supported, Vec::new()) } else { (Verdict::Contradicts, vec![check]) };
            Judgement { claim, verdict, passage, checks, log_odds: None }
        });
        let review = Review { judgements: judged.collect(), remarks: String::new(), fetched: Vec::new(), failed: None };
        let draft = Draft {
            text: text.to_owned(),
            written: Generation::default(),
            sources: crate::deliberate::sources::Sources::default(),
            disclaimers: Vec::new(),
            unknown_citations: Vec::new(),
        };
        let joined = "Tea is hot when it is drunk and it has nine leaves in all.";
        let synthesis = repair(Generation { text: joined.to_owned(), ..Generation::default() }, &draft, &review);
        assert_eq!(synthesis.removed, [(joined.to_owned(), "repeats a flagged claim")]);
        assert!(synthesis.text.starts_with("Tea is hot when it is drunk"), "{}", synthesis.text);
    }
}
