//! Lets a role's model generate until it is done or loops: small models repeat their last sentence, or their prompt,
//! until no token is left. Reasoning is kept separate, and by itself is not an answer.

use std::ops::ControlFlow;

use crate::deliberate::language::is_unspaced;
use crate::deliberate::prompt_echo::restarts_prompt;
use crate::deliberate::step::{OnStep, Role, Step};
use crate::model::{Generation, GenerationEvent, GenerationRequest, Model, ModelError};
use crate::reasoning;

/// A run of words that repeats this often in a row is a loop.
const LEAST_REPEATS: usize = 3;
/// The longest loop in words that is detected by its repetitions. A longer one is detected by a run of this many words
/// that occurred before.
const LONGEST_LOOP: usize = 60;
/// Fewer words may occur three times by chance.
const LEAST_WORDS: usize = 9;
/// The bytes at the end of the reasoning that are searched for loops.
const TAIL_BYTES: usize = 4_096;

const ONLY_REASONING: &str =
    "the model reasoned and gave no answer; turn its reasoning off, let it write more tokens, or choose another model";

/// Lets `model` generate; `on_step` receives its events as `role`'s.
///
/// # Errors
/// The model's; [`ModelError::Stopped`] only where `on_step` stopped it; [`ModelError::Failed`] where it reasoned and did not answer.
pub(crate) async fn write<M: Model>(
    model: &M,
    writing: &GenerationRequest,
    role: Role,
    on_step: OnStep<'_>,
) -> Result<Generation, ModelError> {
    let mut so_far = Generation { cut: true, ..Generation::default() };
    let mut enough = false;
    let mut on_event = |event: GenerationEvent<'_>| {
        let stopped = on_step(Step::Generation(role, event)).is_break();
        match event {
            GenerationEvent::Read { known, total, .. } => (so_far.known_tokens, so_far.prompt_tokens) = (known, total),
            GenerationEvent::Text(piece) => {
                so_far.text += piece;
                so_far.tokens += usize::from(!piece.is_empty());
                enough |= !stopped && is_looping(&so_far.text);
            }
            GenerationEvent::Reasoning(piece) => {
                so_far.reasoning += piece;
                so_far.tokens += 1;
                // Reasoning may repeat its prompt.
                enough |= !stopped && ends_in_loop(tail(&so_far.reasoning));
            }
            GenerationEvent::Revised(text) => text.clone_into(&mut so_far.text),
        }
        if stopped || enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let written = match reasoning::write(model, writing, &mut on_event).await {
        Err(ModelError::Stopped) if enough => so_far,
        other => other?,
    };
    match written.text.trim().is_empty() && !written.reasoning.is_empty() {
        true => Err(ModelError::Failed(ONLY_REASONING.to_owned())),
        false => Ok(written),
    }
}

/// The end of a model's reasoning, which may be long.
fn tail(reasoning: &str) -> &str {
    &reasoning[reasoning.ceil_char_boundary(reasoning.len().saturating_sub(TAIL_BYTES))..]
}

/// Whether the end of `text` loops, or its prompt's labels begin again.
fn is_looping(text: &str) -> bool {
    // An unfinished line may become an item of that name.
    if text.rfind('\n').is_some_and(|end| restarts_prompt(&text[..end])) {
        return true;
    }
    ends_in_loop(text)
}

/// Whether the end of `text` loops.
fn ends_in_loop(text: &str) -> bool {
    let words = last_words(text);
    let repeats_thrice = (1..=LONGEST_LOOP).any(|length| {
        let span = length * LEAST_REPEATS;
        span >= LEAST_WORDS && words.len() >= span && (length..span).all(|at| words[at] == words[at - length])
    });
    repeats_thrice
        || (words.len() >= 2 * LONGEST_LOOP
            && words[LONGEST_LOOP..].windows(LONGEST_LOOP).any(|row| row == &words[..LONGEST_LOOP]))
}

/// The words of `text`, last one first; for scripts without spaces, the characters.
fn last_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in text.split_whitespace().rev() {
        if word.contains(is_unspaced) {
            words.extend(word.char_indices().rev().map(|(at, c)| &word[at..at + c.len_utf8()]));
        } else {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_seen() {
        let check = |text: &str, expected: bool| assert_eq!(is_looping(text), expected, "{text}");
        check("Tea is hot. Tea is hot. Tea is hot.", true);
        check("Tea is hot. Tea is hot. Coffee is hot.", false);
        check("is: is: is: is: is: is: is: is: is:", true);
        check("very very very good", false);
        check("茶是热的。茶是热的。茶是热的。", true);
        check("茶是热的。它很古老。人人都喝茶。", false);
        check("Tea is hot.\n\nReview:\n", true);
        check("There are three parts:\n- **Draft:**", false);
        check("There are three parts:\n- **Draft:** what is written first\n", false);
        check("Tea is hot.\n\nIt is old.", false);
        check("", false);
    }

    #[test]
    fn circles_in_reasoning_are_seen_at_its_end() {
        let long: String = (0..2_000).map(|at| format!("茶{at} ")).collect();
        assert!(!ends_in_loop(tail(&long)));
        assert!(ends_in_loop(tail(&format!("{long}{}", "Wait, let me see. ".repeat(3)))));
        assert!(tail(&long).len() <= TAIL_BYTES && long.ends_with(tail(&long)));
    }

    #[test]
    fn a_text_that_begins_anew_goes_in_circles() {
        let text: String = (0..200).map(|at| format!("Word{at} ")).collect();
        let again = |words: usize| (0..words).map(|at| format!("Word{at} ")).collect::<String>();
        assert!(!is_looping(&text));
        assert!(!is_looping(&format!("{text}{}", again(LONGEST_LOOP - 1))));
        assert!(is_looping(&format!("{text}{}", again(LONGEST_LOOP))));
    }
}
