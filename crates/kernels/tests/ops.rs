//! Every operation against plain floats, in every kind and at odd sizes; and the vector kernels
//! against the plain ones, to the bit.

#![allow(clippy::unwrap_used, reason = "tests")]

mod reference;

use reference::{Random, assert_close, attend, linear, linear_bound, load, rms_norm, rope, weight};
use seealso_kernels::{Engine, Error, Feed, Kind, Qkv, Rope, RopeLayout, WeightId};

const ROWS: [usize; 6] = [1, 2, 3, 5, 17, 64];

/// Output features: below, at and beside the group of four.
const OUTS: [usize; 5] = [1, 3, 8, 13, 66];

fn width_of(kind: Kind) -> usize {
    match kind.block_len() {
        256 => 512,
        32 => 96,
        _ => 37,
    }
}

#[test]
fn embeddings_are_the_file_s_values() {
    let random = &mut Random::new(1);
    for kind in Kind::ALL {
        let mut engine = Engine::new();
        let width = width_of(kind);
        let (id, values) = weight(&mut engine, random, kind, 7, width);
        let mut out = vec![0.0; 3 * width];
        engine.embed(id, &[6, 0, 3], &mut out).unwrap();
        let expected: Vec<f32> = [6, 0, 3].iter().flat_map(|row| &values[row * width..][..width]).copied().collect();
        // Exact, but for the rounded products of scales.
        let largest = values.iter().fold(0.0_f32, |a, x| a.max(x.abs()));
        let bound = if kind.block_len() == 256 { largest / 512.0 } else { largest * 1e-6 };
        assert_close(&format!("{kind:?}"), &out, &expected, |_| bound);
    }
}

#[test]
fn products_are_within_the_activations_steps() {
    let random = &mut Random::new(2);
    for kind in Kind::ALL {
        for out_features in OUTS {
            let mut engine = Engine::new();
            let width = width_of(kind);
            let (id, values) = weight(&mut engine, random, kind, out_features, width);
            for rows in ROWS {
                let x = random.floats(rows * width);
                let mut out = vec![f32::NAN; rows * out_features];
                engine.linear(id, &x, None, &mut out).unwrap();
                let bounds = linear_bound(&values, &x, width);
                let what = format!("{kind:?} {rows} × {out_features}");
                assert_close(&what, &out, &linear(&values, &x, width), |i| bounds[i]);
            }
        }
    }
}

#[test]
fn vector_kernels_give_the_bits_of_plain_ones() {
    // Groups of four, for a single row: four streams of four groups and three left over; eight streams of sixteen and three.
    const OUTS: [usize; 2] = [75, 523];
    for kind in Kind::ALL {
        for (rows, out_features) in ROWS.into_iter().map(|rows| (rows, OUTS[0])).chain([(1, OUTS[1])]) {
            let results = [Engine::scalar(), Engine::new(), Engine::with_threads(3)].map(|mut engine| {
                let random = &mut Random::new(3);
                let width = width_of(kind) * if kind.block_len() == 1 { 1 } else { 2 };
                let (id, _) = weight(&mut engine, random, kind, out_features, width);
                let x: Vec<f32> = random.floats(rows * width).iter().map(|x| x * x * x).collect();
                let mut out = vec![0.0; rows * out_features];
                engine.linear(id, &x, None, &mut out).unwrap();
                out.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            });
            assert_eq!(results[0], results[1], "{kind:?}, {rows} rows, {out_features} outputs");
            assert_eq!(results[0], results[2], "{kind:?}, {rows} rows, {out_features} outputs, with threads");
        }
    }
}

#[test]
fn extreme_codes_do_not_overflow() {
    // Largest codes everywhere meet largest activations of one sign: the sums that vectors of 16-bit
    // integers must hold.
    for (kind, code) in [(Kind::Q4_0, 7.0), (Kind::Q5_0, 15.0), (Kind::Q6K, 31.0), (Kind::Q8_0, -127.0)] {
        let mut engine = Engine::new();
        let mut bytes = vec![0xff; kind.block_bytes()];
        match kind {
            Kind::Q6K => {
                bytes[192..208].fill(1);
                bytes[208..].copy_from_slice(&0x3c00_u16.to_le_bytes());
            }
            _ => bytes[..2].copy_from_slice(&0x3c00_u16.to_le_bytes()),
        }
        if kind == Kind::Q8_0 {
            bytes[2..].fill(0x80);
        }
        let width = kind.block_len();
        let id = load(&mut engine, kind, 1, width, &bytes);
        for sign in [1.0, -1.0] {
            let mut out = [0.0; 5];
            engine.linear(id, &vec![sign * 127.0; 5 * width], None, &mut out).unwrap();
            assert_eq!(out, [sign * 127.0 * code * width as f32; 5], "{kind:?}");
        }
    }
}

