//! The operations that a layer is made of, on weights and caches that are there.

use super::{CacheId, Engine, Feed, Qkv, Scratch, WeightId, rows_of};
use crate::attention::{self, Question};
use crate::error::{Error, Result, expect_len, resize};
use crate::maths::{rms_norm, rms_norm_in_place, silu_multiply};
use crate::matmul::{self, Input, Job, Store};
use crate::rope::Angles;

impl Engine {
    /// `out[rows, out_features] = x[rows, in_features] × Wᵀ + bias`.
    ///
    /// # Errors
    /// Where a handle is unknown or a length doesn't fit.
    pub fn linear(&mut self, id: WeightId, x: &[f32], bias: Option<WeightId>, out: &mut [f32]) -> Result<()> {
        let bias = self.optional_vector(bias)?;
        let store = bias.as_deref().map_or(Store::Set, Store::Bias);
        self.project(id, x, store, out)
    }

    /// `residual[rows, out_features] += x[rows, in_features] × Wᵀ`.
    ///
    /// # Errors
    /// Where the handle is unknown or a length doesn't fit.
    pub fn project_add(&mut self, id: WeightId, x: &[f32], residual: &mut [f32]) -> Result<()> {
        self.project(id, x, Store::Add, residual)
    }

    fn project(&mut self, id: WeightId, x: &[f32], store: Store<'_>, out: &mut [f32]) -> Result<()> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = self.project_with(&mut scratch.input, id, x, store, out);
        self.scratch = scratch;
        outcome
    }

    fn project_with(
        &self,
        input: &mut Input,
        id: WeightId,
        x: &[f32],
        store: Store<'_>,
        out: &mut [f32],
    ) -> Result<()> {
        let weight = self.weight(id)?;
        let rows = rows_of("the input", x.len(), weight.in_features)?;
        expect_len("the output", rows * weight.out_features, out.len())?;
        if let Store::Bias(bias) = store {
            expect_len("the bias", weight.out_features, bias.len())?;
        }
        input.prepare(self.path, x, weight.in_features, &[weight])?;
        matmul::run(&self.pool, self.path, x, input, &mut [Job { weight, out, store }])
    }

