//! The facts that an answer must state: each is a short string, or alternatives separated by `|`, that its text must contain.
//!
//! Markdown, letter case, spacing, and kinds of quotes and dashes make no difference: `**Soft**‑fork` contains "soft-fork".

mod strip_markdown;

use strip_markdown::strip_markdown;

/// The facts that an answer must state, each a list of alternatives in plain text.
#[derive(Debug, Clone, Default)]
pub(super) struct RequiredFacts(Vec<Vec<String>>);

impl RequiredFacts {
    /// The facts of `must_say`.
    ///
    /// # Errors
    /// An alternative of nothing but marks, which every text would contain.
    pub(super) fn of(groups: &[String]) -> anyhow::Result<RequiredFacts> {
        let alternatives = |group: &String| {
            let stripped: Vec<String> = group.split('|').map(strip_markdown).collect();
            anyhow::ensure!(
                stripped.iter().all(|one| !one.is_empty()),
                "`must_say` has an empty alternative: {group:?}"
            );
            Ok(stripped)
        };
        Ok(RequiredFacts(groups.iter().map(alternatives).collect::<anyhow::Result<_>>()?))
    }

    /// Whether nothing is required.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// For each fact, whether `text` states it.
    pub(super) fn stated_in(&self, text: &str) -> Vec<bool> {
        let stripped = strip_markdown(text);
        self.0.iter().map(|alternatives| alternatives.iter().any(|one| stripped.contains(one))).collect()
    }

    /// Whether the first `characters` of `text` state every fact.
    pub(super) fn are_stated_within(&self, characters: usize, text: &str) -> bool {
        let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
        !self.stated_in(&text[..end]).contains(&false)
    }

    /// Whether `text` states at least one of the facts.
    pub(super) fn is_any_stated_in(&self, text: &str) -> bool {
        self.stated_in(text).contains(&true)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn facts(groups: &[&str]) -> RequiredFacts {
        RequiredFacts::of(&groups.iter().map(|group| (*group).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_fact_is_stated_by_one_of_its_alternatives() {
        let facts = facts(&["117 to 138|117–138", "Trajan"]);
        assert_eq!(facts.stated_in("Emperor from 117 to 138."), [true, false]);
        assert_eq!(facts.stated_in("Hadrian (117-138) followed *Trajan*."), [true, true]);
        assert_eq!(facts.stated_in(""), [false, false]);
        assert!(RequiredFacts::of(&["a||b".to_owned()]).unwrap_err().to_string().contains("empty alternative"));
    }

    #[test]
    fn facts_are_looked_for_in_the_beginning_of_an_answer() {
        let facts = facts(&["zwölf", "Ähre"]);
        // Characters count as they stand in the answer, marks and all; "ö" is one.
        let text = "**Zwölf** Körner je Ähre.";
        assert!(facts.are_stated_within(24, text));
        assert!(!facts.are_stated_within(23, text));
        assert!(facts.are_stated_within(usize::MAX, text));
        assert!(facts.is_any_stated_in("Zwölf.") && !facts.is_any_stated_in("Elf."));
        assert!(!RequiredFacts::default().is_any_stated_in("Elf."));
    }
}
