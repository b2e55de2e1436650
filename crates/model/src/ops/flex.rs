//! A decoder's operations on the CPU: burn's Flex backend keeps the activations, [`CpuKernels`] compute.
//!
//! The kernels hold the weights, still quantised, and the caches in memory of their own. A weight's tensor is then two
//! numbers: which kernels, and their handle. Natively the kernels are a library of this process; in a browser they can
//! be another module with faster instructions, which is why they stand behind a trait.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::backend::{Dispatch, Flex};
use burn::tensor::{Device, Int, Tensor, TensorData};
use seealso_gguf::{Header, Kind, ModelConfig, RopeLayout, RopeScaling};
use seealso_kernels as kernels;
use seealso_kernels::{Feed, Qkv, WeightId};

use crate::adapters;

use super::{
    Attention, Cache, CacheId, CacheShape, DecoderOps, Drawing, FeedForward, Head, Layer, Optional, Position, Weight,
    WeightShape, WeightStore,
};

/// The CPU's kernels: the calls of [`seealso_kernels::Engine`], which says what each does. Activations are row-major
/// `[rows, width]`. Errors are for people to read.
pub trait CpuKernels: Send {
    /// See [`kernels::Engine::reserve`].
    fn reserve(&mut self, bytes: usize) -> Result<(), String>;
    /// See [`kernels::Engine::weight_begin`].
    fn weight_begin(&mut self, kind: kernels::Kind, rows: usize, columns: usize) -> Result<WeightId, String>;
    /// See [`kernels::Engine::weight_rows`].
    fn weight_rows(&mut self, id: WeightId, offset: u64, bytes: &[u8]) -> Result<(), String>;
    /// See [`kernels::Engine::weight_end`].
    fn weight_end(&mut self, id: WeightId) -> Result<(), String>;
    /// See [`kernels::Engine::embed`].
    fn embed(&mut self, id: WeightId, tokens: &[u32], out: &mut [f32]) -> Result<(), String>;
    /// See [`kernels::Engine::qkv`].
    fn qkv(&mut self, weights: &Qkv, cache: &Place, x: &[f32], q: &mut [f32]) -> Result<(), String>;
    /// See [`kernels::Engine::attend`].
    fn attend(&mut self, cache: &Place, heads: usize, q: &[f32], out: &mut [f32]) -> Result<(), String>;
    /// See [`kernels::Engine::project_add`].
    fn project_add(&mut self, id: WeightId, x: &[f32], residual: &mut [f32]) -> Result<(), String>;
    /// See [`kernels::Engine::gate_up`].
    fn gate_up(&mut self, weights: &Feed, x: &[f32], out: &mut [f32]) -> Result<(), String>;
    /// A whole layer, in place: [`qkv`](Self::qkv), [`attend`](Self::attend), [`project_add`](Self::project_add),
    /// [`gate_up`](Self::gate_up) and `project_add` again.
    fn layer(&mut self, weights: &LayerWeights, cache: &Place, x: &mut [f32]) -> Result<(), String> {
        let rows = x.len() / weights.width.max(1);
        let (mut q, mut attended) =
            (vec![0.0; rows * weights.attention_width], vec![0.0; rows * weights.attention_width]);
        self.qkv(&weights.attention, cache, x, &mut q)?;
        self.attend(cache, weights.heads, &q, &mut attended)?;
        self.project_add(weights.attention_output, &attended, x)?;
        let mut gated = vec![0.0; rows * weights.feed_width];
        self.gate_up(&weights.feed_forward, x, &mut gated)?;
        self.project_add(weights.down, &gated, x)
    }
    /// See [`kernels::Engine::logits`].
    fn logits(&mut self, norm: WeightId, epsilon: f32, id: WeightId, x: &[f32], out: &mut [f32]) -> Result<(), String>;
    /// See [`kernels::Engine::cache_begin`].
    fn cache_begin(&mut self, shape: CacheShape) -> Result<kernels::CacheId, String>;
    /// See [`kernels::Engine::cache_copy_prefix`].
    fn cache_copy_prefix(&mut self, from: kernels::CacheId, to: kernels::CacheId, length: usize) -> Result<(), String>;
    /// See [`kernels::Engine::cache_free`].
    fn cache_free(&mut self, id: kernels::CacheId) -> Result<(), String>;
}

