//! Stands in for the vector kernels on targets that have none: the plain ones.

use crate::layout::Layout;
pub(crate) use crate::maths::four_by_eight;
use crate::panel::{Panel, Widths};
pub(crate) use crate::quantise::quantise_block;
use crate::tile::{Sums, scalar};

/// What the plain tile reads.
pub(crate) fn widths(_layout: Layout) -> Widths {
    Widths { narrow: true, wide: false }
}

/// The plain tile.
pub(crate) fn tile(layout: Layout, group: &[u8], panel: &Panel<'_>) -> Sums {
    scalar(layout, group, panel)
}

/// The plain tile, group by group.
pub(crate) fn abreast<const GROUPS: usize>(
    layout: Layout,
    groups: [&[u8]; GROUPS],
    panel: &Panel<'_>,
) -> [Sums; GROUPS] {
    groups.map(|group| scalar(layout, group, panel))
}

/// The plain largest value.
pub(crate) fn largest(values: &[f32]) -> f32 {
    values.iter().fold(f32::MIN, |a, b| if *b > a { *b } else { a })
}

/// The plain product with half floats; `a` was multiplied with [`crate::half::LIFT`].
pub(crate) fn by_halves(a: &[f32], k: usize, b: &[u16], n: usize, c: &mut [f32]) {
    for (a, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)) {
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a / crate::half::LIFT * crate::half::f16_to_f32(*b);
            }
        }
    }
}
