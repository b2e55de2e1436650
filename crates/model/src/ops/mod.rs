//! The coarse operations of a decoder, as one extension of burn's backends: the same for every device.
//!
//! A layer is five of them, so that a token costs few dispatches on a GPU; on the CPU one call does all five:
//!
//! ```text
//! x = embed(tokens)
//! each layer:  q = qkv(x)          norm, three products, bias, norms of heads, rotation; keys and values to the cache
//!              a = attend(q)       over the cache
//!              x = project_add(a, x)
//!              g = gate_up(x)      norm, two products, silu(gate) · up
//!              x = project_add(g, x)
//! logits(x)                        norm, product
//! ```
//!
//! Activations are burn tensors. Weights and caches are opaque: an integer tensor that means something to the device
//! alone — words of quantised blocks on a GPU, a handle into the kernels' own memory on the CPU. What places them
//! there is a [`WeightStore`].

pub mod flex;
#[cfg(feature = "webgpu")]
pub mod gpu;

use std::pin::Pin;

use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::backend::{Backend, Dispatch, ExtensionType, backend_extension};
use burn::tensor::Device;
use seealso_gguf::{Kind, ModelConfig, Rope, Tensor};

use crate::sample::GumbelSampling;

/// A weight's kind and size. A vector is a matrix of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightShape {
    /// How its elements are stored.
    pub kind: Kind,
    /// Outputs.
    pub rows: usize,
    /// Inputs.
    pub columns: usize,
}

impl WeightShape {
    /// Of a tensor of a file.
    #[must_use]
    pub fn of(tensor: &Tensor) -> Self {
        Self { kind: tensor.kind, rows: tensor.rows() as usize, columns: tensor.columns() as usize }
    }
}

/// A weight on a device.
#[derive(Debug, Clone, ExtensionType)]
pub struct Weight<B: Backend> {
    /// What the device knows it by.
    pub data: IntTensor<B>,
    /// Its kind and size.
    pub shape: WeightShape,
    /// The rest of its rows, where `data` could not hold them all.
    pub more: Vec<Weight<Dispatch>>,
}

/// A weight that some models have.
#[derive(Debug, Clone, ExtensionType)]
pub enum Optional<B: Backend> {
    /// This model does not have it.
    Absent,
    /// It has.
    Present(#[extension_type] Weight<B>),
}

/// The size of a cache of keys and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheShape {
    /// Layers.
    pub layers: usize,
    /// Heads of keys, and of values.
    pub kv_heads: usize,
    /// Elements of a head.
    pub head_dim: usize,
    /// Positions.
    pub capacity: usize,
}

impl CacheShape {
    /// Of a model's cache of `capacity` positions.
    #[must_use]
    pub fn of(config: &ModelConfig, capacity: usize) -> Self {
        Self { layers: config.layers, kv_heads: config.kv_heads, head_dim: config.head_dim, capacity }
    }

    /// The bytes of its keys and values, half floats. Where they are more than can be said, the most that can: no memory
    /// has so much.
    pub(crate) fn bytes(&self) -> usize {
        [2 * 2, self.layers, self.kv_heads, self.head_dim, self.capacity].into_iter().fold(1, usize::saturating_mul)
    }
}

/// One layer's part of a cache on a device.
#[derive(Debug, Clone, ExtensionType)]
pub struct Cache<B: Backend> {
    /// What the device knows the cache by.
    pub data: IntTensor<B>,
    /// What the device knows by where its passes stand, where it keeps count: see [`Position::Placed`].
    pub place: IntTensor<B>,
    /// The layer.
    pub layer: usize,
    /// The whole cache's size.
    pub shape: CacheShape,
}

/// Where a pass begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// At this position.
    At(usize),
    /// Where the device's own count of positions stands: one token, at a position before this one.
    Placed(usize),
}

