//! The decoder on a GPU against a plain f32 one, on tiny models of random weights, and real models where the variable
//! `SEEALSO_MODELS` names their folder. Where there is no GPU, not even one in software, the tests are skipped. A GPU
//! that has half floats is tested with them, and without where the variable `SEEALSO_FLOATS` is set.
#![cfg(feature = "webgpu")]
#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stderr, reason = "which floats were tested is of interest")]

mod reference;

use std::fs::File;
use std::sync::OnceLock;

use burn::tensor::Device;
use futures_executor::block_on;
use reference::Reference;
use seealso_gguf::testing::TinyModel;
use seealso_gguf::{Architecture, Kind, Special};
use seealso_model::adapters::{ADAPTED, Adapters};
use seealso_model::network::{Network, Rows};
use seealso_model::ops::gpu::{Counts, GpuStore, do_without_half_floats, has_half_floats, open, prove, take_counts};
use seealso_model::sample::GumbelSampling;
use seealso_model::{Decoder, Language, LoadOptions, load};
use seealso_test_support::{or_skip, real_file};

/// The GPU, or why there is none.
fn device() -> Result<Device, String> {
    static DEVICE: OnceLock<Result<Device, String>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| match block_on(open()) {
        Ok(device) => {
            if std::env::var_os("SEEALSO_FLOATS").is_some() {
                do_without_half_floats();
            }
            eprintln!("with half floats: {}", has_half_floats(&device));
            Ok(device)
        }
        Err(error) => Err(format!("there is no GPU here, not even one in software: {error}")),
    });
    device.clone()
}

fn decoder(file: &[u8], device: Device) -> Decoder {
    let store = Box::new(GpuStore::new(device).unwrap());
    load(file, store, LoadOptions { context: 2048 }, &mut |_| ()).unwrap().1
}

/// A text of tokens that touches many of the vocabulary.
fn tokens(count: usize, vocabulary: usize) -> Vec<u32> {
    (0..count).map(|index| ((index * 37 + 5) % vocabulary) as u32).collect()
}

/// The root of the mean square of the difference, against that of the expected.
fn error(got: &[f32], expected: &[f32]) -> f64 {
    let square = |values: &mut dyn Iterator<Item = f32>| values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>();
    let difference = square(&mut got.iter().zip(expected).map(|(a, b)| a - b));
    (difference / square(&mut expected.iter().copied())).sqrt()
}

/// Keys and values are half floats. Where the GPU has them, products of many rows are of half floats too, which is what an H200
/// was off by 0.0026 with; all else is computed in floats.
fn tolerance(device: &Device) -> f64 {
    if has_half_floats(device) { 0.004 } else { 0.002 }
}

/// All logits of a model agree with the reference, run in passes of `chunk` tokens.
fn check(model: &TinyModel, count: usize, chunk: usize) {
    let device = or_skip!(device());
    let file = model.write().unwrap();
    let expected = Reference::new(&file).logits(&tokens(count, model.vocab));
    let most = tolerance(&device);
    let mut decoder = decoder(&file, device);
    let mut got = Vec::new();
    for (index, part) in tokens(count, model.vocab).chunks(chunk).enumerate() {
        got.extend(block_on(decoder.forward(index * chunk, part, Rows::All)).unwrap());
    }
    assert_eq!(got.len(), count * model.vocab);
    for (row, (got, expected)) in got.chunks(model.vocab).zip(&expected).enumerate() {
        let error = error(got, expected);
        assert!(error < most, "row {row}, passes of {chunk}: {error:.5} of {model:?}");
    }
}

#[test]
fn every_kind() {
    for kind in Kind::ALL {
        let wide = matches!(kind, Kind::Q4_K | Kind::Q5_K | Kind::Q6_K);
        let sizes = TinyModel { kind, ..TinyModel::default() };
        let model = match wide {
            true => TinyModel { width: 256, heads: 4, head_dim: 64, ffn_width: 512, ..sizes },
            false => sizes,
        };
        check(&model, 9, 1);
        check(&model, 9, 9);
    }
}

#[test]
fn every_architecture() {
    for architecture in Architecture::ALL {
        for kind in [Kind::F32, Kind::Q8_0] {
            check(&TinyModel { architecture, kind, ..TinyModel::default() }, 12, 5);
            check(&TinyModel { architecture, kind, layers: 3, tied: false, ..TinyModel::default() }, 12, 1);
        }
    }
}