/// A layer's weights, and the widths of what it computes.
#[derive(Debug, Clone)]
pub struct LayerWeights {
    /// What it begins with.
    pub attention: Qkv,
    /// Heads to width.
    pub attention_output: WeightId,
    /// What follows attention.
    pub feed_forward: Feed,
    /// Back to width.
    pub down: WeightId,
    /// Heads of queries.
    pub heads: usize,
    /// Elements of a row.
    pub width: usize,
    /// Elements of all heads of queries.
    pub attention_width: usize,
    /// Elements of a row of the feed-forward.
    pub feed_width: usize,
}

/// Where in a cache an operation works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The cache.
    pub cache: kernels::CacheId,
    /// The layer.
    pub layer: usize,
    /// The first row's position.
    pub position: usize,
}

/// The kernels that are in use, by number; a weight's tensor names one of them.
static SLOTS: Mutex<Vec<Option<Slot>>> = Mutex::new(Vec::new());

type Slot = Arc<Mutex<KernelThread>>;

/// Kernels, and what went wrong in them since they were last asked.
struct KernelThread {
    kernels: Box<dyn CpuKernels>,
    failure: Option<String>,
}

/// A lock that a panic elsewhere can't close: what is behind it is whole between calls.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The CPU as a store of weights.
pub struct FlexStore {
    number: usize,
    slot: Slot,
    /// The weight whose bytes are coming.
    coming: Option<(WeightId, WeightShape)>,
}

impl FlexStore {
    /// The kernels of this process, on one thread: the caller's.
    #[must_use]
    pub fn native() -> Self {
        Self::native_threads(1)
    }

    /// The kernels of this process, on `threads` threads, the caller's among them.
    #[must_use]
    pub fn native_threads(threads: usize) -> Self {
        Self::new(Box::new(kernels::Engine::with_threads(threads.max(1))))
    }

    /// Any kernels.
    #[must_use]
    pub fn new(kernels: Box<dyn CpuKernels>) -> Self {
        let slot: Slot = Arc::new(Mutex::new(KernelThread { kernels, failure: None }));
        let mut slots = lock(&SLOTS);
        let number = slots.iter().position(Option::is_none).unwrap_or(slots.len());
        if number == slots.len() {
            slots.push(None);
        }
        slots[number] = Some(Arc::clone(&slot));
        Self { number, slot, coming: None }
    }

    fn running(&self) -> MutexGuard<'_, KernelThread> {
        lock(&self.slot)
    }

    /// The tensor that stands for a handle.
    fn tensor(&self, handle: u32) -> burn::backend::DispatchTensor {
        let numbers = [self.number as i32, handle as i32];
        Tensor::<1, Int>::from_ints(numbers, &Device::flex()).into_dispatch()
    }

    fn coming(&self) -> Result<(WeightId, WeightShape), String> {
        self.coming.ok_or_else(|| "bytes of a weight that was not begun".to_owned())
    }
}

impl Drop for FlexStore {
    fn drop(&mut self) {
        if let Some(slot) = lock(&SLOTS).get_mut(self.number) {
            *slot = None;
        }
    }
}

impl WeightStore for FlexStore {
    fn device(&self) -> Device {
        Device::flex()
    }

    fn weight_bytes(&self, shape: WeightShape) -> u64 {
        weight_bytes(shape)
    }

    fn check_head(&self, elements: usize) -> Result<(), String> {
        match elements.is_multiple_of(kernels::HEAD_GROUP) {
            true => Ok(()),
            false => Err(format!("heads of a multiple of {} elements", kernels::HEAD_GROUP)),
        }
    }

    fn reserve(&mut self, bytes: u64) -> Result<(), String> {
        let bytes =
            usize::try_from(bytes).map_err(|_| format!("{bytes} bytes are more than this machine can address"))?;
        self.running().kernels.reserve(bytes)
    }

    fn begin(&mut self, shape: WeightShape) -> Result<(), String> {
        let id = self.running().kernels.weight_begin(kind(shape.kind)?, shape.rows, shape.columns)?;
        self.coming = Some((id, shape));
        Ok(())
    }