#[test]
fn bias_residual_norm_and_logits() {
    let random = &mut Random::new(4);
    let mut engine = Engine::new();
    let (w, values) = weight(&mut engine, random, Kind::Q4_1, 10, 64);
    let (bias, biases) = weight(&mut engine, random, Kind::F32, 1, 10);
    let (norm, norms) = weight(&mut engine, random, Kind::F32, 1, 64);
    let x = random.floats(3 * 64);

    let mut plain = vec![0.0; 30];
    engine.linear(w, &x, None, &mut plain).unwrap();
    let mut out = vec![0.0; 30];
    engine.linear(w, &x, Some(bias), &mut out).unwrap();
    let expected: Vec<f32> = plain.iter().enumerate().map(|(i, x)| x + biases[i % 10]).collect();
    assert_eq!(out, expected);

    let mut residual = vec![0.5; 30];
    engine.project_add(w, &x, &mut residual).unwrap();
    assert_eq!(residual, plain.iter().map(|x| 0.5 + x).collect::<Vec<_>>());

    let mut normed = vec![0.0; 3 * 64];
    engine.norm(&x, norm, 1e-5, &mut normed).unwrap();
    assert_close("norm", &normed, &rms_norm(&x, &norms, 1e-5), |_| 1e-5);

    engine.logits(norm, 1e-5, w, &x, &mut out).unwrap();
    let bounds = linear_bound(&values, &normed, 64);
    assert_close("logits", &out, &linear(&values, &normed, 64), |i| bounds[i]);
}

#[test]
fn gate_and_up() {
    let random = &mut Random::new(5);
    let mut engine = Engine::new();
    let (norm, norms) = weight(&mut engine, random, Kind::F32, 1, 32);
    let (gate, gates) = weight(&mut engine, random, Kind::F32, 18, 32);
    let (up, ups) = weight(&mut engine, random, Kind::F16, 18, 32);
    let x = random.floats(5 * 32);
    let mut out = vec![0.0; 5 * 18];
    engine.gate_up(&Feed { norm, eps: 1e-6, gate, up }, &x, &mut out).unwrap();
    let normed = rms_norm(&x, &norms, 1e-6);
    let expected: Vec<f32> = linear(&gates, &normed, 32)
        .iter()
        .zip(linear(&ups, &normed, 32))
        .map(|(g, u)| g / (1.0 + (-g).exp()) * u)
        .collect();
    assert_close("gate_up", &out, &expected, |_| 2e-5);
}

