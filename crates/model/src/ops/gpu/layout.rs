//! How a weight lies in a GPU's buffer: still quantised, in aligned words, each part of a block with its like.
//!
//! Every kind is brought to blocks of 32 elements of a row. A buffer has up to four sections, each beginning at a
//! multiple of 16 bytes, and each ordered by block, the blocks row by row:
//!
//! - *codes*: 16 bytes of 4-bit codes (byte i: element i in its lower half, element i + 16 in its upper), 32 of 8-bit
//!   codes, 64 of half floats, 128 of floats;
//! - *high*: of 5-bit codes one word: the fifth bits of elements 4 · k + i and 16 + 4 · k + i at bits 8 · i + k and
//!   8 · i + k + 4; of 6-bit codes two words, for 16 elements each: element 4 · k + i's upper bits at 8 · i + 2 · k;
//! - *scales*: of each block a half float (Q4_0, Q5_0, Q8_0), two (Q4_1, Q5_1: scale, minimum), or two bytes (Q4_K and
//!   Q5_K: the group's scale and minimum; Q6_K: two groups' scales);
//! - *supers*: of each eight blocks two half floats (Q4_K, Q5_K: scale, minimum) or one (Q6_K).
//!
//! A row of floats whose length is no multiple of 32 is filled up with zeros.

use std::ops::Range;

use seealso_gguf::Kind;

use crate::ops::WeightShape;

/// Elements of a block.
pub(super) const BLOCK: usize = 32;

/// Blocks that are written at once; a multiple of 16, so that every section is written in whole words.
const SLAB: usize = 1 << 14;

/// Bytes of a section that some number of blocks take: of codes, high bits, scales; and of eight blocks' supers.
struct Sizes {
    codes: usize,
    high: usize,
    scales: usize,
    supers: usize,
}

fn sizes(kind: Kind) -> Sizes {
    let (codes, high, scales, supers) = match kind {
        Kind::F32 => (128, 0, 0, 0),
        Kind::F16 | Kind::BF16 => (64, 0, 0, 0),
        Kind::Q4_0 => (16, 0, 2, 0),
        Kind::Q4_1 => (16, 0, 4, 0),
        Kind::Q5_0 => (16, 4, 2, 0),
        Kind::Q5_1 => (16, 4, 4, 0),
        Kind::Q8_0 => (32, 0, 2, 0),
        Kind::Q4_K => (16, 0, 2, 4),
        Kind::Q5_K => (16, 4, 2, 4),
        Kind::Q6_K => (16, 8, 2, 2),
    };
    Sizes { codes, high, scales, supers }
}

/// Where a weight's sections are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Blocks of a row.
    pub(super) row_blocks: usize,
    /// The byte at which each section begins: codes, high bits, scales, supers; and the end.
    pub(super) sections: [usize; 5],
}

impl Layout {
    pub(super) fn of(shape: WeightShape) -> Self {
        let row_blocks = shape.columns.div_ceil(BLOCK);
        let blocks = row_blocks * shape.rows;
        let sizes = sizes(shape.kind);
        let each =
            [blocks * sizes.codes, blocks * sizes.high, blocks * sizes.scales, blocks.div_ceil(8) * sizes.supers];
        let mut sections = [0; 5];
        for (index, bytes) in each.into_iter().enumerate() {
            sections[index + 1] = sections[index] + bytes.next_multiple_of(16);
        }
        Self { row_blocks, sections }
    }

    /// The buffer's bytes.
    pub(super) fn bytes(&self) -> usize {
        self.sections[4]
    }

    /// What a shader must know: where high bits, scales and supers begin, in words, and the blocks of a row.
    pub(super) fn words(&self) -> [u32; 4] {
        let word = |section: usize| (self.sections[section] / 4) as u32;
        [word(1), word(2), word(3), self.row_blocks as u32]
    }
}

/// Brings a weight's bytes from the file's order to the buffer's, piece by piece.
pub(super) struct Repacker {
    shape: WeightShape,
    layout: Layout,
    /// Bytes taken of the file.
    taken: u64,
    /// A part of a file's block, or of a row of floats.
    rest: Vec<u8>,
    /// What is ready of each section.
    ready: [Vec<u8>; 4],
    /// Blocks that are ready, and blocks that were handed out before.
    blocks: usize,
    written: usize,
}

impl Repacker {
    pub(super) fn new(shape: WeightShape) -> Self {
        let (rest, ready) = Default::default();
        Self { shape, layout: Layout::of(shape), taken: 0, rest, ready, blocks: 0, written: 0 }
    }

