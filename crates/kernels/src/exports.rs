//! The side module's C boundary: a thin layer over [`Engine`](crate::Engine), for JavaScript to call.
//!
//! Operands are in numbered *buffers* of floats, in the module's own memory. `buffer` makes one of
//! the length asked for and returns its address (0 where memory is short), which holds until that
//! buffer is asked for again; JavaScript reads and writes there, and operations name buffers by
//! number. So no call can be given an address that isn't the engine's, and results can stay where the
//! next operation takes them.
//!
//! Calls return a handle, a number or 0, and where they are refused a negative code
//! ([`Error::code`](crate::Error::code), or those of [`Refusal`]); `error_text` then tells the reason. Optional handles
//! are -1 where absent. `rows` say how much of a buffer is meant; buffers may be longer.

#![allow(unsafe_code, reason = "exported names, and floats seen as bytes")]
#![allow(clippy::too_many_arguments, reason = "a C boundary has no structures")]

mod state;

use state::{JOBS, Refusal, call, handle, operand, optional};

use crate::engine::{CacheId, Feed, Qkv, WeightId};
use crate::error::resize;
use crate::kind::Kind;
use crate::limits;
use crate::rope::{Rope, RopeLayout};

/// Takes `bytes` from the host in one step; see [`Engine::reserve`](crate::Engine::reserve).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reserve(bytes: u32) -> i32 {
    call(|state| {
        state.engine.reserve(bytes as usize)?;
        Ok(0)
    })
}

/// Gives buffer `slot` the length `floats` and returns its address, or 0.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn buffer(slot: u32, floats: u32) -> u32 {
    let mut address = 0;
    call(|state| {
        let buffer = state.buffers.get_mut(slot as usize).ok_or(Refusal::Number(slot))?;
        if buffer.capacity() / 2 > floats as usize {
            // What was once needed for long must not be kept for ever.
            *buffer = Vec::new();
        }
        resize(buffer, floats as usize)?;
        address = buffer.as_ptr() as u32;
        Ok(0)
    });
    address
}

/// The address of the last refusal's text, in UTF-8; its length is [`error_length`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn error_text() -> u32 {
    let mut address = 0;
    call(|state| {
        address = state.error.as_ptr() as u32;
        Ok(0)
    });
    address
}

/// Bytes of the last refusal's text.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn error_length() -> i32 {
    call(|state| handle(state.error.len() as u32))
}

/// Bytes that weights and caches take.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn engine_bytes() -> f64 {
    let mut bytes = 0.0;
    call(|state| {
        bytes = state.engine.bytes() as f64;
        Ok(0)
    });
    bytes
}

/// [`Engine::weight_begin`](crate::Engine::weight_begin), of ggml's number of a kind.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn weight_begin(kind: u32, out_features: u32, in_features: u32) -> i32 {
    call(|state| {
        let kind = Kind::from_ggml(kind)?;
        handle(state.engine.weight_begin(kind, out_features as usize, in_features as usize)?.0)
    })
}

/// [`Engine::weight_rows`](crate::Engine::weight_rows), of the first `bytes` bytes of a buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn weight_rows(id: u32, first_byte: f64, slot: u32, bytes: u32) -> i32 {
    call(|state| {
        state.bytes(slot, bytes as usize)?;
        let buffer = std::mem::take(&mut state.buffers[slot as usize]);
        // SAFETY: floats are four bytes each, and every byte is a value; the length was checked.
        let given = unsafe { std::slice::from_raw_parts(buffer.as_ptr().cast::<u8>(), bytes as usize) };
        let outcome = state.engine.weight_rows(WeightId(id), first_byte as u64, given);
        state.buffers[slot as usize] = buffer;
        outcome?;
        Ok(0)
    })
}

/// [`Engine::weight_end`](crate::Engine::weight_end).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn weight_end(id: u32) -> i32 {
    call(|state| {
        state.engine.weight_end(WeightId(id))?;
        Ok(0)
    })
}

/// [`Engine::weight_free`](crate::Engine::weight_free).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn weight_free(id: u32) -> i32 {
    call(|state| {
        state.engine.weight_free(WeightId(id))?;
        Ok(0)
    })
}

