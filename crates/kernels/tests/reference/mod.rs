//! What the operations are compared with: random tensors in every kind, and each step in plain
//! floats, written from ggml's format descriptions apart from the crate's own code.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "tests")]

use seealso_kernels::{Engine, Kind, WeightId};
pub(crate) use seealso_test_support::Random;

/// A normal half float of about `2^exponent`, of either sign.
fn random_half(random: &mut Random, exponent: i32) -> u16 {
    let bits = random.bits();
    (((exponent + 15) as u16) << 10) | (bits as u16 & 0x83ff)
}

/// Bytes of a tensor as a file has them.
pub(crate) fn random_tensor(random: &mut Random, kind: Kind, rows: usize, width: usize) -> Vec<u8> {
    let blocks = rows * width / kind.block_len();
    let mut bytes = Vec::new();
    for _ in 0..blocks {
        let start = bytes.len();
        match kind {
            Kind::F32 => bytes.extend(random.float().to_le_bytes()),
            Kind::BF16 => bytes.extend(&random.float().to_le_bytes()[2..]),
            Kind::F16 => bytes.extend(random_half(random, -2).to_le_bytes()),
            _ => {
                bytes.extend((0..kind.block_bytes()).map(|_| random.byte()));
                let halves: &[usize] = match kind {
                    Kind::Q4_1 | Kind::Q5_1 | Kind::Q4K | Kind::Q5K => &[0, 2],
                    Kind::Q6K => &[208],
                    _ => &[0],
                };
                for at in halves {
                    let half = random_half(random, -7).to_le_bytes();
                    bytes[start + at..start + at + 2].copy_from_slice(&half);
                }
            }
        }
    }
    bytes
}

