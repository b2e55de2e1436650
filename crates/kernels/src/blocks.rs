//! Reads the quantised blocks of a file: 32 values at a time, as codes, scales and a minimum.
//!
//! A value is `scale[half] × code + minimum`; where a block's scales are per 32, both halves have
//! the same one. The byte layouts are those of ggml (`dequantize_row_*` in `ggml-quants.c`).

use crate::half::f16_to_f32;
use crate::kind::Kind;

/// Thirty-two values of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    /// Unsigned codes; of `Q8_0` the two's complement of signed ones.
    pub(crate) codes: [u8; 32],
    /// The scales of the first and the second sixteen values.
    pub(crate) scale: [f32; 2],
    /// What is added; zero where the kind is symmetric, whose codes are about [`Kind::centre`].
    pub(crate) minimum: f32,
}

impl Kind {
    /// The code that stands for zero in symmetric kinds of unsigned codes.
    pub(crate) const fn centre(self) -> u8 {
        match self {
            Self::Q4_0 => 8,
            Self::Q5_0 => 16,
            Self::Q6K => 32,
            _ => 0,
        }
    }
}

/// The `index`-th 32 values of a row of a quantised kind.
///
/// `row` holds whole blocks of `kind`, at least as far as that index.
pub(crate) fn unpack(kind: Kind, row: &[u8], index: usize) -> Block {
    let parts = kind.block_len() / 32;
    let start = index / parts.max(1) * kind.block_bytes();
    let block = &row[start..start + kind.block_bytes()];
    let part = index % parts.max(1);
    match kind {
        Kind::Q4_0 => nibbles(half(block, 0), 0.0, &block[2..], 0),
        Kind::Q4_1 => nibbles(half(block, 0), half(block, 2), &block[4..], 0),
        Kind::Q5_0 => nibbles(half(block, 0), 0.0, &block[6..], word(block, 2)),
        Kind::Q5_1 => nibbles(half(block, 0), half(block, 2), &block[8..], word(block, 4)),
        Kind::Q8_0 => Block { codes: bytes32(&block[2..]), scale: [half(block, 0); 2], minimum: 0.0 },
        Kind::Q4K => super_nibbles(block, &block[16..144], None, part),
        Kind::Q5K => super_nibbles(block, &block[48..176], Some(&block[16..48]), part),
        Kind::Q6K => six_bits(block, part),
        Kind::F32 | Kind::F16 | Kind::BF16 => Block { codes: [0; 32], scale: [0.0; 2], minimum: 0.0 },
    }
}

fn half(bytes: &[u8], at: usize) -> f32 {
    f16_to_f32(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn bytes32(bytes: &[u8]) -> [u8; 32] {
    let mut codes = [0; 32];
    codes.copy_from_slice(&bytes[..32]);
    codes
}

/// Low nibbles are the first sixteen values, high nibbles the others; bit `i` of `fifth` is the
/// fifth bit of value `i`.
fn nibbles(scale: f32, minimum: f32, packed: &[u8], fifth: u32) -> Block {
    let mut codes = [0; 32];
    for (i, byte) in packed[..16].iter().enumerate() {
        codes[i] = byte & 15 | ((fifth >> i & 1) << 4) as u8;
        codes[i + 16] = byte >> 4 | ((fifth >> (i + 16) & 1) << 4) as u8;
    }
    Block { codes, scale: [scale; 2], minimum }
}

/// Part `part` of eight of a `Q4K` or `Q5K` block: two parts share 32 bytes, the even one in their
/// low nibbles, and bit `part` of `fifth[i]` is the fifth bit of value `i`.
fn super_nibbles(block: &[u8], packed: &[u8], fifth: Option<&[u8]>, part: usize) -> Block {
    let packed = &packed[part / 2 * 32..][..32];
    let mut codes = [0; 32];
    for (i, byte) in packed.iter().enumerate() {
        let nibble = if part.is_multiple_of(2) { byte & 15 } else { byte >> 4 };
        codes[i] = nibble | fifth.map_or(0, |bits| (bits[i] >> part & 1) << 4);
    }
    let (scale, minimum) = six_bit_pair(&block[4..16], part);
    Block { codes, scale: [half(block, 0) * f32::from(scale); 2], minimum: -(half(block, 2) * f32::from(minimum)) }
}

/// The 6-bit scale and minimum of part `part`, of twelve bytes (`get_scale_min_k4`).
fn six_bit_pair(bytes: &[u8], part: usize) -> (u8, u8) {
    if part < 4 {
        return (bytes[part] & 63, bytes[part + 4] & 63);
    }
    let low = bytes[part + 4];
    (low & 15 | bytes[part - 4] >> 6 << 4, low >> 4 | bytes[part] >> 6 << 4)
}

/// Part `part` of eight of a `Q6K` block.
fn six_bits(block: &[u8], part: usize) -> Block {
    // Each half of the block has 64 bytes of nibbles and 32 bytes of upper bits for four parts.
    let (side, quarter) = (part / 4, part % 4);
    let low = &block[side * 64 + quarter % 2 * 32..][..32];
    let high = &block[128 + side * 32..][..32];
    let mut codes = [0; 32];
    for (i, code) in codes.iter_mut().enumerate() {
        let nibble = if quarter < 2 { low[i] & 15 } else { low[i] >> 4 };
        *code = nibble | (high[i] >> (2 * quarter) & 3) << 4;
    }
    let scales = &block[192 + side * 8 + quarter * 2..][..2];
    let all = half(block, 208);
    Block { codes, scale: [all * f32::from(scales[0] as i8), all * f32::from(scales[1] as i8)], minimum: 0.0 }
}
