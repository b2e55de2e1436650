//! The heavy steps of a transformer decoder on the CPU, over weights that stay quantised.
//!
//! An [`Engine`] holds a model's weights and key-value caches in its own memory and computes with
//! them: embedding, RMSNorm, projections, rotary positions, grouped-query attention, the gated
//! feed-forward's inner half, logits. The order of a model's steps is the caller's business; so are
//! files, tokens and sampling. There are no dependencies.
//!
//! ```
//! use seealso_kernels::{Engine, Kind};
//!
//! let mut engine = Engine::new();
//! let id = engine.weight_begin(Kind::F32, 2, 3)?;
//! let file: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
//! engine.weight_rows(id, 0, &file)?;
//! engine.weight_end(id)?;
//! let mut out = [0.0; 2];
//! engine.linear(id, &[1.0, 0.0, -1.0], None, &mut out)?;
//! assert_eq!(out, [-2.0, -2.0]);
//! # Ok::<(), seealso_kernels::Error>(())
//! ```
//!
//! # Numbers
//!
//! Weights are as the file has them, but for the scales of the super-block kinds (`Q4_K`, `Q5_K`,
//! `Q6_K`): their product of two factors is rounded to a half float. Activations are quantised to
//! 8 bits with one scale per 32 for every product with a quantised weight; sums of products are
//! exact integers, then floats. All kernels of the products, plain or vectors, give the same bits.

//!
//! # Side modules
//!
//! With the feature `side-module` the crate has a C boundary (`src/exports.rs`) and is compiled as plain
//! wasm, once for each kind of browser: `simd128`, `relaxed` (products of bytes) and `threads` (the same
//! on shared memory). `js/side-module.mjs` calls it, `cargo xtask kernels` builds and checks it, and
//! `bench/layers.mjs` times it.

mod error;
mod half;
mod kind;
mod blocks;
mod layout;
mod weight;
mod maths;
mod rope;
mod path;
mod panel;
mod quantise;
mod activations;
mod thread_pool;
mod tile;
mod simd;
mod matmul;
mod cache;
mod attention;
mod engine;
#[cfg(feature = "side-module")]
mod limits;
#[cfg(feature = "side-module")]
mod exports;

pub use cache::HEAD_GROUP;
pub use engine::{CacheId, Engine, Feed, Qkv, WeightId};
pub use error::{Error, Result};
pub use kind::Kind;
pub use rope::{Rope, RopeLayout};
pub use weight::weight_bytes;
