//! The product of floats that attention is made of, in vectors.

use super::ops;

/// Adds to four rows and eight columns of `c[4, n]` the product of `a[4, k]` and `b[k, n]`.
///
/// The machine must have the vectors ([`super::available`]).
pub(crate) fn four_by_eight(a: &[f32], k: usize, b: &[f32], n: usize, column: usize, c: &mut [f32]) {
    assert!(a.len() >= 4 * k && b.len() >= k * n && c.len() >= 4 * n && column + 8 <= n);
    let (a, b, c) = (a.as_ptr(), b.as_ptr().wrapping_add(column), c.as_mut_ptr().wrapping_add(column));
    // SAFETY: the lengths were just checked. Known strides become part of the instructions.
    unsafe {
        match (k, n) {
            (64, 32) => run::<64, 32>(a, k, b, n, c),
            (32, 64) => run::<32, 64>(a, k, b, n, c),
            (128, 32) => run::<128, 32>(a, k, b, n, c),
            (32, 128) => run::<32, 128>(a, k, b, n, c),
            _ => run::<0, 0>(a, k, b, n, c),
        }
    }
}

/// The kernel; `K` and `N` are the strides where they are known, else 0.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn run<const K: usize, const N: usize>(a: *const f32, k: usize, b: *const f32, n: usize, c: *mut f32) {
    let (k, n) = if K == 0 { (k, n) } else { (K, N) };
    // SAFETY: `four_by_eight` checked that all rows and columns are there.
    unsafe {
        let mut sums = [[ops::floats(0.0); 2]; 4];
        for (row, sums) in sums.iter_mut().enumerate() {
            *sums = [ops::load(c.add(row * n).cast()), ops::load(c.add(row * n + 4).cast())];
        }
        // Four at once: the loop's own instructions are a fifth of the work otherwise.
        for start in (0..k & !3).step_by(4) {
            for index in start..start + 4 {
                step(&mut sums, a.add(index), k, b.add(index * n));
            }
        }
        for index in k & !3..k {
            step(&mut sums, a.add(index), k, b.add(index * n));
        }
        for (row, sums) in sums.iter().enumerate() {
            ops::store(c.add(row * n), sums[0]);
            ops::store(c.add(row * n + 4), sums[1]);
        }
    }
}

/// Adds the products of one column of `a`, whose rows are `k` apart, and one row of `b`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn step(sums: &mut [[ops::V; 2]; 4], a: *const f32, k: usize, b: *const f32) {
    // SAFETY: as the caller promises.
    unsafe {
        let columns = [ops::load(b.cast()), ops::load(b.add(4).cast())];
        for (row, sums) in sums.iter_mut().enumerate() {
            let a = ops::splat32(a.add(row * k).cast());
            for (sum, column) in sums.iter_mut().zip(columns) {
                *sum = ops::multiply_add(a, column, *sum);
            }
        }
    }
}
