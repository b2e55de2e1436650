//! A postings list: the pages that hold a term, each with its [shape](crate::postings::profile)'s number.
//!
//! ```text
//! run     := rice:byte (gap shape)*                  a bit stream, low bits first
//! gap     := the page's number less the one before, less one, as a Rice code of `rice` bits
//! shape   := the number of a common shape as a Huffman code, or the code of COMMON_SHAPES and then a number among the
//!            list's own shapes, of as many bits as the last of them needs
//! ```
//!
//! How many postings a run has, and the page at which it begins, its owner says. In memory a run is plain numbers,
//! with the last page and the best shape of each block of 128 for skipping.

use crate::error::Error;
use crate::format::bits::{BitReader, BitWriter, rice_bits, width};
use crate::format::huffman::{Decoder, Encoder};
use crate::postings::profile::{COMMON_SHAPES, Shape};
use crate::query::bm25::Bm25;

/// One posting: page number and shape number.
pub(crate) type Entry = (u32, u32);

/// Postings that are skipped together.
pub(crate) const BLOCK: usize = 128;

/// Writes `entries`, whose first page is at least `base`, as a run. `own` is how many shapes the list has of its own.
pub(crate) fn write_run(entries: &[Entry], base: u32, own: usize, shapes: &Encoder) -> Vec<u8> {
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
    for (gap, &(_, shape)) in gaps.iter().zip(entries) {
        writer.put_rice(*gap, k);
        let shape = shape as usize;
        shapes.put(&mut writer, shape.min(COMMON_SHAPES));
        if shape >= COMMON_SHAPES {
            writer.put((shape - COMMON_SHAPES) as u32, own_bits);
        }
    }
    writer.finish()
}

fn own_bits(own: usize) -> u32 {
    width(own.saturating_sub(1) as u32)
}

/// The number of the best-scoring shape of `shapes`.
pub(crate) fn best_of(shapes: impl Iterator<Item = u32>, norms: &[f64]) -> u32 {
    let norm = |shape: u32| norms.get(shape as usize).copied().unwrap_or(0.0);
    shapes.max_by(|&a, &b| norm(a).total_cmp(&norm(b))).unwrap_or(0)
}

/// A run in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    /// The pages, rising.
    pub(crate) pages: Vec<u32>,
    /// The number of each page's shape.
    pub(crate) shapes: Vec<u16>,
    /// The last page and the best shape of each block.
    pub(crate) blocks: Vec<(u32, u16)>,
}

/// What a run's numbers are read by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'i> {
    /// How many pages there are.
    pub(crate) pages: u32,
    /// How many packs there are.
    pub(crate) packs: u32,
    /// How many shapes the list has of its own.
    pub(crate) own: usize,
    /// The code of the shapes.
    pub(crate) code: &'i Decoder,
    /// The scores by which the best shape of a block is chosen: of the common shapes, then of the list's own.
    pub(crate) norms: &'i [f64],
    /// The common shapes, and the length of every page where the shapes leave it out.
    pub(crate) common: &'i [Shape],
    pub(crate) lengths: &'i [u32],
    /// The ranking that these scores are of, and the mean length of pages.
    pub(crate) ranking: (&'i Bm25, f64),
}

impl Reading<'_> {
    /// The scores of the common shapes and of `own` ones behind them.
    pub(crate) fn norms_with(&self, own: &[Shape]) -> Vec<f64> {
        let mut norms = self.norms.to_vec();
        norms.resize(COMMON_SHAPES, 0.0);
        norms.extend(own.iter().map(|shape| shape.norm(self.ranking.0, self.ranking.1)));
        norms
    }
}

const PART: &str = "postings";

impl Run {
    /// The same run with whole shapes, where shapes leave the length out, and these shapes: numbered as the list's own.
    pub(crate) fn with_lengths(mut self, own: Vec<Shape>, reading: Reading<'_>) -> (Run, Vec<Shape>) {
        if reading.lengths.is_empty() {
            return (self, own);
        }
        let mut whole: Vec<Shape> = Vec::new();
        for (&page, number) in self.pages.iter().zip(&mut self.shapes) {
            let place = usize::from(*number);
            let bare = reading.common.get(place).or_else(|| own.get(place.checked_sub(COMMON_SHAPES)?));
            let length = reading.lengths.get(page as usize).copied().unwrap_or(0);
            let shape = Shape { length, ..bare.copied().unwrap_or_default() };
            let known = whole.iter().position(|known| *known == shape).unwrap_or_else(|| {
                whole.push(shape);
                whole.len() - 1
            });
            *number = u16::try_from(COMMON_SHAPES + known).unwrap_or(u16::MAX);
        }
        self.note_blocks(&reading.norms_with(&whole));
        (self, whole)
    }

