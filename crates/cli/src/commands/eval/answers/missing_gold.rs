//! Finds gold pages that are in no pack. No answer can cite them, so they lower the figures of citations.

use seealso::{Clock, Library, PackSource};

use super::AnswerCase;
use crate::style::pluralize;

/// How many of them a message names.
const NAMED: usize = 10;

/// A message that names the gold pages that no pack has; none where there are none.
pub(super) async fn describe<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    cases: &[AnswerCase],
) -> anyhow::Result<Option<String>> {
    let mut gold: Vec<&str> = cases.iter().flat_map(AnswerCase::known_gold).map(String::as_str).collect();
    gold.sort_unstable();
    gold.dedup();
    let mut missing = Vec::new();
    for id in gold {
        // A page is found by its file too, but cited without the ending.
        if id.ends_with(".md") || library.find_page(id).await?.is_none() {
            missing.push(id);
        }
    }
    Ok((!missing.is_empty()).then(|| message(&missing)))
}

fn message(missing: &[&str]) -> String {
    let named = missing[..missing.len().min(NAMED)].join(", ");
    let more = if missing.len() > NAMED { format!(", and {} more", missing.len() - NAMED) } else { String::new() };
    format!("{} that no pack has and no answer can cite: {named}{more}", pluralize(missing.len(), "gold page"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_missing_pages_are_named() {
        assert_eq!(message(&["a/b"]), "1 gold page that no pack has and no answer can cite: a/b");
        let ids = ["p/a", "p/b", "p/c", "p/d", "p/e", "p/f", "p/g", "p/h", "p/i", "p/j", "p/k", "p/l"];
        let expected = "12 gold pages that no pack has and no answer can cite: \
                        p/a, p/b, p/c, p/d, p/e, p/f, p/g, p/h, p/i, p/j, and 2 more";
        assert_eq!(message(&ids), expected);
    }
}