/// One layer's attention, step by step in chunks, against plain floats.
fn check_attention(heads: usize, kv_heads: usize, dim: usize, interleaved: bool, chunks: &[usize]) {
    let random = &mut Random::new(6);
    let mut engine = Engine::with_threads(chunks.len());
    let width = 24;
    let (norm, norms) = weight(&mut engine, random, Kind::F32, 1, width);
    let (q, qs) = weight(&mut engine, random, Kind::F32, heads * dim, width);
    let (k, ks) = weight(&mut engine, random, Kind::F32, kv_heads * dim, width);
    let (v, vs) = weight(&mut engine, random, Kind::F32, kv_heads * dim, width);
    let (q_bias, q_biases) = weight(&mut engine, random, Kind::F32, 1, heads * dim);
    let (k_norm, k_norms) = weight(&mut engine, random, Kind::F32, 1, dim);
    let layout = if interleaved { RopeLayout::Interleaved } else { RopeLayout::HalfSplit };
    let weights = Qkv {
        norm,
        eps: 1e-5,
        q,
        k,
        v,
        q_bias: Some(q_bias),
        k_bias: None,
        v_bias: None,
        q_norm: None,
        k_norm: Some(k_norm),
        rope: Rope { dims: dim, base: 10_000.0, scale: 1.0, layout },
        rope_factors: None,
    };
    let total: usize = chunks.iter().sum();
    let cache = engine.cache_begin(2, kv_heads, dim, total).unwrap();
    let x = random.floats(total * width);

    let normed = rms_norm(&x, &norms, 1e-5);
    let mut all_q = linear(&qs, &normed, width);
    for (i, q) in all_q.iter_mut().enumerate() {
        *q += q_biases[i % (heads * dim)];
    }
    let mut all_k = rms_norm(&linear(&ks, &normed, width), &k_norms, 1e-5);
    let all_v = linear(&vs, &normed, width);
    for (i, head) in all_q.chunks_mut(dim).enumerate() {
        rope(head, i / heads, dim, 10_000.0, interleaved);
    }
    for (i, head) in all_k.chunks_mut(dim).enumerate() {
        rope(head, i / kv_heads, dim, 10_000.0, interleaved);
    }

    let mut first = 0;
    for rows in chunks {
        let mut queries = vec![0.0; rows * heads * dim];
        let x = &x[first * width..][..rows * width];
        engine.qkv(&weights, cache, 1, x, first, &mut queries).unwrap();
        let expected = &all_q[first * heads * dim..][..queries.len()];
        assert_close("queries", &queries, expected, |_| 2e-4);
        let mut out = vec![0.0; queries.len()];
        engine.attend(cache, 1, heads, &queries, first, &mut out).unwrap();
        // Half floats in the cache: 2^-11 of the values, and of scores of up to about 20.
        let expected = attend(expected, &all_k, &all_v, heads, kv_heads, dim, first);
        assert_close("attention", &out, &expected, |_| 0.03);
        first += rows;
    }
}

#[test]
fn attention_in_chunks() {
    check_attention(1, 1, 8, true, &[1]);
    check_attention(4, 4, 16, false, &[3, 1, 1, 29, 1]);
    check_attention(6, 2, 64, true, &[17, 64, 1, 1]);
    check_attention(7, 1, 32, false, &[33, 2, 70]);
    check_attention(9, 3, 64, false, &[130]);
    // Few queries meet a long cache in segments.
    check_attention(9, 3, 64, false, &[255, 1, 1, 2, 300, 1]);
    check_attention(2, 1, 16, true, &[510, 2, 1, 1]);
}

#[test]
fn a_cache_goes_on_from_any_place_as_if_nothing_had_followed() {
    let random = &mut Random::new(7);
    let mut engine = Engine::new();
    let norm = load(&mut engine, Kind::F32, 1, 8, &ones(8));
    let (w, _) = weight(&mut engine, random, Kind::F32, 8, 8);
    let weights = plain_qkv(norm, w);
    let x = random.floats(40 * 8);
    let run = |engine: &mut Engine, cache, first: usize, x: &[f32]| {
        let mut q = vec![0.0; x.len()];
        engine.qkv(&weights, cache, 0, x, first, &mut q).unwrap();
        let mut out = vec![0.0; x.len()];
        engine.attend(cache, 0, 1, &q, first, &mut out).unwrap();
        out
    };
    let (a, b) = (engine.cache_begin(1, 1, 8, 40).unwrap(), engine.cache_begin(1, 1, 8, 64).unwrap());
    let whole = run(&mut engine, a, 0, &x);
    engine.cache_copy_prefix(a, b, 35).unwrap();
    assert_eq!((engine.cache_length(a).unwrap(), engine.cache_length(b).unwrap()), (40, 35));
    assert_close("rewound", &run(&mut engine, a, 10, &x[80..]), &whole[80..], |_| 1e-5);
    assert_close("copied", &run(&mut engine, b, 35, &x[280..]), &whole[280..], |_| 1e-5);
}

fn ones(len: usize) -> Vec<u8> {
    (0..len).flat_map(|_| 1.0_f32.to_le_bytes()).collect()
}

fn plain_qkv(norm: WeightId, w: WeightId) -> Qkv {
    Qkv {
        norm,
        eps: 1e-5,
        q: w,
        k: w,
        v: w,
        q_bias: None,
        k_bias: None,
        v_bias: None,
        q_norm: None,
        k_norm: None,
        rope: Rope { dims: 8, base: 10_000.0, scale: 1.0, layout: RopeLayout::Interleaved },
        rope_factors: None,
    }
}

#[test]
fn an_engine_can_move_between_threads() {
    fn check<T: Send + Sync>(_: &T) {}
    check(&Engine::new());
}

