//! Grouped-query causal attention over the cache, a tile of queries at a time, with a running
//! softmax (Dao et al. 2022, "FlashAttention"): keys and values are read once per tile.
//!
//! The queries of a tile are all those of some rows that share a head of keys, so that even a
//! single token's keys are read once for its group of heads.

#![expect(unsafe_code, reason = "parts write disjoint heads of one output")]

use crate::cache::{Cache, KEYS};
use crate::error::{Result, zeroed};
use crate::maths::exp;
use crate::matmul::Path;
use crate::simd;
use crate::team::{Shared, Team};

/// Queries per tile: their floats and scores stay in the first two caches.
const QUERIES: usize = 64;

/// What is asked of one layer.
pub(crate) struct Question<'a> {
    pub(crate) cache: &'a Cache,
    pub(crate) layer: usize,
    /// `[rows, heads × head_dim]`
    pub(crate) queries: &'a [f32],
    pub(crate) heads: usize,
    pub(crate) first_position: usize,
}

/// Answers into `out`, `[rows, heads × head_dim]`; the caller has checked lengths.
pub(crate) fn attend(team: &Team, path: Path, question: &Question<'_>, out: &mut [f32]) -> Result<()> {
    let Question { cache, queries, heads, .. } = *question;
    let rows = queries.len() / (heads * cache.head_dim);
    let group = heads / cache.kv_heads;
    let rows_per_tile = (QUERIES / group).max(1);
    let tiles = rows.div_ceil(rows_per_tile);
    let items = tiles * cache.kv_heads;
    let parts = team.parts().min(items).max(1);
    let mut scratch = Vec::with_capacity(parts);
    for _ in 0..parts {
        scratch.push(Tile::new(group * rows_per_tile.min(rows), cache.head_dim)?);
    }
    let scratch = Shared::new(&mut scratch);
    let out = Shared::new(out);
    team.run(parts, &|part| {
        // SAFETY: each part has its own scratch.
        let Some(tile) = (unsafe { scratch.slice(part, 1) }).first_mut() else { return };
        // Late rows have more keys to meet, so that parts take turns rather than stretches.
        for item in (part..items).step_by(parts) {
            let (kv_head, first) = (item % cache.kv_heads, item / cache.kv_heads * rows_per_tile);
            let some = first..rows.min(first + rows_per_tile);
            tile.load(question, kv_head, group, some.clone());
            tile.answer(path, cache, question.layer, kv_head);
            for (index, (row, head)) in places(kv_head, group, some).enumerate() {
                // SAFETY: no two items have the same row and head.
                let out = unsafe { out.slice((row * heads + head) * cache.head_dim, cache.head_dim) };
                tile.store(index, out);
            }
        }
    });
    Ok(())
}

/// The rows and heads of a tile's queries.
fn places(kv_head: usize, group: usize, rows: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(move |row| (0..group).map(move |index| (row, kv_head * group + index)))
}

/// Queries that share keys, and their running softmax.
struct Tile {
    dim: usize,
    /// Queries, filled up to a multiple of four.
    count: usize,
    /// `[query][feature]`, divided by √dim.
    queries: Vec<f32>,
    /// How many positions each query sees.
    limits: Vec<usize>,
    largest: Vec<f32>,
    total: Vec<f32>,
    /// `[query][feature]`
    sums: Vec<f32>,
    /// `[query][32]`
    scores: Vec<f32>,
    /// Keys, then values, of 32 positions.
    stretch: Vec<f32>,
}

impl Tile {
    fn new(queries: usize, dim: usize) -> Result<Self> {
        let count = queries.next_multiple_of(4);
        Ok(Self {
            dim,
            count,
            queries: zeroed(count * dim)?,
            limits: zeroed(count)?,
            largest: zeroed(count)?,
            total: zeroed(count)?,
            sums: zeroed(count * dim)?,
            scores: zeroed(count * KEYS)?,
            stretch: zeroed(KEYS * dim)?,
        })
    }

