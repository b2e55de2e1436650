//! Blocks computed by hand, and every kind written and read again.

use proptest::prelude::*;

use super::write::quantise;
use super::{Kind, dequantise, f16_to_f32, f32_to_f16};

fn values(kind: Kind, bytes: &[u8]) -> Vec<f32> {
    let mut out = vec![f32::NAN; bytes.len() / kind.block_bytes() * kind.block_elements()];
    dequantise(kind, bytes, &mut out).unwrap();
    out
}

/// Checks the elements at some places of a block.
fn check(kind: Kind, bytes: &[u8], expected: &[(usize, f32)]) {
    let out = values(kind, bytes);
    for &(at, value) in expected {
        assert_eq!(out[at], value, "{kind} at {at}");
    }
}

/// `bytes`, zeros after them up to a block's length.
fn block(kind: Kind, bytes: &[u8], set: &[(usize, u8)]) -> Vec<u8> {
    let mut block = bytes.to_vec();
    block.resize(kind.block_bytes(), 0);
    set.iter().for_each(|&(at, byte)| block[at] = byte);
    block
}

#[test]
fn plain_numbers() {
    check(Kind::F32, &[0, 0, 0xc0, 0x3f, 0, 0, 0x80, 0xff], &[(0, 1.5), (1, f32::NEG_INFINITY)]);
    check(Kind::F16, &[0x00, 0x3e, 0x00, 0xc4], &[(0, 1.5), (1, -4.0)]);
    check(Kind::BF16, &[0xc0, 0x3f, 0x80, 0xc0], &[(0, 1.5), (1, -4.0)]);
}

#[test]
fn half_precision_at_its_edges() {
    let table = [
        (0x0000, 0.0),
        (0x8000, -0.0),
        (0x0001, 2.0f32.powi(-24)),
        (0x03ff, 1023.0 * 2.0f32.powi(-24)),
        (0x0400, 2.0f32.powi(-14)),
        (0x3c01, 1.0 + 2.0f32.powi(-10)),
        (0x7bff, 65504.0),
        (0x7c00, f32::INFINITY),
        (0xfc00, f32::NEG_INFINITY),
    ];
    for (bits, value) in table {
        assert_eq!(f16_to_f32(bits).to_bits(), value.to_bits(), "{bits:04x}");
        assert_eq!(f32_to_f16(value), bits, "{value}");
    }
    assert!(f16_to_f32(0x7e01).is_nan() && f16_to_f32(f32_to_f16(f32::NAN)).is_nan());
    let roundings = [
        (65519.0, 0x7bff),
        (65520.0, 0x7c00),
        (1e9, 0x7c00),
        (1.0 + 2.0f32.powi(-11), 0x3c00),
        (1.0 + 3.0 * 2.0f32.powi(-11), 0x3c02),
        (2.0f32.powi(-25), 0x0000),
        (3.0 * 2.0f32.powi(-26), 0x0001),
        (1e-30, 0x0000),
    ];
    for (value, bits) in roundings {
        assert_eq!(f32_to_f16(value), bits, "{value}");
    }
}

#[test]
fn every_half_comes_back() {
    for bits in (0..=u16::MAX).filter(|bits| bits & 0x7c00 != 0x7c00 || bits & 0x3ff == 0) {
        assert_eq!(f32_to_f16(f16_to_f32(bits)), bits);
    }
}

#[test]
fn q4_0_by_hand() {
    // Scale 2; byte 0 holds codes 3 (element 0) and 15 (element 16), byte 15 holds 0 and 8.
    let bytes = block(Kind::Q4_0, &[0x00, 0x40, 0xf3], &[(17, 0x80)]);
    check(Kind::Q4_0, &bytes, &[(0, -10.0), (16, 14.0), (15, -16.0), (31, 0.0), (1, -16.0)]);
}

#[test]
fn q4_1_by_hand() {
    // Scale 0.5, minimum −3.
    let bytes = block(Kind::Q4_1, &[0x00, 0x38, 0x00, 0xc2, 0xf3], &[(19, 0x80)]);
    check(Kind::Q4_1, &bytes, &[(0, -1.5), (16, 4.5), (15, -3.0), (31, 1.0)]);
}

#[test]
fn q5_0_by_hand() {
    // Scale 1; the fifth bits of elements 0, 16 and 31 are set.
    let bytes = block(Kind::Q5_0, &[0x00, 0x3c, 0x01, 0x00, 0x01, 0x80, 0xf3], &[(21, 0x20)]);
    check(Kind::Q5_0, &bytes, &[(0, 3.0), (16, 15.0), (15, -16.0), (31, 2.0), (1, -16.0)]);
}

#[test]
fn q5_1_by_hand() {
    // Scale 2, minimum 1.
    let bytes = block(Kind::Q5_1, &[0x00, 0x40, 0x00, 0x3c, 0x01, 0x00, 0x01, 0x80, 0xf3], &[(23, 0x20)]);
    check(Kind::Q5_1, &bytes, &[(0, 39.0), (16, 63.0), (15, 1.0), (31, 37.0)]);
}

