//! Whether an answer says what a right one must say: short strings, or alternatives separated by `|`, that stand in its text.
//!
//! Markdown marks, letter case, spacing, and kinds of quotes and dashes make no difference: `**Soft**‑fork` holds "soft-fork".

mod strip_markdown;

use strip_markdown::plain;

/// The facts that an answer needs, each a list of alternatives in plain text.
#[derive(Debug, Clone, Default)]
pub(super) struct Needs(Vec<Vec<String>>);

impl Needs {
    /// What `groups` require.
    ///
    /// # Errors
    /// A group with an alternative of nothing but marks, which every text would hold.
    pub(super) fn of(groups: &[String]) -> anyhow::Result<Needs> {
        let alternatives = |group: &String| {
            let plain: Vec<String> = group.split('|').map(plain).collect();
            anyhow::ensure!(plain.iter().all(|one| !one.is_empty()), "`must_say` has an empty alternative: {group:?}");
            Ok(plain)
        };
        Ok(Needs(groups.iter().map(alternatives).collect::<anyhow::Result<_>>()?))
    }

    /// Whether nothing is required.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// For each fact, whether `text` says it.
    pub(super) fn held_by(&self, text: &str) -> Vec<bool> {
        let said = plain(text);
        self.0.iter().map(|alternatives| alternatives.iter().any(|one| said.contains(one))).collect()
    }

    /// Whether the first `characters` of `text` say every fact.
    pub(super) fn are_all_within(&self, characters: usize, text: &str) -> bool {
        let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
        !self.held_by(&text[..end]).contains(&false)
    }

    /// Whether `text` says one of the facts at least.
    pub(super) fn is_any_held_by(&self, text: &str) -> bool {
        self.held_by(text).contains(&true)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn needs(groups: &[&str]) -> Needs {
        Needs::of(&groups.iter().map(|group| (*group).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn an_answer_says_a_fact_by_one_of_its_alternatives() {
        let needs = needs(&["117 to 138|117–138", "Trajan"]);
        assert_eq!(needs.held_by("Emperor from 117 to 138."), [true, false]);
        assert_eq!(needs.held_by("Hadrian (117-138) followed *Trajan*."), [true, true]);
        assert_eq!(needs.held_by(""), [false, false]);
        assert!(Needs::of(&["a||b".to_owned()]).unwrap_err().to_string().contains("empty alternative"));
    }

    #[test]
    fn the_beginning_of_an_answer_says_every_fact_or_not() {
        let needs = needs(&["zwölf", "Ähre"]);
        // Characters count as they stand in the answer, marks and all; "ö" is one.
        let text = "**Zwölf** Körner je Ähre.";
        assert!(needs.are_all_within(24, text));
        assert!(!needs.are_all_within(23, text));
        assert!(needs.are_all_within(usize::MAX, text));
        assert!(needs.is_any_held_by("Zwölf.") && !needs.is_any_held_by("Elf."));
        assert!(!Needs::default().is_any_held_by("Elf."));
    }
}
