//! The engine: weights and caches by handle, and the operations on them.
//!
//! Every operation checks handles and lengths first, so that nothing behind it can fail but for want
//! of memory. Activations are row-major `[rows, width]`; a row is a token.

mod layer;

use layer::norm_rows;

use crate::cache::Cache;
use crate::error::{Error, Result, expect_len};
use crate::kind::Kind;
use crate::matmul::Input;
use crate::path::Path;
use crate::rope::{Angles, Rope};
use crate::simd;
use crate::thread_pool::ThreadPool;
use crate::weight::Weight;

/// The handle of a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WeightId(pub u32);

/// The handle of a key-value cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheId(pub u32);

/// What [`Engine::qkv`] computes with: one layer's weights from its input to its cache.
///
/// The number of query heads is the query weight's output over the cache's head size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Qkv {
    /// RMSNorm of the layer's input.
    pub norm: WeightId,
    /// The norms' epsilon, also of `q_norm` and `k_norm`.
    pub eps: f32,
    /// Query projection, `[heads × head_dim, width]`.
    pub q: WeightId,
    /// Key projection, `[kv_heads × head_dim, width]`.
    pub k: WeightId,
    /// Value projection, `[kv_heads × head_dim, width]`.
    pub v: WeightId,
    /// Biases of the projections (`qwen2`).
    pub q_bias: Option<WeightId>,
    /// See `q_bias`.
    pub k_bias: Option<WeightId>,
    /// See `q_bias`.
    pub v_bias: Option<WeightId>,
    /// RMSNorm of each query head, `[head_dim]` (`qwen3`).
    pub q_norm: Option<WeightId>,
    /// RMSNorm of each key head, `[head_dim]` (`qwen3`).
    pub k_norm: Option<WeightId>,
    /// The rotary positions.
    pub rope: Rope,
    /// Divisors of the rotary frequencies, one a pair (`rope_freqs.weight` of Llama 3).
    pub rope_factors: Option<WeightId>,
}

/// What [`Engine::gate_up`] computes with: the inner half of a gated feed-forward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feed {
    /// RMSNorm of the input.
    pub norm: WeightId,
    /// The norm's epsilon.
    pub eps: f32,
    /// The projection that goes through SiLU.
    pub gate: WeightId,
    /// The projection that it is multiplied with.
    pub up: WeightId,
}

/// Weights, caches, and the buffers that operations share.
pub struct Engine {
    weights: Vec<Option<Weight>>,
    caches: Vec<Option<Cache>>,
    angles: Vec<Angles>,
    pool: ThreadPool,
    path: Path,
    scratch: Scratch,
}

/// Buffers that stay from call to call.
#[derive(Default)]
struct Scratch {
    input: Input,
    normed: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    up: Vec<f32>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with the fastest kernels that this machine runs.
    pub fn new() -> Self {
        Self::with_threads(1)
    }

    /// The same with `threads` threads, the calling one among them; they end with the engine.
    pub fn with_threads(threads: usize) -> Self {
        Self::with_pool(ThreadPool::spawn(threads))
    }

    /// An engine with plain kernels only, which the others are compared with.
    pub fn scalar() -> Self {
        Self::on(Path::Scalar, ThreadPool::default())
    }

    /// An engine whose heavy steps the pool does.
    pub(crate) fn with_pool(pool: ThreadPool) -> Self {
        Self::on(if simd::available() { Path::Vector } else { Path::Scalar }, pool)
    }

    fn on(path: Path, pool: ThreadPool) -> Self {
        Self { weights: Vec::new(), caches: Vec::new(), angles: Vec::new(), pool, path, scratch: Scratch::default() }
    }

    /// Makes sure that `bytes` more can be had, and in wasm takes them from the host in one step, so
    /// that memory is not grown weight by weight.
    ///
    /// # Errors
    /// Where they cannot be had.
    pub fn reserve(&self, bytes: usize) -> Result<()> {
        let mut memory: Vec<u8> = Vec::new();
        memory.try_reserve_exact(bytes).map_err(|_| Error::OutOfMemory { bytes })
    }