    fn bytes(&mut self, offset: u64, bytes: &[u8]) -> Result<(), String> {
        let (id, _) = self.coming()?;
        self.running().kernels.weight_rows(id, offset, bytes)
    }

    fn end(&mut self) -> Result<Weight<Dispatch>, String> {
        let (id, shape) = self.coming()?;
        self.running().kernels.weight_end(id)?;
        self.coming = None;
        Ok(Weight { data: self.tensor(id.0), shape, more: Vec::new() })
    }

    fn new_cache(&mut self, shape: CacheShape) -> Result<(CacheId, Vec<Cache<Dispatch>>), String> {
        let id = self.running().kernels.cache_begin(shape)?;
        let data = self.tensor(id.0);
        let layers = (0..shape.layers).map(|layer| Cache { data: data.clone(), place: data.clone(), layer, shape });
        Ok((CacheId(id.0), layers.collect()))
    }

    fn cache_bytes(&self, shape: CacheShape) -> usize {
        cache_bytes(shape)
    }

    fn copy_cache(&mut self, from: CacheId, to: CacheId, length: usize) -> Result<(), String> {
        self.running().kernels.cache_copy_prefix(kernels::CacheId(from.0), kernels::CacheId(to.0), length)
    }

    fn drop_cache(&mut self, cache: CacheId) {
        // What is gone already needs no freeing.
        let _ = self.running().kernels.cache_free(kernels::CacheId(cache.0));
    }

    fn failure(&mut self) -> Option<String> {
        self.running().failure.take()
    }
}

/// The bytes that a weight takes in the kernels' memory.
fn weight_bytes(shape: WeightShape) -> u64 {
    let bytes = kind(shape.kind).ok().and_then(|kind| kernels::weight_bytes(kind, shape.rows, shape.columns).ok());
    // What is refused when it begins takes nothing.
    bytes.unwrap_or(0) as u64
}

/// The bytes of a cache there: keys and values, half floats, in blocks of 32 positions.
fn cache_bytes(shape: CacheShape) -> usize {
    let capacity = shape.capacity.checked_next_multiple_of(32).unwrap_or(usize::MAX);
    CacheShape { capacity, ..shape }.bytes()
}

/// The bytes that a model's weights and a cache of `context` positions take on the CPU.
#[must_use]
pub fn memory_bytes(header: &Header, config: &ModelConfig, context: usize) -> u64 {
    let weights: u64 = header.tensors.iter().map(|tensor| weight_bytes(WeightShape::of(tensor))).sum();
    weights.saturating_add(cache_bytes(CacheShape::of(config, context)) as u64)
}

/// The kernels' name for a kind.
fn kind(kind: Kind) -> Result<kernels::Kind, String> {
    kernels::Kind::from_ggml(kind.code()).map_err(|error| error.to_string())
}

type Floats = FloatTensor<Flex>;
type Ints = IntTensor<Flex>;

/// The number of the kernels, and their handle.
fn handle(data: &Ints) -> (usize, u32) {
    match data.as_slice::<i32>() {
        Some(&[slot, handle]) => (slot as usize, handle as u32),
        // No slot has this number: the operation then notes nothing and gives zeros.
        _ => (usize::MAX, 0),
    }
}

fn weight(weight: &Weight<Flex>) -> WeightId {
    WeightId(handle(&weight.data).1)
}

fn optional(optional: &Optional<Flex>) -> Option<WeightId> {
    match optional {
        Optional::Absent => None,
        Optional::Present(present) => Some(weight(present)),
    }
}

fn place(cache: &Cache<Flex>, position: Position) -> Place {
    // The CPU keeps no count of positions: its store gives nothing to draw with.
    let (Position::At(position) | Position::Placed(position)) = position;
    Place { cache: kernels::CacheId(handle(&cache.data).1), layer: cache.layer, position }
}

/// Runs an operation on the kernels that `data` names; what goes wrong is noted there.
fn run(data: &Ints, work: impl FnOnce(&mut dyn CpuKernels) -> Result<(), String>) {
    let slot = lock(&SLOTS).get(handle(data).0).cloned().flatten();
    if let Some(slot) = slot {
        let mut running = lock(&slot);
        if let Err(cause) = work(&mut *running.kernels) {
            running.failure.get_or_insert(cause);
        }
    }
}

