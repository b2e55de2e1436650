//! `rank`: which entries are found, and in which order. Relevance alone selects; the score orders what was selected.

use seealso_pack::{Date, KnowledgeEntry};

use super::blend::score;

/// An entry that was compared with a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured<'s> {
    pub(super) entry: &'s KnowledgeEntry,
    /// Its page's id, which tells it from all others.
    pub(super) page: &'s str,
    /// The path of its page's file, under the packs root.
    pub(super) path: &'s str,
    /// The path of its pack.
    pub(super) pack: &'s str,
    pub(super) relevance: f64,
}

/// A found entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked<'s> {
    pub(super) of: Measured<'s>,
    pub(super) score: f64,
}

/// The `top_n` most relevant entries, ordered by their scores on the day `today`. An entry without any relevance is not among them.
/// Of equals, the more relevant comes first, then the one whose page's id does.
pub(super) fn rank<'s>(mut measured: Vec<Measured<'s>>, top_n: usize, today: Date) -> Vec<Ranked<'s>> {
    measured.retain(|one| one.relevance > 0.0);
    measured.sort_by(|a, b| b.relevance.total_cmp(&a.relevance).then_with(|| a.page.cmp(b.page)));
    measured.truncate(top_n);
    let ranked = |of: Measured<'s>| Ranked { score: score(of.entry, of.relevance, today), of };
    let mut found: Vec<Ranked<'s>> = measured.into_iter().map(ranked).collect();
    // The sort is stable, so equals stay in the order of their relevance.
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Whether a near-direct answer is among the found entries: whether the best relevance reaches the threshold. Without a
/// threshold it is not known, and no match is called strong.
pub(super) fn has_strong_match(found: &[Ranked<'_>], threshold: Option<f64>) -> bool {
    threshold.is_some_and(|threshold| found.iter().any(|ranked| ranked.of.relevance >= threshold))
}

#[cfg(test)]
mod tests {
    use seealso_pack::{Confidence, EntryType, Stability};

    use super::super::blend::tests::entry;
    use super::*;

    const TODAY: &str = "2026-07-01";

    /// Ranks entries of (name, type, confidence, relevance), and gives name and score of those found.
    fn ranked(of: &[(&str, EntryType, Confidence, f64)], top_n: usize) -> (Vec<(String, f64)>, [bool; 2]) {
        let entries: Vec<KnowledgeEntry> =
            of.iter().map(|(name, kind, sure, _)| entry(name, *kind, *sure, Stability::Evergreen, None)).collect();
        let measured = entries.iter().zip(of).map(|(entry, (name, _, _, relevance))| Measured {
            entry,
            page: name,
            path: "",
            pack: "",
            relevance: *relevance,
        });
        let found = rank(measured.collect(), top_n, Date::parse(TODAY).unwrap());
        let rows = found.iter().map(|ranked| (ranked.of.page.to_owned(), ranked.score)).collect();
        (rows, [0.68, 0.7].map(|threshold| has_strong_match(&found, Some(threshold))))
    }

    fn check(of: &[(&str, EntryType, Confidence, f64)], top_n: usize, expected: &[(&str, f64)], strong: [bool; 2]) {
        let (rows, verdicts) = ranked(of, top_n);
        let rows: Vec<(&str, f64)> = rows.iter().map(|(name, score)| (name.as_str(), *score)).collect();
        assert_eq!((rows.as_slice(), verdicts), (expected, strong));
    }

    use Confidence::{High, Low};
    use EntryType::{Decision, Framework, Reaction};

    #[test]
    fn a_framework_outranks_a_slightly_more_similar_reaction() {
        let of = [("reaction", Reaction, High, 0.66), ("framework", Framework, High, 0.60)];
        check(&of, 5, &[("framework", 0.76), ("reaction", 0.706)], [false, false]);
        // Not one that is more similar by 0.15 and more.
        let of = [("reaction", Reaction, High, 0.76), ("framework", Framework, High, 0.60)];
        check(&of, 5, &[("reaction", 0.766), ("framework", 0.76)], [true, true]);
    }

    #[test]
    fn the_verdict_is_on_the_best_relevance_wherever_it_stands() {
        let of = [("reaction", Reaction, Low, 0.68), ("framework", Framework, High, 0.60)];
        check(&of, 5, &[("framework", 0.76), ("reaction", 0.598)], [true, false]);
        // A score above the threshold is no strong match.
        check(&[("framework", Framework, High, 0.5)], 5, &[("framework", 0.7)], [false, false]);
        check(&[("reaction", Reaction, Low, 0.7)], 5, &[("reaction", 0.61)], [true, true]);
    }

    #[test]
    fn the_most_relevant_are_taken_before_they_are_ordered() {
        let of = [("a", Reaction, Low, 0.5), ("b", Reaction, Low, 0.51), ("c", Framework, High, 0.49)];
        check(&of, 2, &[("b", 0.496), ("a", 0.49)], [false, false]);
        check(&of, 3, &[("c", 0.694), ("b", 0.496), ("a", 0.49)], [false, false]);
    }

    #[test]
    fn equals_stand_in_the_order_of_relevance_and_then_of_pages() {
        let of = [("b", Decision, High, 0.5), ("a", Decision, High, 0.5), ("c", Decision, High, 0.5)];
        check(&of, 2, &[("a", 0.655), ("b", 0.655)], [false, false]);
        // 0.6 · 0.15 is what a framework has before a reaction, so both score the same.
        let of = [("framework", Framework, High, 0.5), ("reaction", Reaction, High, 0.65)];
        check(&of, 2, &[("reaction", 0.7), ("framework", 0.7)], [false, false]);
    }

    #[test]
    fn what_has_no_relevance_is_no_match() {
        check(&[("a", Framework, High, 0.0)], 5, &[], [false, false]);
        check(&[], 5, &[], [false, false]);
        let (entry, page) = (entry("a", Framework, High, Stability::Evergreen, None), "a");
        let measured = Measured { entry: &entry, page, path: "", pack: "", relevance: 1.0 };
        let found = rank(vec![measured], 1, Date::parse(TODAY).unwrap());
        assert!(!has_strong_match(&found, None) && has_strong_match(&found, Some(1.0)));
    }
}
