//! The collection of postings: they come in the order of pages, and are sorted by term in bounded memory
//! ([`ExternalSort`]).

use std::collections::HashMap;
use std::path::PathBuf;

use super::external_sort::{ExternalSort, SortedPairs};
use crate::error::Error;
use crate::postings::run::Entry;

/// The number of a term, in the order in which terms were first added.
pub(super) type TermNo = u32;
/// A term's key and number.
pub(super) type Term = (Box<[u8]>, TermNo);

/// The collector of terms and postings.
pub(super) struct PostingsWriter {
    terms: HashMap<Box<[u8]>, TermNo>,
    /// How many postings each term has.
    counts: Vec<u32>,
    /// How many pages hold each term anywhere, where that is known.
    pages_with: HashMap<Box<[u8]>, u32>,
    /// The packs whose title or summary holds a term, by rising number.
    packs: HashMap<TermNo, Vec<u32>>,
    /// Each term's pages, with the numbers of their profiles.
    postings: ExternalSort,
}

impl PostingsWriter {
    /// A writer that holds about `most` postings in memory, and the others in the folder `scratch`.
    pub(super) fn new(most: usize, scratch: Option<PathBuf>) -> Self {
        let postings = ExternalSort::new(most, scratch);
        let (terms, counts, pages_with, packs) = (HashMap::new(), Vec::new(), HashMap::new(), HashMap::new());
        PostingsWriter { terms, counts, pages_with, packs, postings }
    }

    /// The number of a term, which may have no postings yet.
    pub(super) fn term(&mut self, tag: u8, term: &[u8]) -> TermNo {
        let mut key = Vec::with_capacity(term.len() + 1);
        key.push(tag);
        key.extend(term);
        if let Some(&number) = self.terms.get(key.as_slice()) {
            return number;
        }
        let number = self.counts.len() as TermNo;
        self.terms.insert(key.into(), number);
        self.counts.push(0);
        number
    }

    /// Adds a posting. `profile` is the number that [`Profiles`](super::profiles::Profiles) gave.
    pub(super) fn add(&mut self, tag: u8, term: &[u8], page: u32, profile: u32) {
        let number = self.term(tag, term);
        self.counts[number as usize] += 1;
        self.postings.add(number, (page, profile));
    }

    /// Adds `pages` to the number of pages that hold a term anywhere.
    pub(super) fn add_pages_with(&mut self, tag: u8, term: &[u8], pages: u32) {
        *self.pages_with.entry([&[tag], term].concat().into()).or_default() += pages;
    }

    /// Adds a term of the title or summary of `pack`, which is the last pack so far.
    pub(super) fn add_pack(&mut self, tag: u8, term: &[u8], pack: u32) {
        let number = self.term(tag, term);
        let packs = self.packs.entry(number).or_default();
        if packs.last() != Some(&pack) {
            packs.push(pack);
        }
    }

    /// How many postings there are.
    pub(super) fn total(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// How many postings a term has.
    pub(super) fn count(&self, term: TermNo) -> u32 {
        self.counts[term as usize]
    }

    /// Writes the postings in memory to a scratch file if they are too many.
    pub(super) fn keep_within_bounds(&mut self) -> Result<(), Error> {
        self.postings.keep_within_bounds(self.counts.len())
    }

    /// All terms in the order of their keys, and their postings.
    pub(super) fn sorted(self) -> (Vec<Term>, TermPostings) {
        let mut terms: Vec<Term> = self.terms.into_iter().collect();
        terms.sort_unstable();
        let postings = self.postings.sorted(self.counts.len());
        (terms, TermPostings { postings, pages_with: self.pages_with, packs: self.packs })
    }
}

/// The postings, by term.
pub(super) struct TermPostings {
    postings: SortedPairs,
    pages_with: HashMap<Box<[u8]>, u32>,
    packs: HashMap<TermNo, Vec<u32>>,
}

impl TermPostings {
    /// The packs, of `all` packs, whose title or summary holds a term; none where all do, since the term then tells no
    /// pack from another.
    pub(super) fn packs(&mut self, term: TermNo, all: usize) -> Vec<u32> {
        self.packs.remove(&term).filter(|packs| packs.len() < all).unwrap_or_default()
    }

    /// How many pages hold a term without a posting.
    pub(super) fn more(&self, key: &[u8], postings: usize) -> u32 {
        self.pages_with.get(key).copied().unwrap_or(0).saturating_sub(postings as u32)
    }

    /// A term's postings, by rising page, each with the number of its profile.
    pub(super) fn of(&mut self, term: TermNo) -> Result<Vec<Entry>, Error> {
        self.postings.of(term)
    }
}
