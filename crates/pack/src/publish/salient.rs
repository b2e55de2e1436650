//! Salient body terms: the few words of each page's body that best tell it from its pack's other pages, and how many
//! pages hold each word anywhere.
//!
//! A title and a sentence miss much of what a page answers. Of its body the index gets the terms that stand highest by
//! count and rarity within the pack; text that a template repeats on all pages is common there and so stays out.
//! A term of the title or the summary is in the index already and is not counted among them. Nothing here depends on
//! other packs, so a pack's terms change with the pack alone.
//!
//! How rare a word is goes by whole pages, but for what is left out as said, even where no term of a body is indexed: a common word that few summaries
//! happen to say would pass for a rare one, and bring its pages before those that the question is about.
//!
//! Parts of joined words in names and summary ([`parts`](super::parts)) come on top.
//!
//! Code, See Also and Sources are left out: measured, code brings more bytes than answers, and the others are of other
//! pages.

use std::collections::{BTreeMap, BTreeSet};

use seealso_index::{Analysis, NewPack, NewPage};

use super::parts::{Parts, parts};
use crate::{BlockKind, Pack, Page};

/// What a word in a heading counts against one below it.
const HEADING: u32 = 2;
/// From so many on, a term of the body counts twice, and three times.
const OFTEN: u32 = 3;
const VERY_OFTEN: u32 = 6;
/// Halves the worth of a count: a term that stands there once is worth half of one that stands there always.
const SATURATION: f64 = 1.0;

/// The terms of a body with their counts.
type Counts = BTreeMap<String, u32>;

/// Gives each page of `new` its `most` most salient body terms, which may be none, and `new` the number of pages that hold
/// each term. `tell` hears how many pages of how many have their words counted.
pub(super) fn add_body_terms(new: &mut NewPack, pack: &Pack, most: usize, tell: &mut dyn FnMut(usize, usize)) {
    let analysis = Analysis::of_language(&new.info.language);
    let bodies = pack.pages.iter().enumerate().map(|(done, page)| {
        tell(done, pack.pages.len());
        counts(page, analysis)
    });
    let bodies: Vec<Counts> = bodies.collect();
    let named: Vec<BTreeSet<String>> = new.pages.iter().map(|page| named(page, analysis)).collect();
    for (body, named) in bodies.iter().zip(&named) {
        for term in body.keys().chain(named.iter().filter(|term| !body.contains_key(*term))) {
            *new.pages_with.entry(term.clone()).or_default() += 1;
        }
    }
    let is_known = |term: &str| new.pages_with.contains_key(term);
    let joined: Vec<Parts> = new.pages.iter().map(|page| parts(page, analysis, &is_known)).collect();
    for (joined, body) in joined.iter().zip(&bodies) {
        for term in joined.keys().filter(|term| !body.contains_key(*term)) {
            *new.pages_with.entry(term.clone()).or_default() += 1;
        }
    }
    let pages = bodies.len() as f64;
    let worth = |term: &str, count: u32| {
        let with = new.pages_with.get(term).copied().map_or(0.0, f64::from);
        let rarity = ((pages - with + 0.5) / (with + 0.5)).ln_1p();
        rarity * f64::from(count) / (f64::from(count) + SATURATION)
    };
    for (((page, body), named), mut joined) in new.pages.iter_mut().zip(&bodies).zip(&named).zip(joined) {
        let free = body.iter().filter(|(term, _)| !named.contains(*term));
        let mut terms: Vec<(f64, &String, u32)> =
            free.map(|(term, &count)| (worth(term, count), term, count)).collect();
        terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        terms.truncate(most);
        for (_, term, count) in terms {
            let counts = joined.entry(term.clone()).or_default();
            *counts = class(count).max(*counts);
        }
        page.body = joined.into_iter().collect();
    }
}

/// How often a term of the body counts: small classes take fewer bytes than counts, and say as much.
fn class(count: u32) -> u32 {
    1 + u32::from(count >= OFTEN) + u32::from(count >= VERY_OFTEN)
}

/// The terms that the page's names and summary bring into the index.
pub(super) fn named(page: &NewPage, analysis: Analysis) -> BTreeSet<String> {
    let texts = [&page.title, &page.summary].into_iter().chain(&page.aliases);
    texts.flat_map(|text| analysis.tokens(text)).map(|token| token.term).collect()
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