#[test]
fn odd_sizes() {
    let odd = TinyModel {
        architecture: Architecture::Qwen2,
        kind: Kind::Q4_1,
        layers: 2,
        width: 160,
        heads: 5,
        kv_heads: 1,
        head_dim: 32,
        ffn_width: 224,
        vocab: 271,
        ..TinyModel::default()
    };
    check(&odd, 17, 17);
    check(&odd, 17, 3);
    let narrow = TinyModel { kind: Kind::F32, width: 33, heads: 3, kv_heads: 3, head_dim: 24, ffn_width: 51, ..odd };
    check(&narrow, 7, 2);
    check(&narrow, 37, 37);
    check(&TinyModel { context: 100, kind: Kind::Q5_0, ..odd }, 70, 64);
}

#[test]
fn the_last_row_alone_is_the_same() {
    let device = or_skip!(device());
    let model = TinyModel { layers: 2, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap(), device);
    let tokens = tokens(10, model.vocab);
    let all = block_on(decoder.forward(0, &tokens, Rows::All)).unwrap();
    let last = block_on(decoder.forward(0, &tokens, Rows::Last)).unwrap();
    assert!(error(&last, &all[9 * model.vocab..]) < 1e-3);
    assert!(block_on(decoder.forward(0, &tokens[..9], Rows::None)).unwrap().is_empty());
    let stepped = block_on(decoder.forward(9, &tokens[9..], Rows::Last)).unwrap();
    assert!(error(&stepped, &last) < 1e-3);
}

/// The token that is drawn behind `so_far`, from its logits here.
fn drawn_here(decoder: &mut Decoder, so_far: &[u32], chance: GumbelSampling) -> u32 {
    let (last, before) = so_far.split_last().unwrap();
    let logits = block_on(decoder.forward(before.len(), &[*last], Rows::Last)).unwrap();
    chance.draw(&logits, so_far).unwrap()
}

/// The same, drawn on the device.
fn drawn_there(decoder: &mut Decoder, so_far: &[u32], chance: GumbelSampling) -> u32 {
    let (last, before) = so_far.split_last().unwrap();
    block_on(decoder.draw(before, *last, chance)).unwrap()
}

#[test]
fn tokens_are_drawn_on_the_device_as_here() {
    let device = or_skip!(device());
    for architecture in Architecture::ALL {
        let model = TinyModel { architecture, layers: 2, context: 600, ..TinyModel::default() };
        let mut decoder = decoder(&model.write().unwrap(), device.clone());
        let prompt = tokens(250, model.vocab);
        for (temperature, seed, penalty) in [(0.0, 0, 1.0), (0.8, 5, 1.0), (0.8, 6, 1.0), (0.0, 0, 1.3), (0.5, 5, 1.1)]
        {
            let chance = GumbelSampling { temperature, seed, penalty };
            block_on(decoder.forward(0, &prompt[..249], Rows::None)).unwrap();
            // Across the position from which on passes are recorded anew.
            let (mut there, mut here) = (prompt.clone(), prompt.clone());
            for _ in 0..12 {
                there.push(drawn_there(&mut decoder, &there, chance));
            }
            // Passes that the device was ahead are in nobody's way.
            for _ in 0..12 {
                here.push(drawn_here(&mut decoder, &here, chance));
            }
            assert_eq!(there, here, "{chance:?} of {model:?}");
        }
    }
}

#[test]
fn drawing_begins_anew_wherever_it_is_asked_to() {
    let device = or_skip!(device());
    let model = TinyModel { layers: 2, context: 64, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap(), device);
    let prompt = tokens(63, model.vocab);
    block_on(decoder.forward(0, &prompt[..10], Rows::None)).unwrap();
    for (position, token) in [(10, 5), (10, 6), (8, 5), (11, 5)] {
        let so_far = [&prompt[..position], &[token]].concat();
        let there = drawn_there(&mut decoder, &so_far, GumbelSampling::NONE);
        assert_eq!(there, drawn_here(&mut decoder, &so_far, GumbelSampling::NONE), "{token} at {position}");
    }
    // To the context's end, and not beyond.
    block_on(decoder.forward(0, &prompt, Rows::None)).unwrap();
    let mut so_far = prompt;
    for _ in 0..2 {
        so_far.push(drawn_there(&mut decoder, &so_far, GumbelSampling::NONE));
    }
    assert!(block_on(decoder.draw(&so_far[..64], so_far[64], GumbelSampling::NONE)).is_err());
}

