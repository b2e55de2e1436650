//! Grouped-query causal attention over the cache, a tile of queries at a time, with a running
//! softmax (Dao et al. 2022, "FlashAttention"): keys and values are read once per tile.
//!
//! The queries of a tile are all those of some rows that share a head of keys, so that even a
//! single token's keys are read once for its group of heads. Where a tile has few queries, there are few tiles, too;
//! the cache is then met in segments of 64 positions, whose softmaxes are put together at the end, so that each thread has as
//! much to do (Dao et al. 2023, "Flash-Decoding"). Segments depend on no number of threads, and so no bit does.

#![expect(unsafe_code, reason = "parts write disjoint heads of one output")]

use crate::cache::{Cache, KEYS, widen};
use crate::error::{Result, zeroed};
use crate::half::LIFT;
use crate::maths::{exp, four_by_eight};
use crate::path::Path;
use crate::simd;
use crate::thread_pool::{SharedOutput, ThreadPool};

/// Queries per tile: their floats and scores stay in the first two caches.
const QUERIES: usize = 64;

/// Up to so many queries per tile meet the cache's half floats directly.
const FEW: usize = 8;

/// Blocks of a segment of the cache.
const SEGMENT: usize = 2;

/// The queries of one layer, and the cache that they meet.
pub(crate) struct Question<'a> {
    pub(crate) cache: &'a Cache,
    pub(crate) layer: usize,
    /// `[rows, heads × head_dim]`
    pub(crate) queries: &'a [f32],
    pub(crate) heads: usize,
    pub(crate) first_position: usize,
}

/// Answers into `out`, `[rows, heads × head_dim]`; the caller has checked lengths.
pub(crate) fn attend(pool: &ThreadPool, path: Path, question: &Question<'_>, out: &mut [f32]) -> Result<()> {
    let Question { cache, queries, heads, .. } = *question;
    let rows = queries.len() / (heads * cache.head_dim);
    let group = heads / cache.kv_heads;
    let rows_per_tile = (QUERIES / group).max(1);
    let tiles = rows.div_ceil(rows_per_tile);
    let blocks = (question.first_position + rows).div_ceil(KEYS);
    let segments = if rows * group <= FEW { blocks.div_ceil(SEGMENT).max(1) } else { 1 };
    let items = tiles * cache.kv_heads * segments;
    // Twice: for the scores, and for the values that they weigh.
    let multiplications = queries.len().saturating_mul(2 * KEYS * blocks);
    let parts = pool.parts(multiplications).min(items).max(1);
    let mut scratch = Vec::with_capacity(parts);
    for _ in 0..parts {
        scratch.push(Tile::new(group * rows_per_tile.min(rows), cache.head_dim)?);
    }
    let width = Tile::partial_width(cache.head_dim);
    let mut partials = zeroed(if segments > 1 { rows * heads * segments * width } else { 0 })?;
    let scratch = SharedOutput::new(&mut scratch);
    let shared_partials = SharedOutput::new(&mut partials);
    let shared_out = SharedOutput::new(out);
    pool.run(parts, &|part| {
        // SAFETY: each part has its own scratch.
        let Some(tile) = (unsafe { scratch.slice(part, 1) }).first_mut() else { return };
        // Late rows have more keys to meet, so that parts take turns rather than stretches.
        for item in (part..items).step_by(parts) {
            let (segment, item) = (item % segments, item / segments);
            let (kv_head, first) = (item % cache.kv_heads, item / cache.kv_heads * rows_per_tile);
            let some = first..rows.min(first + rows_per_tile);
            tile.load(path, question, kv_head, group, some.clone());
            let met = if segments > 1 { segment * SEGMENT..(segment + 1) * SEGMENT } else { 0..blocks };
            tile.answer(path, cache, question.layer, kv_head, met);
            for (index, (row, head)) in places(kv_head, group, some).enumerate() {
                let place = row * heads + head;
                // SAFETY: no two items have the same row, head and segment.
                unsafe {
                    match segments {
                        1 => tile.store(index, shared_out.slice(place * cache.head_dim, cache.head_dim)),
                        _ => tile.keep(index, shared_partials.slice((place * segments + segment) * width, width)),
                    }
                }
            }
        }
    });
    if segments > 1 {
        for (out, partials) in out.chunks_exact_mut(cache.head_dim).zip(partials.chunks_exact(segments * width)) {
            put_together(partials, width, out);
        }
    }
    Ok(())
}

/// The answer of one query from those of all segments: `[segment][largest, total, sums…]`.
fn put_together(partials: &[f32], width: usize, out: &mut [f32]) {
    let largest = partials.chunks_exact(width).fold(f32::MIN, |most, partial| most.max(partial[0]));
    let mut total = 0.0;
    out.fill(0.0);
    // A segment that the query sees nothing of adds nothing.
    for partial in partials.chunks_exact(width).filter(|partial| partial[1] > 0.0) {
        let weight = exp(partial[0] - largest);
        total += partial[1] * weight;
        for (out, sum) in out.iter_mut().zip(&partial[2..]) {
            *out += sum * weight;
        }
    }
    let inverse = if total > 0.0 { 1.0 / total } else { 0.0 };
    out.iter_mut().for_each(|out| *out *= inverse);
}

