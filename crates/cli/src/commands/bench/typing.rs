//! Questions typed letter by letter, with a search at each letter, as the list under the element's box does
//! ([suggestions.js](../../../../../www/seealso/suggestions.js)). The element skips letters while a search runs. Here no
//! letter is skipped, so the cost of a question is the most that a reader's typing can cost.

use std::path::Path;

use seealso_index::Query;
use serde::Serialize;

use super::cost::{FetchCost, list_results, open_cold, warm_median_ms};
use super::spread::Spread;

/// The longest text that is searched for while it is typed, in UTF-16 units.
const MAX_TYPED_LENGTH: usize = 200;

/// The cost of typing one question.
#[derive(Debug)]
pub(super) struct TypedQuestion {
    /// The cost from an empty cache to the last letter.
    pub(super) cold: FetchCost,
    /// The text in the box after each letter, and the milliseconds of its list with all files in memory.
    pub(super) keystrokes: Vec<(String, f64)>,
}

/// The cost of typing, over all questions.
#[derive(Debug, Serialize)]
pub(super) struct TypingCost {
    pub(super) keystrokes: usize,
    /// Milliseconds, over keystrokes.
    pub(super) warm_ms: Spread<f64>,
    /// The text in the box at the worst keystroke.
    pub(super) worst_typed: String,
    /// Bytes and requests, over whole questions.
    pub(super) cold_bytes: Spread<u64>,
    pub(super) cold_requests: Spread<u64>,
}

/// The text in the box after each letter.
fn prefixes(question: &str) -> Vec<&str> {
    let ends = question.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let held = ends.map(|end| &question[..end]);
    // JavaScript counts in UTF-16 units.
    held.take_while(|held| held.encode_utf16().count() <= MAX_TYPED_LENGTH).collect()
}

/// The query for a text whose last word may be incomplete.
fn prefix_query(text: &str) -> Query<'_> {
    Query { prefix: true, ..Query::from(text) }
}

/// Types `question` with an empty cache, and then measures each letter again.
pub(super) async fn measure_typing(root: &Path, question: &str, runs: u16) -> anyhow::Result<TypedQuestion> {
    let library = open_cold(root).await?;
    let held = prefixes(question);
    for text in &held {
        list_results(&library, prefix_query(text)).await?;
    }
    let cold = library.source.sum();
    let mut keystrokes = Vec::new();
    for text in held {
        keystrokes.push((text.to_owned(), warm_median_ms(&library, prefix_query(text), runs).await?));
    }
    Ok(TypedQuestion { cold, keystrokes })
}

impl TypingCost {
    /// The cost over these questions; none where there are none.
    pub(super) fn of(questions: &[String], typed: &[TypedQuestion]) -> Option<TypingCost> {
        let strokes: Vec<(&String, &(String, f64))> = questions
            .iter()
            .zip(typed)
            .flat_map(|(question, of)| of.keystrokes.iter().map(move |at| (question, at)))
            .collect();
        let of =
            |number: fn(&FetchCost) -> u64| Spread::of(questions.iter().zip(typed.iter().map(|of| number(&of.cold))));
        Some(TypingCost {
            keystrokes: strokes.len(),
            warm_ms: Spread::of(strokes.iter().map(|(question, (_, ms))| (*question, *ms)))?,
            worst_typed: Spread::of(strokes.iter().map(|(_, (text, ms))| (text, *ms)))?.worst_question,
            cold_bytes: of(|sum| sum.bytes)?,
            cold_requests: of(|sum| sum.requests)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_typed_letter_by_letter() {
        assert_eq!(prefixes("tée ?"), ["t", "té", "tée", "tée ", "tée ?"]);
        assert_eq!(prefixes(""), [""; 0]);
        assert_eq!(prefixes(&"a".repeat(300)).len(), 200);
        assert_eq!(prefixes(&"😀".repeat(300)).len(), 100);
    }
}
