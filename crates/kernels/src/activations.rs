//! Activations as the integer kernels want them: 8-bit codes with a scale per 32 features, in
//! panels of four rows (or one) that a tile reads from end to end.

use crate::error::{Error, Result, resize};
use crate::layout::{BLOCK, STEPS};
use crate::maths::nearest;

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

impl Activations {
    /// Quantises `x`, `[rows, width]`, where `width` is a multiple of 32.
    ///
    /// # Errors
    /// Where memory is short, or `x` holds what is no finite number: a broken weight made it, and what an integer
    /// would make of it is noise that looks like an answer.
    pub(crate) fn quantise(&mut self, x: &[f32], rows: usize, width: usize, widths: Widths) -> Result<()> {
        (self.rows, self.width) = (rows, width);
        let padded = padded(rows);
        resize(&mut self.narrow, if widths.narrow { padded * width } else { 0 })?;
        resize(&mut self.wide, if widths.wide { padded * width } else { 0 })?;
        resize(&mut self.sides, padded * width / BLOCK * SIDES)?;
        let mut finite = true;
        for row in 0..padded {
            let first = row / PANEL * PANEL;
            let tall = if padded - first == 1 { 1 } else { PANEL };
            match x.get(row * width..(row + 1) * width) {
                Some(values) => finite &= self.put_row(values, first, row - first, tall),
                None => finite &= self.put_row(&[], first, row - first, tall),
            }
        }
        if finite { Ok(()) } else { Err(Error::NotFinite { what: "activations" }) }
    }

    /// Quantises a row; gives whether all its values are finite.
    fn put_row(&mut self, values: &[f32], first: usize, lane: usize, tall: usize) -> bool {
        let mut finite = true;
        let blocks = self.width / BLOCK;
        let sides = &mut self.sides[first * blocks * SIDES..];
        for block in 0..blocks {
            let values =
                values.get(block * BLOCK..).and_then(|values| values.first_chunk::<BLOCK>()).unwrap_or(&[0.0; BLOCK]);
            let (codes, side) = quantise_block(values);
            finite &= values.iter().all(|value| value.is_finite());
            for (kind, value) in side.into_iter().enumerate() {
                sides[(block * SIDES + kind) * tall + lane] = value;
            }
            let start = first * self.width + (block * STEPS * tall + lane) * 4;
            if !self.narrow.is_empty() {
                for (step, codes) in codes.as_chunks::<4>().0.iter().enumerate() {
                    let out = &mut self.narrow[start + step * tall * 4..][..4];
                    out.copy_from_slice(&codes.map(|code| code as i8));
                }
            }
            if !self.wide.is_empty() {
                for (step, codes) in codes.as_chunks::<4>().0.iter().enumerate() {
                    let out = &mut self.wide[start + step * tall * 4..][..4];
                    out.copy_from_slice(&codes.map(|code| code as i16));
                }
            }
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

/// Codes of -127…127 with the scale largest magnitude / 127, and the block's [`SIDES`]. What is no finite number counts
/// as 0.
#[inline]
fn quantise_block(values: &[f32; BLOCK]) -> ([i32; BLOCK], [f32; SIDES]) {
    let mut largest = [0.0_f32; 8];
    for values in values.as_chunks::<8>().0 {
        for (largest, value) in largest.iter_mut().zip(values) {
            let size = if value.is_finite() { value.abs() } else { 0.0 };
            *largest = if size > *largest { size } else { *largest };
        }
    }
    let largest = largest.into_iter().fold(0.0_f32, f32::max);
    // Below this the inverse would be infinite.
    let scale = if largest > 127.0 * f32::MIN_POSITIVE { largest / 127.0 } else { 0.0 };
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let codes = values.map(|value| {
        let value = if value.is_finite() { value } else { 0.0 };
        nearest((value * inverse).clamp(-127.0, 127.0))
    });
    let first: i32 = codes[..16].iter().sum();
    let second: i32 = codes[16..].iter().sum();
    (codes, [scale, scale * (first + second) as f32, scale * first as f32, scale * second as f32])
}

#[cfg(test)]
mod tests {
    use super::{Activations, Widths, quantise_block};
    use crate::error::{Error, Result};

    #[test]
    fn a_block_is_scaled_to_its_largest() {
        let mut values = [0.0; 32];
        (values[0], values[5], values[20]) = (-2.54, 0.02, 1.27);
        let (codes, [scale, sum, first, second]) = quantise_block(&values);
        assert_eq!((codes[0], codes[5], codes[20]), (-127, 1, 64));
        assert!((scale - 0.02).abs() < 1e-7);
        assert_eq!((sum, first, second), (scale * -62.0, scale * -126.0, scale * 64.0));
        assert_eq!(quantise_block(&[0.0; 32]), ([0; 32], [0.0; 4]));
        let mut hostile = [f32::NAN; 32];
        (hostile[1], hostile[2], hostile[3]) = (f32::INFINITY, f32::NEG_INFINITY, 127.0);
        let (codes, [scale, sum, ..]) = quantise_block(&hostile);
        assert_eq!((&codes[..5], scale, sum), (&[0, 0, 0, 127, 0][..], 1.0, 127.0));
        assert_eq!(quantise_block(&[1e-42; 32]), ([0; 32], [0.0; 4]));
        assert_eq!(quantise_block(&[f32::MAX; 32]).0, [127; 32]);
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let check = |value: f32, expected: Result<()>| {
            let mut x = vec![1.0; 3 * 64];
            x[70] = value;
            let widths = Widths { narrow: true, wide: true };
            assert_eq!(Activations::default().quantise(&x, 3, 64, widths), expected, "{value}");
        };
        let refused = Err(Error::NotFinite { what: "activations" });
        check(1e30, Ok(()));
        check(f32::NAN, refused.clone());
        check(f32::INFINITY, refused.clone());
        check(f32::NEG_INFINITY, refused);
    }

    #[test]
    fn panels_cover_all_rows() {
        let check = |rows: usize, expected: &[(usize, usize, usize)]| {
            let mut activations = Activations::default();
            let widths = Widths { narrow: true, wide: false };
            activations.quantise(&vec![1.0; rows * 32], rows, 32, widths).expect("there is memory");
            let got: Vec<_> = activations.panels().map(|p| (p.first_row, p.rows, p.tall)).collect();
            assert_eq!(got, expected, "{rows} rows");
        };
        check(1, &[(0, 1, 1)]);
        check(2, &[(0, 2, 4)]);
        check(5, &[(0, 4, 4), (4, 1, 1)]);
        check(7, &[(0, 4, 4), (4, 3, 4)]);
    }
}