/// The rows and heads of a tile's queries.
fn places(kv_head: usize, group: usize, rows: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(move |row| (0..group).map(move |index| (row, kv_head * group + index)))
}

/// Queries that share keys, and their running softmax.
struct Tile {
    dim: usize,
    /// Queries, filled up to a multiple of four where they are many.
    count: usize,
    /// One, or [`LIFT`] where the queries are few.
    lift: f32,
    /// `[query][feature]`, divided by √dim and lifted.
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
            lift: 1.0,
            queries: zeroed(count * dim)?,
            limits: zeroed(count)?,
            largest: zeroed(count)?,
            total: zeroed(count)?,
            sums: zeroed(count * dim)?,
            scores: zeroed(count * KEYS)?,
            stretch: zeroed(KEYS * dim)?,
        })
    }

    fn load(
        &mut self,
        path: Path,
        question: &Question<'_>,
        kv_head: usize,
        group: usize,
        rows: std::ops::Range<usize>,
    ) {
        let dim = self.dim;
        let few = path == Path::Vector && rows.len() * group <= FEW;
        self.lift = if few { LIFT } else { 1.0 };
        let scale = self.lift / (dim as f32).sqrt();
        self.count = if few { rows.len() * group } else { (rows.len() * group).next_multiple_of(4) };
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

    /// Meets the cache's `blocks`, as far as any query sees them.
    fn answer(&mut self, path: Path, cache: &Cache, layer: usize, kv_head: usize, blocks: std::ops::Range<usize>) {
        let end = self.limits.iter().copied().max().unwrap_or(0);
        for block in blocks.start..blocks.end.min(end.div_ceil(KEYS)) {
            self.scores.fill(0.0);
            let (queries, scores) = (&self.queries[..self.count * self.dim], &mut self.scores[..self.count * KEYS]);
            let keys = cache.keys(layer, kv_head, block);
            product(path, self.lift, &mut self.stretch, queries, self.dim, keys, KEYS, scores);
            for query in 0..self.count {
                self.weigh(path, query, block * KEYS);
            }
            let (weights, sums) = (&self.scores[..self.count * KEYS], &mut self.sums[..self.count * self.dim]);
            let values = cache.values(layer, kv_head, block);
            product(path, self.lift, &mut self.stretch, weights, KEYS, values, self.dim, sums);
        }
    }

    /// Scores become weights: e to the score less the largest so far, zero beyond the query's limit.
    fn weigh(&mut self, path: Path, query: usize, first_key: usize) {
        let seen = self.limits[query].saturating_sub(first_key).min(KEYS);
        let scores = &mut self.scores[query * KEYS..][..KEYS];
        scores[seen..].fill(f32::MIN);
        let largest = match path {
            Path::Scalar => scores.iter().fold(f32::MIN, |a, b| if *b > a { *b } else { a }),
            Path::Vector => simd::largest(scores),
        };
        if largest > self.largest[query] {
            let shrink = exp(self.largest[query] - largest);
            self.total[query] *= shrink;
            for sum in &mut self.sums[query * self.dim..][..self.dim] {
                *sum *= shrink;
            }
            self.largest[query] = largest;
        }
        let largest = self.largest[query];
        for scores in scores.as_chunks_mut::<8>().0 {
            for score in scores {
                *score = exp(*score - largest);
            }
        }
        // e^-87 is no zero, and a query without any key here has only such.
        scores[seen..].fill(0.0);
        let mut totals = [0.0_f32; 8];
        for scores in scores.as_chunks_mut::<8>().0 {
            for (total, score) in totals.iter_mut().zip(scores) {
                *total += *score;
                *score *= self.lift;
            }
        }
        self.total[query] += totals.into_iter().sum::<f32>();
    }

    /// Numbers of what [`keep`](Self::keep) keeps.
    const fn partial_width(dim: usize) -> usize {
        2 + dim
    }

    /// Keeps a query's softmax so far: its largest score, its total, and its sums.
    fn keep(&self, query: usize, partial: &mut [f32]) {
        (partial[0], partial[1]) = (self.largest[query], self.total[query]);
        partial[2..].copy_from_slice(&self.sums[query * self.dim..][..self.dim]);
    }

    fn store(&self, query: usize, out: &mut [f32]) {
        let inverse = if self.total[query] > 0.0 { 1.0 / self.total[query] } else { 0.0 };
        for (out, sum) in out.iter_mut().zip(&self.sums[query * self.dim..][..self.dim]) {
            *out = sum * inverse;
        }
    }
}

/// `c[m, n] += a[m, k] × b[k, n]`, where b is of half floats and a was multiplied with `lift`; `stretch`
/// takes b's floats where they are worth having.
#[expect(clippy::too_many_arguments, reason = "operands and their shape")]
fn product(path: Path, lift: f32, stretch: &mut [f32], a: &[f32], k: usize, b: &[u16], n: usize, c: &mut [f32]) {
    if lift == LIFT {
        return simd::by_halves(a, k, b, n, c);
    }
    widen(b, stretch);
    multiply_add(path, a, k, stretch, n, c);
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