/// [`Engine::embed`](crate::Engine::embed); the buffer `tokens` holds 32-bit integers.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn embed(id: u32, tokens: u32, count: u32, out: u32) -> i32 {
    call(|state| {
        let [_, width] = state.shape(id)?;
        let ids: Vec<u32> = state.buffer(tokens, count as usize)?.iter().map(|token| token.to_bits()).collect();
        state.with(&operand(tokens, 0, 0), &operand(out, count, width), |engine, _, out| {
            engine.embed(WeightId(id), &ids, out)
        })
    })
}

/// [`Engine::norm`](crate::Engine::norm).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn norm(x: u32, rows: u32, weight: u32, eps: f32, out: u32) -> i32 {
    call(|state| {
        let [outs, ins] = state.shape(weight)?;
        let width = outs.saturating_mul(ins);
        state.with(&operand(x, rows, width), &operand(out, rows, width), |engine, x, out| {
            engine.norm(x, WeightId(weight), eps, out)
        })
    })
}

/// [`Engine::linear`](crate::Engine::linear).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn linear(id: u32, x: u32, rows: u32, bias: i32, out: u32) -> i32 {
    call(|state| {
        let [outs, ins] = state.shape(id)?;
        state.with(&operand(x, rows, ins), &operand(out, rows, outs), |engine, x, out| {
            engine.linear(WeightId(id), x, optional(bias), out)
        })
    })
}

/// [`Engine::project_add`](crate::Engine::project_add).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn project_add(id: u32, x: u32, rows: u32, residual: u32) -> i32 {
    call(|state| {
        let [outs, ins] = state.shape(id)?;
        state.with(&operand(x, rows, ins), &operand(residual, rows, outs), |engine, x, residual| {
            engine.project_add(WeightId(id), x, residual)
        })
    })
}

/// Describes a layer for [`qkv`], as [`Qkv`] does; returns its number.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn layer_begin(
    norm: u32,
    eps: f32,
    q: u32,
    k: u32,
    v: u32,
    q_bias: i32,
    k_bias: i32,
    v_bias: i32,
    q_norm: i32,
    k_norm: i32,
    rope_dims: u32,
    rope_base: f32,
    rope_scale: f32,
    half_split: u32,
    rope_factors: i32,
) -> i32 {
    call(|state| {
        let layout = if half_split == 0 { RopeLayout::Interleaved } else { RopeLayout::HalfSplit };
        state.layers.push(Qkv {
            norm: WeightId(norm),
            eps,
            q: WeightId(q),
            k: WeightId(k),
            v: WeightId(v),
            q_bias: optional(q_bias),
            k_bias: optional(k_bias),
            v_bias: optional(v_bias),
            q_norm: optional(q_norm),
            k_norm: optional(k_norm),
            rope: Rope { dims: rope_dims as usize, base: rope_base, scale: rope_scale, layout },
            rope_factors: optional(rope_factors),
        });
        handle(state.layers.len() as u32 - 1)
    })
}

/// [`Engine::qkv`](crate::Engine::qkv) of a described layer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn qkv(layer: u32, cache: u32, index: u32, x: u32, rows: u32, first: u32, q: u32) -> i32 {
    call(|state| {
        let weights = *state.layers.get(layer as usize).ok_or(Refusal::Number(layer))?;
        let [outs, ins] = state.shape(weights.q.0)?;
        state.with(&operand(x, rows, ins), &operand(q, rows, outs), |engine, x, q| {
            engine.qkv(&weights, CacheId(cache), index as usize, x, first as usize, q)
        })
    })
}

/// [`Engine::attend`](crate::Engine::attend).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn attend(cache: u32, layer: u32, heads: u32, q: u32, rows: u32, first: u32, out: u32) -> i32 {
    call(|state| {
        let width = state.engine.cache_head_dim(CacheId(cache))?.saturating_mul(heads as usize);
        state.with(&operand(q, rows, width), &operand(out, rows, width), |engine, q, out| {
            engine.attend(CacheId(cache), layer as usize, heads as usize, q, first as usize, out)
        })
    })
}

