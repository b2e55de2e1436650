//! The CPU's kernels as an object of JavaScript, which hands each call on to a side module.
//!
//! A call passes views of this wasm's memory: the object copies them into the side module's memory and back. Layers are
//! described to the side module once.

use std::cell::RefCell;
use std::collections::BTreeMap;

use seealso_kernels::{CacheId, Feed, Kind, Qkv, RopeLayout, WeightId};
use seealso_model::ops::CacheShape;
use seealso_model::ops::flex::{CpuKernels, LayerWeights, Place};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// `kernels.js` has the class; it throws what the side module says.
    pub type Kernels;

    #[wasm_bindgen(method, catch)]
    fn reserve(this: &Kernels, bytes: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = weightBegin)]
    fn weight_begin(this: &Kernels, kind: u32, rows: u32, columns: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch, js_name = weightRows)]
    fn weight_rows(this: &Kernels, id: u32, offset: f64, bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = weightEnd)]
    fn weight_end(this: &Kernels, id: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = layerBegin)]
    fn layer_begin(
        this: &Kernels,
        norm: u32,
        epsilon: f32,
        projections: &[u32],
        optional: &[i32],
        rope_dims: u32,
        rope_base: f32,
        rope_scale: f32,
        half_split: u32,
        rope_factors: i32,
    ) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch, js_name = feedBegin)]
    fn feed_begin(this: &Kernels, norm: u32, epsilon: f32, gate: u32, up: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn embed(this: &Kernels, id: u32, tokens: &[u32], out: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn qkv(
        this: &Kernels,
        layer: u32,
        cache: u32,
        index: u32,
        position: u32,
        rows: u32,
        x: &[f32],
        q: &mut [f32],
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn attend(
        this: &Kernels,
        cache: u32,
        index: u32,
        position: u32,
        heads: u32,
        rows: u32,
        q: &[f32],
        out: &mut [f32],
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = projectAdd)]
    fn project_add(this: &Kernels, id: u32, rows: u32, x: &[f32], residual: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = gateUp)]
    fn gate_up(this: &Kernels, feed: u32, rows: u32, x: &[f32], out: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn layer(
        this: &Kernels,
        weights: &[u32],
        cache: u32,
        index: u32,
        position: u32,
        widths: &[u32],
        x: &mut [f32],
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn logits(
        this: &Kernels,
        norm: u32,
        epsilon: f32,
        id: u32,
        rows: u32,
        x: &[f32],
        out: &mut [f32],
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = cacheBegin)]
    fn cache_begin(this: &Kernels, layers: u32, heads: u32, dim: u32, capacity: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch, js_name = cacheCopyPrefix)]
    fn cache_copy_prefix(this: &Kernels, from: u32, to: u32, length: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = cacheFree)]
    fn cache_free(this: &Kernels, id: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn free(this: &Kernels);
}

thread_local! {
    /// The objects in use, by number: a number can go where an object of one thread can't.
    static IN_USE: RefCell<BTreeMap<u32, Kernels>> = const { RefCell::new(BTreeMap::new()) };
}

/// One object in use; freed when this is dropped.
pub(super) struct SideModule {
    number: u32,
    /// `[out_features, in_features]` of the weights.
    shapes: BTreeMap<u32, [usize; 2]>,
    /// Elements of a head of the caches.
    head_dims: BTreeMap<u32, usize>,
    /// What the side module knows layers by, by their query weights.
    layers: BTreeMap<u32, u32>,
    /// What it knows feed-forward networks by, by their gates.
    feeds: BTreeMap<u32, u32>,
}

impl SideModule {
    /// Takes an object into use.
    pub(super) fn new(kernels: Kernels) -> Self {
        let number = IN_USE.with_borrow_mut(|in_use| {
            let number = in_use.keys().next_back().map_or(0, |last| last + 1);
            in_use.insert(number, kernels);
            number
        });
        let (shapes, head_dims) = (BTreeMap::new(), BTreeMap::new());
        Self { number, shapes, head_dims, layers: BTreeMap::new(), feeds: BTreeMap::new() }
    }

    fn call<T>(&self, work: impl FnOnce(&Kernels) -> Result<T, JsValue>) -> Result<T, String> {
        IN_USE.with_borrow(|in_use| {
            let kernels = in_use.get(&self.number).ok_or("the kernels are gone")?;
            work(kernels).map_err(|error| text_of(&error))
        })
    }

    /// How many rows of a weight's inputs these values are.
    fn rows(&self, id: WeightId, values: &[f32]) -> Result<u32, String> {
        let [_, width] = self.shapes.get(&id.0).ok_or("the weight is gone")?;
        Ok(word(values.len() / width))
    }

    /// The layer's number, described at its first use.
    fn layer_number(&mut self, weights: &Qkv) -> Result<u32, String> {
        if let Some(&number) = self.layers.get(&weights.q.0) {
            return Ok(number);
        }
        let rope = weights.rope;
        let projections = [weights.q, weights.k, weights.v].map(|id| id.0);
        let optional = [weights.q_bias, weights.k_bias, weights.v_bias, weights.q_norm, weights.k_norm].map(optional);
        let half_split = u32::from(rope.layout == RopeLayout::HalfSplit);
        let factors = self::optional(weights.rope_factors);
        let number = self.call(|kernels| {
            kernels.layer_begin(
                weights.norm.0,
                weights.eps,
                &projections,
                &optional,
                word(rope.dims),
                rope.base,
                rope.scale,
                half_split,
                factors,
            )
        })?;
        self.layers.insert(weights.q.0, number);
        Ok(number)
    }

