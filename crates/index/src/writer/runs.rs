//! Postings on their way from page order to term order.
//!
//! They gather as (term, page, shape) in the order of pages. When there are too many, they are sorted by term and go to
//! a scratch file as a run; a term's postings are then those of each run in turn, and still in page order
//! (single-pass in-memory indexing: Heinz and Zobel, 2003).

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::unwritable;
use crate::error::Error;
use crate::list::Entry;

/// Number of a term, in order of coming.
pub(super) type TermNo = u32;
/// A term's key and number.
pub(super) type Term = (Box<[u8]>, TermNo);

pub(super) struct Runs {
    terms: HashMap<Box<[u8]>, TermNo>,
    counts: Vec<u32>,
    /// How many pages hold each term anywhere, where that was said.
    anywhere: HashMap<Box<[u8]>, u32>,
    held: Vec<(TermNo, u32, u32)>,
    most: usize,
    scratch: Option<PathBuf>,
    spilled: Vec<Spilled>,
}

struct Spilled {
    file: File,
    /// Where each term's postings end, in postings; terms that came later have none.
    ends: Vec<u64>,
}

const POSTING_BYTES: usize = 8;

impl Runs {
    pub(super) fn new(most: usize, scratch: Option<PathBuf>) -> Self {
        Runs {
            terms: HashMap::new(),
            counts: Vec::new(),
            anywhere: HashMap::new(),
            held: Vec::new(),
            most,
            scratch,
            spilled: Vec::new(),
        }
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
        self.held.push((number, page, shape));
    }

    /// Notes that `pages` further pages hold a term anywhere.
    pub(super) fn add_pages_with(&mut self, tag: u8, term: &[u8], pages: u32) {
        *self.anywhere.entry([&[tag], term].concat().into()).or_default() += pages;
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
        match self.held.len() >= self.most {
            true => self.spill().map_err(|error| unwritable(format!("a scratch file fails: {error}"))),
            false => Ok(()),
        }
    }

    fn spill(&mut self) -> std::io::Result<()> {
        let ends = self.sort();
        let folder = self.scratch.clone().unwrap_or_else(std::env::temp_dir);
        // One process may write several indexes at a time.
        static SPILLS: AtomicU64 = AtomicU64::new(0);
        let number = SPILLS.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("seealso-{}-{number}.run", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // The name goes at once; the file lives as long as it is open.
        let _ = std::fs::remove_file(&path);
        let mut out = BufWriter::new(file);
        for (_, page, shape) in self.held.drain(..) {
            out.write_all(&page.to_le_bytes())?;
            out.write_all(&shape.to_le_bytes())?;
        }
        let file = out.into_inner().map_err(|error| error.into_error())?;
        self.spilled.push(Spilled { file, ends });
        Ok(())
    }

    /// Sorts what is held by term, page order kept; gives where each term ends.
    fn sort(&mut self) -> Vec<u64> {
        self.held.sort_by_key(|&(term, ..)| term);
        let mut ends = vec![0u64; self.counts.len()];
        self.held.iter().for_each(|&(term, ..)| ends[term as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        ends
    }

    /// All terms in key order, and the postings to ask for.
    pub(super) fn sorted(mut self) -> (Vec<Term>, Merged) {
        let ends = self.sort();
        let mut terms: Vec<Term> = self.terms.into_iter().collect();
        terms.sort_unstable();
        (terms, Merged { held: self.held, ends, spilled: self.spilled, anywhere: self.anywhere })
    }
}

/// The runs, by term.
pub(super) struct Merged {
    held: Vec<(TermNo, u32, u32)>,
    ends: Vec<u64>,
    spilled: Vec<Spilled>,
    anywhere: HashMap<Box<[u8]>, u32>,
}

impl Merged {
    /// How many pages hold a term without a posting.
    pub(super) fn more(&self, key: &[u8], postings: usize) -> u32 {
        self.anywhere.get(key).copied().unwrap_or(0).saturating_sub(postings as u32)
    }

    /// A term's postings, by rising page, each with its shape's first number.
    pub(super) fn postings(&mut self, term: TermNo) -> Result<Vec<Entry>, Error> {
        let mut found = Vec::new();
        for run in &mut self.spilled {
            run.read(term, &mut found).map_err(|error| unwritable(format!("a scratch file fails: {error}")))?;
        }
        let range = range_of(&self.ends, term);
        found.extend(self.held[range.start as usize..range.end as usize].iter().map(|&(_, page, shape)| (page, shape)));
        Ok(found)
    }
}

impl Spilled {
    fn read(&mut self, term: TermNo, found: &mut Vec<Entry>) -> std::io::Result<()> {
        let range = range_of(&self.ends, term);
        let count = (range.end - range.start) as usize;
        if count == 0 {
            return Ok(());
        }
        let mut bytes = vec![0; count * POSTING_BYTES];
        self.file.seek(SeekFrom::Start(range.start * POSTING_BYTES as u64))?;
        self.file.read_exact(&mut bytes)?;
        let number = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        found.extend(bytes.chunks(POSTING_BYTES).map(|entry| (number(&entry[..4]), number(&entry[4..]))));
        Ok(())
    }
}

fn range_of(ends: &[u64], term: TermNo) -> std::ops::Range<u64> {
    let term = term as usize;
    let start = if term == 0 { Some(0) } else { ends.get(term - 1).copied() };
    match start.zip(ends.get(term)) {
        Some((start, &end)) => start..end,
        None => 0..0,
    }
}
