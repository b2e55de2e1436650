//! How weights lie in memory: groups of four output rows, interleaved so that a vector register's
//! four lanes are four rows and no sum ever goes across lanes.
//!
//! A group is a run of blocks, one for each 32 input features. A block holds, little-endian:
//!
//! ```text
//! Four   scale: 4 × f16, [minimum: 4 × f16], 4 × 16 bytes of nibbles
//! Five   scale: 4 × f16, [minimum: 4 × f16], 16 bytes of fifth bits, 4 × 16 bytes of nibbles
//! Six    scale: 2 halves × 4 × f16, 2 × 16 bytes of upper bit pairs, 4 × 16 bytes of nibbles
//! Eight  scale: 4 × f16, 8 × 16 bytes of signed codes
//! ```
//!
//! A *step* is four input features of four rows: byte `4 r + i` of a step's sixteen belongs to row
//! `r` and feature `4 step + i`. The `q`-th sixteen bytes of nibbles hold step `2 q` in their low
//! and step `2 q + 1` in their high halves. Bit `step` of a byte of fifth bits is that byte's code's
//! fifth bit; bits `2 (step mod 4)` and the next of the `step / 4`-th upper pairs are bits 4 and 5.

use crate::blocks::Block;
use crate::half::{f16_to_f32, f32_to_f16};
use crate::kind::Kind;

/// Output rows per group: the lanes of a vector.
pub(crate) const LANES: usize = 4;

/// Input features per block.
pub(crate) const BLOCK: usize = 32;

/// Steps per block.
pub(crate) const STEPS: usize = 8;

/// What a group's blocks look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Four,
    Five,
    Six,
    Eight,
}

/// The layout of a quantised weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) packing: Packing,
    /// Whether minima are stored; where not, the minimum is `-centre × scale`.
    pub(crate) affine: bool,
    pub(crate) centre: u8,
    /// What stored scales and minima are multiplied with to give the true ones. The products of
    /// the super-block kinds are stored larger, away from the half floats' subnormal range.
    pub(crate) unit: f32,
}

impl Layout {
    /// The layout for a quantised kind; none for the kinds of floats.
    pub(crate) const fn of(kind: Kind) -> Option<Self> {
        let (packing, affine, unit) = match kind {
            Kind::Q4_0 => (Packing::Four, false, 1.0),
            Kind::Q4_1 => (Packing::Four, true, 1.0),
            Kind::Q5_0 => (Packing::Five, false, 1.0),
            Kind::Q5_1 => (Packing::Five, true, 1.0),
            Kind::Q8_0 => (Packing::Eight, false, 1.0),
            Kind::Q4K => (Packing::Four, true, 1.0 / 256.0),
            Kind::Q5K => (Packing::Five, true, 1.0 / 256.0),
            Kind::Q6K => (Packing::Six, false, 1.0 / 256.0),
            Kind::F32 | Kind::F16 | Kind::BF16 => return None,
        };
        Some(Self { packing, affine, centre: kind.centre(), unit })
    }

    /// Bytes of scales and minima at a block's start.
    pub(crate) const fn head_bytes(self) -> usize {
        if self.affine || matches!(self.packing, Packing::Six) { 16 } else { 8 }
    }

    /// Where the nibbles, or the signed codes, begin.
    pub(crate) const fn codes_at(self) -> usize {
        self.head_bytes()
            + match self.packing {
                Packing::Four | Packing::Eight => 0,
                Packing::Five => 16,
                Packing::Six => 32,
            }
    }

    /// Bytes of a block.
    pub(crate) const fn block_bytes(self) -> usize {
        self.codes_at() + if matches!(self.packing, Packing::Eight) { 128 } else { 64 }
    }