#[test]
fn misuse_gives_errors() {
    let mut engine = Engine::new();
    assert_eq!(
        engine.weight_begin(Kind::Q4_0, 4, 33),
        Err(Error::Shape { what: "a weight's input", expected: 32, got: 33 })
    );
    assert!(matches!(engine.weight_begin(Kind::F32, usize::MAX, 64), Err(Error::OutOfMemory { .. })));
    assert!(matches!(engine.reserve(usize::MAX), Err(Error::OutOfMemory { .. })));
    assert!(matches!(Kind::from_ggml(3), Ok(Kind::Q4_1)));
    assert_eq!(Kind::from_ggml(9), Err(Error::UnknownKind { number: 9 }));

    let id = engine.weight_begin(Kind::Q8_0, 2, 32).unwrap();
    assert_eq!(engine.weight_rows(id, 1, &[0; 4]), Err(Error::OutOfOrder { id: 0, expected: 0, got: 5 }));
    engine.weight_rows(id, 0, &[0; 34]).unwrap();
    assert_eq!(engine.weight_end(id), Err(Error::Unfinished { id: 0, got: 34, expected: 68 }));
    assert_eq!(engine.embed(id, &[0], &mut [0.0; 32]), Err(Error::Unfinished { id: 0, got: 34, expected: 68 }));
    assert_eq!(engine.weight_rows(id, 34, &[0; 35]), Err(Error::OutOfOrder { id: 0, expected: 34, got: 69 }));
    engine.weight_rows(id, 34, &[0; 34]).unwrap();
    engine.weight_end(id).unwrap();

    let token = Error::OutOfRange { what: "the token", index: 2, bound: 2 };
    assert_eq!(engine.embed(id, &[2], &mut [0.0; 32]), Err(token));
    assert!(matches!(engine.linear(id, &[0.0; 31], None, &mut [0.0; 2]), Err(Error::Shape { .. })));
    assert!(matches!(engine.linear(id, &[0.0; 32], None, &mut [0.0; 3]), Err(Error::Shape { .. })));
    assert!(matches!(engine.linear(id, &[], None, &mut []), Err(Error::Shape { .. })));
    assert_eq!(engine.linear(WeightId(9), &[0.0; 32], None, &mut []), Err(Error::UnknownWeight { id: 9 }));
    engine.weight_free(id).unwrap();
    assert_eq!(engine.weight_free(id), Err(Error::UnknownWeight { id: 0 }));

    assert!(matches!(engine.cache_begin(1, 1, 12, 4), Err(Error::Shape { .. })));
    assert!(matches!(engine.cache_begin(1, usize::MAX, 8, 4), Err(Error::OutOfMemory { .. })));
    let cache = engine.cache_begin(1, 1, 8, 4).unwrap();
    assert_eq!(engine.cache_copy_prefix(cache, cache, 0), Err(Error::UnknownCache { id: 0 }));
    let norm = load(&mut engine, Kind::F32, 1, 8, &ones(8));
    let w = load(&mut engine, Kind::F32, 8, 8, &ones(64));
    let weights = plain_qkv(norm, w);
    let mut q = [0.0; 40];
    let full = engine.qkv(&weights, cache, 0, &[1.0; 40], 0, &mut q);
    assert_eq!(full, Err(Error::CacheFull { capacity: 4, needed: 5 }));
    let gap = engine.qkv(&weights, cache, 0, &[1.0; 8], 1, &mut q[..8]);
    assert_eq!(gap, Err(Error::OutOfRange { what: "the first position", index: 1, bound: 1 }));
    let layer = engine.qkv(&weights, cache, 1, &[1.0; 8], 0, &mut q[..8]);
    assert_eq!(layer, Err(Error::OutOfRange { what: "the layer", index: 1, bound: 1 }));
    let unwritten = engine.attend(cache, 0, 1, &[1.0; 8], 0, &mut q[..8]);
    assert_eq!(unwritten, Err(Error::OutOfRange { what: "the last position", index: 0, bound: 0 }));
    assert!(matches!(engine.attend(cache, 0, 0, &[1.0; 8], 0, &mut q[..8]), Err(Error::Shape { .. })));
    engine.cache_free(cache).unwrap();
    assert_eq!(engine.cache_length(cache), Err(Error::UnknownCache { id: 0 }));
}