    /// Bytes that weights and caches take.
    pub fn bytes(&self) -> usize {
        self.weights.iter().flatten().map(Weight::bytes).sum::<usize>()
            + self.caches.iter().flatten().map(Cache::bytes).sum::<usize>()
    }

    /// Begins a weight of `out_features` rows of `in_features` values; a vector is one row. All its
    /// memory is taken now.
    ///
    /// # Errors
    /// Where rows are not whole blocks of `kind`, or memory is short.
    pub fn weight_begin(&mut self, kind: Kind, out_features: usize, in_features: usize) -> Result<WeightId> {
        let weight = Weight::new(kind, out_features, in_features)?;
        insert(&mut self.weights, weight).map(WeightId)
    }

    /// Takes the next bytes of a weight, in any portions but in order. `first_byte` is their place in
    /// the tensor's bytes of the file.
    ///
    /// # Errors
    /// Where the handle is unknown, bytes are missing before these, or these are too many.
    pub fn weight_rows(&mut self, id: WeightId, first_byte: u64, bytes: &[u8]) -> Result<()> {
        self.weight_mut(id)?.take(id.0, first_byte, bytes)
    }

    /// Ends a weight.
    ///
    /// # Errors
    /// Where the handle is unknown or bytes are missing.
    pub fn weight_end(&mut self, id: WeightId) -> Result<()> {
        self.weight_mut(id)?.finish(id.0)
    }

    /// Frees a weight.
    ///
    /// # Errors
    /// Where the handle is unknown.
    pub fn weight_free(&mut self, id: WeightId) -> Result<()> {
        self.weight_mut(id)?;
        self.weights[id.0 as usize] = None;
        Ok(())
    }

    /// `[out_features, in_features]` of a weight that is whole.
    ///
    /// # Errors
    /// Where the handle is unknown or bytes are missing.
    pub fn weight_shape(&self, id: WeightId) -> Result<[usize; 2]> {
        let weight = self.weight(id)?;
        Ok([weight.out_features, weight.in_features])
    }

    /// Rows of the weight `id` by number, as floats: `out` is `[tokens, in_features]`.
    ///
    /// # Errors
    /// Where the handle is unknown, a token is no row, or `out` has another length.
    pub fn embed(&self, id: WeightId, tokens: &[u32], out: &mut [f32]) -> Result<()> {
        let weight = self.weight(id)?;
        expect_len("the embeddings", tokens.len() * weight.in_features, out.len())?;
        for token in tokens {
            let (index, bound) = (*token as usize, weight.out_features);
            if index >= bound {
                return Err(Error::OutOfRange { what: "the token", index, bound });
            }
        }
        for (token, out) in tokens.iter().zip(out.chunks_exact_mut(weight.in_features)) {
            weight.row(*token as usize, out);
        }
        Ok(())
    }

    /// RMSNorm of each row: `out = x / sqrt(mean(x²) + eps) × weight`, `[rows, width]` both.
    ///
    /// # Errors
    /// Where the handle is unknown or a length doesn't fit.
    pub fn norm(&self, x: &[f32], weight: WeightId, eps: f32, out: &mut [f32]) -> Result<()> {
        let weight = self.vector(weight)?;
        rows_of("the input", x.len(), weight.len())?;
        expect_len("the output", x.len(), out.len())?;
        norm_rows(x, &weight, eps, out);
        Ok(())
    }

    /// Begins a cache of `capacity` positions, empty; all its memory is taken now: half floats, two
    /// times `layers × kv_heads × head_dim` a position.
    ///
    /// # Errors
    /// Where a number is zero, `head_dim` is no multiple of eight, or memory is short.
    pub fn cache_begin(&mut self, layers: usize, kv_heads: usize, head_dim: usize, capacity: usize) -> Result<CacheId> {
        let cache = Cache::new(layers, kv_heads, head_dim, capacity)?;
        insert(&mut self.caches, cache).map(CacheId)
    }

