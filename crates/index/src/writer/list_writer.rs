//! The writer of postings lists.

use std::collections::BTreeSet;

use super::files::Files;
use super::layout::Layout;
use super::names::put_names;
use super::profiles::ProfileNumber;
use crate::error::Error;
use crate::format::bytes::put_varint;
use crate::format::huffman::Encoder;
use crate::postings::list::{HAS_MORE, HAS_NAMES, HAS_PACKS, HAS_PROFILES, IN_BLOCKS, PACK_KEY, single};
use crate::postings::name::name_hash;
use crate::postings::profile::{COMMON_PROFILES, TermProfile, write_profiles};
use crate::postings::run::{Entry, SKIP_INTERVAL, best_of, write_run};
use crate::query::bm25::Bm25;

/// How lists are encoded.
#[derive(Clone, Copy)]
pub(super) struct Encoding<'w> {
    pub(super) layout: &'w Layout,
    pub(super) numbers: &'w [ProfileNumber],
    pub(super) code: &'w Encoder,
}

/// The scores of profiles under one analysis.
pub(super) struct Norms {
    pub(super) ranking: Bm25,
    /// The mean length of pages.
    pub(super) average: f64,
    /// The scores of the common profiles.
    pub(super) common: Vec<f64>,
}

/// What is written of a term.
pub(super) struct NewList<'l> {
    pub(super) key: &'l [u8],
    /// The postings, by rising page, with preliminary numbers of profiles.
    pub(super) postings: Vec<Entry>,
    /// The class of the number of pages that hold the term without a posting.
    pub(super) more: u32,
    /// Pages with a name of which this is the rarest term, each with the name's hash.
    pub(super) names: Vec<(u32, u32)>,
    /// The packs whose title or summary holds the term.
    pub(super) packs: Vec<u32>,
    /// The scores under the key's analysis; none for keys that are no terms.
    pub(super) norms: Option<&'l Norms>,
}

impl NewList<'_> {
    /// The list as a dictionary value; none where it is more than a single posting of a common profile.
    pub(super) fn as_single(&self, numbers: &[ProfileNumber]) -> Option<u64> {
        let &[(page, profile)] = self.postings.as_slice() else { return None };
        if !self.packs.is_empty() {
            return None;
        }
        if self.key[0] == PACK_KEY {
            return Some(single(page, 0, false, 0));
        }
        let ProfileNumber::Common(profile) = numbers[profile as usize] else { return None };
        let term = std::str::from_utf8(&self.key[1..]).ok()?;
        let own = (page, name_hash([term].into_iter()));
        match self.names.as_slice() {
            [] => Some(single(page, profile, false, self.more)),
            [name] if *name == own => Some(single(page, profile, true, self.more)),
            _ => None,
        }
    }

    /// Writes the list to `out`, and its blocks to `files`.
    pub(super) fn write(
        &self,
        out: &mut Vec<u8>,
        encoding: Encoding<'_>,
        files: &mut Files<'_, '_>,
    ) -> Result<(), Error> {
        let (entries, rare) = self.numbered(encoding.numbers);
        let in_blocks = entries.len() > encoding.layout.inline_postings && files.are_sent();
        let flag = |on: bool, bit: u8| if on { bit } else { 0 };
        put_varint(out, entries.len() as u64);
        let flags = [
            flag(!rare.is_empty(), HAS_PROFILES),
            flag(in_blocks, IN_BLOCKS),
            flag(!self.names.is_empty(), HAS_NAMES),
            flag(self.more > 0, HAS_MORE),
            flag(!self.packs.is_empty(), HAS_PACKS),
        ];
        out.push(flags.into_iter().sum());
        if self.more > 0 {
            out.push(self.more as u8);
        }
        if !rare.is_empty() {
            write_profiles(out, &rare);
        }
        if !self.names.is_empty() {
            put_names(out, &self.names);
        }
        if !self.packs.is_empty() {
            put_packs(out, &self.packs);
        }
        if !in_blocks {
            let run = write_run(&entries, 0, rare.len(), encoding.code);
            put_varint(out, run.len() as u64);
            out.extend(run);
            return Ok(());
        }
        write_blocks(out, &entries, &self.norms_with(&rare), rare.len(), encoding, files)
    }

    /// The postings with the final numbers of their profiles, and the profiles that only this list numbers.
    fn numbered(&self, numbers: &[ProfileNumber]) -> (Vec<Entry>, Vec<TermProfile>) {
        let mut rare: Vec<TermProfile> = Vec::new();
        let mut number = |profile: u32| match numbers[profile as usize] {
            ProfileNumber::Common(number) => number,
            ProfileNumber::Rare(profile) => {
                let known = rare.iter().position(|known| *known == profile);
                let place = known.unwrap_or_else(|| {
                    rare.push(profile);
                    rare.len() - 1
                });
                (COMMON_PROFILES + place) as u32
            }
        };
        let entries = self.postings.iter().map(|&(page, profile)| (page, number(profile))).collect();
        (entries, rare)
    }

    /// The scores of the common profiles, and after them of the profiles `rare`.
    fn norms_with(&self, rare: &[TermProfile]) -> Vec<f64> {
        let mut norms = self.norms.map_or_else(Vec::new, |norms| norms.common.clone());
        norms.resize(norms.len().max(COMMON_PROFILES), 0.0);
        if let Some(Norms { ranking, average, .. }) = self.norms {
            norms.extend(rare.iter().map(|profile| profile.norm(ranking, *average)));
        }
        norms.resize(COMMON_PROFILES + rare.len(), 0.0);
        norms
    }
}

fn put_packs(out: &mut Vec<u8>, packs: &[u32]) {
    put_varint(out, packs.len() as u64);
    let mut next = 0;
    for &pack in packs {
        put_varint(out, u64::from(pack - next));
        next = pack + 1;
    }
}

fn write_blocks(
    out: &mut Vec<u8>,
    entries: &[Entry],
    norms: &[f64],
    own: usize,
    encoding: Encoding<'_>,
    files: &mut Files<'_, '_>,
) -> Result<(), Error> {
    let count = entries.len().div_ceil(encoding.layout.block_postings.max(1));
    let size = entries.len().div_ceil(count).next_multiple_of(SKIP_INTERVAL);
    let blocks: Vec<&[Entry]> = entries.chunks(size).collect();
    put_varint(out, blocks.len() as u64);
    let (mut next, mut sent) = (0, BTreeSet::new());
    for block in blocks {
        let last = block[block.len() - 1].0;
        let mut run = write_run(block, next, own, encoding.code);
        let mut hash = files.send(&run)?;
        // A list names each file once. Bytes after a run are not read.
        while !sent.insert(hash) {
            run.push(sent.len() as u8);
            hash = files.send(&run)?;
        }
        put_varint(out, block.len() as u64);
        put_varint(out, u64::from(last - next));
        put_varint(out, u64::from(best_of(block.iter().map(|&(_, profile)| profile), norms)));
        out.extend(hash);
        next = last + 1;
    }
    Ok(())
}
