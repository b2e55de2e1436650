//! The tile in plain arithmetic: four output rows by one or four rows of activations. The vector
//! kernels compute the same, in the same order, to the bit.

use crate::layout::{BLOCK, LANES, Layout, Packing};
use crate::panel::{Panel, SIDES};

/// Sums of a tile: `[activation row][output row]`.
pub(crate) type Sums = [[f32; LANES]; 4];

/// The products of one group of output rows with one panel.
///
/// Per block: the integer dot product, times the product of both scales; then the minimum times the
/// sum of the block's activations. With scales per 16 each half is done so.
pub(crate) fn scalar(layout: Layout, group: &[u8], panel: &Panel<'_>) -> Sums {
    let mut sums = Sums::default();
    let tall = panel.tall;
    let sides = panel.sides.chunks_exact(SIDES * tall);
    for ((block, codes), sides) in
        group.chunks_exact(layout.block_bytes()).zip(panel.narrow.chunks_exact(BLOCK * tall)).zip(sides)
    {
        for (row, sums) in sums.iter_mut().enumerate().take(tall) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let head = layout.head(block, lane);
                let dot = |features: std::ops::Range<usize>| -> f32 {
                    let product = |feature: usize| {
                        let activation = codes[(feature / 4 * tall + row) * 4 + feature % 4];
                        layout.code(block, lane, feature) * i32::from(activation)
                    };
                    features.map(product).sum::<i32>() as f32
                };
                let side = |kind: usize| sides[kind * tall + row];
                match layout.packing {
                    Packing::Six => {
                        *sum += head.scale[0] * side(0) * dot(0..16);
                        *sum += head.scale[1] * side(0) * dot(16..32);
                        *sum += head.minimum[0] * side(2);
                        *sum += head.minimum[1] * side(3);
                    }
                    Packing::Eight => *sum += head.scale[0] * side(0) * dot(0..32),
                    Packing::Four | Packing::Five => {
                        *sum += head.scale[0] * side(0) * dot(0..32);
                        *sum += head.minimum[0] * side(1);
                    }
                }
            }
        }
    }
    sums
}
