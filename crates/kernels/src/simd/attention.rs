//! The product of floats that attention is made of, in vectors.

use super::ops;

/// Adds to four rows and eight columns of `c[4, n]` the product of `a[4, k]` and `b[k, n]`.
///
/// The machine must have the vectors ([`super::available`]).
pub(crate) fn four_by_eight(a: &[f32], k: usize, b: &[f32], n: usize, column: usize, c: &mut [f32]) {
    assert!(a.len() >= 4 * k && b.len() >= k * n && c.len() >= 4 * n && column + 8 <= n);
    // SAFETY: the lengths were just checked.
    unsafe { run(a.as_ptr(), k, b.as_ptr().add(column), n, c.as_mut_ptr().add(column)) }
}

#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn run(a: *const f32, k: usize, b: *const f32, n: usize, c: *mut f32) {
    // SAFETY: `four_by_eight` checked that all rows and columns are there.
    unsafe {
        let mut sums = [[ops::floats(0.0); 2]; 4];
        for (row, sums) in sums.iter_mut().enumerate() {
            *sums = [ops::load(c.add(row * n).cast()), ops::load(c.add(row * n + 4).cast())];
        }
        for index in 0..k {
            let columns = [ops::load(b.add(index * n).cast()), ops::load(b.add(index * n + 4).cast())];
            for (row, sums) in sums.iter_mut().enumerate() {
                let a = ops::splat32(a.add(row * k + index).cast());
                for (sum, column) in sums.iter_mut().zip(columns) {
                    *sum = ops::multiply_add(a, column, *sum);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            ops::store(c.add(row * n), sums[0]);
            ops::store(c.add(row * n + 4), sums[1]);
        }
    }
}