    /// The feed-forward network's number, described at its first use.
    fn feed_number(&mut self, weights: &Feed) -> Result<u32, String> {
        if let Some(&number) = self.feeds.get(&weights.gate.0) {
            return Ok(number);
        }
        let Feed { norm, eps, gate, up } = *weights;
        let number = self.call(|kernels| kernels.feed_begin(norm.0, eps, gate.0, up.0))?;
        self.feeds.insert(gate.0, number);
        Ok(number)
    }
}

impl Drop for SideModule {
    fn drop(&mut self) {
        if let Some(kernels) = IN_USE.with_borrow_mut(|in_use| in_use.remove(&self.number)) {
            kernels.free();
        }
    }
}

fn text_of(error: &JsValue) -> String {
    let message = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    message.or_else(|| error.as_string()).unwrap_or_else(|| "the kernels failed".to_owned())
}

/// A number of things that are in memory, so that it fits.
fn word(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A handle that may be missing.
fn optional(id: Option<WeightId>) -> i32 {
    id.and_then(|id| i32::try_from(id.0).ok()).unwrap_or(-1)
}

impl CpuKernels for SideModule {
    fn reserve(&mut self, bytes: usize) -> Result<(), String> {
        self.call(|kernels| kernels.reserve(bytes as f64))
    }

    fn weight_begin(&mut self, kind: Kind, rows: usize, columns: usize) -> Result<WeightId, String> {
        let id = self.call(|kernels| kernels.weight_begin(kind as u32, word(rows), word(columns))).map(WeightId)?;
        self.shapes.insert(id.0, [rows, columns]);
        Ok(id)
    }

    fn weight_rows(&mut self, id: WeightId, offset: u64, bytes: &[u8]) -> Result<(), String> {
        self.call(|kernels| kernels.weight_rows(id.0, offset as f64, bytes))
    }

    fn weight_end(&mut self, id: WeightId) -> Result<(), String> {
        self.call(|kernels| kernels.weight_end(id.0))
    }

    fn embed(&mut self, id: WeightId, tokens: &[u32], out: &mut [f32]) -> Result<(), String> {
        self.call(|kernels| kernels.embed(id.0, tokens, out))
    }

    fn qkv(&mut self, weights: &Qkv, place: &Place, x: &[f32], q: &mut [f32]) -> Result<(), String> {
        let (layer, rows) = (self.layer_number(weights)?, self.rows(weights.q, x)?);
        let (index, position) = (word(place.layer), word(place.position));
        self.call(|kernels| kernels.qkv(layer, place.cache.0, index, position, rows, x, q))
    }

    fn attend(&mut self, place: &Place, heads: usize, q: &[f32], out: &mut [f32]) -> Result<(), String> {
        let head_dim = self.head_dims.get(&place.cache.0).ok_or("the cache is gone")?;
        let rows = word(q.len() / (heads * head_dim).max(1));
        let (index, position) = (word(place.layer), word(place.position));
        self.call(|kernels| kernels.attend(place.cache.0, index, position, word(heads), rows, q, out))
    }

    fn project_add(&mut self, id: WeightId, x: &[f32], residual: &mut [f32]) -> Result<(), String> {
        let rows = self.rows(id, x)?;
        self.call(|kernels| kernels.project_add(id.0, rows, x, residual))
    }

    fn gate_up(&mut self, weights: &Feed, x: &[f32], out: &mut [f32]) -> Result<(), String> {
        let (feed, rows) = (self.feed_number(weights)?, self.rows(weights.gate, x)?);
        self.call(|kernels| kernels.gate_up(feed, rows, x, out))
    }

    fn layer(&mut self, weights: &LayerWeights, place: &Place, x: &mut [f32]) -> Result<(), String> {
        let (layer, feed) = (self.layer_number(&weights.attention)?, self.feed_number(&weights.feed_forward)?);
        let numbers = [layer, weights.attention_output.0, feed, weights.down.0];
        let rows = x.len() / weights.width.max(1);
        let widths = [rows, weights.heads, rows * weights.attention_width, rows * weights.feed_width].map(word);
        let (index, position) = (word(place.layer), word(place.position));
        self.call(|kernels| kernels.layer(&numbers, place.cache.0, index, position, &widths, x))
    }

    fn logits(&mut self, norm: WeightId, epsilon: f32, id: WeightId, x: &[f32], out: &mut [f32]) -> Result<(), String> {
        let rows = self.rows(id, x)?;
        self.call(|kernels| kernels.logits(norm.0, epsilon, id.0, rows, x, out))
    }

    fn cache_begin(&mut self, shape: CacheShape) -> Result<CacheId, String> {
        let [layers, heads, dim, capacity] = [shape.layers, shape.kv_heads, shape.head_dim, shape.capacity].map(word);
        let id = self.call(|kernels| kernels.cache_begin(layers, heads, dim, capacity)).map(CacheId)?;
        self.head_dims.insert(id.0, shape.head_dim);
        Ok(id)
    }

    fn cache_copy_prefix(&mut self, from: CacheId, to: CacheId, length: usize) -> Result<(), String> {
        self.call(|kernels| kernels.cache_copy_prefix(from.0, to.0, word(length)))
    }

    fn cache_free(&mut self, id: CacheId) -> Result<(), String> {
        self.head_dims.remove(&id.0);
        self.call(|kernels| kernels.cache_free(id.0))
    }
}
