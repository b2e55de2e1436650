//! Quantising: simple, good enough for tests, for which it is built. It searches for no best scale.

use super::Kind;
use super::plain::{f16_to_f32, f32_to_f16};
use crate::Error;

/// The bytes of `values`, a whole number of blocks, stored as `kind`.
///
/// # Errors
///
/// [`Error::Argument`] where `values` are no whole blocks.
pub fn quantise(kind: Kind, values: &[f32]) -> Result<Vec<u8>, Error> {
    let Some(bytes) = kind.bytes_of(values.len()) else {
        return Err(Error::argument(format!("{} elements are no whole blocks of {kind}", values.len())));
    };
    let mut out = Vec::with_capacity(bytes);
    for block in values.chunks_exact(kind.block_elements()) {
        match kind {
            Kind::F32 => out.extend(block[0].to_le_bytes()),
            Kind::F16 => out.extend(f32_to_f16(block[0]).to_le_bytes()),
            Kind::BF16 => out.extend(bf16(block[0]).to_le_bytes()),
            Kind::Q4_0 => q_0(block, 4, &mut out),
            Kind::Q4_1 => q_1(block, 4, &mut out),
            Kind::Q5_0 => q_0(block, 5, &mut out),
            Kind::Q5_1 => q_1(block, 5, &mut out),
            Kind::Q8_0 => q8_0(block, &mut out),
            Kind::Q4_K => q45_k(block, 4, &mut out),
            Kind::Q5_K => q45_k(block, 5, &mut out),
            Kind::Q6_K => q6_k(block, &mut out),
        }
    }
    Ok(out)
}

/// The upper half of the number, rounded to the nearest, ties to even.
fn bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        return (bits >> 16 | 64) as u16;
    }
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// Writes `value` in half precision, and returns what a reader will make of it.
fn half(value: f32, out: &mut Vec<u8>) -> f32 {
    let bits = f32_to_f16(value);
    out.extend(bits.to_le_bytes());
    f16_to_f32(bits)
}

/// `value / scale` as a code between 0 and `most`.
fn code(value: f32, scale: f32, most: u8) -> u8 {
    if scale == 0.0 { 0 } else { (value / scale).round().clamp(0.0, f32::from(most)) as u8 }
}

fn largest(values: &[f32]) -> f32 {
    values.iter().copied().fold(0.0, |a: f32, b| if b.abs() > a.abs() { b } else { a })
}

fn bounds(values: &[f32]) -> (f32, f32) {
    values.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| (low.min(v), high.max(v)))
}

/// Q4_0 and Q5_0: the largest value gets the lowest code.
fn q_0(block: &[f32], bits: u8, out: &mut Vec<u8>) {
    let middle = f32::from(1u8 << (bits - 1));
    let scale = half(largest(block) / -middle, out);
    let shifted: Vec<f32> = block.iter().map(|&v| v + middle * scale).collect();
    codes_32(&shifted, scale, bits, out);
}

/// Q4_1 and Q5_1: from the least value to the greatest.
fn q_1(block: &[f32], bits: u8, out: &mut Vec<u8>) {
    let (low, high) = bounds(block);
    let scale = half((high - low) / f32::from((1u8 << bits) - 1), out);
    let minimum = half(low, out);
    let shifted: Vec<f32> = block.iter().map(|&v| v - minimum).collect();
    codes_32(&shifted, scale, bits, out);
}

/// The codes of 32 values: the fifth bits where there are five, then the lower four.
fn codes_32(values: &[f32], scale: f32, bits: u8, out: &mut Vec<u8>) {
    let codes: Vec<u8> = values.iter().map(|&v| code(v, scale, (1 << bits) - 1)).collect();
    if bits == 5 {
        let fifth = (0..32).fold(0u32, |all, i| all | u32::from(codes[i] >> 4) << i);
        out.extend(fifth.to_le_bytes());
    }
    out.extend((0..16).map(|i| codes[i] & 15 | (codes[i + 16] & 15) << 4));
}

fn q8_0(block: &[f32], out: &mut Vec<u8>) {
    let scale = half(largest(block).abs() / 127.0, out);
    let signed = |v: f32| if scale == 0.0 { 0 } else { (v / scale).round().clamp(-127.0, 127.0) as i8 };
    out.extend(block.iter().map(|&v| signed(v).to_le_bytes()[0]));
}

fn q45_k(block: &[f32], bits: u8, out: &mut Vec<u8>) {
    let most = (1u8 << bits) - 1;
    // A group's minimum is subtracted, so it is that of values below zero.
    let of_group = |group: &[f32]| {
        let (low, high) = bounds(group);
        let low = low.min(0.0);
        ((high - low).max(0.0) / f32::from(most), -low)
    };
    let wanted: Vec<(f32, f32)> = block.chunks_exact(32).map(of_group).collect();
    let greatest = |of: fn(&(f32, f32)) -> f32| wanted.iter().map(of).fold(0.0, f32::max);
    let scale = half(greatest(|group| group.0) / 63.0, out);
    let minimum = half(greatest(|group| group.1) / 63.0, out);
    let packed: Vec<(u8, u8)> = wanted.iter().map(|&(s, m)| (code(s, scale, 63), code(m, minimum, 63))).collect();
    out.extend(pack_scales(&packed));
    let codes: Vec<u8> = (0..256)
        .map(|i| {
            let (s, m) = packed[i / 32];
            code(block[i] + minimum * f32::from(m), scale * f32::from(s), most)
        })
        .collect();
    if bits == 5 {
        out.extend((0..32).map(|i| (0..8).fold(0, |all, group| all | (codes[group * 32 + i] >> 4) << group)));
    }
    for pair in codes.chunks_exact(64) {
        out.extend((0..32).map(|i| pair[i] & 15 | (pair[i + 32] & 15) << 4));
    }
}

/// The inverse of `scale_and_minimum`.
fn pack_scales(groups: &[(u8, u8)]) -> [u8; 12] {
    let mut packed = [0; 12];
    for i in 0..4 {
        let (scale, minimum) = groups[i];
        let (later_scale, later_minimum) = groups[i + 4];
        packed[i] = scale | later_scale >> 4 << 6;
        packed[i + 4] = minimum | later_minimum >> 4 << 6;
        packed[i + 8] = later_scale & 15 | later_minimum << 4;
    }
    packed
}

fn q6_k(block: &[f32], out: &mut Vec<u8>) {
    let wanted: Vec<f32> = block.chunks_exact(16).map(|group| largest(group) / -32.0).collect();
    let mut tail = Vec::new();
    let scale = half(largest(&wanted) / -128.0, &mut tail);
    let signed = |v: f32| if scale == 0.0 { 0 } else { (v / scale).round().clamp(-128.0, 127.0) as i8 };
    let scales: Vec<i8> = wanted.iter().map(|&v| signed(v)).collect();
    let codes: Vec<u8> = (0..256)
        .map(|i| {
            let step = scale * f32::from(scales[i / 16]);
            code(block[i] + 32.0 * step, step, 63)
        })
        .collect();
    for part in codes.chunks_exact(128) {
        out.extend((0..64).map(|i| part[i] & 15 | (part[i + 64] & 15) << 4));
    }
    for part in codes.chunks_exact(128) {
        let upper = |i: usize, quarter: usize| part[quarter * 32 + i] >> 4 << (quarter * 2);
        out.extend((0..32).map(|i| upper(i, 0) | upper(i, 1) | upper(i, 2) | upper(i, 3)));
    }
    out.extend(scales.iter().map(|scale| scale.to_le_bytes()[0]));
    out.extend(tail);
}
