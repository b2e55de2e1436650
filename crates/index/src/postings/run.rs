//! Runs: the encoding of postings.
//!
//! ```text
//! run     := rice:byte (gap profile)*                a bit stream, low bits first
//! gap     := the page's number less the one before, less one, as a Rice code of `rice` bits
//! profile := the number of a common profile as a Huffman code, or the code of COMMON_PROFILES and then a number among
//!            the list's own profiles, of as many bits as the last of them needs
//! ```
//!
//! How many postings a run has, and the page at which it begins, is stored where the run is referred to. In memory a
//! run is plain numbers, with a skip entry for every 128 postings: their last page, and the profile among them that
//! scores best.

use crate::error::Error;
use crate::format::bits::{BitReader, BitWriter, rice_bits, width};
use crate::format::huffman::{Decoder, Encoder};
use crate::postings::profile::{COMMON_PROFILES, TermProfile};
use crate::query::bm25::Bm25;

/// One posting: a page's number, and the number of the term's profile there.
pub(crate) type Entry = (u32, u32);

/// How many postings a skip entry covers.
pub(crate) const SKIP_INTERVAL: usize = 128;

/// Encodes `entries`, whose first page is at least `base`, as a run of a list that has `own` profiles of its own.
pub(crate) fn write_run(entries: &[Entry], base: u32, own: usize, profiles: &Encoder) -> Vec<u8> {
    let mut next = base;
    let gaps: Vec<u32> = entries
        .iter()
        .map(|&(page, _)| {
            let gap = page - next;
            next = page + 1;
            gap
        })
        .collect();
    let size = |k: u32| gaps.iter().map(|&gap| u64::from(rice_bits(gap, k))).sum::<u64>();
    let k = (0..32).min_by_key(|&k| size(k)).unwrap_or(0);
    let own_bits = own_bits(own);
    let mut writer = BitWriter::default();
    writer.put(k, 8);
    for (gap, &(_, profile)) in gaps.iter().zip(entries) {
        writer.put_rice(*gap, k);
        let profile = profile as usize;
        profiles.put(&mut writer, profile.min(COMMON_PROFILES));
        if profile >= COMMON_PROFILES {
            writer.put((profile - COMMON_PROFILES) as u32, own_bits);
        }
    }
    writer.finish()
}

fn own_bits(own: usize) -> u32 {
    width(own.saturating_sub(1) as u32)
}

/// The number of the profile of `profiles` that scores best by `norms`.
pub(crate) fn best_of(profiles: impl Iterator<Item = u32>, norms: &[f64]) -> u32 {
    let norm = |profile: u32| norms.get(profile as usize).copied().unwrap_or(0.0);
    profiles.max_by(|&a, &b| norm(a).total_cmp(&norm(b))).unwrap_or(0)
}

/// A decoded run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    /// The pages, by rising number.
    pub(crate) pages: Vec<u32>,
    /// The number of each page's profile.
    pub(crate) profiles: Vec<u16>,
    /// The skip entries: the last page of each interval, and its best profile.
    pub(crate) skips: Vec<(u32, u16)>,
}

/// What is needed to decode a postings list and its runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DecodeContext<'i> {
    /// How many pages the index has.
    pub(crate) pages: u32,
    /// How many packs the index has.
    pub(crate) packs: u32,
    /// How many profiles the list has of its own.
    pub(crate) own: usize,
    /// The Huffman code of the profiles.
    pub(crate) code: &'i Decoder,
    /// The scores by which the best profile of a skip entry is chosen: of the common profiles, then of the list's own.
    pub(crate) norms: &'i [f64],
    /// The common profiles.
    pub(crate) common: &'i [TermProfile],
    /// The length of every page, where the profiles leave it out; else empty.
    pub(crate) lengths: &'i [u32],
    /// The ranking by which `norms` are scored, and the mean length of pages.
    pub(crate) ranking: (&'i Bm25, f64),
}

impl DecodeContext<'_> {
    /// The scores of the common profiles, and after them of the profiles `own`.
    pub(crate) fn norms_with(&self, own: &[TermProfile]) -> Vec<f64> {
        let mut norms = self.norms.to_vec();
        norms.resize(COMMON_PROFILES, 0.0);
        norms.extend(own.iter().map(|profile| profile.norm(self.ranking.0, self.ranking.1)));
        norms
    }
}

const PART: &str = "postings";