    /// Packs the blocks of four rows at the same input features.
    pub(crate) fn pack(self, rows: &[Block; LANES], out: &mut [u8]) {
        for (lane, block) in rows.iter().enumerate() {
            self.put_half(out, lane, block.scale[0]);
            match self.packing {
                Packing::Six => self.put_half(out, LANES + lane, block.scale[1]),
                _ if self.affine => self.put_half(out, LANES + lane, block.minimum),
                _ => {}
            }
            self.put_codes(&mut out[self.codes_at()..], lane, &block.codes);
            self.put_upper_bits(&mut out[self.head_bytes()..], lane, &block.codes);
        }
    }

    fn put_half(self, out: &mut [u8], index: usize, value: f32) {
        out[2 * index..2 * index + 2].copy_from_slice(&f32_to_f16(value / self.unit).to_le_bytes());
    }

    /// A row's nibbles, or its signed codes.
    fn put_codes(self, out: &mut [u8], lane: usize, codes: &[u8; BLOCK]) {
        let steps = codes.as_chunks::<4>().0;
        if self.packing == Packing::Eight {
            for (out, step) in out.chunks_exact_mut(16).zip(steps) {
                // -128 would be the one code without a negative; no quantiser writes it.
                out[4 * lane..][..4].copy_from_slice(&step.map(|code| code.cast_signed().max(-127).cast_unsigned()));
            }
            return;
        }
        for (out, steps) in out.chunks_exact_mut(16).zip(steps.as_chunks::<2>().0) {
            for (out, (low, high)) in out[4 * lane..][..4].iter_mut().zip(steps[0].iter().zip(&steps[1])) {
                *out = low & 15 | high << 4;
            }
        }
    }

    /// A row's fifth, or fifth and sixth, bits.
    fn put_upper_bits(self, out: &mut [u8], lane: usize, codes: &[u8; BLOCK]) {
        let (width, vectors) = match self.packing {
            Packing::Four | Packing::Eight => return,
            Packing::Five => (1, 1),
            Packing::Six => (2, 2),
        };
        let steps = codes.as_chunks::<4>().0;
        for (out, steps) in out.chunks_exact_mut(16).zip(steps.chunks_exact(STEPS / vectors)) {
            let mut bits = [0; 4];
            for (index, step) in steps.iter().enumerate() {
                for (bits, code) in bits.iter_mut().zip(step) {
                    *bits |= (code >> 4) << (width * index);
                }
            }
            out[4 * lane..][..4].copy_from_slice(&bits);
        }
    }

    /// The scales (of both halves) and the minimum of row `lane`; of symmetric packings `minimum`
    /// belongs to the first half's scale, and [`Packing::Six`] has another for the second.
    pub(crate) fn head(self, block: &[u8], lane: usize) -> Head {
        let get = |index: usize| f16_to_f32(u16::from_le_bytes([block[2 * index], block[2 * index + 1]])) * self.unit;
        let first = get(lane);
        let second = if self.packing == Packing::Six { get(LANES + lane) } else { first };
        let centre = -f32::from(self.centre);
        let minimum = if self.affine { [get(LANES + lane); 2] } else { [first * centre, second * centre] };
        Head { scale: [first, second], minimum }
    }

    /// The code of row `lane` at `feature` of a block.
    #[inline]
    pub(crate) fn code(self, block: &[u8], lane: usize, feature: usize) -> i32 {
        let (step, byte) = (feature / 4, 4 * lane + feature % 4);
        let codes = self.codes_at();
        if self.packing == Packing::Eight {
            return i32::from(block[codes + 16 * step + byte] as i8);
        }
        let nibble = block[codes + 16 * (step / 2) + byte] >> (4 * (step % 2)) & 15;
        let upper = match self.packing {
            Packing::Five => block[self.head_bytes() + byte] >> step & 1,
            Packing::Six => block[self.head_bytes() + 16 * (step / 4) + byte] >> (2 * (step % 4)) & 3,
            Packing::Four | Packing::Eight => 0,
        };
        i32::from(nibble | upper << 4)
    }
}

/// What turns a row's codes of a block into values: `scale[half] × code + minimum[half]`.
pub(crate) struct Head {
    pub(crate) scale: [f32; 2],
    pub(crate) minimum: [f32; 2],
}