/// Describes a feed-forward for [`gate_up`], as [`Feed`] does; returns its number.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn feed_begin(norm: u32, eps: f32, gate: u32, up: u32) -> i32 {
    call(|state| {
        state.feeds.push(Feed { norm: WeightId(norm), eps, gate: WeightId(gate), up: WeightId(up) });
        handle(state.feeds.len() as u32 - 1)
    })
}

/// [`Engine::gate_up`](crate::Engine::gate_up) of a described feed-forward.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn gate_up(feed: u32, x: u32, rows: u32, out: u32) -> i32 {
    call(|state| {
        let weights = *state.feeds.get(feed as usize).ok_or(Refusal::Number(feed))?;
        let [outs, ins] = state.shape(weights.gate.0)?;
        state.with(&operand(x, rows, ins), &operand(out, rows, outs), |engine, x, out| engine.gate_up(&weights, x, out))
    })
}

/// [`Engine::logits`](crate::Engine::logits) of `rows` rows of `x` from `first_row` on.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn logits(norm: u32, eps: f32, id: u32, x: u32, first_row: u32, rows: u32, out: u32) -> i32 {
    call(|state| {
        let [outs, ins] = state.shape(id)?;
        let all = operand(x, first_row.saturating_add(rows), ins);
        state.with(&all, &operand(out, rows, outs), |engine, x, out| {
            engine.logits(WeightId(norm), eps, WeightId(id), &x[first_row as usize * ins..], out)
        })
    })
}

/// [`Engine::cache_begin`](crate::Engine::cache_begin).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cache_begin(layers: u32, kv_heads: u32, head_dim: u32, capacity: u32) -> i32 {
    call(|state| {
        let [layers, kv_heads, head_dim, capacity] = [layers, kv_heads, head_dim, capacity].map(|n| n as usize);
        handle(state.engine.cache_begin(layers, kv_heads, head_dim, capacity)?.0)
    })
}

/// [`Engine::cache_length`](crate::Engine::cache_length).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cache_length(id: u32) -> i32 {
    call(|state| handle(state.engine.cache_length(CacheId(id))? as u32))
}

/// [`Engine::cache_copy_prefix`](crate::Engine::cache_copy_prefix).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cache_copy_prefix(from: u32, to: u32, length: u32) -> i32 {
    call(|state| {
        state.engine.cache_copy_prefix(CacheId(from), CacheId(to), length as usize)?;
        Ok(0)
    })
}

/// [`Engine::cache_free`](crate::Engine::cache_free).
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cache_free(id: u32) -> i32 {
    call(|state| {
        state.engine.cache_free(CacheId(id))?;
        Ok(0)
    })
}

/// Frees all weights, caches and descriptions; buffers stay.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn clear() -> i32 {
    call(|state| {
        state.engine.clear();
        state.layers.clear();
        state.feeds.clear();
        Ok(0)
    })
}

/// Memory for a worker's stack and thread-local values: its address, or 0. It is never freed, not
/// even where the worker has ended: a pool lives as long as its memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn worker_memory(bytes: u32) -> u32 {
    let mut memory: Vec<u128> = Vec::new();
    match memory.try_reserve_exact((bytes as usize).div_ceil(16)) {
        Ok(()) => memory.leak().as_ptr() as u32,
        Err(_) => 0,
    }
}

/// Takes part in heavy steps until [`workers_stop`]: what a worker calls, on its own stack.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn worker_loop() {
    JOBS.serve();
}

/// Workers that take part.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn workers() -> i32 {
    JOBS.workers() as i32
}

/// Ends all [`worker_loop`] for good.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn workers_stop() {
    JOBS.stop();
}

/// Multiplications in a round of [`limit_products`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn limit_products_per_round() -> i32 {
    limits::PRODUCTS as i32
}

/// [`limits::products`] `rounds` times.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn limit_products(rounds: u32) -> f32 {
    let mut sum = 0.0;
    for round in 0..rounds {
        sum += limits::products(round);
    }
    sum
}

/// [`limits::read`] over the first `floats` values of a buffer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn limit_read(slot: u32, floats: u32) -> i32 {
    call(|state| Ok((limits::read(state.buffer(slot, floats as usize)?) & 0x7fff_ffff).cast_signed()))
}