    fn load(&mut self, question: &Question<'_>, kv_head: usize, group: usize, rows: std::ops::Range<usize>) {
        let dim = self.dim;
        let scale = 1.0 / (dim as f32).sqrt();
        self.count = (rows.len() * group).next_multiple_of(4);
        self.limits.fill(0);
        self.queries.fill(0.0);
        self.sums.fill(0.0);
        self.total.fill(0.0);
        self.largest.fill(f32::MIN);
        for (index, (row, head)) in places(kv_head, group, rows).enumerate() {
            let query = &question.queries[(row * question.heads + head) * dim..][..dim];
            for (out, value) in self.queries[index * dim..][..dim].iter_mut().zip(query) {
                *out = value * scale;
            }
            self.limits[index] = question.first_position + row + 1;
        }
    }

    fn answer(&mut self, path: Path, cache: &Cache, layer: usize, kv_head: usize) {
        let end = self.limits.iter().copied().max().unwrap_or(0);
        for block in 0..end.div_ceil(KEYS) {
            cache.read_keys(layer, kv_head, block, &mut self.stretch);
            self.scores.fill(0.0);
            let count = self.count;
            multiply_add(path, &self.queries[..count * self.dim], self.dim, &self.stretch, KEYS, &mut self.scores);
            for query in 0..count {
                self.weigh(query, block * KEYS);
            }
            cache.read_values(layer, kv_head, block, &mut self.stretch);
            multiply_add(path, &self.scores[..count * KEYS], KEYS, &self.stretch, self.dim, &mut self.sums);
        }
    }

    /// Scores become weights: e to the score less the largest so far, zero beyond the query's limit.
    fn weigh(&mut self, query: usize, first_key: usize) {
        let seen = self.limits[query].saturating_sub(first_key).min(KEYS);
        let scores = &mut self.scores[query * KEYS..][..KEYS];
        scores[seen..].fill(f32::MIN);
        let mut lanes = [f32::MIN; 8];
        for scores in scores.as_chunks::<8>().0 {
            for (lane, score) in lanes.iter_mut().zip(scores) {
                *lane = if *score > *lane { *score } else { *lane };
            }
        }
        let largest = lanes.into_iter().fold(self.largest[query], f32::max);
        if largest > self.largest[query] {
            let shrink = exp(self.largest[query] - largest);
            self.total[query] *= shrink;
            for sum in &mut self.sums[query * self.dim..][..self.dim] {
                *sum *= shrink;
            }
            self.largest[query] = largest;
        }
        let mut totals = [0.0_f32; 8];
        for scores in scores.as_chunks_mut::<8>().0 {
            for (total, score) in totals.iter_mut().zip(scores) {
                *score = exp(*score - largest);
                *total += *score;
            }
        }
        // e^-87 is no zero, and a query without any key here has only such.
        let hidden: f32 = scores[seen..].iter().sum();
        scores[seen..].fill(0.0);
        self.total[query] += totals.into_iter().sum::<f32>() - hidden;
    }

    fn store(&self, query: usize, out: &mut [f32]) {
        let inverse = if self.total[query] > 0.0 { 1.0 / self.total[query] } else { 0.0 };
        for (out, sum) in out.iter_mut().zip(&self.sums[query * self.dim..][..self.dim]) {
            *out = sum * inverse;
        }
    }
}

/// `c[m, n] += a[m, k] × b[k, n]`, where m is a multiple of four and n of eight.
fn multiply_add(path: Path, a: &[f32], k: usize, b: &[f32], n: usize, c: &mut [f32]) {
    for (a, c) in a.chunks_exact(4 * k).zip(c.chunks_exact_mut(4 * n)) {
        for column in (0..n).step_by(8) {
            match path {
                Path::Scalar => four_by_eight(a, k, b, n, column, c),
                Path::Vector => simd::four_by_eight(a, k, b, n, column, c),
            }
        }
    }
}

/// The same for eight columns, in plain arithmetic.
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