#[test]
fn what_stands_behind_a_layer_is_the_reference_s() {
    let device = or_skip!(device());
    for architecture in Architecture::ALL {
        let model = TinyModel { architecture, kind: Kind::F32, layers: 3, ..TinyModel::default() };
        let file = model.write().unwrap();
        let tokens = tokens(9, model.vocab);
        let (reference, mut decoder) = (Reference::new(&file), decoder(&file, device.clone()));
        for layers in 1..=3 {
            block_on(decoder.forward(0, &tokens[..8], Rows::None)).unwrap();
            let state = block_on(decoder.state(8, tokens[8], layers)).unwrap();
            let error = error(&state, &reference.states(&tokens, layers)[8]);
            assert!(error < tolerance(&device), "{layers} layers: {error:.5} of {model:?}");
        }
        // What the first layer's cache has of another token there is not in the way.
        block_on(decoder.state(8, tokens[3], 1)).unwrap();
        let last = block_on(decoder.forward(8, &tokens[8..], Rows::Last)).unwrap();
        assert!(error(&last, &reference.logits(&tokens)[8]) < tolerance(&device));
    }
}

#[test]
fn tokens_are_read_through_adapters() {
    let device = or_skip!(device());
    let model = TinyModel { kind: Kind::F32, layers: 3, ..TinyModel::default() };
    let file = model.write().unwrap();
    let plain = tokens(9, model.vocab);
    let marked: Vec<u32> = plain.iter().map(|token| token | ADAPTED).collect();
    let numbers = (0..2 * 5 * model.width).map(|at| ((at * 29 + 1) % 41) as f32 / 100.0 - 0.2).collect();
    let adapters = Adapters { layers: 2, units: 2, numbers };
    let (mut reference, mut decoder) = (Reference::new(&file), decoder(&file, device.clone()));
    decoder.adapt(&adapters).unwrap();
    let mut check = |reference: &Reference, tokens: &[u32]| {
        let logits = block_on(decoder.forward(0, tokens, Rows::All)).unwrap();
        assert!(error(&logits, &reference.logits(&plain).concat()) < tolerance(&device));
        block_on(decoder.forward(0, &tokens[..8], Rows::None)).unwrap();
        let state = block_on(decoder.state(8, tokens[8], 2)).unwrap();
        assert!(error(&state, &reference.states(&plain, 2)[8]) < tolerance(&device));
        state
    };
    let unread = check(&reference, &plain);
    reference.adapters = Some(adapters);
    let read = check(&reference, &marked);
    assert!(error(&read, &unread) > 0.05);
}

#[test]
fn a_kept_beginning_gives_the_same() {
    let device = or_skip!(device());
    let model = TinyModel { layers: 2, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap(), device);
    let tokens = tokens(40, model.vocab);
    block_on(decoder.forward(0, &tokens[..35], Rows::None)).unwrap();
    let kept = decoder.keep(35).unwrap();
    let first = block_on(decoder.forward(35, &tokens[35..], Rows::Last)).unwrap();
    block_on(decoder.forward(0, &tokens[20..], Rows::None)).unwrap();
    decoder.restore(kept, 35).unwrap();
    assert_eq!(block_on(decoder.forward(35, &tokens[35..], Rows::Last)).unwrap(), first);
}

/// The likeliest first token and the second, and their logits.
fn first_token(file: &str, expected: [(u32, f32); 2]) {
    let path = or_skip!(real_file(file));
    let device = or_skip!(device());
    let stream = File::open(path).unwrap();
    let store = Box::new(GpuStore::new(device).unwrap());
    let (header, mut decoder) = load(stream, store, LoadOptions { context: 128 }, &mut |_| ()).unwrap();
    let language = Language::from_header(&header).unwrap();
    let prompt = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\nWhat is the capital of \
                  France? Answer in one sentence.<|im_end|>\n<|im_start|>assistant\n";
    let tokens = language.tokenizer.encode(prompt, Special::Parse);
    let (last, before) = tokens.split_last().unwrap();
    let all = block_on(decoder.forward(0, &tokens, Rows::Last)).unwrap();
    block_on(decoder.forward(0, before, Rows::None)).unwrap();
    let stepped = block_on(decoder.forward(before.len(), &[*last], Rows::Last)).unwrap();
    for logits in [all, stepped] {
        let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
        assert_eq!(best, expected[0].0 as usize);
        for (id, logit) in expected {
            let got = logits[id as usize];
            assert!((got - logit).abs() < 0.3, "token {id}: {got} and not {logit}");
        }
    }
}

