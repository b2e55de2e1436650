//! Tiles of a product with many rows of activations: how large they are, and what they multiply.

use super::overrides;

/// What a tile multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Number {
    Float,
    /// Half floats, which take half the workgroup's memory; sums are floats all the same. For GPUs that have
    /// `shader-f16`.
    Half,
}

/// Lines of weights, and rows of activations, of a workgroup.
const LINES: usize = 32;

/// The same of a wide tile.
const WIDE_LINES: usize = 64;

/// Threads of a workgroup.
const THREADS: u32 = 64;

/// The same of a wide tile.
const WIDE_THREADS: u32 = 128;

/// Workgroups from which on wide tiles are worth it, about.
const ENOUGH: usize = 256;

/// What a workgroup computes of a product with many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Tile {
    pub(super) number: Number,
    /// See [`super::wide`].
    pub(super) is_wide: bool,
}

impl Tile {
    /// The tile of a product with so many rows, and so many lines of weights.
    pub(super) fn of(number: Number, rows: usize, lines: usize) -> Self {
        let tiles = lines.div_ceil(WIDE_LINES) * rows.div_ceil(WIDE_LINES);
        let is_wide = rows >= WIDE_LINES && tiles >= ENOUGH;
        Self { number, is_wide: overrides::forced_wide().unwrap_or(is_wide) }
    }

    /// Lines of weights, and rows of activations.
    pub(super) fn lines(self) -> usize {
        if self.is_wide { WIDE_LINES } else { LINES }
    }

    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        if self.is_wide { WIDE_THREADS } else { THREADS }
    }
}

/// A product of tiles.
pub(super) struct Tiles<'a> {
    pub(super) norm: bool,
    pub(super) tile: Tile,
    /// WGSL of a function's body: the weight block of the tile's `line`, number `b`, half `part`, as `mat4x4f`;
    /// `first` is the tile's first output.
    pub(super) weights: &'a str,
    /// Blocks of a row, an expression.
    pub(super) blocks: &'a str,
    /// Outputs of 32 lines, an expression.
    pub(super) outputs: &'a str,
    /// WGSL that does with a row's four values `y`, of lines `c`, `c + 8`, `c + 16`, `c + 24`, what must be done.
    pub(super) end: &'a str,
}

impl Tiles<'_> {
    /// The type of four numbers in a tile.
    pub(super) fn four(&self) -> &'static str {
        match self.tile.number {
            Number::Float => "vec4f",
            Number::Half => "vec4h",
        }
    }
}