/// The values of a matrix, row by row, and the number of rows.
fn rows(x: &Floats) -> (Floats, usize) {
    (x.to_contiguous(), x.layout().shape()[0])
}

fn values(x: &Floats) -> &[f32] {
    x.as_slice::<f32>().unwrap_or(&[])
}

/// A new matrix that `fill` writes.
fn matrix(rows: usize, columns: usize, fill: impl FnOnce(&mut [f32])) -> Floats {
    let mut out = vec![0.0; rows * columns];
    fill(&mut out);
    Floats::from_data(TensorData::new(out, [rows, columns]))
}

impl DecoderOps for Flex {
    fn embed(table: Weight<Self>, tokens: Ints) -> Floats {
        let tokens: Vec<u32> = tokens.as_slice::<i32>().unwrap_or(&[]).iter().map(|&token| token as u32).collect();
        matrix(tokens.len(), table.shape.columns, |out| {
            run(&table.data, |kernels| kernels.embed(weight(&table), &tokens, out));
        })
    }

    fn qkv(x: Floats, weights: Attention<Self>, cache: Cache<Self>, position: Position) -> Floats {
        let (x, count) = rows(&x);
        let layer = qkv_weights(&weights);
        matrix(count, weights.query.shape.rows, |q| {
            run(&cache.data, |kernels| kernels.qkv(&layer, &place(&cache, position), values(&x), q));
        })
    }

    fn attend(q: Floats, cache: Cache<Self>, position: Position) -> Floats {
        let (q, count) = rows(&q);
        let width = q.layout().shape()[1];
        let heads = width / cache.shape.head_dim;
        matrix(count, width, |out| {
            run(&cache.data, |kernels| kernels.attend(&place(&cache, position), heads, values(&q), out));
        })
    }

    fn project_add(x: Floats, matrix: Weight<Self>, residual: Floats) -> Floats {
        let x = x.to_contiguous();
        let mut residual = residual.to_contiguous();
        run(&matrix.data, |kernels| kernels.project_add(weight(&matrix), values(&x), residual.storage_mut::<f32>()));
        residual
    }

    fn gate_up(x: Floats, weights: FeedForward<Self>) -> Floats {
        let (x, count) = rows(&x);
        let feed = feed(&weights);
        matrix(count, weights.gate.shape.rows, |out| {
            run(&weights.gate.data, |kernels| kernels.gate_up(&feed, values(&x), out));
        })
    }

    fn layer(x: Floats, weights: Layer<Self>, cache: Cache<Self>, position: Position) -> Floats {
        let attention_width = weights.attention.query.shape.rows;
        let weights = LayerWeights {
            attention: qkv_weights(&weights.attention),
            attention_output: weight(&weights.attention_output),
            feed_forward: feed(&weights.feed_forward),
            down: weight(&weights.down),
            heads: attention_width / cache.shape.head_dim,
            width: weights.down.shape.rows,
            attention_width,
            feed_width: weights.down.shape.columns,
        };
        let mut x = x.to_contiguous();
        run(&cache.data, |kernels| kernels.layer(&weights, &place(&cache, position), x.storage_mut::<f32>()));
        x
    }

    fn adapt(x: Floats, adapter: Floats, epsilon: f32) -> Floats {
        let (mut x, adapter) = (x.to_contiguous(), adapter.to_contiguous());
        let width = x.layout().shape()[1];
        adapters::adapt(x.storage_mut::<f32>(), values(&adapter), width, epsilon);
        x
    }

    fn logits(x: Floats, head: Head<Self>) -> Floats {
        let (x, count) = rows(&x);
        matrix(count, head.output.shape.rows, |out| {
            run(&head.output.data, |kernels| {
                kernels.logits(weight(&head.norm), head.epsilon, weight(&head.output), values(&x), out)
            });
        })
    }

    fn draw(_: Floats, drawing: Drawing<Self>) -> Ints {
        drawing.next
    }
}

fn feed(weights: &FeedForward<Flex>) -> Feed {
    let [norm, gate, up] = [&weights.norm, &weights.gate, &weights.up].map(weight);
    Feed { norm, eps: weights.epsilon, gate, up }
}

