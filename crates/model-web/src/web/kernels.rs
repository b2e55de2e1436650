//! The CPU's kernels as an object of JavaScript, which hands each call on to a side module.
//!
//! A call passes views of this wasm's memory: the object copies them into the side module's memory and back. What
//! describes an operation goes as words, floats by their bits.

use std::cell::RefCell;
use std::collections::BTreeMap;

use seealso_kernels::{CacheId, Feed, Kind, Qkv, RopeLayout, WeightId};
use seealso_model::ops::CacheShape;
use seealso_model::ops::flex::{CpuKernels, Place};
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
    #[wasm_bindgen(method, catch)]
    fn embed(this: &Kernels, id: u32, tokens: &[u32], out: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn qkv(this: &Kernels, weights: &[u32], place: &[u32], x: &[f32], q: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn attend(this: &Kernels, place: &[u32], heads: u32, q: &[f32], out: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = projectAdd)]
    fn project_add(this: &Kernels, id: u32, x: &[f32], residual: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = gateUp)]
    fn gate_up(this: &Kernels, weights: &[u32], x: &[f32], out: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn logits(this: &Kernels, norm: u32, epsilon: f32, id: u32, x: &[f32], out: &mut [f32]) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = cacheBegin)]
    fn cache_begin(this: &Kernels, layers: u32, heads: u32, dim: u32, capacity: u32) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch, js_name = cacheTruncate)]
    fn cache_truncate(this: &Kernels, id: u32, length: u32) -> Result<(), JsValue>;
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
pub(super) struct SideModule(u32);

impl SideModule {
    /// Takes an object into use.
    pub(super) fn new(kernels: Kernels) -> Self {
        IN_USE.with_borrow_mut(|in_use| {
            let number = in_use.keys().next_back().map_or(0, |last| last + 1);
            in_use.insert(number, kernels);
            Self(number)
        })
    }

    fn call<T>(&self, work: impl FnOnce(&Kernels) -> Result<T, JsValue>) -> Result<T, String> {
        IN_USE.with_borrow(|in_use| {
            let kernels = in_use.get(&self.0).ok_or("the kernels are gone")?;
            work(kernels).map_err(|error| text_of(&error))
        })
    }
}

impl Drop for SideModule {
    fn drop(&mut self) {
        if let Some(kernels) = IN_USE.with_borrow_mut(|in_use| in_use.remove(&self.0)) {
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
fn optional(id: Option<WeightId>) -> u32 {
    id.map_or(u32::MAX, |id| id.0)
}

fn place_words(place: &Place) -> [u32; 3] {
    [place.cache.0, word(place.layer), word(place.position)]
}

fn qkv_words(weights: &Qkv) -> [u32; 15] {
    let rope = weights.rope;
    let layout = match rope.layout {
        RopeLayout::Interleaved => 0,
        RopeLayout::HalfSplit => 1,
    };
    [
        weights.norm.0,
        weights.eps.to_bits(),
        weights.q.0,
        weights.k.0,
        weights.v.0,
        optional(weights.q_bias),
        optional(weights.k_bias),
        optional(weights.v_bias),
        optional(weights.q_norm),
        optional(weights.k_norm),
        optional(weights.rope_factors),
        word(rope.dims),
        rope.base.to_bits(),
        rope.scale.to_bits(),
        layout,
    ]
}

impl CpuKernels for SideModule {
    fn reserve(&mut self, bytes: usize) -> Result<(), String> {
        self.call(|kernels| kernels.reserve(bytes as f64))
    }

    fn weight_begin(&mut self, kind: Kind, rows: usize, columns: usize) -> Result<WeightId, String> {
        self.call(|kernels| kernels.weight_begin(kind.ggml(), word(rows), word(columns))).map(WeightId)
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
        self.call(|kernels| kernels.qkv(&qkv_words(weights), &place_words(place), x, q))
    }

    fn attend(&mut self, place: &Place, heads: usize, q: &[f32], out: &mut [f32]) -> Result<(), String> {
        self.call(|kernels| kernels.attend(&place_words(place), word(heads), q, out))
    }

    fn project_add(&mut self, id: WeightId, x: &[f32], residual: &mut [f32]) -> Result<(), String> {
        self.call(|kernels| kernels.project_add(id.0, x, residual))
    }

    fn gate_up(&mut self, weights: &Feed, x: &[f32], out: &mut [f32]) -> Result<(), String> {
        let words = [weights.norm.0, weights.eps.to_bits(), weights.gate.0, weights.up.0];
        self.call(|kernels| kernels.gate_up(&words, x, out))
    }

    fn logits(&mut self, norm: WeightId, epsilon: f32, id: WeightId, x: &[f32], out: &mut [f32]) -> Result<(), String> {
        self.call(|kernels| kernels.logits(norm.0, epsilon, id.0, x, out))
    }

    fn cache_begin(&mut self, shape: CacheShape) -> Result<CacheId, String> {
        let [layers, heads, dim, capacity] = [shape.layers, shape.kv_heads, shape.head_dim, shape.capacity].map(word);
        self.call(|kernels| kernels.cache_begin(layers, heads, dim, capacity)).map(CacheId)
    }

    fn cache_truncate(&mut self, id: CacheId, length: usize) -> Result<(), String> {
        self.call(|kernels| kernels.cache_truncate(id.0, word(length)))
    }

    fn cache_copy_prefix(&mut self, from: CacheId, to: CacheId, length: usize) -> Result<(), String> {
        self.call(|kernels| kernels.cache_copy_prefix(from.0, to.0, word(length)))
    }

    fn cache_free(&mut self, id: CacheId) -> Result<(), String> {
        self.call(|kernels| kernels.cache_free(id.0))
    }
}