/// What a device needs to go on from token to token by itself.
#[derive(Debug, Clone, ExtensionType)]
pub struct Drawing<B: Backend> {
    /// The token that is run next: `[1]`.
    pub next: IntTensor<B>,
    /// The same, how the next is drawn, and the [`RECENT`](crate::sample::RECENT) last tokens.
    pub tokens: IntTensor<B>,
    /// As [`Cache::place`].
    pub place: IntTensor<B>,
}

/// What a layer's attention begins with.
#[derive(Debug, Clone, ExtensionType)]
pub struct Attention<B: Backend> {
    /// The RMS norm before it: `[width]`.
    #[extension_type]
    pub norm: Weight<B>,
    /// Queries: `[heads · head_dim, width]`.
    #[extension_type]
    pub query: Weight<B>,
    /// Keys: `[kv_heads · head_dim, width]`.
    #[extension_type]
    pub key: Weight<B>,
    /// Values: `[kv_heads · head_dim, width]`.
    #[extension_type]
    pub value: Weight<B>,
    /// Added to the queries: `[heads · head_dim]`.
    #[extension_type]
    pub query_bias: Optional<B>,
    /// Added to the keys: `[kv_heads · head_dim]`.
    #[extension_type]
    pub key_bias: Optional<B>,
    /// Added to the values: `[kv_heads · head_dim]`.
    #[extension_type]
    pub value_bias: Optional<B>,
    /// The RMS norm of each head of queries: `[head_dim]`.
    #[extension_type]
    pub query_norm: Optional<B>,
    /// The RMS norm of each head of keys: `[head_dim]`.
    #[extension_type]
    pub key_norm: Optional<B>,
    /// What each pair's frequency is divided by: `[rope dimensions / 2]`.
    #[extension_type]
    pub rope_factors: Optional<B>,
    /// Whether positions turn queries and keys, and how.
    pub rope: Rope,
    /// The epsilon of all norms.
    pub epsilon: f32,
}

/// What a layer's feed-forward network begins with.
#[derive(Debug, Clone, ExtensionType)]
pub struct FeedForward<B: Backend> {
    /// The RMS norm before it: `[width]`.
    #[extension_type]
    pub norm: Weight<B>,
    /// The gate: `[ffn_width, width]`.
    #[extension_type]
    pub gate: Weight<B>,
    /// What is gated: `[ffn_width, width]`.
    #[extension_type]
    pub up: Weight<B>,
    /// The epsilon of the norm.
    pub epsilon: f32,
}

/// A layer's weights.
#[derive(Debug, Clone, ExtensionType)]
pub struct Layer<B: Backend> {
    /// What it begins with.
    #[extension_type]
    pub attention: Attention<B>,
    /// Heads to width: `[width, heads · head_dim]`.
    #[extension_type]
    pub attention_output: Weight<B>,
    /// What follows attention.
    #[extension_type]
    pub feed_forward: FeedForward<B>,
    /// Back to width: `[width, ffn_width]`.
    #[extension_type]
    pub down: Weight<B>,
}

/// What logits are made with.
#[derive(Debug, Clone, ExtensionType)]
pub struct Head<B: Backend> {
    /// The last RMS norm: `[width]`.
    #[extension_type]
    pub norm: Weight<B>,
    /// The output matrix, or the embedding where they are tied: `[vocab, width]`.
    #[extension_type]
    pub output: Weight<B>,
    /// The epsilon of the norm.
    pub epsilon: f32,
}

