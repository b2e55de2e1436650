//! The writer of term shards: the dictionary, divided into ranges of keys, each with the postings lists of its keys.

use super::files::{FileNo, Files};
use super::layout::Layout;
use super::list_writer::{Encoding, NewList, Norms};
use super::names::Names;
use super::postings_writer::PostingsWriter;
use super::profiles::Numbering;
use crate::analysis::Analysis;
use crate::error::Error;
use crate::field::{FIELDS, Field};
use crate::format::bytes::put_varint;
use crate::format::huffman::Encoder;
use crate::postings::list::more_class;

/// What the shards are made from.
pub(super) struct Input<'w, 's, 'k> {
    pub(super) layout: &'w Layout,
    /// Each analysis with the number of its pages, and their tokens by field.
    pub(super) tokens: &'w [(Analysis, u32, [u64; FIELDS])],
    pub(super) numbering: &'w Numbering,
    pub(super) postings: PostingsWriter,
    /// How many packs there are.
    pub(super) packs: usize,
    pub(super) names: Names,
    pub(super) files: &'w mut Files<'s, 'k>,
    /// Called now and then with the number of terms that are written, and the number of all terms.
    pub(super) on_progress: &'w mut dyn FnMut(usize, usize),
}

/// Progress is reported each time that so many more terms are written.
const TERMS_BETWEEN_REPORTS: usize = 10_000;

/// Writes the shards; returns each one's first key and file.
pub(super) fn write(input: Input<'_, '_, '_>) -> Result<Vec<(Vec<u8>, FileNo)>, Error> {
    let Input { layout, tokens, numbering, postings, packs, names, files, on_progress } = input;
    let encoding = Encoding { layout, numbers: &numbering.numbers, code: &Encoder::new(&numbering.code) };
    let mut names = names.by_term(&postings);
    let norms = NormsByAnalysis::new(layout, tokens, numbering);
    let (terms, mut postings) = postings.sorted();
    let mut shards = Vec::new();
    let mut shard = Shard::default();
    let total = terms.len();
    for (done, (key, term)) in terms.into_iter().enumerate() {
        if done % TERMS_BETWEEN_REPORTS == 0 {
            on_progress(done, total);
        }
        let entries = postings.of(term)?;
        let packs = postings.packs(term, packs);
        let names = names.remove(&term).unwrap_or_default();
        if entries.is_empty() && names.is_empty() && packs.is_empty() {
            continue;
        }
        if shard.size() >= layout.term_bytes {
            shards.push(std::mem::take(&mut shard).finish(files)?);
        }
        // A term without postings finds no page, so how many pages hold it does not matter.
        let more = if entries.is_empty() { 0 } else { postings.more(&key, entries.len()) };
        let more = more_class(more);
        let list = NewList { key: &key, more, packs, postings: entries, names, norms: norms.of(key[0]) };
        shard.add(list, encoding, files)?;
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

/// The scores of profiles, by the tag of an analysis.
struct NormsByAnalysis(Vec<(u8, Norms)>);

impl NormsByAnalysis {
    fn new(layout: &Layout, tokens: &[(Analysis, u32, [u64; FIELDS])], numbering: &Numbering) -> Self {
        let of = |(analysis, pages, tokens): &(Analysis, u32, [u64; FIELDS])| {
            let length: u64 =
                tokens.iter().enumerate().filter(|(at, _)| *at != Field::Body as usize).map(|(_, n)| n).sum();
            let average = length as f64 / f64::from((*pages).max(1));
            let common = numbering.common.iter().map(|profile| profile.norm(&layout.ranking, average)).collect();
            (analysis.tag(), Norms { ranking: layout.ranking, average, common })
        };
        NormsByAnalysis(tokens.iter().map(of).collect())
    }

    fn of(&self, tag: u8) -> Option<&Norms> {
        self.0.iter().find(|(known, _)| *known == tag).map(|(_, norms)| norms)
    }
}

/// The shard that lists are added to.
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

    fn add(&mut self, list: NewList<'_>, encoding: Encoding<'_>, files: &mut Files<'_, '_>) -> Result<(), Error> {
        let value = match list.as_single(encoding.numbers) {
            Some(value) => value,
            None => {
                let offset = self.lists.len() as u64;
                list.write(&mut self.lists, encoding, files)?;
                offset << 1
            }
        };
        self.dictionary.insert(list.key, value).map_err(|error| Error::unwritable(error.to_string()))?;
        if self.keys == 0 {
            self.first = list.key.to_vec();
        }
        self.last = list.key.to_vec();
        self.keys += 1;
        Ok(())
    }

    /// Writes the shard; returns its first and last key, and its file.
    fn finish(self, files: &mut Files<'_, '_>) -> Result<(Vec<u8>, Vec<u8>, FileNo), Error> {
        let dictionary = self.dictionary.into_inner().map_err(|error| Error::unwritable(error.to_string()))?;
        let mut raw = Vec::with_capacity(dictionary.len() + self.lists.len() + 5);
        put_varint(&mut raw, dictionary.len() as u64);
        raw.extend(dictionary);
        raw.extend(self.lists);
        Ok((self.first, self.last, files.add(raw)?))
    }
}
