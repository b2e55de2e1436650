//! `parts`: the portions of a question that the Expert drafts one by one, each with the pages that it reads.
//!
//! The tier determines how many parts are drafted together, and how many pages are read. If all parts are drafted
//! together, the pages are those of the whole answer, in its order; otherwise those that were quoted for the part, the
//! most quoted first.

use crate::answer::{Answer, CitedSentence};
use crate::deliberate::sources::SourceSelection;
use crate::retrieve::assemble::{Manifest, first_picks};
use crate::tier::PromptBudget;

/// A portion that is drafted in one go.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Portion {
    /// The question, or a part of it.
    pub(crate) question: String,
    /// The pages to read.
    pub(crate) selection: SourceSelection,
}

/// The portions of the question of `answer`. Parts that no page answers are in no portion, unless all parts are drafted
/// together.
pub(crate) fn portions(answer: &Answer, manifest: &Manifest, budget: PromptBudget) -> Vec<Portion> {
    let answered: Vec<usize> = (0..answer.sub_queries.len()).filter(|&at| answer.sub_queries[at].answered).collect();
    if answered.len() <= budget.parts {
        return vec![whole(answer, manifest, budget)];
    }
    answered.chunks(budget.parts).map(|parts| portion(answer, parts, budget)).collect()
}

fn whole(answer: &Answer, manifest: &Manifest, budget: PromptBudget) -> Portion {
    let all = manifest.pages.len();
    let selection = match budget.pages < all {
        true => most_quoted(&answer.sentences, budget.pages),
        false => SourceSelection {
            pages: (0..all).collect(),
            firsts: first_picks(&manifest.pages),
            quotes: answer.sentences.clone(),
        },
    };
    Portion { question: answer.question.clone(), selection }
}

fn portion(answer: &Answer, parts: &[usize], budget: PromptBudget) -> Portion {
    let quotes: Vec<CitedSentence> =
        answer.sentences.iter().filter(|quote| parts.contains(&quote.sub_query)).cloned().collect();
    let texts: Vec<&str> = parts.iter().map(|&at| answer.sub_queries[at].text.as_str()).collect();
    Portion {
        question: part_question(&answer.question, &texts.join(", ")),
        selection: most_quoted(&quotes, budget.pages),
    }
}

/// The `count` pages with the most of `quotes`.
fn most_quoted(quotes: &[CitedSentence], count: usize) -> SourceSelection {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for quote in quotes {
        match counts.iter_mut().find(|(page, _)| page + 1 == quote.source) {
            Some((_, count)) => *count += 1,
            None => counts.push((quote.source - 1, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let pages: Vec<usize> = counts.into_iter().take(count).map(|(page, _)| page).collect();
    SourceSelection { firsts: (0..pages.len()).collect(), pages, quotes: quotes.to_vec() }
}

/// Text that separates two parts of a question.
const SPLIT_MARKS: [&str; 6] = [", and ", "; ", "? ", ", ", " and ", " vs "];

/// The clause of `question` that asks for `part`; the whole question if the part has other words, because its pages
/// show which part is meant.
fn part_question(question: &str, part: &str) -> String {
    let whole = question.trim_end_matches(['?', '.', '!', ' ']);
    let lower = whole.to_lowercase();
    let found = lower.find(&part.to_lowercase()).filter(|_| lower.len() == whole.len());
    let clause = found.map_or(whole, |at| {
        // Case mapping may change the length of letters, so the index may not be valid in the question.
        let Some((before, after)) = whole.get(..at).zip(whole.get(at + part.len()..)) else { return whole };
        let start = SPLIT_MARKS.iter().filter_map(|mark| Some(before.rfind(mark)? + mark.len())).max().unwrap_or(0);
        let end = SPLIT_MARKS.iter().filter_map(|mark| after.find(mark)).min().unwrap_or(after.len());
        &whole[start..at + part.len() + end]
    });
    let mut letters = clause.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}?", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_asked_in_the_words_of_the_question() {
        let check = |question: &str, part: &str, expected: &str| assert_eq!(part_question(question, part), expected);
        let two = "How do stomata save water, and how do control groups limit memory?";
        check(two, "stomata save water", "How do stomata save water?");
        check(two, "control groups limit memory", "How do control groups limit memory?");
        check(
            "How did it vanish, and how did the empire in the west end?",
            "the empire",
            "How did the empire in the west end?",
        );
        check("Compare maize and rice in heat", "rice in heat", "Rice in heat?");
        check("Compare maize and rice in heat", "maize in heat", "Compare maize and rice in heat?");
        check("İ çay ẞ", "çay", "İ çay ẞ?");
    }
}
