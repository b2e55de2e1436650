//! Body terms: the few words of each page's body that best tell it from its pack's other pages, and how many
//! pages hold each word anywhere.
//!
//! A title and a sentence miss much of what a page answers. The index gets those terms of a body that score highest by
//! count and rarity within the pack. Text that a template repeats on all pages is common there, so it is not chosen. A
//! term of the title or the summary is in the index already, and is not chosen either. The choice depends on the pack
//! alone, so a pack's terms change with the pack alone.
//!
//! How rare a word is goes by whole pages, even where no term of a body is indexed. Otherwise a common word that few
//! summaries happen to have would count as a rare one, and bring its pages before those that the question is about.
//!
//! Parts of joined words in names and summary ([`word_parts`](super::word_parts)) are added.
//!
//! Code, See Also and Sources are left out: measured, code takes more bytes than it answers questions, and the others
//! are about other pages.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use seealso_index::{Analysis, NewPack};

use super::word_parts::{WordParts, metadata_terms, word_parts};
use crate::{BlockKind, Pack, Page, parallel};

/// Progress is reported each time that the words of so many more pages are counted.
const PAGES_BETWEEN_REPORTS: usize = 1000;
/// How often a word in a heading counts.
const HEADING: u32 = 2;
/// A term that occurs so often in the body is indexed with count 2.
const OFTEN: u32 = 3;
/// A term that occurs so often in the body is indexed with count 3.
const VERY_OFTEN: u32 = 6;
/// The count at which a term has half the weight of one that occurs everywhere.
const SATURATION: f64 = 1.0;

/// The terms of a body with their counts.
type Counts = BTreeMap<String, u32>;

/// Adds to each page of `new` its body terms, `most` of them at most, and to `new` the number of pages that hold each
/// term. `on_progress` is called with the number of pages whose words are counted, and the number of all pages.
pub(super) fn add_body_terms(new: &mut NewPack, pack: &Pack, most: usize, on_progress: &mut dyn FnMut(usize, usize)) {
    let analysis = Analysis::of_language(&new.info.language);
    let mut bodies: Vec<Counts> = Vec::with_capacity(pack.pages.len());
    for pages in pack.pages.chunks(PAGES_BETWEEN_REPORTS) {
        on_progress(bodies.len(), pack.pages.len());
        bodies.extend(parallel::map(pages, |page| counts(page, analysis)));
    }
    let known: Vec<BTreeSet<String>> = parallel::map(&new.pages, |page| metadata_terms(page, analysis));
    for (body, known) in bodies.iter().zip(&known) {
        for term in body.keys().chain(known.iter().filter(|term| !body.contains_key(*term))) {
            *new.pages_with.entry(term.clone()).or_default() += 1;
        }
    }
    let is_known = |term: &str| new.pages_with.contains_key(term);
    let joined: Vec<WordParts> = parallel::map(&new.pages, |page| word_parts(page, analysis, &is_known));
    for (joined, body) in joined.iter().zip(&bodies) {
        for term in joined.keys().filter(|term| !body.contains_key(*term)) {
            *new.pages_with.entry(term.clone()).or_default() += 1;
        }
    }
    let weights = Weights::of_pack(bodies.len(), &new.pages_with);
    let pages: Vec<(Counts, BTreeSet<String>, WordParts)> =
        bodies.into_iter().zip(known).zip(joined).map(|((body, known), joined)| (body, known, joined)).collect();
    let chosen = parallel::map(&pages, |(body, known, joined)| weights.choose(body, known, joined.clone(), most));
    for (page, body) in new.pages.iter_mut().zip(chosen) {
        page.body = body;
    }
}

/// How much the terms of a pack tell.
struct Weights<'w> {
    /// How rare each term is. Hashed, since each term of each page is looked up.
    rarity: HashMap<&'w str, f64>,
}

