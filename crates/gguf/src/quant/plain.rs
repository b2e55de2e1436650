//! Numbers that stand each for itself: F32, F16, BF16.

pub(super) fn f32_value(bytes: &[u8], out: &mut [f32]) {
    out[0] = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
}

pub(super) fn f16_value(bytes: &[u8], out: &mut [f32]) {
    out[0] = half(bytes, 0);
}

pub(super) fn bf16_value(bytes: &[u8], out: &mut [f32]) {
    out[0] = f32::from_bits(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])) << 16);
}

/// The half-precision number at byte `at`.
pub(super) fn half(bytes: &[u8], at: usize) -> f32 {
    f16_to_f32(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

/// A half-precision number (IEEE 754 binary16) as a single-precision one; exact.
pub fn f16_to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    match exponent {
        // Zero and the subnormals: units of 2^-24.
        0 => f32::from_bits(sign | (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// The half-precision number nearest to `value`, ties to even; too large ones become infinite.
pub fn f32_to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // From 2^-14 on, both have the same fraction but for 13 bits; below it, units of 2^-24 are counted.
    let (whole, rest, half) = if magnitude >= 0x3880_0000 {
        ((magnitude >> 13) - (112 << 10), magnitude & 0x1fff, 0x1000)
    } else {
        let shift = (126 - (magnitude >> 23)).min(31);
        let fraction = magnitude & 0x007f_ffff | 0x0080_0000;
        (fraction >> shift, fraction & ((1 << shift) - 1), 1 << (shift - 1))
    };
    let up = rest > half || rest == half && whole & 1 == 1;
    // A carry out of the fraction goes into the exponent, which is right.
    sign | (whole + u32::from(up)).min(0x7c00) as u16
}