    /// Positions that every layer of the cache holds.
    ///
    /// # Errors
    /// Where the handle is unknown.
    pub fn cache_length(&self, id: CacheId) -> Result<usize> {
        Ok(self.cache(id)?.len())
    }

    /// Values of a head in this cache.
    ///
    /// # Errors
    /// Where the handle is unknown.
    pub fn cache_head_dim(&self, id: CacheId) -> Result<usize> {
        Ok(self.cache(id)?.head_dim)
    }

    /// Makes `to` hold the first `length` positions of `from`, a cache of the same shape, and nothing
    /// else.
    ///
    /// # Errors
    /// Where a handle is unknown, both are the same, or positions are missing or don't fit.
    pub fn cache_copy_prefix(&mut self, from: CacheId, to: CacheId, length: usize) -> Result<()> {
        self.cache(from)?;
        self.cache(to)?;
        let indices = [from.0 as usize, to.0 as usize];
        match self.caches.get_disjoint_mut(indices) {
            Ok([Some(from), Some(to)]) => to.copy_prefix(from, length),
            _ => Err(Error::UnknownCache { id: to.0 }),
        }
    }

    /// Frees a cache.
    ///
    /// # Errors
    /// Where the handle is unknown.
    pub fn cache_free(&mut self, id: CacheId) -> Result<()> {
        self.cache_mut(id)?;
        self.caches[id.0 as usize] = None;
        Ok(())
    }

    /// Frees all weights and caches.
    pub fn clear(&mut self) {
        let pool = std::mem::take(&mut self.pool);
        *self = Self::on(self.path, pool);
    }

    /// A weight that is there and whole.
    fn weight(&self, id: WeightId) -> Result<&Weight> {
        let weight = self.weights.get(id.0 as usize).and_then(Option::as_ref);
        let weight = weight.ok_or(Error::UnknownWeight { id: id.0 })?;
        weight.expect_whole(id.0)?;
        Ok(weight)
    }

    fn weight_mut(&mut self, id: WeightId) -> Result<&mut Weight> {
        let weight = self.weights.get_mut(id.0 as usize).and_then(Option::as_mut);
        weight.ok_or(Error::UnknownWeight { id: id.0 })
    }

    /// All values of a weight, as a vector.
    fn vector(&self, id: WeightId) -> Result<Vec<f32>> {
        let weight = self.weight(id)?;
        let mut values = crate::error::zeroed(weight.in_features * weight.out_features)?;
        for (row, values) in values.chunks_exact_mut(weight.in_features).enumerate() {
            weight.row(row, values);
        }
        Ok(values)
    }

    fn optional_vector(&self, id: Option<WeightId>) -> Result<Option<Vec<f32>>> {
        id.map(|id| self.vector(id)).transpose()
    }

    fn vector_of(&self, what: &'static str, id: WeightId, len: usize) -> Result<Vec<f32>> {
        self.weight(id)?.expect_vector(what, len)?;
        self.vector(id)
    }

    fn cache(&self, id: CacheId) -> Result<&Cache> {
        self.caches.get(id.0 as usize).and_then(Option::as_ref).ok_or(Error::UnknownCache { id: id.0 })
    }

    fn cache_mut(&mut self, id: CacheId) -> Result<&mut Cache> {
        self.caches.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or(Error::UnknownCache { id: id.0 })
    }
}

/// Puts `value` into the first free place.
fn insert<T>(places: &mut Vec<Option<T>>, value: T) -> Result<u32> {
    let index = places.iter().position(Option::is_none).unwrap_or(places.len());
    let handle = u32::try_from(index).map_err(|_| Error::OutOfMemory { bytes: usize::MAX })?;
    match places.get_mut(index) {
        Some(place) => *place = Some(value),
        None => places.push(Some(value)),
    }
    Ok(handle)
}

/// How many rows of `width` are `len` values; there is at least one.
fn rows_of(what: &'static str, len: usize, width: usize) -> Result<usize> {
    if len == 0 || width == 0 || !len.is_multiple_of(width) {
        return Err(Error::Shape { what, expected: width, got: len });
    }
    Ok(len / width)
}
