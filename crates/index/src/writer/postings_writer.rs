//! Postings on their way from page order to term order: a [`Spill`] whose keys are the terms' numbers, and the terms.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::error::Error;
use crate::postings::run::Entry;
use crate::writer::external_sort::{self, Spill};

/// Number of a term, in order of coming.
pub(super) type TermNo = u32;
/// A term's key and number.
pub(super) type Term = (Box<[u8]>, TermNo);

pub(super) struct Runs {
    terms: HashMap<Box<[u8]>, TermNo>,
    counts: Vec<u32>,
    /// How many pages hold each term anywhere, where that was said.
    anywhere: HashMap<Box<[u8]>, u32>,
    /// The packs that say a term of themselves, by rising number.
    packs: HashMap<TermNo, Vec<u32>>,
    /// Each term's pages with their shapes.
    postings: Spill,
}

impl Runs {
    pub(super) fn new(most: usize, scratch: Option<PathBuf>) -> Self {
        let postings = Spill::new(most, scratch);
        Runs { terms: HashMap::new(), counts: Vec::new(), anywhere: HashMap::new(), packs: HashMap::new(), postings }
    }

    /// The number of a term, which may have no postings.
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

    pub(super) fn add(&mut self, tag: u8, term: &[u8], page: u32, shape: u32) {
        let number = self.term(tag, term);
        self.counts[number as usize] += 1;
        self.postings.add(number, (page, shape));
    }

    /// Notes that `pages` further pages hold a term anywhere.
    pub(super) fn add_pages_with(&mut self, tag: u8, term: &[u8], pages: u32) {
        *self.anywhere.entry([&[tag], term].concat().into()).or_default() += pages;
    }

    /// Notes that the last pack, `pack`, says a term of itself.
    pub(super) fn add_pack(&mut self, tag: u8, term: &[u8], pack: u32) {
        let number = self.term(tag, term);
        let packs = self.packs.entry(number).or_default();
        if packs.last() != Some(&pack) {
            packs.push(pack);
        }
    }

    /// How many postings there are.
    pub(super) fn postings(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// How many postings a term has.
    pub(super) fn count(&self, term: TermNo) -> u32 {
        self.counts[term as usize]
    }

    /// Puts the postings aside when there are too many.
    pub(super) fn keep_within_bounds(&mut self) -> Result<(), Error> {
        self.postings.keep_within_bounds(self.counts.len())
    }

    /// All terms in key order, and the postings to ask for.
    pub(super) fn sorted(self) -> (Vec<Term>, Merged) {
        let mut terms: Vec<Term> = self.terms.into_iter().collect();
        terms.sort_unstable();
        let postings = self.postings.merged(self.counts.len());
        (terms, Merged { postings, anywhere: self.anywhere, packs: self.packs })
    }
}

/// The postings, by term.
pub(super) struct Merged {
    postings: external_sort::Merged,
    anywhere: HashMap<Box<[u8]>, u32>,
    packs: HashMap<TermNo, Vec<u32>>,
}

impl Merged {
    /// The packs, of `all`, that say a term of themselves. What all say tells nothing.
    pub(super) fn packs(&mut self, term: TermNo, all: usize) -> Vec<u32> {
        self.packs.remove(&term).filter(|packs| packs.len() < all).unwrap_or_default()
    }

    /// How many pages hold a term without a posting.
    pub(super) fn more(&self, key: &[u8], postings: usize) -> u32 {
        self.anywhere.get(key).copied().unwrap_or(0).saturating_sub(postings as u32)
    }

    /// A term's postings, by rising page, each with its shape's first number.
    pub(super) fn postings(&mut self, term: TermNo) -> Result<Vec<Entry>, Error> {
        self.postings.of(term)
    }
}