    /// The first half of a layer: norm, query, key and value projections with their biases and head
    /// norms, rotary positions; keys and values go to the cache at `first_position` and after, whose
    /// later positions in this layer are forgotten. `x` is `[rows, width]`, `q` is
    /// `[rows, heads × head_dim]`.
    ///
    /// # Errors
    /// Where a handle is unknown, a length doesn't fit, or the cache has no room or a gap.
    pub fn qkv(
        &mut self,
        weights: &Qkv,
        cache: CacheId,
        layer: usize,
        x: &[f32],
        first_position: usize,
        q: &mut [f32],
    ) -> Result<()> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = self.qkv_with(&mut scratch, weights, cache, layer, x, first_position, q);
        self.scratch = scratch;
        outcome
    }

    #[expect(clippy::too_many_arguments, reason = "the public call's, and the buffers")]
    fn qkv_with(
        &mut self,
        scratch: &mut Scratch,
        weights: &Qkv,
        cache_id: CacheId,
        layer: usize,
        x: &[f32],
        first_position: usize,
        q: &mut [f32],
    ) -> Result<()> {
        let cache = self.cache(cache_id)?;
        let capacity = cache.capacity;
        let (dim, kv_width) = (cache.head_dim, cache.kv_heads * cache.head_dim);
        let [wq, wk, wv] = [self.weight(weights.q)?, self.weight(weights.k)?, self.weight(weights.v)?];
        let width = wq.in_features;
        let rows = rows_of("the input", x.len(), width)?;
        for (what, weight) in [("the key weight", wk), ("the value weight", wv)] {
            expect_len(what, width, weight.in_features)?;
            expect_len(what, kv_width, weight.out_features)?;
        }
        rows_of("the query weight", wq.out_features, kv_width)?;
        expect_len("the queries", rows * wq.out_features, q.len())?;
        cache.expect_room(layer, first_position, rows)?;

        let norm = self.vector_of("the norm", weights.norm, width)?;
        let bias = |what, id: Option<WeightId>, len| id.map(|id| self.vector_of(what, id, len)).transpose();
        let biases = [
            bias("the query bias", weights.q_bias, wq.out_features)?,
            bias("the key bias", weights.k_bias, kv_width)?,
            bias("the value bias", weights.v_bias, kv_width)?,
        ];
        let q_norm = bias("the query head norm", weights.q_norm, dim)?;
        let k_norm = bias("the key head norm", weights.k_norm, dim)?;

        let Scratch { input, normed, keys, values, .. } = scratch;
        resize(normed, x.len())?;
        resize(keys, rows * kv_width)?;
        resize(values, rows * kv_width)?;
        let (keys, values) = (&mut keys[..rows * kv_width], &mut values[..rows * kv_width]);
        let normed = &mut normed[..x.len()];
        norm_rows(x, &norm, weights.eps, normed);
        input.prepare(self.path, normed, width, &[wq, wk, wv])?;
        let store = |index: usize| biases[index].as_deref().map_or(Store::Set, Store::Bias);
        let mut jobs = [
            Job { weight: wq, out: &mut *q, store: store(0) },
            Job { weight: wk, out: &mut *keys, store: store(1) },
            Job { weight: wv, out: &mut *values, store: store(2) },
        ];
        matmul::run(&self.pool, self.path, normed, input, &mut jobs)?;

        let heads = q.len() / rows / dim;
        let angles = self.angles(weights, dim, capacity)?;
        let angles = &self.angles[angles];
        turn_heads(q, heads, dim, q_norm.as_deref(), weights.eps, angles, first_position);
        turn_heads(keys, kv_width / dim, dim, k_norm.as_deref(), weights.eps, angles, first_position);
        self.cache_mut(cache_id)?.append(layer, first_position, keys, values)
    }

    /// The table of these rotary positions, made or extended where it must be.
    fn angles(&mut self, weights: &Qkv, head_dim: usize, positions: usize) -> Result<usize> {
        let rope = weights.rope;
        if rope.dims > head_dim || !rope.dims.is_multiple_of(2) {
            return Err(Error::Shape { what: "the rotary dimensions", expected: head_dim, got: rope.dims });
        }
        let factors = match weights.rope_factors {
            Some(id) => self.vector_of("the rotary factors", id, rope.dims / 2)?,
            None => Vec::new(),
        };
        let index = match self.angles.iter().position(|angles| angles.is_of(&rope, &factors)) {
            Some(index) => index,
            None => {
                self.angles.push(Angles::new(rope, factors));
                self.angles.len() - 1
            }
        };
        self.angles[index].reach(positions)?;
        Ok(index)
    }

    /// Causal attention of `q` over the cached keys and values of a layer: the row at position `p`
    /// sees positions `0..=p`. `q` and `out` are `[rows, heads × head_dim]`; scores are divided by
    /// √head_dim.
    ///
    /// # Errors
    /// Where the handle is unknown, a length doesn't fit, or positions are not in the cache.
    pub fn attend(
        &mut self,
        cache: CacheId,
        layer: usize,
        heads: usize,
        q: &[f32],
        first_position: usize,
        out: &mut [f32],
    ) -> Result<()> {
        let cache = self.cache(cache)?;
        rows_of("the heads", heads, cache.kv_heads)?;
        let rows = rows_of("the queries", q.len(), heads.saturating_mul(cache.head_dim))?;
        expect_len("the output", q.len(), out.len())?;
        let filled = cache.layer_len(layer)?;
        let end = first_position.saturating_add(rows);
        if end > filled {
            return Err(Error::OutOfRange { what: "the last position", index: end - 1, bound: filled });
        }
        attention::attend(&self.pool, self.path, &Question { cache, layer, queries: q, heads, first_position }, out)
    }

    /// The inner half of a gated feed-forward (Shazeer 2020, "GLU variants"):
    /// `out = silu(norm(x) × Gᵀ) × (norm(x) × Uᵀ)`, from `[rows, width]` to `[rows, inner]`.
    ///
    /// # Errors
    /// Where a handle is unknown or a length doesn't fit.
    pub fn gate_up(&mut self, weights: &Feed, x: &[f32], out: &mut [f32]) -> Result<()> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = self.gate_up_with(&mut scratch, weights, x, out);
        self.scratch = scratch;
        outcome
    }

    fn gate_up_with(&self, scratch: &mut Scratch, weights: &Feed, x: &[f32], out: &mut [f32]) -> Result<()> {
        let (gate, up) = (self.weight(weights.gate)?, self.weight(weights.up)?);
        let width = gate.in_features;
        let rows = rows_of("the input", x.len(), width)?;
        expect_len("the up weight", width, up.in_features)?;
        expect_len("the up weight", gate.out_features, up.out_features)?;
        expect_len("the output", rows * gate.out_features, out.len())?;
        let norm = self.vector_of("the norm", weights.norm, width)?;

        let Scratch { input, normed, up: ups, .. } = scratch;
        resize(normed, x.len())?;
        resize(ups, out.len())?;
        let (normed, ups) = (&mut normed[..x.len()], &mut ups[..out.len()]);
        norm_rows(x, &norm, weights.eps, normed);
        input.prepare(self.path, normed, width, &[gate, up])?;
        let mut jobs = [
            Job { weight: gate, out: &mut *out, store: Store::Set },
            Job { weight: up, out: &mut *ups, store: Store::Set },
        ];
        matmul::run(&self.pool, self.path, normed, input, &mut jobs)?;
        silu_multiply(out, ups);
        Ok(())
    }

    /// The logits of the given rows: `out[rows, vocabulary] = norm(x) × Wᵀ`. Give it the last row of a
    /// chunk alone where only the next token is wanted.
    ///
    /// # Errors
    /// Where a handle is unknown or a length doesn't fit.
    pub fn logits(&mut self, norm: WeightId, eps: f32, id: WeightId, x: &[f32], out: &mut [f32]) -> Result<()> {
        let width = self.weight(id)?.in_features;
        let norm = self.vector_of("the norm", norm, width)?;
        rows_of("the input", x.len(), width)?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = resize(&mut scratch.normed, x.len()).and_then(|()| {
            let normed = &mut scratch.normed[..x.len()];
            norm_rows(x, &norm, eps, normed);
            self.project_with(&mut scratch.input, id, normed, Store::Set, out)
        });
        self.scratch = scratch;
        outcome
    }
}

pub(super) fn norm_rows(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    for (x, out) in x.chunks_exact(weight.len()).zip(out.chunks_exact_mut(weight.len())) {
        rms_norm(x, weight, eps, out);
    }
}

/// Normalises each head of each row where there is a norm, and turns it to its row's position.
fn turn_heads(
    x: &mut [f32],
    heads: usize,
    dim: usize,
    norm: Option<&[f32]>,
    eps: f32,
    angles: &Angles,
    first_position: usize,
) {
    for (index, head) in x.chunks_exact_mut(dim).enumerate() {
        if let Some(norm) = norm {
            rms_norm_in_place(head, norm, eps);
        }
        angles.turn(head, first_position + index / heads);
    }
}
