//! Blocks of 256 elements with scales of their groups: Q4_K, Q5_K, Q6_K.

use super::plain::half;

/// The 6-bit scale and minimum of each of 8 groups, packed into 12 bytes: the first four groups' in the lower six
/// bits of bytes 0–3 and 4–7; of the last four, the lower four bits in bytes 8–11 (scale below, minimum above) and
/// the upper two atop the first four groups'.
pub(super) fn scale_and_minimum(group: usize, packed: &[u8]) -> (u8, u8) {
    if group < 4 {
        return (packed[group] & 63, packed[group + 4] & 63);
    }
    let low = packed[group + 4];
    (low & 15 | packed[group - 4] >> 6 << 4, low >> 4 | packed[group] >> 6 << 4)
}

/// `scale: f16, minimum: f16, scales and minima: 12 bytes, codes: 128 bytes`;
/// value = scale · group's scale · code − minimum · group's minimum.
///
/// 32 bytes of codes hold two groups: one in the lower halves, the next in the upper ones.
pub(super) fn q4_k(bytes: &[u8], out: &mut [f32]) {
    let (head, codes) = bytes.split_at(16);
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (scale, minimum) = group_scale(head, group);
        for (i, out) in out.iter_mut().enumerate() {
            let code = codes[group / 2 * 32 + i] >> (group % 2 * 4) & 15;
            *out = scale * f32::from(code) - minimum;
        }
    }
}

/// As Q4_K, with `fifth bits: 32 bytes` before the codes: bit g of byte i is that of element i of group g.
pub(super) fn q5_k(bytes: &[u8], out: &mut [f32]) {
    let (head, fifth, codes) = (&bytes[..16], &bytes[16..48], &bytes[48..]);
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (scale, minimum) = group_scale(head, group);
        for (i, out) in out.iter_mut().enumerate() {
            let low = codes[group / 2 * 32 + i] >> (group % 2 * 4) & 15;
            let code = low | (fifth[i] >> group & 1) << 4;
            *out = scale * f32::from(code) - minimum;
        }
    }
}

/// `lower bits: 128 bytes, upper bits: 64 bytes, groups' scales: 16 signed bytes, scale: f16`;
/// value = scale · group's scale · (code − 32), groups of 16.
///
/// Each half of the block has 64 bytes of lower and 32 of upper bits. Of the half's element j = 32·q + l, the lower
/// four bits are in byte l + 32·(q mod 2), in its lower half for q < 2; the upper two in byte l at bit 2·q.
pub(super) fn q6_k(bytes: &[u8], out: &mut [f32]) {
    let (low, high, scales) = (&bytes[..128], &bytes[128..192], &bytes[192..208]);
    let scale = half(bytes, 208);
    for (i, out) in out.iter_mut().enumerate() {
        let (part, quarter, l) = (i / 128, i % 128 / 32, i % 32);
        let low = low[part * 64 + quarter % 2 * 32 + l] >> (quarter / 2 * 4) & 15;
        let code = low | (high[part * 32 + l] >> (quarter * 2) & 3) << 4;
        *out = scale * f32::from(scales[i / 16] as i8) * (f32::from(code) - 32.0);
    }
}

/// A group's scale and minimum, from a block's first 16 bytes.
fn group_scale(head: &[u8], group: usize) -> (f32, f32) {
    let (scale, minimum) = scale_and_minimum(group, &head[4..16]);
    (half(head, 0) * f32::from(scale), half(head, 2) * f32::from(minimum))
}