#[test]
fn q8_0_by_hand() {
    let bytes = block(Kind::Q8_0, &[0x00, 0x38, 0x7f, 0x80], &[(33, 0xff)]);
    check(Kind::Q8_0, &bytes, &[(0, 63.5), (1, -64.0), (2, 0.0), (31, -0.5)]);
}

/// The head of a Q4_K or Q5_K block: scale 1, minimum 0.5; group 0 has scale 3 and minimum 2; group 5 has scale
/// 0b10_0101 = 37 (low bits in byte 9 of the packed ones, high in byte 1) and minimum 0b01_1010 = 26 (high in byte 5).
fn k_head() -> Vec<u8> {
    let mut head = vec![0x00, 0x3c, 0x00, 0x38];
    head.extend([3, 0b1000_0000, 0, 0, 2, 0b0100_0000, 0, 0, 0, 0b1010_0101, 0, 0]);
    head
}

#[test]
fn q4_k_by_hand() {
    // Group 0: lower halves of the first 32 bytes of codes; group 5: upper halves of the third 32.
    let bytes = block(Kind::Q4_K, &k_head(), &[(16, 0x07), (16 + 31, 0x0f), (16 + 64 + 2, 0x90)]);
    let expected = [(0, 20.0), (1, -1.0), (31, 44.0), (32, 0.0), (160, -13.0), (162, 320.0), (192, 0.0)];
    check(Kind::Q4_K, &bytes, &expected);
}

#[test]
fn q5_k_by_hand() {
    // The fifth bits of element 0 of group 0, and of element 2 of group 5.
    let codes = [(16, 0b0000_0001), (18, 0b0010_0000), (48, 0x07), (48 + 64 + 2, 0x90)];
    let bytes = block(Kind::Q5_K, &k_head(), &codes);
    check(Kind::Q5_K, &bytes, &[(0, 68.0), (1, -1.0), (162, 912.0), (160, -13.0), (192, 0.0)]);
}

#[test]
fn q6_k_by_hand() {
    // Scale 0.5. Groups 0, 3, 7 and 15 have scales 2, −4, 10 and −128.
    let scales = [(192, 2), (195, 0xfc), (199, 10), (207, 0x80), (208, 0x00), (209, 0x38)];
    // Element 5 has code 0b10_0101; 50 (quarter 1, l = 18) 0b11_1111; 127 (quarter 3, l = 31) 0b01_0011;
    // 255 (second half, quarter 3, l = 31) code 0.
    let codes = [(5, 0x05), (128 + 5, 0b10), (32 + 18, 0x0f), (128 + 18, 0b1100), (63, 0x30), (128 + 31, 0b0100_0000)];
    let bytes = block(Kind::Q6_K, &[], &[scales, codes].concat());
    let expected =
        [(5, 5.0), (0, -32.0), (50, -62.0), (48, 64.0), (127, -65.0), (112, -160.0), (255, 2048.0), (16, 0.0)];
    check(Kind::Q6_K, &bytes, &expected);
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    for kind in Kind::ALL {
        assert!(dequantise(kind, &vec![0; kind.block_bytes()], &mut [0.0; 3]).is_err(), "{kind}");
        assert!(dequantise(kind, &vec![0; kind.block_bytes() - 1], &mut vec![0.0; kind.block_elements()]).is_err());
        assert_eq!(dequantise(kind, &[], &mut []), Ok(()));
    }
    assert!(quantise(Kind::Q4_0, &[0.0; 31]).is_err());
}

#[test]
fn codes_and_names_are_unique() {
    for kind in Kind::ALL {
        assert_eq!(Kind::from_code(kind.code()), Ok(kind));
    }
    assert_eq!(Kind::from_code(10), Err("quantisation Q2_K".into()));
    assert_eq!(Kind::from_code(4_000_000_000), Err("quantisation number 4000000000".into()));
}

/// How far a value may be from what was written, as a share of the block's largest.
fn tolerance(kind: Kind) -> f32 {
    match kind {
        Kind::F32 => 0.0,
        Kind::F16 => 1e-3,
        Kind::BF16 => 5e-3,
        Kind::Q8_0 => 6e-3,
        Kind::Q6_K => 4e-2,
        Kind::Q5_0 | Kind::Q5_1 | Kind::Q5_K => 8e-2,
        Kind::Q4_0 | Kind::Q4_1 | Kind::Q4_K => 0.15,
    }
}

proptest! {
    #[test]
    fn what_is_quantised_comes_back_nearly(values in prop::collection::vec(-3.0f32..3.0, 256)) {
        for kind in Kind::ALL {
            let bytes = quantise(kind, &values).unwrap();
            prop_assert_eq!(Some(bytes.len()), kind.bytes_of(256));
            let mut out = vec![0.0; 256];
            dequantise(kind, &bytes, &mut out).unwrap();
            for (value, back) in values.iter().zip(&out) {
                prop_assert!((value - back).abs() <= 3.0 * tolerance(kind), "{kind}: {value} became {back}");
            }
        }
    }

    #[test]
    fn any_bytes_have_values(bytes in prop::collection::vec(any::<u8>(), 210)) {
        for kind in Kind::ALL {
            values(kind, &bytes[..kind.block_bytes()]);
        }
    }
}
