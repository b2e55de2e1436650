//! Highlighting: the ranges of a query's words in a title or a summary.
//!
//! A word matches if analysis makes the same term of it, as in the search itself, so that "emperors" marks "Emperor's".
//! Highlighting does not know scores, or how a page is shown.

use std::ops::Range;

use seealso_index::{Analysis, Token, fold};

/// The words of a query, to be found in texts of one analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlighter {
    analysis: Analysis,
    terms: Vec<String>,
    /// The word that is still being typed, folded but not stemmed: "runnin" begins "running", whose stem is "run".
    begun: Option<String>,
}

impl Highlighter {
    /// Analyses the words of `query`. If it is being typed, its last word may be the beginning of one.
    pub fn new(query: &str, analysis: Analysis, being_typed: bool) -> Highlighter {
        let tokens = analysis.all_tokens(query);
        let begun = if being_typed { last_word(query, &tokens) } else { None };
        let terms = tokens.into_iter().filter(|token| !token.stop).map(|token| token.term).collect();
        Highlighter { analysis, terms, begun }
    }

    /// The ranges of these words in `text`: first unit and one past the last, in UTF-16 units as JavaScript counts
    /// them, ascending and never adjacent.
    pub fn marks(&self, text: &str) -> Vec<(usize, usize)> {
        let tokens = self.analysis.tokens(text);
        let mut marks: Vec<(usize, usize)> = Vec::new();
        for word in tokens.chunk_by(|a, b| a.start == b.start) {
            for (at, token) in word.iter().enumerate() {
                if self.wants(token, text, word.len() == 1) {
                    let (start, end) = place(text, word, at);
                    match marks.last_mut() {
                        Some(last) if start <= last.1 => last.1 = end,
                        _ => marks.push((start, end)),
                    }
                }
            }
        }
        in_utf16(text, &mut marks);
        marks
    }

    fn wants(&self, token: &Token, text: &str, whole_word: bool) -> bool {
        let begins = |begun: &String| match whole_word {
            true => fold(slice(text, token.start..token.end)).starts_with(begun),
            false => token.term.starts_with(begun),
        };
        self.terms.contains(&token.term) || self.begun.as_ref().is_some_and(begins)
    }
}

/// The last word of `query`, unless something follows it. A stop word counts only if it is the only word: it is more
/// likely complete than begun. Pairs of characters need no completion, because each is a term of its own.
fn last_word(query: &str, tokens: &[Token]) -> Option<String> {
    let (last, before) = tokens.split_last()?;
    let pairs = before.last().is_some_and(|token| token.start == last.start);
    let begun = last.end == query.len() && !pairs && (!last.stop || before.is_empty());
    begun.then(|| fold(slice(query, last.start..last.end)))
}

/// The bytes of token `at` of a word. For an unspaced run, whose tokens are pairs of characters that all have the whole
/// run as their range, it is the pair, unless folding changed the number of characters.
fn place(text: &str, word: &[Token], at: usize) -> (usize, usize) {
    let (start, end) = (word[at].start, word[at].end);
    let run = slice(text, start..end);
    if word.len() == 1 || run.chars().count() != word.len() + 1 {
        return (start, end);
    }
    let byte = |nth: usize| run.char_indices().nth(nth).map_or(end, |(byte, _)| start + byte);
    (byte(at), byte(at + 2))
}

/// Converts bytes to UTF-16 units.
fn in_utf16(text: &str, marks: &mut [(usize, usize)]) {
    let (mut byte, mut unit) = (0, 0);
    for place in marks.iter_mut().flat_map(|(start, end)| [start, end]) {
        unit += slice(text, byte..*place).encode_utf16().count();
        byte = *place;
        *place = unit;
    }
}

/// A part of `text`; empty if the range is invalid, so that no text causes a panic.
fn slice(text: &str, place: Range<usize>) -> &str {
    text.get(place).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is marked, between brackets.
    fn check(query: &str, text: &str, expected: &str) {
        check_in(Analysis::English, query, text, expected);
    }

    fn check_in(analysis: Analysis, query: &str, text: &str, expected: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (mut shown, mut from) = (String::new(), 0);
        for (start, end) in Highlighter::new(query, analysis, true).marks(text) {
            shown += &String::from_utf16(&units[from..start]).unwrap();
            shown += &format!("[{}]", String::from_utf16(&units[start..end]).unwrap());
            from = end;
        }
        shown += &String::from_utf16(&units[from..]).unwrap();
        assert_eq!(shown, expected, "{query}");
    }

    #[test]
    fn words_are_marked_in_whatever_form() {
        check("roman emperors", "The Roman Emperor's wall", "The [Roman] [Emperor's] wall");
        check("cafe ", "Éclairs in the Café", "Éclairs in the [Café]");
        check("plan?", "A planet of a plan", "A planet of a [plan]");
        check("nothing here", "Photosynthesis", "Photosynthesis");
        check("", "Photosynthesis", "Photosynthesis");
    }

    #[test]
    fn the_last_word_may_be_begun() {
        check("photosynth", "Photosynthesis in plants", "[Photosynthesis] in plants");
        check("plants runnin", "Running a plant", "[Running] a [plant]");
        check("p", "Photosynthesis in plants", "[Photosynthesis] in [plants]");
        check("plan photo", "Photosynthesis in plants", "[Photosynthesis] in plants");
        check("photosynth ", "Photosynthesis in plants", "Photosynthesis in plants");
    }

    #[test]
    fn a_finished_query_has_no_begun_word() {
        assert_eq!(Highlighter::new("photosynth", Analysis::English, false).marks("Photosynthesis"), []);
    }

    #[test]
    fn stop_words_are_not_marked() {
        check("what is the", "The theory of what is", "The theory of what is");
        check("the", "The theory", "The [theory]");
    }

    #[test]
    fn pairs_of_an_unspaced_script_are_marked_by_themselves() {
        check("光合作", "植物の光合作用とは", "植物の[光合作]用とは");
        check("光", "植物の光合作用", "植物の[光合]作用");
        check_in(Analysis::Plain, "größe", "Die Größen 🌱 und Größe", "Die [Größen] 🌱 und [Größe]");
        // Half-width katakana fold to fewer characters: the whole run is marked.
        check("ガス", "ｶﾞｽ交換", "[ｶﾞｽ交換]");
    }

    proptest! {
        #[test]
        fn marks_rise_within_any_text(query in "\\PC{0,12}", text in "\\PC{0,40}", language in 0usize..4) {
            let analysis = Analysis::of_language(["en", "de", "ja", ""][language]);
            let text = format!("{query}{text} {query}");
            let mut reached = 0;
            for (start, end) in Highlighter::new(&query, analysis, true).marks(&text) {
                prop_assert!(reached <= start && start < end);
                reached = end;
            }
            prop_assert!(reached <= text.encode_utf16().count());
        }
    }

    #[test]
    fn marks_count_as_javascript_does() {
        let marks = Highlighter::new("leaf", Analysis::English, false).marks("🌱🌱 leaf, leaf");
        assert_eq!(marks, [(5, 9), (11, 15)]);
    }
}
