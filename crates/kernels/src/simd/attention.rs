//! The products that attention is made of, in vectors: of floats, where a tile's queries are many, and
//! straight from the cache's half floats, where they are too few to make the conversion worth its while.

use super::ops;
use crate::half::SINK;

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

/// The largest of the values, of which there is a multiple of four.
pub(crate) fn largest(values: &[f32]) -> f32 {
    // SAFETY: the machine has the vectors, as the caller made sure of.
    unsafe { largest_of(values) }
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn largest_of(values: &[f32]) -> f32 {
    let mut all = ops::floats(f32::MIN);
    let mut lanes = [0.0; 4];
    for values in values.as_chunks::<4>().0 {
        // SAFETY: a chunk is sixteen bytes.
        all = ops::larger(all, unsafe { ops::load(values.as_ptr().cast()) });
    }
    // SAFETY: so are four floats.
    unsafe { ops::store(lanes.as_mut_ptr(), all) };
    lanes.into_iter().fold(f32::MIN, |a, b| if b > a { b } else { a })
}

/// `c[rows, n] += a[rows, k] × b[k, n]`, where b is of half floats and a was multiplied with
/// [`LIFT`](crate::half::LIFT).
///
/// The machine must have the vectors ([`super::available`]).
pub(crate) fn by_halves(a: &[f32], k: usize, b: &[u16], n: usize, c: &mut [f32]) {
    assert!(n.is_multiple_of(8) && b.len() >= k * n);
    for (a, c) in a.chunks(4 * k).zip(c.chunks_mut(4 * n)) {
        let rows = a.len() / k;
        assert!(rows > 0 && c.len() >= rows * n);
        for column in (0..n).step_by(8) {
            let (b, c) = (b.as_ptr().wrapping_add(column), c.as_mut_ptr().wrapping_add(column));
            // SAFETY: the lengths were just checked. Known strides become part of the instructions.
            unsafe {
                match (k, n) {
                    (64, 32) => rows_by_halves::<64, 32>(rows, a.as_ptr(), k, b, n, c),
                    (32, 64) => rows_by_halves::<32, 64>(rows, a.as_ptr(), k, b, n, c),
                    _ => rows_by_halves::<0, 0>(rows, a.as_ptr(), k, b, n, c),
                }
            }
        }
    }
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn rows_by_halves<const K: usize, const N: usize>(
    rows: usize,
    a: *const f32,
    k: usize,
    b: *const u16,
    n: usize,
    c: *mut f32,
) {
    // SAFETY: as the caller promises.
    unsafe {
        match rows {
            1 => run_by_halves::<1, K, N>(a, k, b, n, c),
            2 => run_by_halves::<2, K, N>(a, k, b, n, c),
            3 => run_by_halves::<3, K, N>(a, k, b, n, c),
            _ => run_by_halves::<4, K, N>(a, k, b, n, c),
        }
    }
}

#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn run_by_halves<const ROWS: usize, const K: usize, const N: usize>(
    a: *const f32,
    k: usize,
    b: *const u16,
    n: usize,
    c: *mut f32,
) {
    let (k, n) = if K == 0 { (k, n) } else { (K, N) };
    let kept = ops::words(0x8fff_ffff_u32.cast_signed());
    let mut sums = [[ops::floats(0.0); 2]; ROWS];
    // SAFETY: `by_halves` checked that all rows and columns are there; k is even, as heads and
    // stretches of keys are.
    unsafe {
        for start in (0..k).step_by(2) {
            for index in start..start + 2 {
                let half = |at: *const u16| ops::and(ops::left32(ops::load_i16x4(at.cast()), 13), kept);
                let columns = [half(b.add(index * n)), half(b.add(index * n + 4))];
                for (row, sums) in sums.iter_mut().enumerate() {
                    let a = ops::splat32(a.add(row * k + index).cast());
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        *sum = ops::multiply_add(a, column, *sum);
                    }
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            for (half, sum) in sums.iter().enumerate() {
                let at = c.add(row * n + 4 * half);
                ops::store(at, ops::multiply_add(*sum, ops::floats(SINK), ops::load(at.cast())));
            }
        }
    }
}
