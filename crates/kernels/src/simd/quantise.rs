//! A block of activations quantised in vectors: to the bit what the plain kernel makes of it, where all its values are
//! finite.

use super::ops::{self, V};
use crate::layout::BLOCK;
use crate::maths::ROUNDER;
use crate::quantise::{QuantisedBlock, scale_of, sides_of};

/// Vectors of four floats in a block.
const QUARTERS: usize = BLOCK / 4;

/// Quantises a block.
///
/// The machine must have the vectors ([`super::available`]).
pub(crate) fn quantise_block(values: &[f32; BLOCK]) -> QuantisedBlock {
    // SAFETY: the machine has the vectors, as the caller made sure of.
    unsafe { quantised(values) }
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn quantised(values: &[f32; BLOCK]) -> QuantisedBlock {
    let mut floats = [ops::floats(0.0); QUARTERS];
    for (floats, values) in floats.iter_mut().zip(values.as_chunks::<4>().0) {
        // SAFETY: four floats are sixteen bytes; so it is with all loads and stores here.
        *floats = unsafe { ops::load(values.as_ptr().cast()) };
    }
    let (mut largest, mut nothing) = (ops::floats(0.0), ops::floats(0.0));
    for values in floats {
        largest = ops::larger(largest, ops::and(values, ops::words(i32::MAX)));
        // Zero, but for what is not finite: that times zero is no number.
        nothing = ops::add(nothing, ops::mul(values, ops::floats(0.0)));
    }
    let largest = as_floats(largest).into_iter().fold(0.0, f32::max);
    let [scale, inverse] = scale_of(largest);
    let mut coded = QuantisedBlock {
        narrow: [0; BLOCK],
        wide: [0; BLOCK],
        sides: [0.0; 4],
        finite: as_floats(nothing).into_iter().all(|zero| zero == 0.0),
    };
    let codes = floats.map(|values| nearest(ops::mul(values, ops::floats(inverse))));
    let mut words = [ops::words(0); QUARTERS / 2];
    for (words, codes) in words.iter_mut().zip(codes.as_chunks::<2>().0) {
        *words = ops::narrow32(codes[0], codes[1]);
    }
    for (out, words) in coded.wide.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        // SAFETY: eight integers of two bytes.
        unsafe { ops::store(out.as_mut_ptr().cast(), words) };
    }
    for (out, words) in coded.narrow.as_chunks_mut::<16>().0.iter_mut().zip(words.as_chunks::<2>().0) {
        // SAFETY: sixteen bytes.
        unsafe { ops::store(out.as_mut_ptr().cast(), ops::narrow16(words[0], words[1])) };
    }
    let [first, second] = [[words[0], words[1]], [words[2], words[3]]].map(|[a, b]| sum(a, b));
    coded.sides = sides_of(scale, first, second);
    coded
}

/// [`crate::maths::nearest`] of four floats.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn nearest(values: V) -> V {
    let rounded = ops::add(values, ops::floats(ROUNDER));
    ops::add32(rounded, ops::words(-ROUNDER.to_bits().cast_signed()))
}

/// The sum of sixteen 16-bit integers.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn sum(a: V, b: V) -> i32 {
    let sums = ops::add32(ops::pair_sums16(a), ops::pair_sums16(b));
    as_floats(sums).into_iter().map(|sum| sum.to_bits().cast_signed()).sum()
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn as_floats(values: V) -> [f32; 4] {
    let mut lanes = [0.0; 4];
    // SAFETY: four floats are sixteen bytes.
    unsafe { ops::store(lanes.as_mut_ptr(), values) };
    lanes
}

const _: () = assert!(BLOCK == 32, "the kernel is written for eight vectors of floats");