/// A decoder's operations. None of them can fail by its signature: a device notes what went wrong, and its
/// [`WeightStore::failure`] tells; until then its results are zeros.
#[backend_extension(Flex, Cube: cfg(feature = "webgpu"))]
pub trait DecoderOps: Backend {
    /// The embedding's rows of some tokens.
    ///
    /// # Shapes
    /// `tokens [n]` → `[n, width]`
    fn embed(#[extension_type] table: Weight<Self>, tokens: IntTensor<Self>) -> FloatTensor<Self>;

    /// RMSNorm (Zhang and Sennrich 2019), queries, keys and values, biases, norms of heads, and the rotation of
    /// queries and keys (Su et al. 2021) for the positions from `position` on. Keys and values go to the cache at
    /// these positions; the queries come back.
    ///
    /// # Shapes
    /// `x [n, width]` → `[n, heads · head_dim]`
    fn qkv(
        x: FloatTensor<Self>,
        #[extension_type] weights: Attention<Self>,
        #[extension_type] cache: Cache<Self>,
        position: Position,
    ) -> FloatTensor<Self>;

    /// Causal grouped-query attention (Ainslie et al. 2023) of queries at the positions from `position` on, over the
    /// cache from its beginning up to each one's own position.
    ///
    /// # Shapes
    /// `q [n, heads · head_dim]` → the same
    fn attend(q: FloatTensor<Self>, #[extension_type] cache: Cache<Self>, position: Position) -> FloatTensor<Self>;

    /// `residual + x · weightᵀ`, in place where nothing else holds the residual.
    ///
    /// # Shapes
    /// `x [n, columns]`, `residual [n, rows]` → `[n, rows]`
    fn project_add(
        x: FloatTensor<Self>,
        #[extension_type] weight: Weight<Self>,
        residual: FloatTensor<Self>,
    ) -> FloatTensor<Self>;

    /// RMSNorm, then `silu(x · gateᵀ) · (x · upᵀ)` (SwiGLU, Shazeer 2020).
    ///
    /// # Shapes
    /// `x [n, width]` → `[n, ffn_width]`
    fn gate_up(x: FloatTensor<Self>, #[extension_type] weights: FeedForward<Self>) -> FloatTensor<Self>;

    /// A whole layer, the five operations above: a device that pays for each call may do it in one.
    ///
    /// # Shapes
    /// `x [n, width]` → the same
    fn layer(
        x: FloatTensor<Self>,
        #[extension_type] weights: Layer<Self>,
        #[extension_type] cache: Cache<Self>,
        position: Position,
    ) -> FloatTensor<Self> {
        let Layer { attention, attention_output, feed_forward, down } = weights;
        let q = Self::qkv(x.clone(), attention, cache.clone(), position);
        let x = Self::project_add(Self::attend(q, cache, position), attention_output, x);
        let gated = Self::gate_up(x.clone(), feed_forward);
        Self::project_add(gated, down, x)
    }

    /// A bottleneck adapter (Houlsby et al. 2019): `x + tanh(norm(x) · downᵀ + bias) · up`, where the norm divides a row by the
    /// root of its mean square. `adapter` holds the rows of `down` and of `up`, as many as `units`, and one that begins with
    /// the biases.
    ///
    /// # Shapes
    /// `x [n, width]`, `adapter [2 · units + 1, width]` → `[n, width]`
    fn adapt(x: FloatTensor<Self>, adapter: FloatTensor<Self>, epsilon: f32) -> FloatTensor<Self>;

    /// RMSNorm, then the product with the output matrix.
    ///
    /// # Shapes
    /// `x [n, width]` → `[n, vocab]`
    fn logits(x: FloatTensor<Self>, #[extension_type] head: Head<Self>) -> FloatTensor<Self>;

    /// Draws a token by its logit and by [chance](crate::sample::GumbelSampling), notes it, and goes one position on. Where no logit is
    /// a number, it is no token. Gives the token to be run next.
    ///
    /// # Shapes
    /// `logits [1, vocab]` → `[1]`
    fn draw(logits: FloatTensor<Self>, #[extension_type] drawing: Drawing<Self>) -> IntTensor<Self>;
}

/// What a device was told once and repeats when it is called. The error is what the device says.
pub type Recording = Box<dyn Fn() -> Result<(), String>>;

/// A cache's number at its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheId(pub u32);

/// A device that keeps weights and caches. Errors are what the device says; who calls adds what it was about.
pub trait WeightStore {
    /// The device, for the activations.
    fn device(&self) -> Device;

    /// The bytes that a weight takes here; as many as in the file, where the store says nothing else.
    fn weight_bytes(&self, shape: WeightShape) -> u64 {
        let row = shape.kind.bytes_of(shape.columns).unwrap_or(usize::MAX) as u64;
        row.saturating_mul(shape.rows as u64)
    }

    /// As [`Network::chunk`](crate::network::Network::chunk).
    fn chunk(&self) -> Option<usize> {
        None
    }

    /// Told once, before any weight: the elements of an attention head.
    ///
    /// # Errors
    ///
    /// Where caches can't have such heads: those that they can have.
    fn check_head(&self, elements: usize) -> Result<(), String>;

    /// Told once, before any weight: the bytes that all weights and the cache will take.
    ///
    /// # Errors
    ///
    /// Where there is not so much memory.
    fn reserve(&mut self, bytes: u64) -> Result<(), String>;

    /// Begins a weight; its bytes come next.
    ///
    /// # Errors
    ///
    /// A kind or size that the device can't do, or no memory for it.
    fn begin(&mut self, shape: WeightShape) -> Result<(), String>;

    /// Takes the weight's bytes from `offset` on, as they are in the file, in order.
    ///
    /// # Errors
    ///
    /// Bytes out of order, or too many.
    fn bytes(&mut self, offset: u64, bytes: &[u8]) -> Result<(), String>;

    /// Ends the weight.
    ///
    /// # Errors
    ///
    /// Where bytes are missing.
    fn end(&mut self) -> Result<Weight<Dispatch>, String>;

    /// Told once for each layer, when all weights are there: a store may put what belongs together into one place.
    /// `positions` are those that a cache will have.
    ///
    /// # Errors
    ///
    /// Where there is no memory for it.
    fn attention(&mut self, attention: Attention<Dispatch>, positions: usize) -> Result<Attention<Dispatch>, String> {
        let _ = positions;
        Ok(attention)
    }

    /// Makes an empty cache; gives its parts, one a layer.
    ///
    /// # Errors
    ///
    /// Where there is not so much memory.
    fn new_cache(&mut self, shape: CacheShape) -> Result<(CacheId, Vec<Cache<Dispatch>>), String>;

    /// The bytes that a cache takes.
    fn cache_bytes(&self, shape: CacheShape) -> usize;

    /// Copies the first `length` positions from one cache to the other's beginning.
    ///
    /// # Errors
    ///
    /// Where a cache is gone or too small.
    fn copy_cache(&mut self, from: CacheId, to: CacheId, length: usize) -> Result<(), String>;

    /// Frees a cache; one that is gone is ignored.
    fn drop_cache(&mut self, cache: CacheId);

    /// What tokens are drawn with, where the device can go on by itself. Told after the first cache.
    ///
    /// # Errors
    ///
    /// Where there is no memory for it.
    fn drawing(&mut self) -> Result<Option<Drawing<Dispatch>>, String> {
        Ok(None)
    }

    /// Goes on with `token` behind those that the cache holds, `before`, and draws by `chance`.
    ///
    /// # Errors
    ///
    /// Where the device can't go on by itself.
    fn place(&mut self, before: &[u32], token: u32, chance: GumbelSampling) -> Result<(), String> {
        let _ = (before, token, chance);
        Err("this device does not go on by itself".to_owned())
    }

    /// The token that was drawn behind `position`, one of the [`RECENT`](crate::sample::RECENT) last, once it is.
    fn drawn(&self, position: usize) -> Pin<Box<dyn Future<Output = Result<u32, String>>>> {
        Box::pin(std::future::ready(Err(format!("nothing was drawn behind position {position}"))))
    }

    /// Does `work`, which tells the device the same each time, and records it, where the device can: `None` is no failure.
    fn record(&self, work: &dyn Fn()) -> Option<Recording> {
        work();
        None
    }

    /// What went wrong in an operation since it was last asked.
    fn failure(&mut self) -> Option<String>;
}
