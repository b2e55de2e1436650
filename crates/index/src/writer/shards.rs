//! Term shards: the dictionary cut into ranges of keys, each with the postings of its terms.

use std::collections::BTreeSet;

use crate::analysis::Analysis;
use crate::error::Error;
use crate::field::{FIELDS, Field};
use crate::format::bytes::put_varint;
use crate::format::huffman::Encoder;
use crate::postings::profile::{Shape, write_shapes};
use crate::postings::run::{BLOCK, Entry, best_of, write_run};

use super::names::{Names, put_names};
use super::postings_writer::Runs;
use super::{FileNo, Files, Layout, ShapeNumber, unwritable};

use crate::dictionary::shard::{CHUNKED, HAS_MORE, HAS_NAMES, HAS_PACKS, HAS_SHAPES, more_class, single};
pub(super) use crate::dictionary::shard::{PACK_KEY, TAG_KEY};

/// What the shards are made from.
pub(super) struct Input<'w, 's, 'k> {
    pub(super) layout: &'w Layout,
    pub(super) tokens: &'w [(Analysis, u32, [u64; FIELDS])],
    pub(super) common: &'w [Shape],
    pub(super) numbering: &'w [ShapeNumber],
    pub(super) code: &'w Encoder,
    pub(super) runs: Runs,
    /// How many packs there are.
    pub(super) packs: usize,
    pub(super) names: Names,
    pub(super) files: &'w mut Files<'s, 'k>,
    /// Hears how many terms of how many are written.
    pub(super) tell: &'w mut dyn FnMut(usize, usize),
}

/// Each time so many more terms are written, that is told.
const TELL_EVERY: usize = 10_000;

/// How lists are written.
#[derive(Clone, Copy)]
struct Form<'w> {
    layout: &'w Layout,
    numbering: &'w [ShapeNumber],
    code: &'w Encoder,
}

/// Writes the shards; gives each one's first key and file.
pub(super) fn write(input: Input<'_, '_, '_>) -> Result<Vec<(Vec<u8>, FileNo)>, Error> {
    let Input { layout, tokens, common, numbering, code, runs, packs, names, files, tell } = input;
    let form = Form { layout, numbering, code };
    let mut names = names.by_term(&runs);
    let norms = CommonNorms::new(layout, tokens, common);
    let (terms, mut merged) = runs.sorted();
    let mut shards = Vec::new();
    let mut shard = Shard::default();
    let total = terms.len();
    for (done, (key, term)) in terms.into_iter().enumerate() {
        if done % TELL_EVERY == 0 {
            tell(done, total);
        }
        let postings = merged.postings(term)?;
        let packs = merged.packs(term, packs);
        let names = names.remove(&term).unwrap_or_default();
        if postings.is_empty() && names.is_empty() && packs.is_empty() {
            continue;
        }
        if shard.size() >= layout.term_bytes {
            shards.push(std::mem::take(&mut shard).finish(files)?);
        }
        // No page is found by a term that none has where it counts.
        let more = if postings.is_empty() { 0 } else { merged.more(&key, postings.len()) };
        let list = List { key: &key, more: more_class(more), packs, postings, names, norms: norms.of(key[0]) };
        shard.add(list, form, files)?;
    }
    if !shard.is_empty() {
        shards.push(shard.finish(files)?);
    }
    shorten_keys(&mut shards);
    Ok(shards.into_iter().map(|(first, _, file)| (first, file)).collect())
}

/// Cuts each shard's first key to what tells it from the last key of the shard before.
fn shorten_keys(shards: &mut [(Vec<u8>, Vec<u8>, FileNo)]) {
    for at in (1..shards.len()).rev() {
        let (before, here) = shards.split_at_mut(at);
        let (last, first) = (&before[at - 1].1, &mut here[0].0);
        let shared = last.iter().zip(first.iter()).take_while(|(a, b)| a == b).count();
        first.truncate(shared + 1);
    }
    if let Some((first, ..)) = shards.first_mut() {
        first.clear();
    }
}

