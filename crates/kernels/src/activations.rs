//! Activations as the integer kernels want them: 8-bit codes with a scale per 32 features, in
//! panels of four rows (or one) that a tile reads from end to end.

use crate::error::{Error, Result, resize};
use crate::layout::{BLOCK, Layout, STEPS};
use crate::panel::{PANEL, Panel, SIDES, Widths};
use crate::path::Path;
use crate::quantise::quantise_block;
use crate::simd;

/// The widths of codes that the tiles of `layout` read.
pub(crate) fn widths(path: Path, layout: Layout) -> Widths {
    match path {
        Path::Scalar => Widths { narrow: true, wide: false },
        Path::Vector => simd::widths(layout),
    }
}

/// Quantised rows. The buffers stay from call to call.
#[derive(Default)]
pub(crate) struct Activations {
    pub(crate) rows: usize,
    pub(crate) width: usize,
    /// `[panel][block][step][row][4]`
    narrow: Vec<i8>,
    /// The same codes, as the kernels without a product of bytes want them.
    wide: Vec<i16>,
    /// `[panel][block][SIDES][row]`
    sides: Vec<f32>,
}

impl Activations {
    /// Quantises `x`, `[rows, width]`, where `width` is a multiple of 32.
    ///
    /// # Errors
    /// Where memory is short, or `x` holds what is no finite number: a broken weight made it, and what an integer
    /// would make of it is noise that looks like an answer.
    pub(crate) fn quantise(&mut self, path: Path, x: &[f32], rows: usize, width: usize, widths: Widths) -> Result<()> {
        (self.rows, self.width) = (rows, width);
        let padded = padded(rows);
        resize(&mut self.narrow, if widths.narrow { padded * width } else { 0 })?;
        resize(&mut self.wide, if widths.wide { padded * width } else { 0 })?;
        resize(&mut self.sides, padded * width / BLOCK * SIDES)?;
        let mut finite = true;
        for row in 0..padded {
            let first = row / PANEL * PANEL;
            let tall = if padded - first == 1 { 1 } else { PANEL };
            let values = x.get(row * width..(row + 1) * width).unwrap_or_default();
            finite &= self.put_row(path, values, first, row - first, tall);
        }
        if finite { Ok(()) } else { Err(Error::NotFinite { what: "activations" }) }
    }

    /// Quantises a row; gives whether all its values are finite.
    fn put_row(&mut self, path: Path, values: &[f32], first: usize, lane: usize, tall: usize) -> bool {
        let mut finite = true;
        let blocks = self.width / BLOCK;
        let sides = &mut self.sides[first * blocks * SIDES..];
        for block in 0..blocks {
            let values =
                values.get(block * BLOCK..).and_then(|values| values.first_chunk::<BLOCK>()).unwrap_or(&[0.0; BLOCK]);
            let coded = match path {
                Path::Scalar => quantise_block(values),
                Path::Vector => simd::quantise_block(values),
            };
            finite &= coded.finite;
            for (kind, value) in coded.sides.into_iter().enumerate() {
                sides[(block * SIDES + kind) * tall + lane] = value;
            }
            let start = first * self.width + (block * STEPS * tall + lane) * 4;
            put_codes(&coded.narrow, &mut self.narrow, start, tall);
            put_codes(&coded.wide, &mut self.wide, start, tall);
        }
        finite
    }

    /// The panels in order.
    pub(crate) fn panels(&self) -> impl Iterator<Item = Panel<'_>> + Clone {
        let padded = padded(self.rows);
        (0..padded).step_by(PANEL).map(move |first_row| {
            let tall = if padded - first_row == 1 { 1 } else { PANEL };
            let codes = first_row * self.width..(first_row + tall) * self.width;
            let per_row = self.width / BLOCK * SIDES;
            Panel {
                first_row,
                rows: tall.min(self.rows - first_row),
                tall,
                narrow: self.narrow.get(codes.clone()).unwrap_or_default(),
                wide: self.wide.get(codes).unwrap_or_default(),
                sides: &self.sides[first_row * per_row..(first_row + tall) * per_row],
            }
        })
    }
}

/// Rows with those that fill up the last panel: a single one stays alone.
fn padded(rows: usize) -> usize {
    if rows % PANEL == 1 { rows } else { rows.next_multiple_of(PANEL) }
}

/// Puts a block's codes of one row at `start`, every four of them `tall` rows apart; nowhere where these are not wanted.
fn put_codes<T: Copy>(codes: &[T; BLOCK], out: &mut [T], start: usize, tall: usize) {
    if out.is_empty() {
        return;
    }
    if tall == 1 {
        out[start..][..BLOCK].copy_from_slice(codes);
        return;
    }
    for (step, codes) in codes.as_chunks::<4>().0.iter().enumerate() {
        out[start + step * tall * 4..][..4].copy_from_slice(codes);
    }
}

#[cfg(test)]
mod tests {
    use super::{Activations, Widths};
    use crate::error::{Error, Result};
    use crate::path::Path;
    use crate::simd;

    #[test]
    fn what_is_not_finite_is_refused() {
        let check = |value: f32, expected: Result<()>| {
            for at in [0, 70, 95, 3 * 64 - 1] {
                let mut x = vec![1.0; 3 * 64];
                x[at] = value;
                let widths = Widths { narrow: true, wide: true };
                for path in paths() {
                    let got = Activations::default().quantise(path, &x, 3, 64, widths);
                    assert_eq!(got, expected, "{value} at {at}, {path:?}");
                }
            }
        };
        let refused = Err(Error::NotFinite { what: "activations" });
        check(1e30, Ok(()));
        check(f32::NAN, refused.clone());
        check(f32::INFINITY, refused.clone());
        check(f32::NEG_INFINITY, refused);
    }

    fn paths() -> impl Iterator<Item = Path> {
        [Path::Scalar, Path::Vector].into_iter().filter(|path| *path == Path::Scalar || simd::available())
    }

    #[test]
    fn panels_cover_all_rows() {
        let check = |rows: usize, expected: &[(usize, usize, usize)]| {
            let mut activations = Activations::default();
            let widths = Widths { narrow: true, wide: false };
            activations.quantise(Path::Scalar, &vec![1.0; rows * 32], rows, 32, widths).expect("there is memory");
            let got: Vec<_> = activations.panels().map(|p| (p.first_row, p.rows, p.tall)).collect();
            assert_eq!(got, expected, "{rows} rows");
        };
        check(1, &[(0, 1, 1)]);
        check(2, &[(0, 2, 4)]);
        check(5, &[(0, 4, 4), (4, 1, 1)]);
        check(7, &[(0, 4, 4), (4, 3, 4)]);
    }
}
