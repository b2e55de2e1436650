//! Rows of activations as a tile reads them: four at a time (or one), as 8-bit codes with a scale per 32 features.

/// Rows of a full panel.
pub(crate) const PANEL: usize = 4;

/// Values per block and row beside the codes: the scale, then the sums of the values (scale × code)
/// of the whole block, of its first and of its second half. A minimum is multiplied with such a sum.
pub(crate) const SIDES: usize = 4;

/// Which widths of codes are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Widths {
    pub(crate) narrow: bool,
    pub(crate) wide: bool,
}

/// Some rows that a tile computes together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel<'a> {
    pub(crate) first_row: usize,
    /// Rows that exist; a panel of four may be filled up with zeros.
    pub(crate) rows: usize,
    /// One, or [`PANEL`].
    pub(crate) tall: usize,
    pub(crate) narrow: &'a [i8],
    #[allow(dead_code, reason = "only vector kernels read it, which not every target has")]
    pub(crate) wide: &'a [i16],
    pub(crate) sides: &'a [f32],
}