    /// A run of one posting.
    pub(crate) fn single((page, shape): Entry) -> Run {
        Run { pages: vec![page], shapes: vec![shape as u16], blocks: vec![(page, shape as u16)] }
    }

    /// Reads `count` postings that begin at page `base`.
    pub(crate) fn read(bytes: &[u8], count: usize, base: u32, reading: Reading<'_>) -> Result<Run, Error> {
        // A posting takes two bits at least.
        if count / 4 > bytes.len() {
            return Err(Error::corrupt(PART, "a list is longer than its bytes"));
        }
        let mut reader = BitReader::new(bytes);
        let k = reader.get(8).filter(|&k| k < 32).ok_or_else(|| Error::corrupt(PART, "its code is unknown"))?;
        let own_bits = own_bits(reading.own);
        let (mut pages, mut shapes) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut next = base;
        for _ in 0..count {
            let gap = reader.get_rice(k).ok_or_else(ended)?;
            let mut shape = reading.code.get(&mut reader).ok_or_else(ended)?;
            if shape as usize == COMMON_SHAPES {
                shape += reader.get(own_bits).ok_or_else(ended)?;
            }
            let page = next.checked_add(gap).filter(|&page| page < reading.pages);
            pages.push(page.ok_or_else(|| Error::corrupt(PART, "a page number is too large"))?);
            shapes.push(u16::try_from(shape).unwrap_or(u16::MAX));
            next = pages[pages.len() - 1] + 1;
        }
        let mut run = Run { pages, shapes, blocks: Vec::new() };
        run.note_blocks(reading.norms);
        Ok(run)
    }

    /// Notes the last page and the best shape of each block.
    fn note_blocks(&mut self, norms: &[f64]) {
        let blocks = self.pages.chunks(BLOCK).zip(self.shapes.chunks(BLOCK)).map(|(pages, shapes)| {
            (pages[pages.len() - 1], best_of(shapes.iter().map(|&shape| u32::from(shape)), norms) as u16)
        });
        self.blocks = blocks.collect();
    }

    /// The number of a page's shape, where the page is in the run.
    pub(crate) fn find(&self, page: u32) -> Option<u32> {
        self.pages.binary_search(&page).ok().map(|at| u32::from(self.shapes[at]))
    }

    /// All postings.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.pages.iter().copied().zip(self.shapes.iter().map(|&shape| u32::from(shape)))
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
        lengths(&(0..=COMMON_SHAPES as u64).map(|shape| 1000 / (shape + 1) + 1).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn runs_come_back(gaps in prop::collection::vec((0u32..5000, 0u32..300), 1..600), base in 0u32..1000) {
            let mut next = base;
            let entries: Vec<Entry> = gaps.iter().map(|&(gap, shape)| { next += gap + 1; (next - 1, shape) }).collect();
            let norms: Vec<f64> = (0..300).map(f64::from).collect();
            let own = 300 - COMMON_SHAPES;
            let bytes = write_run(&entries, base, own, &Encoder::new(&code()));
            let decoder = Decoder::new(&code()).unwrap();
            let reading = Reading { pages: next, packs: 0, own, code: &decoder, norms: &norms, common: &[], lengths: &[], ranking: (&Bm25::default(), 9.0) };
            let run = Run::read(&bytes, entries.len(), base, reading).unwrap();
            prop_assert_eq!(run.entries().collect::<Vec<_>>(), &entries[..]);
            for (block, chunk) in run.blocks.iter().zip(entries.chunks(BLOCK)) {
                prop_assert_eq!(u32::from(block.1), chunk.iter().map(|e| e.1).max().unwrap());
                prop_assert_eq!(block.0, chunk[chunk.len() - 1].0);
            }
            prop_assert_eq!(run.find(entries[0].0), Some(entries[0].1));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), count in 0usize..400) {
            let decoder = Decoder::new(&code()).unwrap();
            let _ = Run::read(&bytes, count, 0, Reading { pages: 1000, packs: 0, own: 9, code: &decoder, norms: &[], common: &[], lengths: &[], ranking: (&Bm25::default(), 9.0) });
        }
    }
}
