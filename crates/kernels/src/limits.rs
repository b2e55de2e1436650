//! What the machine can do at most: the products of a tile from the first-level cache, and the
//! bytes that come from memory. Benchmarks state their shares of these.

use crate::kind::Kind;
use crate::layout::{BLOCK, LANES, Layout};
use crate::matmul::MOST_ABREAST;
use crate::panel::{PANEL, Panel, SIDES};
use crate::simd;

/// Multiplications in one call of [`products`].
pub(crate) const PRODUCTS: usize = CALLS * BLOCKS * BLOCK * LANES * PANEL;

const CALLS: usize = 64;
const BLOCKS: usize = 18;

/// [`PRODUCTS`] multiplications and additions by the `Q4_0` tile, of data that stay in the
/// first-level cache.
pub(crate) fn products(seed: u32) -> f32 {
    let Some(layout) = Layout::of(Kind::Q4_0) else { return 0.0 };
    let group = vec![(seed & 0x33) as u8; BLOCKS * layout.block_bytes()];
    let (narrow, wide) = ([1_i8; BLOCKS * BLOCK * PANEL], [1_i16; BLOCKS * BLOCK * PANEL]);
    let sides = [1.0_f32; BLOCKS * SIDES * PANEL];
    let panel = Panel { first_row: 0, rows: PANEL, tall: PANEL, narrow: &narrow, wide: &wide, sides: &sides };
    (0..CALLS).map(|_| simd::tile(layout, std::hint::black_box(&group), &panel)[0][0]).sum()
}

/// Reads every value once, in as many stretches side by side as the kernels read at most, since a machine fetches several
/// streams ahead of time faster than one; the result only keeps the reading from being left out.
pub(crate) fn read(values: &[f32]) -> u32 {
    let mut lanes = [0_u32; 32];
    let blocks = values.as_chunks::<32>().0;
    let stretch = blocks.len().div_ceil(MOST_ABREAST);
    for at in 0..stretch {
        for stream in 0..MOST_ABREAST {
            let Some(values) = blocks.get(stream * stretch + at) else { break };
            for (lane, value) in lanes.iter_mut().zip(values) {
                *lane ^= value.to_bits();
            }
        }
    }
    lanes.into_iter().fold(0, |a, b| a ^ b)
}
