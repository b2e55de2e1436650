//! Half floats and bfloats to and from 32-bit floats, in plain arithmetic that every target has.

/// 2^112: the distance between the exponents' biases of binary32 and binary16 (127 − 15).
pub(crate) const REBIAS: f32 = f32::from_bits((112 + 127) << 23);

/// What queries and weights are multiplied with where they meet half floats whose exponents' bias was
/// not put right (2^112 too small): not all of it, so that neither side leaves its range.
pub(crate) const LIFT: f32 = f32::from_bits((100 + 127) << 23);

/// What then is missing of 2^112.
#[allow(dead_code, reason = "only vector kernels read it, which not every target has")]
pub(crate) const SINK: f32 = f32::from_bits((12 + 127) << 23);

const _: () = assert!(LIFT / REBIAS * SINK == 1.0, "both and the bias cancel");

/// The value of an IEEE binary16. Infinities and NaNs become large finite values (65536 and above),
/// since no tensor of a sound file holds any.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    // Sign to bit 31, exponent and fraction to where binary32 has them, then the bias.
    let wide = (i32::from(bits as i16) << 13) as u32 & 0x8fff_ffff;
    f32::from_bits(wide) * REBIAS
}

/// The nearest IEEE binary16, ties to even; what is too large becomes the largest finite one, and
/// NaN becomes zero.
#[inline(always)]
pub(crate) fn f32_to_f16(value: f32) -> u16 {
    let sign = ((value.to_bits() >> 16) & 0x8000) as u16;
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return 0;
    }
    if magnitude >= 65504.0 {
        return sign | 0x7bff;
    }
    if magnitude < f32::from_bits((127 - 14) << 23) {
        // Below 2^-14 the steps are of 2^-24.
        return sign | (magnitude * 16_777_216.0).round_ties_even() as u16;
    }
    let bits = magnitude.to_bits();
    let odd = (bits >> 13) & 1;
    sign | ((bits - (112 << 23) + 0xfff + odd) >> 13) as u16
}

/// The value of a bfloat16.
#[inline(always)]
pub(crate) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[cfg(test)]
mod tests {
    use super::{bf16_to_f32, f16_to_f32, f32_to_f16};

    #[test]
    fn known_halves() {
        let check = |bits: u16, value: f32| {
            assert_eq!(f16_to_f32(bits), value, "{bits:#x}");
            assert_eq!(f32_to_f16(value), bits, "{value}");
        };
        check(0x0000, 0.0);
        check(0x3c00, 1.0);
        check(0xc000, -2.0);
        check(0x3555, 0.333_251_95);
        check(0x7bff, 65504.0);
        check(0x0001, 5.960_464_5e-8);
        check(0x03ff, 6.097_555e-5);
        check(0x0400, 6.103_515_6e-5);
    }

    #[test]
    fn every_finite_half_survives() {
        for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00) {
            assert_eq!(f32_to_f16(f16_to_f32(bits)), bits);
        }
    }

    #[test]
    fn rounding_and_limits() {
        assert_eq!(f32_to_f16(1.0 + 1.0 / 2048.0), 0x3c00, "ties go to even");
        assert_eq!(f32_to_f16(1.0 + 3.0 / 2048.0), 0x3c02, "ties go to even");
        assert_eq!(f32_to_f16(2047.9), 0x6800, "a carry reaches the exponent");
        assert_eq!(f32_to_f16(1e9), 0x7bff);
        assert_eq!(f32_to_f16(f32::NEG_INFINITY), 0xfbff);
        assert_eq!(f32_to_f16(f32::NAN), 0);
        assert_eq!(bf16_to_f32(0xbf80), -1.0);
    }
}
