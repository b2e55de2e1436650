//! Stands in for the vector kernels on targets that have none: the plain ones.

use crate::activations::{Panel, Widths};
use crate::layout::Layout;
use crate::tile::{Sums, scalar};

/// What the plain tile reads.
pub(crate) fn widths(_layout: Layout) -> Widths {
    Widths { narrow: true, wide: false }
}

/// The plain tile.
pub(crate) fn tile(layout: Layout, group: &[u8], panel: &Panel<'_>) -> Sums {
    scalar(layout, group, panel)
}

/// The plain product.
pub(crate) fn four_by_eight(a: &[f32], k: usize, b: &[f32], n: usize, column: usize, c: &mut [f32]) {
    crate::attention::four_by_eight(a, k, b, n, column, c);
}