#[test]
fn smollm2_begins_as_it_should() {
    first_token("smollm2.gguf", [(504, 30.606), (38634, 28.941)]);
}

#[test]
fn qwen_begins_as_it_should() {
    first_token("qwen.gguf", [(785, 21.378), (59604, 20.262)]);
}

#[test]
fn a_token_costs_few_kernels_and_reads_each_weight_once() {
    let device = or_skip!(device());
    let model = TinyModel { kind: Kind::Q4_1, layers: 3, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap(), device);
    block_on(decoder.forward(0, &[1, 2, 3], Rows::None)).unwrap();
    take_counts();
    block_on(decoder.forward(3, &[4], Rows::Last)).unwrap();
    // The embedding's row, five a layer, the logits. A layer has 30,720 weights and the table 16,896, of five bits;
    // attention sees four positions of two heads' keys and values, 16 half floats each.
    let expected = Counts { dispatches: 17, weight_bytes: 3 * 19_200 + 10_560, cache_bytes: 3 * 4 * 2 * 2 * 16 * 2 };
    assert_eq!(take_counts(), expected);
    block_on(decoder.forward(0, &[5; 40], Rows::Last)).unwrap();
    // Many rows cost one more a layer, and the same bytes of weights.
    assert_eq!(take_counts().dispatches, 1 + 6 * 3 + 1);
}

#[test]
fn a_table_too_large_to_be_bound_is_cut() {
    let device = or_skip!(device());
    let file = TinyModel::default().write().unwrap();
    // The table has 17,952 bytes, the largest other matrix 6,528.
    let most = tolerance(&device);
    let store = Box::new(GpuStore::new(device).unwrap().with_binding_limit(8192));
    let mut decoder = load(file.as_slice(), store, LoadOptions { context: 32 }, &mut |_| ()).unwrap().1;
    let tokens = tokens(9, 264);
    let got = block_on(decoder.forward(0, &tokens, Rows::All)).unwrap();
    let expected = Reference::new(&file).logits(&tokens).concat();
    assert!(error(&got, &expected) < most);
    let small = Box::new(GpuStore::new(self::device().unwrap()).unwrap().with_binding_limit(100));
    assert!(load(file.as_slice(), small, LoadOptions { context: 32 }, &mut |_| ()).is_err());
}

#[test]
fn attention_far_back_is_the_same() {
    for (heads, kv_heads, head_dim) in [(4, 2, 16), (2, 1, 64), (3, 3, 24), (2, 2, 128), (4, 4, 6)] {
        let model = TinyModel { context: 600, kind: Kind::F32, heads, kv_heads, head_dim, ..TinyModel::default() };
        // One row, a few, and many, behind more positions than are looked at together.
        check(&model, 300, 299);
        check(&model, 160, 3);
        check(&model, 160, 75);
    }
}

#[test]
fn wide_products_are_the_same() {
    or_skip!(device());
    let wide = |kind, architecture| TinyModel {
        architecture,
        kind,
        width: 256,
        heads: 4,
        head_dim: 64,
        ffn_width: 3200,
        vocab: 6200,
        ..TinyModel::default()
    };
    check(&wide(Kind::Q4_0, Architecture::Llama), 70, 70);
    check(&wide(Kind::Q8_0, Architecture::Qwen2), 64, 64);
    check(&wide(Kind::Q4_K, Architecture::Qwen3), 65, 65);
}

#[test]
fn the_kernels_give_known_answers() {
    let device = or_skip!(device());
    for architecture in Architecture::ALL {
        let mut decoder = decoder(&TinyModel { architecture, ..TinyModel::default() }.write().unwrap(), device.clone());
        block_on(prove(&mut decoder)).unwrap();
    }
}