fn half(bytes: &[u8], at: usize) -> f32 {
    let bits = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction / 1024.0 * 2.0_f32.powi(-14),
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The values of a tensor's bytes.
pub(crate) fn dequantise(kind: Kind, bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(kind.block_bytes()).flat_map(|block| dequantise_block(kind, block)).collect()
}

fn dequantise_block(kind: Kind, b: &[u8]) -> Vec<f32> {
    let low_high = |packed: &[u8]| -> Vec<f32> {
        packed.iter().map(|x| f32::from(x & 15)).chain(packed.iter().map(|x| f32::from(x >> 4))).collect()
    };
    let fifth = |at: usize| -> Vec<f32> { (0..32).map(|i| f32::from(b[at + i / 8] >> (i % 8) & 1) * 16.0).collect() };
    match kind {
        Kind::F32 => vec![f32::from_le_bytes([b[0], b[1], b[2], b[3]])],
        Kind::BF16 => vec![f32::from_le_bytes([0, 0, b[0], b[1]])],
        Kind::F16 => vec![half(b, 0)],
        Kind::Q4_0 => low_high(&b[2..]).iter().map(|q| half(b, 0) * (q - 8.0)).collect(),
        Kind::Q4_1 => low_high(&b[4..]).iter().map(|q| half(b, 0) * q + half(b, 2)).collect(),
        Kind::Q5_0 => low_high(&b[6..]).iter().zip(fifth(2)).map(|(q, h)| half(b, 0) * (q + h - 16.0)).collect(),
        Kind::Q5_1 => low_high(&b[8..]).iter().zip(fifth(4)).map(|(q, h)| half(b, 0) * (q + h) + half(b, 2)).collect(),
        Kind::Q8_0 => b[2..].iter().map(|q| half(b, 0) * f32::from((*q as i8).max(-127))).collect(),
        Kind::Q4K => (0..256).map(|i| super_value(b, i, f32::from(nibble(&b[16..], i)))).collect(),
        Kind::Q5K => (0..256)
            .map(|i| {
                let high = b[16 + i % 32] >> (i / 32) & 1;
                super_value(b, i, f32::from(nibble(&b[48..], i) + 16 * high))
            })
            .collect(),
        Kind::Q6K => (0..256).map(|i| six_value(b, i)).collect(),
    }
}

/// The nibble of value `i` where 64 values share 32 bytes.
fn nibble(packed: &[u8], i: usize) -> u8 {
    packed[i / 64 * 32 + i % 32] >> (4 * (i / 32 % 2)) & 15
}

fn super_value(b: &[u8], i: usize, code: f32) -> f32 {
    let (s, j) = (&b[4..16], i / 32);
    let (scale, minimum) = match j {
        0..4 => (s[j] & 63, s[j + 4] & 63),
        _ => ((s[j + 4] & 15) | ((s[j - 4] >> 6) << 4), (s[j + 4] >> 4) | ((s[j] >> 6) << 4)),
    };
    half(b, 0) * f32::from(scale) * code - half(b, 2) * f32::from(minimum)
}

fn six_value(b: &[u8], i: usize) -> f32 {
    let (side, within) = (i / 128, i % 128);
    let low = b[side * 64 + within % 64] >> (4 * (within / 64)) & 15;
    let high = b[128 + side * 32 + within % 32] >> (2 * (within / 32)) & 3;
    let scale = f32::from(b[192 + i / 16] as i8);
    half(b, 208) * scale * (f32::from(low | high << 4) - 32.0)
}

/// A weight in the engine and its values.
pub(crate) fn weight(
    engine: &mut Engine,
    random: &mut Random,
    kind: Kind,
    out: usize,
    width: usize,
) -> (WeightId, Vec<f32>) {
    let bytes = random_tensor(random, kind, out, width);
    (load(engine, kind, out, width, &bytes), dequantise(kind, &bytes))
}

/// Puts a tensor's bytes into the engine, in odd portions.
pub(crate) fn load(engine: &mut Engine, kind: Kind, out: usize, width: usize, bytes: &[u8]) -> WeightId {
    let id = engine.weight_begin(kind, out, width).unwrap();
    for (index, portion) in bytes.chunks(1009).enumerate() {
        engine.weight_rows(id, index as u64 * 1009, portion).unwrap();
    }
    engine.weight_end(id).unwrap();
    id
}

/// `x[rows, width] × wᵀ` in 64-bit floats.
pub(crate) fn linear(w: &[f32], x: &[f32], width: usize) -> Vec<f32> {
    let row = |x: &[f32], w: &[f32]| x.iter().zip(w).map(|(x, w)| f64::from(*x) * f64::from(*w)).sum::<f64>() as f32;
    x.chunks(width).flat_map(|x| w.chunks(width).map(move |w| row(x, w))).collect()
}

/// How far each of those products may be off: half a step of the activations' codes (their block's
/// largest magnitude / 254) for every weight, and a 2^-10 part of each term for rounded scales.
pub(crate) fn linear_bound(w: &[f32], x: &[f32], width: usize) -> Vec<f32> {
    let row = |x: &[f32], w: &[f32]| -> f32 {
        let blocks = x.chunks(32).zip(w.chunks(32)).map(|(x, w)| {
            let largest = x.iter().fold(0.0_f32, |a, x| a.max(x.abs()));
            let weights: f32 = w.iter().map(|w| w.abs()).sum();
            let most = w.iter().fold(0.0_f32, |a, w| a.max(w.abs()));
            weights * largest / 254.0 * 1.01 + 32.0 * most * largest / 512.0
        });
        blocks.sum::<f32>() + 1e-5
    };
    x.chunks(width).flat_map(|x| w.chunks(width).map(move |w| row(x, w))).collect()
}

pub(crate) fn rms_norm(x: &[f32], weight: &[f32], eps: f32) -> Vec<f32> {
    let one = |x: &[f32]| -> Vec<f32> {
        let mean = x.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>() / x.len() as f64;
        let factor = 1.0 / (mean + f64::from(eps)).sqrt();
        x.iter().zip(weight).map(|(x, w)| (f64::from(*x) * factor) as f32 * w).collect()
    };
    x.chunks(weight.len()).flat_map(one).collect()
}

/// Turns a head at a position.
pub(crate) fn rope(head: &mut [f32], position: usize, dims: usize, base: f32, interleaved: bool) {
    for pair in 0..dims / 2 {
        let (a, b) = if interleaved { (2 * pair, 2 * pair + 1) } else { (pair, pair + dims / 2) };
        let angle = position as f64 * f64::from(base).powf(-2.0 * pair as f64 / dims as f64);
        let (x, y) = (f64::from(head[a]), f64::from(head[b]));
        head[a] = (x * angle.cos() - y * angle.sin()) as f32;
        head[b] = (x * angle.sin() + y * angle.cos()) as f32;
    }
}

/// Attention of `q[rows, heads × dim]` at `first` and after, over `k` and `v` `[positions, kv_heads × dim]`.
pub(crate) fn attend(
    q: &[f32],
    k: &[f32],
    v: &[f32],
    heads: usize,
    kv_heads: usize,
    dim: usize,
    first: usize,
) -> Vec<f32> {
    let mut out = vec![0.0; q.len()];
    for (index, (q, out)) in q.chunks(dim).zip(out.chunks_mut(dim)).enumerate() {
        let (row, head) = (index / heads, index % heads);
        let at = |position: usize| position * kv_heads * dim + head / (heads / kv_heads) * dim;
        let score = |p: usize| {
            q.iter().zip(&k[at(p)..]).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum::<f64>() / (dim as f64).sqrt()
        };
        let scores: Vec<f64> = (0..=first + row).map(score).collect();
        let largest = scores.iter().copied().fold(f64::MIN, f64::max);
        let total: f64 = scores.iter().map(|s| (s - largest).exp()).sum();
        for (i, out) in out.iter_mut().enumerate() {
            let sum =
                scores.iter().enumerate().map(|(p, s)| (s - largest).exp() * f64::from(v[at(p) + i])).sum::<f64>();
            *out = (sum / total) as f32;
        }
    }
    out
}

/// Fails where a value is off by more than its bound.
pub(crate) fn assert_close(what: &str, got: &[f32], expected: &[f32], bound: impl Fn(usize) -> f32) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        let error = (got - expected).abs();
        assert!(error <= bound(index), "{what}: value {index} is {got}, not {expected} (bound {})", bound(index));
    }
}
