//! Term profiles: what BM25 needs to know of one posting, as one small number.
//!
//! A posting's score depends on the term's counts in the page's fields and on the page's length. Few combinations of
//! these are common, since titles and summaries are short. An index therefore numbers the combinations, the commonest
//! first; a posting names one by its number, and a query looks its score up in a table.

use crate::error::Error;
use crate::field::{FIELDS, Frequencies};
use crate::format::bytes::{Cursor, put_varint};
use crate::query::bm25::Bm25;

/// The counts of a term in a page's fields, and the page's length in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct TermProfile {
    pub(crate) frequencies: Frequencies,
    pub(crate) length: u32,
}

/// How many profiles may have a number in the whole index. A list numbers its rarer profiles from here on.
pub(crate) const COMMON_PROFILES: usize = 255;

impl TermProfile {
    /// The profile of a page that has `length` tokens and does not hold the term.
    pub(crate) fn absent(length: u32) -> TermProfile {
        TermProfile { length, ..TermProfile::default() }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let fields = self.frequencies.iter().enumerate().fold(0u8, |bits, (at, &n)| bits | (u8::from(n > 0) << at));
        out.push(fields);
        self.frequencies.iter().filter(|&&count| count > 0).for_each(|&count| put_varint(out, u64::from(count)));
        put_varint(out, u64::from(self.length));
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<TermProfile, Error> {
        let fields = cursor.byte()?;
        let mut frequencies = [0; FIELDS];
        for (at, frequency) in frequencies.iter_mut().enumerate() {
            if fields >> at & 1 == 1 {
                *frequency = cursor.number()?;
            }
        }
        Ok(TermProfile { frequencies, length: cursor.number()? })
    }

    /// The profile's score for a term of idf 1, among pages of mean length `average`.
    pub(crate) fn norm(&self, bm25: &Bm25, average: f64) -> f64 {
        bm25.term_score(1.0, bm25.weighted(&self.frequencies, self.length, average), self.length, average)
    }
}

/// Writes `profiles` with their count.
pub(crate) fn write_profiles(out: &mut Vec<u8>, profiles: &[TermProfile]) {
    put_varint(out, profiles.len() as u64);
    profiles.iter().for_each(|profile| profile.write(out));
}

/// Reads what [`write_profiles`] wrote.
pub(crate) fn read_profiles(cursor: &mut Cursor<'_>) -> Result<Vec<TermProfile>, Error> {
    cursor.list(TermProfile::read)
}
