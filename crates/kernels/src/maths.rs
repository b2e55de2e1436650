//! Elementwise mathematics and a product of floats, in plain arithmetic: the same bits on every target, and simple enough
//! that compilers make vector instructions of it.

/// 1.5 × 2^23: added and taken away again, it rounds a small float to the nearest integer, ties to
/// even; while added, the sum's low bits are that integer.
pub(crate) const ROUNDER: f32 = 12_582_912.0;

/// The nearest integer to `value`, ties to even, for magnitudes up to 2^22.
#[inline(always)]
pub(crate) fn nearest(value: f32) -> i32 {
    (value + ROUNDER).to_bits().wrapping_sub(ROUNDER.to_bits()).cast_signed()
}

/// e^x to a relative error below 2e-7, for x clamped to -87…88.
///
/// x = n ln 2 + r with |r| ≤ ½ ln 2, e^r by the polynomial of Cephes' `expf`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER;
    let n = rounded - ROUNDER;
    let r = (x - n * 0.693_359_4) + n * 2.121_944_4e-4;
    let mut p = 1.987_569_2e-4_f32;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        p = p * r + coefficient;
    }
    let p = p * r * r + r + 1.0;
    // The low bits of `rounded` are n: they become the exponent.
    p * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23)
}

/// SiLU of the gate times the other projection, in place of the gate: `g ← g / (1 + e^-g) × u`.
pub(crate) fn silu_multiply(gate: &mut [f32], up: &[f32]) {
    let (gates, gate_rest) = gate.as_chunks_mut::<8>();
    let (ups, up_rest) = up.as_chunks::<8>();
    for (gate, up) in gates.iter_mut().zip(ups) {
        for (gate, up) in gate.iter_mut().zip(up) {
            *gate = *gate / (1.0 + exp(-*gate)) * up;
        }
    }
    for (gate, up) in gate_rest.iter_mut().zip(up_rest) {
        *gate = *gate / (1.0 + exp(-*gate)) * up;
    }
}

/// RMSNorm (Zhang and Sennrich 2019) of one row: `out = x / sqrt(mean(x²) + eps) × weight`.
pub(crate) fn rms_norm(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    let factor = rms_factor(x, eps);
    for ((out, x), weight) in out.iter_mut().zip(x).zip(weight) {
        *out = x * factor * weight;
    }
}

/// The same over a row in place.
pub(crate) fn rms_norm_in_place(x: &mut [f32], weight: &[f32], eps: f32) {
    let factor = rms_factor(x, eps);
    for (x, weight) in x.iter_mut().zip(weight) {
        *x = *x * factor * weight;
    }
}

fn rms_factor(x: &[f32], eps: f32) -> f32 {
    // Eight running sums: an order of additions that vector registers can follow.
    let mut sums = [0.0_f32; 8];
    let (chunks, rest) = x.as_chunks::<8>();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x * x;
        }
    }
    let total: f32 = sums.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>();
    1.0 / (total / x.len() as f32 + eps).sqrt()
}

/// Adds to four rows and eight columns of `c[4, n]` the product of `a[4, k]` and `b[k, n]`.
pub(crate) fn four_by_eight(a: &[f32], k: usize, b: &[f32], n: usize, column: usize, c: &mut [f32]) {
    let mut sums = [[0.0_f32; 8]; 4];
    for (index, b) in b.chunks_exact(n).take(k).enumerate() {
        let Some(b) = b[column..].first_chunk::<8>() else { return };
        for (row, sums) in sums.iter_mut().enumerate() {
            let a = a[row * k + index];
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        for (c, sum) in c[row * n + column..].iter_mut().zip(sums) {
            *c += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{exp, nearest, rms_norm, silu_multiply};

    #[test]
    fn exponentials_are_close_everywhere() {
        for step in -8600..8800 {
            let x = step as f32 / 100.0;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 2e-7, "exp({x}) is off by {error}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1e30) < 2e-38);
        assert!(exp(1e30).is_finite());
    }

    #[test]
    fn rounding_goes_to_even() {
        let check = |value: f32, expected: i32| assert_eq!(nearest(value), expected, "{value}");
        check(0.5, 0);
        check(1.5, 2);
        check(-2.5, -2);
        check(-126.6, -127);
        check(127.0, 127);
    }

    #[test]
    fn norm_and_gate() {
        let mut out = [0.0; 2];
        rms_norm(&[3.0, 4.0], &[1.0, 2.0], 0.0, &mut out);
        assert!((out[0] - 0.848_528).abs() < 1e-6 && (out[1] - 2.262_742).abs() < 1e-6, "{out:?}");
        let mut gate = [0.0, 1.0, -100.0];
        silu_multiply(&mut gate, &[5.0, 2.0, 1.0]);
        assert!(gate[0] == 0.0 && (gate[1] - 1.462_117).abs() < 1e-6 && gate[2].abs() < 1e-30, "{gate:?}");
    }
}
