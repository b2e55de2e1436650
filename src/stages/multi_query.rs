//! `multi_query`: a question asked in other words too. Pages are looked for with each of them, and the nearest counts.
//!
//! Two alternatives at most come from a model, or from the index: the names of the pages that the question finds are what its
//! subject is called there (pseudo-relevance feedback; Lavrenko and Croft 2001, "Relevance-Based Language Models"). If there are
//! none, the question is asked as it is.

use seealso_index::fold;

use crate::model::{GenerationRequest, Model, OnEvent, Prompt, Shape};
use crate::reasoning;
use crate::retrieve::decompose::reply::texts;

/// The characters of a question that alternatives are made of.
pub(super) const QUESTION_CHARS: usize = 500;
/// The most characters of an alternative.
pub(super) const ALTERNATIVE_CHARS: usize = 300;
/// The most alternatives.
pub(super) const MOST_ALTERNATIVES: usize = 2;
/// The milliseconds that a model has to write them.
pub(super) const TIMEOUT_MS: u32 = 10_000;
/// The most tokens that it writes: two alternatives of their full length.
const MAX_TOKENS: usize = 200;

/// The system message.
const SYSTEM: &str = "You say questions in other words. You answer in JSON.";
/// The task. The example is about nothing that packs are likely to be about.
const TASK: &str = "Say the question in two other ways, with other words for the same things. Do not answer it.\n\n\
    Question: Why does a guitar string break?\n\
    {\"alternatives\": [\"what makes the strings of a guitar snap\", \"cause of a torn guitar string\"]}";

/// The first `most` characters of a text, without outer space.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    text[..end].trim()
}

/// The alternatives among `proposed`: cut to their length, none empty, none the question itself or there twice.
pub(super) fn accept(question: &str, proposed: &[String]) -> Vec<String> {
    let mut seen = vec![fold(cut(question, QUESTION_CHARS))];
    let mut accepted = Vec::new();
    for text in proposed {
        let text = cut(text, ALTERNATIVE_CHARS);
        let key = fold(text);
        if !text.is_empty() && !seen.contains(&key) && accepted.len() < MOST_ALTERNATIVES {
            seen.push(key);
            accepted.push(text.to_owned());
        }
    }
    accepted
}

/// Alternatives from the index: the question with the names that the pages which it finds have for its subject. `names` are
/// those of each page, its title first, best page first; a name whose words all stand in the question says nothing new.
pub(super) fn alternatives_by_names(question: &str, names: &[Vec<String>]) -> Vec<String> {
    let question = cut(question, QUESTION_CHARS);
    let asked = fold(question);
    let is_new =
        |name: &&String| fold(name).split_whitespace().any(|word| !asked.split_whitespace().any(|own| own == word));
    // One name of each page before a second one of any.
    let most = names.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..most).flat_map(|place| names.iter().filter_map(move |names| names.get(place)));
    let proposed: Vec<String> = in_turn.filter(is_new).map(|name| format!("{name}: {question}")).collect();
    accept(question, &proposed)
}

/// Alternatives from a model; none where it fails, is stopped, or writes no list.
pub(super) async fn alternatives_by_model<M: Model>(model: &M, question: &str, on_event: OnEvent<'_>) -> Vec<String> {
    let written = reasoning::write(model, &writing(question), on_event).await;
    let proposed = written.ok().and_then(|written| texts(&written.text)).unwrap_or_default();
    accept(question, &proposed)
}

fn writing(question: &str) -> GenerationRequest {
    let user = format!("{TASK}\nQuestion: {}", cut(question, QUESTION_CHARS));
    GenerationRequest {
        prompt: Prompt { system: SYSTEM.to_owned(), user, ..Prompt::default() },
        max_tokens: MAX_TOKENS,
        temperature: 0.0,
        seed: 0,
        shape: Some(Shape { name: "alternatives", most: MOST_ALTERNATIVES, longest: ALTERNATIVE_CHARS }),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use futures_executor::block_on;

    use super::*;
    use crate::memory::ScriptedModel;
    use crate::model::{Abilities, ModelError};

    #[test]
    fn questions_and_alternatives_are_cut_by_characters() {
        assert_eq!(cut("  größer als  ", 9), "größer");
        assert_eq!(cut("größer als", 6), "größer");
        let question = "ß".repeat(600);
        let accepted = accept(&question, &["猫".repeat(301), "ß".repeat(300)]);
        assert_eq!(accepted.iter().map(|text| text.chars().count()).collect::<Vec<_>>(), [300, 300]);
        let model = ScriptedModel::new(Abilities::default(), []);
        block_on(alternatives_by_model(&model, &question, &mut |_| ControlFlow::Continue(())));
        assert!(model.asked()[0].user.ends_with(&format!("\nQuestion: {}", "ß".repeat(500))));
    }

    #[test]
    fn a_model_proposes_two_alternatives() {
        let check = |reply: Result<&str, ModelError>, expected: &[&str]| {
            let model = ScriptedModel::new(Abilities::default(), [reply.map(str::to_owned)]);
            let found =
                block_on(alternatives_by_model(&model, "How are loaves baked?", &mut |_| ControlFlow::Continue(())));
            assert_eq!(found, expected);
        };
        check(
            Ok(r#"{"alternatives": ["baking of bread", "how bread is made"]}"#),
            &["baking of bread", "how bread is made"],
        );
        check(Ok(r#"["how ARE loaves baked?", "", "bread", "Bread", "ovens", "loaves"]"#), &["bread", "ovens"]);
        check(Ok("Loaves are baked in ovens."), &[]);
        check(Err(ModelError::Stopped), &[]);
        check(Err(ModelError::Failed("no memory".to_owned())), &[]);
    }

    #[test]
    fn the_names_of_found_pages_say_a_question_in_other_words() {
        let names = |names: &[&[&str]]| -> Vec<Vec<String>> {
            names.iter().map(|names| names.iter().map(|&name| name.to_owned()).collect()).collect()
        };
        let check = |found: &[&[&str]], expected: &[&str]| {
            assert_eq!(alternatives_by_names("How does a leaf breathe?", &names(found)), expected, "{found:?}");
        };
        check(
            &[&["Stomata", "Pores"], &["Photosynthesis"]],
            &["Stomata: How does a leaf breathe?", "Photosynthesis: How does a leaf breathe?"],
        );
        check(
            &[&["Leaf", "Foliage"], &["Stomata"]],
            &["Stomata: How does a leaf breathe?", "Foliage: How does a leaf breathe?"],
        );
        check(&[&["A leaf"], &[]], &[]);
        check(&[], &[]);
    }
}