fn qkv_weights(weights: &Attention<Flex>) -> Qkv {
    let rope = weights.rope;
    let scale = match rope.scaling {
        RopeScaling::Linear(factor) => 1.0 / factor,
        _ => 1.0,
    };
    let layout = match rope.layout {
        RopeLayout::Interleaved => kernels::RopeLayout::Interleaved,
        RopeLayout::Halves => kernels::RopeLayout::HalfSplit,
    };
    Qkv {
        norm: weight(&weights.norm),
        eps: weights.epsilon,
        q: weight(&weights.query),
        k: weight(&weights.key),
        v: weight(&weights.value),
        q_bias: optional(&weights.query_bias),
        k_bias: optional(&weights.key_bias),
        v_bias: optional(&weights.value_bias),
        q_norm: optional(&weights.query_norm),
        k_norm: optional(&weights.key_norm),
        rope: kernels::Rope { dims: rope.dimensions, base: rope.theta, scale, layout },
        rope_factors: optional(&weights.rope_factors),
    }
}

/// The text of the kernels' errors.
fn text<T>(outcome: kernels::Result<T>) -> Result<T, String> {
    outcome.map_err(|error| error.to_string())
}

impl CpuKernels for kernels::Engine {
    fn reserve(&mut self, bytes: usize) -> Result<(), String> {
        text(kernels::Engine::reserve(self, bytes))
    }

    fn weight_begin(&mut self, kind: kernels::Kind, rows: usize, columns: usize) -> Result<WeightId, String> {
        text(self.weight_begin(kind, rows, columns))
    }

    fn weight_rows(&mut self, id: WeightId, offset: u64, bytes: &[u8]) -> Result<(), String> {
        text(self.weight_rows(id, offset, bytes))
    }

    fn weight_end(&mut self, id: WeightId) -> Result<(), String> {
        text(self.weight_end(id))
    }

    fn embed(&mut self, id: WeightId, tokens: &[u32], out: &mut [f32]) -> Result<(), String> {
        text(kernels::Engine::embed(self, id, tokens, out))
    }

    fn qkv(&mut self, weights: &Qkv, at: &Place, x: &[f32], q: &mut [f32]) -> Result<(), String> {
        text(self.qkv(weights, at.cache, at.layer, x, at.position, q))
    }

    fn attend(&mut self, at: &Place, heads: usize, q: &[f32], out: &mut [f32]) -> Result<(), String> {
        text(self.attend(at.cache, at.layer, heads, q, at.position, out))
    }

    fn project_add(&mut self, id: WeightId, x: &[f32], residual: &mut [f32]) -> Result<(), String> {
        text(self.project_add(id, x, residual))
    }

    fn gate_up(&mut self, weights: &Feed, x: &[f32], out: &mut [f32]) -> Result<(), String> {
        text(self.gate_up(weights, x, out))
    }

    fn logits(&mut self, norm: WeightId, epsilon: f32, id: WeightId, x: &[f32], out: &mut [f32]) -> Result<(), String> {
        text(self.logits(norm, epsilon, id, x, out))
    }

    fn cache_begin(&mut self, shape: CacheShape) -> Result<kernels::CacheId, String> {
        text(self.cache_begin(shape.layers, shape.kv_heads, shape.head_dim, shape.capacity))
    }

    fn cache_copy_prefix(&mut self, from: kernels::CacheId, to: kernels::CacheId, length: usize) -> Result<(), String> {
        text(self.cache_copy_prefix(from, to, length))
    }

    fn cache_free(&mut self, id: kernels::CacheId) -> Result<(), String> {
        text(self.cache_free(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_too_large_to_be_said_is_not_a_small_one() {
        let check = |layers, kv_heads, head_dim, capacity, expected| {
            let shape = CacheShape { layers, kv_heads, head_dim, capacity };
            assert_eq!(cache_bytes(shape), expected, "{shape:?}");
        };
        check(2, 2, 16, 40, 4 * 2 * 2 * 16 * 64);
        check(1, 1, 8, usize::MAX, usize::MAX);
        // Two to the power of an address's bits: the least that overflows.
        check(1 << 3, 1 << 3, 1 << 8, 1 << (usize::BITS - 16), usize::MAX);
    }
}