impl<'w> Weights<'w> {
    /// The weights in a pack of so many `pages`, with how many of them hold each term.
    fn of_pack(pages: usize, pages_with: &'w BTreeMap<String, u32>) -> Self {
        let rarity = |with: f64| ((pages as f64 - with + 0.5) / (with + 0.5)).ln_1p();
        Self { rarity: pages_with.iter().map(|(term, &with)| (term.as_str(), rarity(f64::from(with)))).collect() }
    }

    /// The weight of a term that occurs `count` times in a body.
    fn of(&self, term: &str, count: u32) -> f64 {
        let rarity = self.rarity.get(term).copied().unwrap_or_default();
        rarity * f64::from(count) / (f64::from(count) + SATURATION)
    }

    /// The body terms of a page: the `most` that weigh most, of those that are not `known` from its names and summary, and
    /// the parts of `joined` words.
    fn choose(
        &self,
        body: &Counts,
        known: &BTreeSet<String>,
        mut joined: WordParts,
        most: usize,
    ) -> Vec<(String, u32)> {
        let free = body.iter().filter(|(term, _)| !known.contains(*term));
        let mut terms: Vec<(f64, &String, u32)> =
            free.map(|(term, &count)| (self.of(term, count), term, count)).collect();
        terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        terms.truncate(most);
        for (_, term, count) in terms {
            let counts = joined.entry(term.clone()).or_default();
            *counts = class(count).max(*counts);
        }
        joined.into_iter().collect()
    }
}

/// The count with which a body term is indexed. Three classes take fewer bytes than counts, and rank as well.
fn class(count: u32) -> u32 {
    1 + u32::from(count >= OFTEN) + u32::from(count >= VERY_OFTEN)
}

fn counts(page: &Page, analysis: Analysis) -> Counts {
    let mut counts = Counts::new();
    for block in page.own_blocks() {
        let weight = if block.kind == BlockKind::Heading { HEADING } else { 1 };
        // A single letter or digit tells nothing; a single character of another script may be a word.
        for token in analysis.tokens(&block.text).into_iter().filter(|token| token.term.len() > 1) {
            *counts.entry(token.term).or_default() += weight;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::new_pack;
    use super::*;

    fn terms(pages: &[(&str, &str)], most: usize) -> NewPack {
        let pack = Pack::of_pages("p", pages);
        let mut new = new_pack(&pack);
        add_body_terms(&mut new, &pack, most, &mut |_, _| {});
        new
    }

    const PAGES: [(&str, &str); 3] = [
        (
            "a.md",
            "---\ntitle: Kite\nsummary: A toy.\n---\nA kite needs wind. Wind lifts it, wind and a tail.\n\n## Tail\n",
        ),
        ("b.md", "---\ntitle: Ball\nsummary: A toy.\n---\nA ball needs a floor.\n\n```\nroll()\n```\n"),
        ("c.md", "---\ntitle: Top\nsummary: A toy.\n---\nA top needs a floor.\n\n## See Also\n\n- [Yoyo](yoyo.md)\n"),
    ];

    #[test]
    fn what_tells_a_page_from_its_neighbours_is_chosen() {
        let new = terms(&PAGES, 2);
        assert_eq!(new.pages[0].body, [("tail".to_owned(), 2), ("wind".to_owned(), 2)]);
        assert_eq!(new.pages[1].body, [("floor".to_owned(), 1), ("need".to_owned(), 1)]);
        assert_eq!(new.pages[2].body, new.pages[1].body, "neither code nor See Also");
        assert_eq!(new.pages_with.get("need"), Some(&3));
        assert_eq!(new.pages_with.get("floor"), Some(&2));
    }

    #[test]
    fn rarity_goes_by_whole_pages_where_no_body_term_is_indexed() {
        let new = terms(&PAGES, 0);
        assert!(new.pages.iter().all(|page| page.body.is_empty()));
        assert_eq!(new.pages_with, terms(&PAGES, 64).pages_with);
    }

    #[test]
    fn a_build_chooses_the_same_terms_again() {
        assert_eq!(terms(&PAGES, 64), terms(&PAGES, 64));
        assert!(terms(&[], 64).pages.is_empty());
    }
}