impl Run {
    /// Completes profiles that leave the length out: the run with profiles that have it, and these profiles, which are
    /// numbered as the list's own. Where profiles have the length, both stay the same.
    pub(crate) fn with_lengths(mut self, own: Vec<TermProfile>, context: DecodeContext<'_>) -> (Run, Vec<TermProfile>) {
        if context.lengths.is_empty() {
            return (self, own);
        }
        let mut complete: Vec<TermProfile> = Vec::new();
        for (&page, number) in self.pages.iter().zip(&mut self.profiles) {
            let place = usize::from(*number);
            let bare = context.common.get(place).or_else(|| own.get(place.checked_sub(COMMON_PROFILES)?));
            let length = context.lengths.get(page as usize).copied().unwrap_or(0);
            let profile = TermProfile { length, ..bare.copied().unwrap_or_default() };
            let known = complete.iter().position(|known| *known == profile).unwrap_or_else(|| {
                complete.push(profile);
                complete.len() - 1
            });
            *number = u16::try_from(COMMON_PROFILES + known).unwrap_or(u16::MAX);
        }
        self.make_skips(&context.norms_with(&complete));
        (self, complete)
    }

    /// A run of one posting.
    pub(crate) fn single((page, profile): Entry) -> Run {
        Run { pages: vec![page], profiles: vec![profile as u16], skips: vec![(page, profile as u16)] }
    }

    /// Decodes `count` postings that begin at page `base`.
    pub(crate) fn read(bytes: &[u8], count: usize, base: u32, context: DecodeContext<'_>) -> Result<Run, Error> {
        // A posting takes two bits at least.
        if count / 4 > bytes.len() {
            return Err(Error::corrupt(PART, "a list is longer than its bytes"));
        }
        let mut reader = BitReader::new(bytes);
        let k = reader.get(8).filter(|&k| k < 32).ok_or_else(|| Error::corrupt(PART, "its code is unknown"))?;
        let own_bits = own_bits(context.own);
        let (mut pages, mut profiles) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut next = base;
        for _ in 0..count {
            let gap = reader.get_rice(k).ok_or_else(ended)?;
            let mut profile = context.code.get(&mut reader).ok_or_else(ended)?;
            if profile as usize == COMMON_PROFILES {
                profile += reader.get(own_bits).ok_or_else(ended)?;
            }
            let page = next.checked_add(gap).filter(|&page| page < context.pages);
            pages.push(page.ok_or_else(|| Error::corrupt(PART, "a page number is too large"))?);
            profiles.push(u16::try_from(profile).unwrap_or(u16::MAX));
            next = pages[pages.len() - 1] + 1;
        }
        let mut run = Run { pages, profiles, skips: Vec::new() };
        run.make_skips(context.norms);
        Ok(run)
    }

    /// Makes the skip entries.
    fn make_skips(&mut self, norms: &[f64]) {
        let skips =
            self.pages.chunks(SKIP_INTERVAL).zip(self.profiles.chunks(SKIP_INTERVAL)).map(|(pages, profiles)| {
                (pages[pages.len() - 1], best_of(profiles.iter().map(|&profile| u32::from(profile)), norms) as u16)
            });
        self.skips = skips.collect();
    }

    /// The number of a page's profile; none where the page is not in the run.
    pub(crate) fn find(&self, page: u32) -> Option<u32> {
        self.pages.binary_search(&page).ok().map(|at| u32::from(self.profiles[at]))
    }

    /// All postings.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.pages.iter().copied().zip(self.profiles.iter().map(|&profile| u32::from(profile)))
    }
}

fn ended() -> Error {
    Error::corrupt(PART, "a list ends inside an entry")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::huffman::lengths;
    use proptest::prelude::*;

    fn code() -> Vec<u8> {
        lengths(&(0..=COMMON_PROFILES as u64).map(|profile| 1000 / (profile + 1) + 1).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn runs_come_back(gaps in prop::collection::vec((0u32..5000, 0u32..300), 1..600), base in 0u32..1000) {
            let mut next = base;
            let entries: Vec<Entry> = gaps.iter().map(|&(gap, profile)| { next += gap + 1; (next - 1, profile) }).collect();
            let norms: Vec<f64> = (0..300).map(f64::from).collect();
            let own = 300 - COMMON_PROFILES;
            let bytes = write_run(&entries, base, own, &Encoder::new(&code()));
            let decoder = Decoder::new(&code()).unwrap();
            let context = DecodeContext { pages: next, packs: 0, own, code: &decoder, norms: &norms, common: &[], lengths: &[], ranking: (&Bm25::default(), 9.0) };
            let run = Run::read(&bytes, entries.len(), base, context).unwrap();
            prop_assert_eq!(run.entries().collect::<Vec<_>>(), &entries[..]);
            for (skip, interval) in run.skips.iter().zip(entries.chunks(SKIP_INTERVAL)) {
                prop_assert_eq!(u32::from(skip.1), interval.iter().map(|e| e.1).max().unwrap());
                prop_assert_eq!(skip.0, interval[interval.len() - 1].0);
            }
            prop_assert_eq!(run.find(entries[0].0), Some(entries[0].1));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), count in 0usize..400) {
            let decoder = Decoder::new(&code()).unwrap();
            let _ = Run::read(&bytes, count, 0, DecodeContext { pages: 1000, packs: 0, own: 9, code: &decoder, norms: &[], common: &[], lengths: &[], ranking: (&Bm25::default(), 9.0) });
        }
    }
}
