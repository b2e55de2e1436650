//! What a question about the site will cost its reader: measured on the index, with titles of pages as questions.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::commands::bench::cost::{FetchCost, measure_cold};
use crate::source::block_on;

/// So many questions are asked; an odd number, so that one of them is in the middle.
pub(super) const QUESTIONS: usize = 7;

/// A question has so many words of a title.
const WORDS: usize = 2;

/// Shorter words of a title tell little, in characters.
const LEAST_CHARS: usize = 3;

/// What a question fetches of the index into an empty cache, up to the list of results: the median.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct QuestionCost {
    pub(super) bytes: u64,
    pub(super) requests: u64,
}

/// Asks the words of each title of the index in `folder`; none where there are no titles.
pub(super) fn measure(folder: &Path, titles: &[String]) -> anyhow::Result<Option<QuestionCost>> {
    let questions: Vec<String> = titles.iter().map(|title| question(title)).collect();
    let measured = block_on(async {
        let mut costs = Vec::new();
        for question in &questions {
            costs.push(measure_cold(folder, question).await?);
        }
        anyhow::Ok(costs)
    })?;
    Ok(median(measured?))
}

/// The first words of a title that tell something.
fn question(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= LEAST_CHARS);
    let words: Vec<&str> = words.take(WORDS).collect();
    if words.is_empty() { title.to_owned() } else { words.join(" ") }
}

fn median(mut costs: Vec<FetchCost>) -> Option<QuestionCost> {
    costs.sort_unstable();
    let middle = costs.get(costs.len() / 2)?;
    Some(QuestionCost { bytes: middle.bytes, requests: middle.requests })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_two_words_of_a_title() {
        for (title, expected) in
            [("How to brew green tea", "How brew"), ("Vec::retain", "Vec retain"), ("vi", "vi"), ("茶", "茶"), ("", "")]
        {
            assert_eq!(question(title), expected, "{title}");
        }
    }

    #[test]
    fn the_cost_is_that_of_the_question_in_the_middle() {
        let cost = |bytes| FetchCost { bytes, requests: bytes / 10, rounds: 1 };
        let costs = [50, 10, 30].map(cost).to_vec();
        assert_eq!(median(costs), Some(QuestionCost { bytes: 30, requests: 3 }));
        assert_eq!(median(Vec::new()), None);
    }
}