/// The scores of the common shapes, for each analysis.
struct CommonNorms(Vec<(u8, Average, Vec<f64>)>);

/// The ranking and the mean length by which a shape scores.
#[derive(Clone, Copy)]
struct Average(crate::Bm25, f64);

impl CommonNorms {
    fn new(layout: &Layout, tokens: &[(Analysis, u32, [u64; FIELDS])], common: &[Shape]) -> Self {
        let of = |(analysis, pages, tokens): &(Analysis, u32, [u64; FIELDS])| {
            let length: u64 =
                tokens.iter().enumerate().filter(|(at, _)| *at != Field::Body as usize).map(|(_, n)| n).sum();
            let average = length as f64 / f64::from((*pages).max(1));
            let norms = common.iter().map(|shape| shape.norm(&layout.ranking, average)).collect();
            (analysis.tag(), Average(layout.ranking, average), norms)
        };
        CommonNorms(tokens.iter().map(of).collect())
    }

    fn of(&self, tag: u8) -> Option<&(u8, Average, Vec<f64>)> {
        self.0.iter().find(|(known, ..)| *known == tag)
    }
}

/// A term with all that stands beside it.
struct List<'l> {
    key: &'l [u8],
    postings: Vec<Entry>,
    /// The class of how many pages hold the term without a posting.
    more: u32,
    names: Vec<(u32, u32)>,
    /// The packs that say the term of themselves.
    packs: Vec<u32>,
    norms: Option<&'l (u8, Average, Vec<f64>)>,
}

/// A shard as it grows.
struct Shard {
    dictionary: fst::MapBuilder<Vec<u8>>,
    lists: Vec<u8>,
    first: Vec<u8>,
    last: Vec<u8>,
    keys: usize,
}

impl Default for Shard {
    fn default() -> Self {
        let dictionary = fst::MapBuilder::memory();
        Shard { dictionary, lists: Vec::new(), first: Vec::new(), last: Vec::new(), keys: 0 }
    }
}

impl Shard {
    fn is_empty(&self) -> bool {
        self.keys == 0
    }

    fn size(&self) -> usize {
        self.dictionary.bytes_written() as usize + self.lists.len()
    }

    fn add(&mut self, list: List<'_>, form: Form<'_>, files: &mut Files<'_, '_>) -> Result<(), Error> {
        let value = match list.as_single(form.numbering) {
            Some(value) => value,
            None => {
                let offset = self.lists.len() as u64;
                list.write(&mut self.lists, form, files)?;
                offset << 1
            }
        };
        self.dictionary.insert(list.key, value).map_err(|error| unwritable(error.to_string()))?;
        if self.keys == 0 {
            self.first = list.key.to_vec();
        }
        self.last = list.key.to_vec();
        self.keys += 1;
        Ok(())
    }

    fn finish(self, files: &mut Files<'_, '_>) -> Result<(Vec<u8>, Vec<u8>, FileNo), Error> {
        let dictionary = self.dictionary.into_inner().map_err(|error| unwritable(error.to_string()))?;
        let mut raw = Vec::with_capacity(dictionary.len() + self.lists.len() + 5);
        put_varint(&mut raw, dictionary.len() as u64);
        raw.extend(dictionary);
        raw.extend(self.lists);
        Ok((self.first, self.last, files.add(raw)?))
    }
}