    pub(super) fn shape(&self) -> WeightShape {
        self.shape
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// The file's bytes that are repacked together.
    fn unit(&self) -> usize {
        match self.shape.kind.block_elements() {
            1 => self.shape.columns * self.shape.kind.block_bytes(),
            _ => self.shape.kind.block_bytes(),
        }
    }

    /// The file's bytes of the whole weight.
    fn expected(&self) -> u64 {
        let blocks = self.shape.columns / self.shape.kind.block_elements() * self.shape.rows;
        blocks as u64 * self.shape.kind.block_bytes() as u64
    }

    /// Bytes that are still to come.
    pub(super) fn missing(&self) -> u64 {
        self.expected() - self.taken
    }

    /// Takes bytes, at most those that are missing; `write` gets bytes of the buffer with their place in it.
    pub(super) fn take(&mut self, mut bytes: &[u8], write: &mut dyn FnMut(Range<usize>, Vec<u8>)) {
        self.taken += bytes.len() as u64;
        let unit = self.unit();
        if !self.rest.is_empty() {
            let missing = (unit - self.rest.len()).min(bytes.len());
            self.rest.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.rest.len() == unit {
                let whole = std::mem::take(&mut self.rest);
                self.repack(&whole);
            }
        }
        let units = bytes.chunks_exact(unit);
        let rest = units.remainder();
        for block in units {
            self.repack(block);
            if self.blocks >= SLAB {
                self.flush(self.blocks / 16 * 16, write);
            }
        }
        self.rest.extend_from_slice(rest);
    }

    /// Ends the weight: what is left is written.
    pub(super) fn end(&mut self, write: &mut dyn FnMut(Range<usize>, Vec<u8>)) -> Result<(), String> {
        if self.missing() != 0 {
            return Err(format!("{} bytes, and the weight has {}", self.taken, self.expected()));
        }
        self.flush(self.blocks, write);
        Ok(())
    }

    /// Hands out the first `blocks` that are ready; a multiple of 16 or all there are.
    fn flush(&mut self, blocks: usize, write: &mut dyn FnMut(Range<usize>, Vec<u8>)) {
        let sizes = sizes(self.shape.kind);
        let per_block = [sizes.codes, sizes.high, sizes.scales];
        let all = blocks == self.blocks;
        for (section, ready) in self.ready.iter_mut().enumerate() {
            let before = match per_block.get(section) {
                Some(bytes) => bytes * self.written,
                None => sizes.supers * self.written / 8,
            };
            let count = match per_block.get(section) {
                _ if all => ready.len(),
                Some(bytes) => bytes * blocks,
                None => sizes.supers * blocks / 8,
            };
            if count == 0 {
                continue;
            }
            let later = ready.split_off(count);
            let mut now = std::mem::replace(ready, later);
            now.resize(now.len().next_multiple_of(4), 0);
            let start = self.layout.sections[section] + before;
            write(start..start + now.len(), now);
        }
        self.written += blocks;
        self.blocks -= blocks;
    }

    /// One of the file's blocks, or a row of floats.
    fn repack(&mut self, block: &[u8]) {
        let [codes, high, scales, supers] = &mut self.ready;
        match self.shape.kind {
            Kind::F32 | Kind::F16 | Kind::BF16 => {
                codes.extend_from_slice(block);
                let bytes = self.layout.row_blocks * BLOCK * self.shape.kind.block_bytes();
                codes.resize(codes.len() + bytes - block.len(), 0);
                self.blocks += self.layout.row_blocks;
                return;
            }
            Kind::Q4_0 | Kind::Q8_0 => {
                scales.extend_from_slice(&block[..2]);
                codes.extend_from_slice(&block[2..]);
            }
            Kind::Q4_1 => {
                scales.extend_from_slice(&block[..4]);
                codes.extend_from_slice(&block[4..]);
            }
            Kind::Q5_0 => {
                scales.extend_from_slice(&block[..2]);
                high.extend(fifth_bits_in_order(&block[2..6]));
                codes.extend_from_slice(&block[6..]);
            }
            Kind::Q5_1 => {
                scales.extend_from_slice(&block[..4]);
                high.extend(fifth_bits_in_order(&block[4..8]));
                codes.extend_from_slice(&block[8..]);
            }
            Kind::Q4_K => {
                four_bits(&block[16..], codes);
                group_scales(&block[4..16], scales);
                supers.extend_from_slice(&block[..4]);
            }
            Kind::Q5_K => {
                four_bits(&block[48..], codes);
                for group in 0..8 {
                    high.extend(fifth_bits(|i| block[16 + i] >> group & 1));
                }
                group_scales(&block[4..16], scales);
                supers.extend_from_slice(&block[..4]);
            }
            Kind::Q6_K => {
                six_bits(block, codes, high);
                scales.extend_from_slice(&block[192..208]);
                supers.extend_from_slice(&block[208..]);
            }
        }
        self.blocks += self.shape.kind.block_elements() / BLOCK;
    }
}

/// 16 bytes of 4-bit codes, element i below and element i + 16 above.
fn nibbles(code: impl Fn(usize) -> u8) -> [u8; 16] {
    std::array::from_fn(|i| code(i) & 15 | (code(i + 16) & 15) << 4)
}

/// The 4-bit codes of a K-block's eight groups: 32 bytes hold one group below and the next above.
fn four_bits(bytes: &[u8], codes: &mut Vec<u8>) {
    for pair in bytes.chunks_exact(32) {
        codes.extend(nibbles(|i| pair[i]));
        codes.extend(nibbles(|i| pair[i] >> 4));
    }
}

/// A block's fifth bits where a shader has them: see the module.
fn fifth_bits(bit: impl Fn(usize) -> u8) -> [u8; 4] {
    std::array::from_fn(|i| (0..8).fold(0, |byte, k| byte | bit(4 * k + i) << k))
}

/// The same, from a word with bit i for element i.
fn fifth_bits_in_order(bytes: &[u8]) -> [u8; 4] {
    fifth_bits(|i| bytes[i / 8] >> (i % 8) & 1)
}

/// The 6-bit scales and minima of a K-block's eight groups, a byte each.
fn group_scales(packed: &[u8], scales: &mut Vec<u8>) {
    for group in 0..8 {
        let (scale, minimum) = match group {
            0..4 => (packed[group] & 63, packed[group + 4] & 63),
            _ => {
                let low = packed[group + 4];
                (low & 15 | packed[group - 4] >> 6 << 4, low >> 4 | packed[group] >> 6 << 4)
            }
        };
        scales.extend([scale, minimum]);
    }
}

/// The codes of a Q6_K block: element 128 · part + 32 · quarter + l has its lower bits in byte 64 · part + 32 · (quarter
/// mod 2) + l, above for the last two quarters, and its upper bits in byte 32 · part + l at bit 2 · quarter.
fn six_bits(block: &[u8], codes: &mut Vec<u8>, high: &mut Vec<u8>) {
    let (low, upper) = (&block[..128], &block[128..192]);
    for group in 0..8 {
        let (part, quarter) = (group / 4, group % 4);
        codes.extend(nibbles(|l| low[part * 64 + quarter % 2 * 32 + l] >> (quarter / 2 * 4)));
        for half in 0..2 {
            let bits = |i: usize| upper[part * 32 + half * 16 + i] >> (quarter * 2) & 3;
            high.extend((0..4).map(|i| (0..4).fold(0, |byte, k| byte | bits(4 * k + i) << (2 * k))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A weight's buffer, of bytes that come in pieces of `size`.
    fn repacked(shape: WeightShape, bytes: &[u8], size: usize) -> Vec<u8> {
        let mut repacker = Repacker::new(shape);
        let mut out = vec![0; repacker.layout().bytes()];
        for piece in bytes.chunks(size) {
            repacker.take(piece, &mut |place, bytes| out[place].copy_from_slice(&bytes));
        }
        repacker.end(&mut |place, bytes| out[place].copy_from_slice(&bytes)).unwrap();
        out
    }

    #[test]
    fn pieces_of_any_size_give_the_same() {
        for kind in Kind::ALL {
            let columns = if kind.block_elements() == 1 { 33 } else { 256 };
            let shape = WeightShape { kind, rows: 5, columns };
            let bytes: Vec<u8> = (0..kind.bytes_of(5 * columns).unwrap()).map(|i| (i * 7 % 251) as u8).collect();
            let whole = repacked(shape, &bytes, usize::MAX);
            assert_eq!(repacked(shape, &bytes, 1), whole, "{kind}");
            assert_eq!(repacked(shape, &bytes, 100), whole, "{kind}");
        }
    }

    #[test]
    fn many_blocks_are_written_in_their_places() {
        // More than a slab, so that it is written at several times.
        let shape = WeightShape { kind: Kind::Q4_1, rows: 600, columns: 1024 };
        let bytes: Vec<u8> = (0..600 * 32 * 20_u32).map(|i| (i * 7 % 251) as u8).collect();
        let out = repacked(shape, &bytes, 100_000);
        for block in [0, 16_383, 16_384, 19_199] {
            assert_eq!(out[block * 16..][..16], bytes[block * 20 + 4..][..16]);
            assert_eq!(out[19_200 * 16 + block * 4..][..4], bytes[block * 20..][..4]);
        }
    }

    #[test]
    fn a_weight_takes_little_more_than_in_the_file() {
        for kind in Kind::ALL {
            let shape = WeightShape { kind, rows: 64, columns: 512 };
            let file = kind.bytes_of(64 * 512).unwrap();
            let bytes = Layout::of(shape).bytes();
            assert!(bytes * 100 <= file * 104, "{kind}: {bytes} of {file}");
        }
    }

    #[test]
    fn bytes_that_are_missing_are_an_error() {
        let mut repacker = Repacker::new(WeightShape { kind: Kind::Q8_0, rows: 2, columns: 32 });
        repacker.take(&[0; 67], &mut |_, _| ());
        assert!(repacker.end(&mut |_, _| ()).is_err());
    }
}
