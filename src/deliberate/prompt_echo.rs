//! Detection of a model that repeats its prompt: a sentence copied or pieced together from it, a text that restarts it, and
//! copied source frames.

use crate::deliberate::claims::is_abstention;

/// The reason for removing a sentence that repeats the prompt, as small models do.
pub(crate) const REPEATS_ITS_PROMPT: &str = "repeats its instructions";
/// A sentence of fewer words may match the prompt by chance.
const LEAST_WORDS: usize = 3;
/// A sentence was pieced together from the prompt if runs of at least this many words are copied from it, and all such
/// runs make up at least this share of the sentence.
const LEAST_PIECE: usize = 4;
const LEAST_COPIED: f64 = 0.8;
/// Labels of the prompt's sections. A line that begins with one restarts the prompt.
const LABELS: [&str; 4] = ["question:", "draft:", "review:", "pages:"];

/// Whether `sentence` occurs in `rules`, whole or pieced together, ignoring case, punctuation and marks. Abstentions
/// are exempt from the second test: the rules contain their wording, and they may name their subject.
pub(crate) fn repeats_prompt(sentence: &str, rules: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (sentence_words, rules) = (words(sentence), words(rules));
    let whole = sentence_words.len() >= LEAST_WORDS
        && rules.windows(sentence_words.len()).any(|window| window == sentence_words);
    whole || (!is_abstention(sentence) && is_pieced_together(&sentence_words, &rules))
}

/// Whether nearly all of `sentence_words` stand in runs that `rules` contains too.
fn is_pieced_together(sentence_words: &[String], rules: &[String]) -> bool {
    let (mut at, mut copied) = (0, 0);
    while at < sentence_words.len() {
        let row =
            |rest: &[String]| rest.iter().zip(&sentence_words[at..]).take_while(|(rule, word)| rule == word).count();
        let longest = (0..rules.len()).map(|from| row(&rules[from..])).max().unwrap_or(0);
        let is_piece = longest >= LEAST_PIECE;
        copied += if is_piece { longest } else { 0 };
        at += if is_piece { longest } else { 1 };
    }
    copied >= LEAST_PIECE && copied as f64 >= LEAST_COPIED * sentence_words.len() as f64
}

/// The label at the beginning of `line`.
fn label(line: &str) -> Option<&'static str> {
    let plain = line.trim_start_matches(['*', '#', ' ', '-']).to_lowercase();
    LABELS.into_iter().find(|label| plain.starts_with(label))
}

/// Whether `line` restarts the prompt. A label before other words may be an item's name, as in "Pages: blocks of a
/// fixed size"; but no answer repeats its question.
fn is_prompt_label(line: &str) -> bool {
    let plain = line.trim_matches(['*', '#', ' ', '-', '\n', '\r']);
    label(line).is_some_and(|label| label == "question:" || plain.len() == label.len())
}

/// Whether `text` restarts its prompt.
pub(crate) fn restarts_prompt(text: &str) -> bool {
    text.lines().skip(1).any(is_prompt_label)
}

/// `text` without copied source frames: their fences and headings.
pub(crate) fn without_source_frames(text: &str, sources: &str) -> String {
    let is_fence = |line: &str| line.len() >= 3 && line.chars().all(|c| c == '~');
    let heads: Vec<&str> = sources.lines().filter(|line| line.starts_with('[')).collect();
    let kept = text.lines().filter(|line| !is_fence(line.trim()) && !heads.contains(&line.trim()));
    kept.collect::<Vec<_>>().join("\n")
}

/// `text` up to the line that restarts its prompt; a label at its beginning is removed.
pub(crate) fn text_before_prompt(text: &str) -> &str {
    let mut text = text.trim();
    if let Some(label) = text.lines().next().and_then(label) {
        let at = text.to_lowercase().find(label).map_or(0, |at| at + label.len());
        text = text.get(at..).unwrap_or(text).trim_start_matches(['*', ' ', '\n']);
    }
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if is_prompt_label(line) {
            return text[..end].trim_end();
        }
        end += line.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_through_the_prompt_again_is_cut_off() {
        let check = |text: &str, expected: &str| assert_eq!(text_before_prompt(text), expected);
        check("Tea is hot.", "Tea is hot.");
        check("Tea is hot.\n\nReview:\n- Add no facts.", "Tea is hot.");
        check("**Draft:** Tea is hot.\nIt is old.", "Tea is hot.\nIt is old.");
        check("A draft: is not one.", "A draft: is not one.");
        check(
            "Memory has\n- Pages: fixed blocks\n- Segments: others",
            "Memory has\n- Pages: fixed blocks\n- Segments: others",
        );
        check("Tea is hot.\n**Question:** What is tea?", "Tea is hot.");
        check("Review:", "");
        check("", "");
    }

    #[test]
    fn frames_of_sources_are_no_words() {
        let sources = "[1] Tea\n~~~~\nTea is hot.\n~~~~";
        assert_eq!(without_source_frames("[1] Tea\n~~~~\nTea is hot [1].\n~~~~", sources), "Tea is hot [1].");
        assert_eq!(without_source_frames("[1] is old.\n\nTea.", sources), "[1] is old.\n\nTea.");
    }

    #[test]
    fn a_sentence_of_the_prompt_is_known() {
        let check = |sentence: &str, expected: bool| {
            assert_eq!(
                repeats_prompt(sentence, "- Add no facts.\n- Answer in the language of the question."),
                expected
            );
        };
        check("Add no facts!", true);
        check("Answer in the **language** of the question", true);
        check("The language of tea.", false);
        check("facts", false);
    }

    #[test]
    fn so_is_one_of_several_pieces_of_it() {
        let rules = "- Where the sources lack something that is asked, write: the source does not specify it.\n\
                     - Where you are not sure, say so. Never say that you lack access to sources.";
        let check = |sentence: &str, expected: bool| assert_eq!(repeats_prompt(sentence, rules), expected);
        check("Where you are not sure, write: the source does not specify it.", true);
        check("Where you are not sure, please write: the source does not specify it [1].", true);
        check("Where the sources lack something, say that you lack access to sources!", true);
        // An abstention may name its subject.
        check("Tea: the source does not specify it.", false);
        check("For rice and maize, the source does not specify it.", false);
        // A short run of common words is not copied.
        check("Where you are in doubt, say so to the doctor who sees you.", false);
        check("Write the source of a patch so that the reader is not sure to miss it.", false);
        check("Where you are not sure which branch is checked out, git status tells.", false);
    }
}
