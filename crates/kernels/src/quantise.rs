//! A block of activations as 8-bit codes, in plain arithmetic: what the vector kernels are held to.

use crate::layout::BLOCK;
use crate::maths::nearest;
use crate::panel::SIDES;

/// A block, quantised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QuantisedBlock {
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
pub(crate) fn quantise_block(values: &[f32; BLOCK]) -> QuantisedBlock {
    let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let [scale, inverse] = scale_of(largest);
    let codes = values.map(|value| nearest(value * inverse) as i16);
    let sum = |codes: &[i16]| codes.iter().map(|code| i32::from(*code)).sum::<i32>();
    QuantisedBlock {
        narrow: codes.map(|code| code as i8),
        wide: codes,
        sides: sides_of(scale, sum(&codes[..BLOCK / 2]), sum(&codes[BLOCK / 2..])),
        finite: values.iter().all(|value| value.is_finite()),
    }
}

#[cfg(test)]
mod tests {
    use super::{QuantisedBlock, quantise_block};
    use crate::simd;

    #[test]
    fn a_block_is_scaled_to_its_largest() {
        let mut values = [0.0; 32];
        (values[0], values[5], values[20]) = (-2.54, 0.02, 1.27);
        let QuantisedBlock { wide: codes, sides: [scale, sum, first, second], .. } = quantise_block(&values);
        assert_eq!((codes[0], codes[5], codes[20]), (-127, 1, 64));
        assert!((scale - 0.02).abs() < 1e-7);
        assert_eq!((sum, first, second), (scale * -62.0, scale * -126.0, scale * 64.0));
        assert_eq!(quantise_block(&[0.0; 32]), nothing());
        assert_eq!(quantise_block(&[1e-42; 32]), nothing());
        assert_eq!(quantise_block(&[f32::MAX; 32]).narrow, [127; 32]);
    }

    fn nothing() -> QuantisedBlock {
        QuantisedBlock { narrow: [0; 32], wide: [0; 32], sides: [0.0; 4], finite: true }
    }

    #[test]
    fn vectors_quantise_to_the_same_bits() {
        if !simd::available() {
            return seealso_test_support::skip("this processor lacks the vector instructions");
        }
        let mut numbers = seealso_test_support::Random::new(1);
        let mut random = || numbers.float();
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
}
