//! Activations as the integer kernels want them: 8-bit codes with a scale per 32 features, in
//! panels of four rows (or one) that a tile reads from end to end.

use crate::error::{Error, Result, resize};
use crate::layout::{BLOCK, Layout, STEPS};
use crate::maths::nearest;
use crate::path::Path;
use crate::simd;

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

impl Widths {
    /// The widths that the tiles of `layout` read.
    pub(crate) fn of(path: Path, layout: Layout) -> Self {
        match path {
            Path::Scalar => Self { narrow: true, wide: false },
            Path::Vector => simd::widths(layout),
        }
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

/// A block, quantised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coded {
    /// Codes of -127…127.
    pub(crate) narrow: [i8; BLOCK],
    /// The same.
    pub(crate) wide: [i16; BLOCK],
    /// See [`SIDES`].
    pub(crate) sides: [f32; SIDES],
    /// Whether all values are; where not, the rest means nothing.
    pub(crate) finite: bool,
}

/// The scale of a block whose largest magnitude this is, and its inverse; both 0 where the inverse would be infinite.
pub(crate) fn scale_of(largest: f32) -> [f32; 2] {
    if largest > 127.0 * f32::MIN_POSITIVE {
        let scale = largest / 127.0;
        [scale, 1.0 / scale]
    } else {
        [0.0; 2]
    }
}

/// The [`SIDES`] of a block from its scale and its halves' sums of codes.
pub(crate) fn sides_of(scale: f32, first: i32, second: i32) -> [f32; SIDES] {
    [scale, scale * (first + second) as f32, scale * first as f32, scale * second as f32]
}

/// Quantises a block, in plain arithmetic: the scale is the largest magnitude / 127.
pub(crate) fn quantise_block(values: &[f32; BLOCK]) -> Coded {
    let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let [scale, inverse] = scale_of(largest);
    let codes = values.map(|value| nearest(value * inverse) as i16);
    let sum = |codes: &[i16]| codes.iter().map(|code| i32::from(*code)).sum::<i32>();
    Coded {
        narrow: codes.map(|code| code as i8),
        wide: codes,
        sides: sides_of(scale, sum(&codes[..BLOCK / 2]), sum(&codes[BLOCK / 2..])),
        finite: values.iter().all(|value| value.is_finite()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Activations, Coded, Widths, quantise_block};
    use crate::error::{Error, Result};
    use crate::path::Path;
    use crate::simd;

    #[test]
    fn a_block_is_scaled_to_its_largest() {
        let mut values = [0.0; 32];
        (values[0], values[5], values[20]) = (-2.54, 0.02, 1.27);
        let Coded { wide: codes, sides: [scale, sum, first, second], .. } = quantise_block(&values);
        assert_eq!((codes[0], codes[5], codes[20]), (-127, 1, 64));
        assert!((scale - 0.02).abs() < 1e-7);
        assert_eq!((sum, first, second), (scale * -62.0, scale * -126.0, scale * 64.0));
        assert_eq!(quantise_block(&[0.0; 32]), nothing());
        assert_eq!(quantise_block(&[1e-42; 32]), nothing());
        assert_eq!(quantise_block(&[f32::MAX; 32]).narrow, [127; 32]);
    }

    fn nothing() -> Coded {
        Coded { narrow: [0; 32], wide: [0; 32], sides: [0.0; 4], finite: true }
    }

    #[test]
    fn vectors_quantise_to_the_same_bits() {
        if !simd::available() {
            return seealso_test_support::skip("this processor lacks the vector instructions");
        }
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        for round in 0..20_000 {
            // From subnormal numbers to the largest, with ties between two codes among them.
            let unit = 10.0_f32.powi(round % 84 - 45);
            let values: [f32; 32] = std::array::from_fn(|_| match round % 3 {
                0 => random() * unit,
                1 => (random() * 255.0).round() / 2.0,
                _ => random().powi(9) * unit,
            });
            let (plain, vector) = (quantise_block(&values), simd::quantise_block(&values));
            assert_eq!(vector, plain, "{values:?}");
            assert_eq!(vector.sides.map(f32::to_bits), plain.sides.map(f32::to_bits), "{values:?}");
        }
        assert_eq!(simd::quantise_block(&[f32::MAX; 32]), quantise_block(&[f32::MAX; 32]));
        assert_eq!(simd::quantise_block(&[1e-42; 32]), nothing());
    }

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