impl List<'_> {
    /// The list as a dictionary value, where it is a single posting of a common shape.
    fn as_single(&self, numbering: &[ShapeNumber]) -> Option<u64> {
        let &[(page, shape)] = self.postings.as_slice() else { return None };
        if !self.packs.is_empty() {
            return None;
        }
        if self.key[0] == PACK_KEY {
            return Some(single(page, 0, false, 0));
        }
        let ShapeNumber::Common(shape) = numbering[shape as usize] else { return None };
        let term = std::str::from_utf8(&self.key[1..]).ok()?;
        let own = (page, crate::query::names::name_hash([term].into_iter()));
        match self.names.as_slice() {
            [] => Some(single(page, shape, false, self.more)),
            [name] if *name == own => Some(single(page, shape, true, self.more)),
            _ => None,
        }
    }

    fn write(&self, out: &mut Vec<u8>, form: Form<'_>, files: &mut Files<'_, '_>) -> Result<(), Error> {
        let common = self.norms.map_or(&[][..], |(_, _, norms)| norms);
        let (entries, rare) = self.numbered(form.numbering);
        let mut norms = common.to_vec();
        norms.resize(norms.len().max(crate::postings::profile::COMMON_SHAPES), 0.0);
        if let Some((_, Average(ranking, average), _)) = self.norms {
            norms.extend(rare.iter().map(|shape| shape.norm(ranking, *average)));
        }
        norms.resize(crate::postings::profile::COMMON_SHAPES + rare.len(), 0.0);
        let chunked = entries.len() > form.layout.inline_postings && files.many();
        let flag = |on: bool, bit: u8| if on { bit } else { 0 };
        put_varint(out, entries.len() as u64);
        let flags = [
            flag(!rare.is_empty(), HAS_SHAPES),
            flag(chunked, CHUNKED),
            flag(!self.names.is_empty(), HAS_NAMES),
            flag(self.more > 0, HAS_MORE),
            flag(!self.packs.is_empty(), HAS_PACKS),
        ];
        out.push(flags.into_iter().sum());
        if self.more > 0 {
            out.push(self.more as u8);
        }
        if !rare.is_empty() {
            write_shapes(out, &rare);
        }
        if !self.names.is_empty() {
            put_names(out, &self.names);
        }
        if !self.packs.is_empty() {
            put_packs(out, &self.packs);
        }
        if !chunked {
            let run = write_run(&entries, 0, rare.len(), form.code);
            put_varint(out, run.len() as u64);
            out.extend(run);
            return Ok(());
        }
        write_chunks(out, &entries, &norms, rare.len(), form, files)
    }

    /// The postings with their shapes' numbers in the index or, behind those, in this list.
    fn numbered(&self, numbering: &[ShapeNumber]) -> (Vec<Entry>, Vec<Shape>) {
        let mut rare: Vec<Shape> = Vec::new();
        let mut number = |shape: u32| match numbering[shape as usize] {
            ShapeNumber::Common(number) => number,
            ShapeNumber::Rare(shape) => {
                let known = rare.iter().position(|known| *known == shape);
                let place = known.unwrap_or_else(|| {
                    rare.push(shape);
                    rare.len() - 1
                });
                (crate::postings::profile::COMMON_SHAPES + place) as u32
            }
        };
        let entries = self.postings.iter().map(|&(page, shape)| (page, number(shape))).collect();
        (entries, rare)
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

fn write_chunks(
    out: &mut Vec<u8>,
    entries: &[Entry],
    norms: &[f64],
    own: usize,
    form: Form<'_>,
    files: &mut Files<'_, '_>,
) -> Result<(), Error> {
    let count = entries.len().div_ceil(form.layout.chunk_postings.max(1));
    let size = entries.len().div_ceil(count).next_multiple_of(BLOCK);
    let chunks: Vec<&[Entry]> = entries.chunks(size).collect();
    put_varint(out, chunks.len() as u64);
    let (mut next, mut sent) = (0, BTreeSet::new());
    for chunk in chunks {
        let last = chunk[chunk.len() - 1].0;
        let mut run = write_run(chunk, next, own, form.code);
        let mut hash = files.send(&run)?;
        // A list names each file once. What stands behind a run is not read.
        while !sent.insert(hash) {
            run.push(sent.len() as u8);
            hash = files.send(&run)?;
        }
        put_varint(out, chunk.len() as u64);
        put_varint(out, u64::from(last - next));
        put_varint(out, u64::from(best_of(chunk.iter().map(|&(_, shape)| shape), norms)));
        out.extend(hash);
        next = last + 1;
    }
    Ok(())
}
