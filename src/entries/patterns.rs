//! `choose_patterns`: the patterns of reasoning that come with the found entries.

use seealso_pack::Pattern;

use super::rank::Ranked;

/// The most patterns of a response.
const MOST_PATTERNS: usize = 4;

/// A pattern that was compared with a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeasuredPattern<'s> {
    pub(super) pattern: &'s Pattern,
    /// The path of its pack.
    pub(super) pack: &'s str,
    /// Its page's id.
    pub(super) page: &'s str,
    /// Its own relevance; none where it has no vector.
    pub(super) relevance: Option<f64>,
}

/// The four patterns that are most relevant to the question.
///
/// A pattern is as relevant as its own vector says, or as the most relevant of the found entries that name it, whichever is
/// more: both are cosines with the same question. So a pattern that a near entry reasons by is there also where its own words
/// are far from the question, and one that only far entries name displaces none that is nearer. Of equals, the one whose slug
/// comes first does; a pattern without any relevance does not come.
pub(super) fn choose_patterns<'s>(
    patterns: Vec<MeasuredPattern<'s>>,
    found: &[Ranked<'_>],
) -> Vec<MeasuredPattern<'s>> {
    let by_entries = |pattern: &MeasuredPattern<'_>| {
        let naming = found.iter().filter(|ranked| {
            ranked.of.pack == pattern.pack && ranked.of.entry.pattern.as_deref() == Some(pattern.pattern.slug.as_str())
        });
        naming.map(|ranked| ranked.of.relevance).fold(0.0, f64::max)
    };
    let with_relevance =
        |pattern: MeasuredPattern<'s>| (by_entries(&pattern).max(pattern.relevance.unwrap_or(0.0)), pattern);
    let mut chosen: Vec<(f64, MeasuredPattern<'_>)> = patterns.into_iter().map(with_relevance).collect();
    chosen.retain(|(relevance, _)| *relevance > 0.0);
    chosen.sort_by(|(a, one), (b, other)| {
        b.total_cmp(a).then_with(|| (&one.pattern.slug, one.pack).cmp(&(&other.pattern.slug, other.pack)))
    });
    chosen.truncate(MOST_PATTERNS);
    chosen.into_iter().map(|(_, pattern)| pattern).collect()
}

#[cfg(test)]
mod tests {
    use seealso_pack::{Confidence, EntryType, KnowledgeEntry, Stability};

    use super::super::blend::tests::entry;
    use super::super::rank::Measured;
    use super::*;

    /// Chooses among patterns of (slug, own relevance), where entries of (pattern that they name, pack, relevance) were found.
    fn check(patterns: &[(&str, Option<f64>)], entries: &[(&str, &str, f64)], expected: &[&str]) {
        let patterns: Vec<(Pattern, Option<f64>)> = patterns
            .iter()
            .map(|(slug, relevance)| {
                let (file, slug) = (format!("patterns/{slug}.md"), (*slug).to_owned());
                let (description, template) = (String::new(), String::new());
                (Pattern { file, slug, description, template, variants: Vec::new() }, *relevance)
            })
            .collect();
        let named = |(slug, _, _): &(&str, &str, f64)| KnowledgeEntry {
            pattern: Some((*slug).to_owned()),
            ..entry("e", EntryType::Decision, Confidence::High, Stability::Evergreen, None)
        };
        let held: Vec<KnowledgeEntry> = entries.iter().map(named).collect();
        let ranked = |(entry, (_, pack, relevance)): (_, &(&str, &'static str, f64))| Ranked {
            of: Measured { entry, page: "", path: "", pack, relevance: *relevance },
            score: 0.0,
        };
        let entries: Vec<(&str, &'static str, f64)> = entries
            .iter()
            .map(|(slug, pack, relevance)| (*slug, if *pack == "p" { "p" } else { "other" }, *relevance))
            .collect();
        let found: Vec<Ranked<'_>> = held.iter().zip(&entries).map(ranked).collect();
        let measured = patterns.iter().map(|(pattern, relevance)| MeasuredPattern {
            pattern,
            pack: "p",
            page: "",
            relevance: *relevance,
        });
        let chosen = choose_patterns(measured.collect(), &found);
        let slugs: Vec<&str> = chosen.iter().map(|pattern| pattern.pattern.slug.as_str()).collect();
        assert_eq!(slugs, expected);
    }

    #[test]
    fn four_patterns_come_in_the_order_of_their_relevance() {
        let all = [("a", Some(0.2)), ("b", Some(0.5)), ("c", Some(0.3)), ("d", Some(0.1)), ("e", Some(0.4))];
        check(&all, &[], &["b", "e", "c", "a"]);
        check(&[("b", Some(0.3)), ("a", Some(0.3)), ("c", Some(0.0))], &[], &["a", "b"]);
        check(&[], &[("a", "p", 0.9)], &[]);
    }

    #[test]
    fn a_pattern_is_as_relevant_as_the_best_entry_that_names_it() {
        let all = [("a", Some(0.1)), ("b", Some(0.5)), ("c", Some(0.3)), ("d", Some(0.2)), ("e", Some(0.4))];
        check(&all, &[("a", "p", 0.45), ("a", "p", 0.6), ("c", "p", 0.1)], &["a", "b", "e", "c"]);
        // Far entries displace no nearer pattern, and entries of another pack name another pattern.
        check(&all, &[("a", "p", 0.15)], &["b", "e", "c", "d"]);
        check(&all, &[("a", "other", 0.9)], &["b", "e", "c", "d"]);
        check(&[("a", None), ("b", Some(0.2))], &[("a", "p", 0.3)], &["a", "b"]);
        check(&[("a", None)], &[], &[]);
    }
}
