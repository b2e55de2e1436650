//! Questions typed letter by letter, with a search at each letter, as the list under the element's box does
//! ([suggestions.js](../../../../../www/seealso/suggestions.js)). The element leaves letters out while a search runs; here none
//! is, so what a whole question costs is the most that a reader's typing can.

use std::path::Path;

use seealso_index::Query;
use serde::Serialize;

use super::cost::{Sum, fresh, list, warm};
use super::spread::Spread;

/// A longer text is not searched for while it is typed.
const MOST_TYPED: usize = 200;

/// What one question cost that was typed.
#[derive(Debug)]
pub(super) struct Typed {
    /// From an empty cache to its last letter.
    pub(super) cold: Sum,
    /// What stood in the box after each letter, and the milliseconds of its list with all files there.
    pub(super) keystrokes: Vec<(String, f64)>,
}

/// What typing costs, over all questions.
#[derive(Debug, Serialize)]
pub(super) struct Typing {
    pub(super) keystrokes: usize,
    /// Over keystrokes.
    pub(super) warm_ms: Spread<f64>,
    /// What stood in the box at the worst keystroke.
    pub(super) worst_typed: String,
    /// Over questions, each whole.
    pub(super) cold_bytes: Spread<u64>,
    pub(super) cold_requests: Spread<u64>,
}

/// What the box holds after each letter.
fn prefixes(question: &str) -> Vec<&str> {
    let ends = question.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let held = ends.map(|end| &question[..end]);
    // JavaScript counts in UTF-16 units.
    held.take_while(|held| held.encode_utf16().count() <= MOST_TYPED).collect()
}

/// The query for a text whose last word may go on.
fn begun(text: &str) -> Query<'_> {
    Query { prefix: true, ..Query::from(text) }
}

/// Types `question` into the box of a page that holds nothing, and then measures each letter again.
pub(super) async fn type_out(root: &Path, question: &str, runs: u16) -> anyhow::Result<Typed> {
    let library = fresh(root).await?;
    let held = prefixes(question);
    for text in &held {
        list(&library, begun(text)).await?;
    }
    let cold = library.source.sum();
    let mut keystrokes = Vec::new();
    for text in held {
        keystrokes.push((text.to_owned(), warm(&library, begun(text), runs).await?));
    }
    Ok(Typed { cold, keystrokes })
}

impl Typing {
    /// Over the questions, as they were `typed`; nothing where none was.
    pub(super) fn of(asked: &[String], typed: &[Typed]) -> Option<Typing> {
        let strokes: Vec<(&String, &(String, f64))> = asked
            .iter()
            .zip(typed)
            .flat_map(|(question, of)| of.keystrokes.iter().map(move |at| (question, at)))
            .collect();
        let of = |number: fn(&Sum) -> u64| Spread::of(asked.iter().zip(typed.iter().map(|of| number(&of.cold))));
        Some(Typing {
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
