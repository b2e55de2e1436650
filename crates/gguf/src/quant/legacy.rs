//! Blocks of 32 elements: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0.
//!
//! A byte of 4-bit codes holds element i in its lower half and element i + 16 in its upper half. The fifth bits
//! of 5-bit codes are a little-endian number of 32 bits, bit i for element i.

use super::plain::half;

/// `scale: f16, codes: 16 bytes`; value = scale · (code − 8).
pub(super) fn q4_0(bytes: &[u8], out: &mut [f32]) {
    let scale = half(bytes, 0);
    fill(&bytes[2..18], 0, out, |code| scale * (f32::from(code) - 8.0));
}

/// `scale: f16, minimum: f16, codes: 16 bytes`; value = scale · code + minimum.
pub(super) fn q4_1(bytes: &[u8], out: &mut [f32]) {
    let (scale, minimum) = (half(bytes, 0), half(bytes, 2));
    fill(&bytes[4..20], 0, out, |code| scale * f32::from(code) + minimum);
}

/// `scale: f16, fifth bits: 4 bytes, codes: 16 bytes`; value = scale · (code − 16).
pub(super) fn q5_0(bytes: &[u8], out: &mut [f32]) {
    let scale = half(bytes, 0);
    fill(&bytes[6..22], fifth_bits(bytes, 2), out, |code| scale * (f32::from(code) - 16.0));
}

/// `scale: f16, minimum: f16, fifth bits: 4 bytes, codes: 16 bytes`; value = scale · code + minimum.
pub(super) fn q5_1(bytes: &[u8], out: &mut [f32]) {
    let (scale, minimum) = (half(bytes, 0), half(bytes, 2));
    fill(&bytes[8..24], fifth_bits(bytes, 4), out, |code| scale * f32::from(code) + minimum);
}

/// `scale: f16, codes: 32 signed bytes`; value = scale · code.
pub(super) fn q8_0(bytes: &[u8], out: &mut [f32]) {
    let scale = half(bytes, 0);
    for (out, &code) in out.iter_mut().zip(&bytes[2..34]) {
        *out = scale * f32::from(code as i8);
    }
}

fn fifth_bits(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Puts the value of each of 32 codes into `out`.
fn fill(codes: &[u8], fifth: u32, out: &mut [f32], value: impl Fn(u8) -> f32) {
    for i in 0..16 {
        out[i] = value(codes[i] & 15 | ((fifth >> i & 1) as u8) << 4);
        out[i + 16] = value(codes[i] >> 4 | ((fifth >> (i + 16) & 1) as u8) << 4);
    }
}
