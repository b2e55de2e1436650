//! The decoder against a plain f32 one, on tiny models of random weights: every kind of quantisation, every
//! architecture with its rotary layout, odd sizes, prompts in one pass and in many.
#![allow(clippy::unwrap_used)]

mod reference;

use std::ops::ControlFlow;

use futures_executor::block_on;
use reference::Reference;
use seealso_gguf::testing::{TinyModel, Writer};
use seealso_gguf::{Architecture, Kind, Value, read_all};
use seealso_model::adapters::{ADAPTED, Adapters};
use seealso_model::network::{Network, Rows};
use seealso_model::ops::flex::FlexStore;
use seealso_model::{Decoder, Error, LoadOptions, Loader, PrefillProgress, Session, SessionOptions, load};

fn decoder(file: &[u8]) -> Decoder {
    load(file, Box::new(FlexStore::native()), LoadOptions::default(), &mut |_| ()).unwrap().1
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

/// All logits of a model agree with the reference within `tolerance`, run in passes of `chunk` tokens.
fn check(model: &TinyModel, count: usize, chunk: usize, tolerance: f64) {
    check_file(&model.write().unwrap(), model, count, chunk, tolerance);
}

/// The same of a file that began as that model.
fn check_file(file: &[u8], model: &TinyModel, count: usize, chunk: usize, tolerance: f64) {
    let expected = Reference::new(file).logits(&tokens(count, model.vocab));
    let mut decoder = decoder(file);
    let mut got = Vec::new();
    for (index, part) in tokens(count, model.vocab).chunks(chunk).enumerate() {
        got.extend(block_on(decoder.forward(index * chunk, part, Rows::All)).unwrap());
    }
    assert_eq!(got.len(), count * model.vocab);
    for (row, (got, expected)) in got.chunks(model.vocab).zip(&expected).enumerate() {
        let error = error(got, expected);
        assert!(error < tolerance, "row {row}: {error:.5} of {model:?}");
    }
}

/// Activations are rounded to 8 bits before a product with quantised weights, so some 0.4 % go at each; a K-kind's
/// scales are rounded too.
const QUANTISED: f64 = 0.03;

/// Keys and values are half floats.
const FLOATS: f64 = 0.002;

#[test]
fn every_kind() {
    for kind in Kind::ALL {
        let wide = matches!(kind, Kind::Q4_K | Kind::Q5_K | Kind::Q6_K);
        let sizes = TinyModel { kind, ..TinyModel::default() };
        let model = match wide {
            true => TinyModel { width: 256, heads: 4, head_dim: 64, ffn_width: 512, ..sizes },
            false => sizes,
        };
        let floats = matches!(kind, Kind::F32 | Kind::F16 | Kind::BF16);
        check(&model, 9, 9, if floats { FLOATS } else { QUANTISED });
    }
}

#[test]
fn every_architecture() {
    for architecture in Architecture::ALL {
        for kind in [Kind::F32, Kind::Q8_0] {
            let tolerance = if kind == Kind::F32 { FLOATS } else { QUANTISED };
            check(&TinyModel { architecture, kind, ..TinyModel::default() }, 12, 5, tolerance);
            check(&TinyModel { architecture, kind, layers: 3, tied: false, ..TinyModel::default() }, 12, 1, tolerance);
        }
    }
}

/// The model's file with something added.
fn changed(model: &TinyModel, change: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::new();
    let header = read_all::<seealso_gguf::Error>(&model.write().unwrap(), &mut |tensor, bytes| {
        writer.raw_tensor(&tensor.name, tensor.shape(), tensor.kind, bytes.to_vec());
        Ok(())
    });
    for (key, value) in header.unwrap().metadata.iter() {
        writer.value(key, value.clone());
    }
    change(&mut writer);
    writer.finish()
}

#[test]
fn stretched_positions() {
    for architecture in [Architecture::Llama, Architecture::Qwen3] {
        let model = TinyModel { architecture, kind: Kind::F32, ..TinyModel::default() };
        let name = architecture.name();
        let linear = changed(&model, |writer| {
            let factor = Value::Float(2.5);
            writer.text(&format!("{name}.rope.scaling.type"), "linear");
            writer.value(&format!("{name}.rope.scaling.factor"), factor);
        });
        check_file(&linear, &model, 15, 4, FLOATS);
        let factors = changed(&model, |writer| {
            let values: Vec<f32> = (0..8).map(|pair| 1.0 + pair as f32).collect();
            writer.tensor("rope_freqs.weight", &[8], Kind::F32, &values).unwrap();
        });
        check_file(&factors, &model, 15, 4, FLOATS);
        // A part of each head alone is turned.
        let partial = changed(&model, |writer| {
            writer.number(&format!("{name}.rope.dimension_count"), 8);
        });
        check_file(&partial, &model, 15, 4, FLOATS);
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
    check(&odd, 17, 17, QUANTISED);
    check(&odd, 17, 3, QUANTISED);
    let narrow = TinyModel { kind: Kind::F32, width: 33, heads: 3, kv_heads: 3, head_dim: 24, ffn_width: 51, ..odd };
    check(&narrow, 7, 2, FLOATS);
    check(&TinyModel { context: 100, kind: Kind::Q5_0, ..odd }, 70, 64, QUANTISED);
}

#[test]
fn the_last_row_alone_is_the_same() {
    let model = TinyModel { layers: 2, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap());
    let tokens = tokens(10, model.vocab);
    let all = block_on(decoder.forward(0, &tokens, Rows::All)).unwrap();
    let last = block_on(decoder.forward(0, &tokens, Rows::Last)).unwrap();
    assert_eq!(last, all[9 * model.vocab..]);
    assert!(block_on(decoder.forward(0, &tokens[..9], Rows::None)).unwrap().is_empty());
    let stepped = block_on(decoder.forward(9, &tokens[9..], Rows::Last)).unwrap();
    assert!(error(&stepped, &last) < 1e-3);
}

#[test]
fn what_stands_behind_a_layer_is_the_reference_s() {
    for architecture in Architecture::ALL {
        let model = TinyModel { architecture, kind: Kind::F32, layers: 3, ..TinyModel::default() };
        let file = model.write().unwrap();
        let tokens = tokens(9, model.vocab);
        let (reference, mut decoder) = (Reference::new(&file), decoder(&file));
        for layers in 1..=3 {
            block_on(decoder.forward(0, &tokens[..8], Rows::None)).unwrap();
            let state = block_on(decoder.state(8, tokens[8], layers)).unwrap();
            let error = error(&state, &reference.states(&tokens, layers)[8]);
            assert!(error < FLOATS, "{layers} layers: {error:.5} of {model:?}");
        }
        // What the first layer's cache has of another token there is not in the way.
        block_on(decoder.state(8, tokens[3], 1)).unwrap();
        let last = block_on(decoder.forward(8, &tokens[8..], Rows::Last)).unwrap();
        assert!(error(&last, &reference.logits(&tokens)[8]) < FLOATS);
        for layers in [0, 4] {
            let refused = block_on(decoder.state(8, tokens[8], layers));
            assert!(matches!(refused, Err(Error::NoLayer { asked, have: 3 }) if asked == layers), "{layers}");
        }
    }
}

#[test]
fn tokens_are_read_through_adapters() {
    for architecture in Architecture::ALL {
        let model = TinyModel { architecture, kind: Kind::F32, layers: 3, ..TinyModel::default() };
        let file = model.write().unwrap();
        let plain = tokens(9, model.vocab);
        let marked: Vec<u32> = plain.iter().map(|token| token | ADAPTED).collect();
        let (mut reference, mut decoder) = (Reference::new(&file), decoder(&file));
        let numbers =
            |seed: usize| (0..2 * 5 * model.width).map(|at| ((at * 29 + seed) % 41) as f32 / 100.0 - 0.2).collect();
        let adapters = Adapters { layers: 2, units: 2, numbers: numbers(1) };
        assert!(decoder.adapt(&adapters).unwrap());
        let other = Adapters { numbers: numbers(2), ..adapters.clone() };
        assert!(decoder.adapt(&other).unwrap());
        assert!(decoder.adapt(&adapters).unwrap() && !decoder.adapt(&adapters).unwrap());
        let mut check = |reference: &Reference, tokens: &[u32]| {
            let logits = block_on(decoder.forward(0, tokens, Rows::All)).unwrap();
            for (got, expected) in logits.chunks(model.vocab).zip(&reference.logits(&plain)) {
                assert!(error(got, expected) < FLOATS, "{model:?}");
            }
            block_on(decoder.forward(0, &tokens[..8], Rows::None)).unwrap();
            let state = block_on(decoder.state(8, tokens[8], 2)).unwrap();
            assert!(error(&state, &reference.states(&plain, 2)[8]) < FLOATS, "{model:?}");
            logits
        };
        let unread = check(&reference, &plain);
        reference.adapters = Some(adapters.clone());
        let read = check(&reference, &marked);
        assert!(error(&read, &unread) > 0.05);
        // Both kinds in one prompt, in one pass and in two.
        let both = [&plain[..4], &marked[4..]].concat();
        reference.adapted_from = 4;
        let logits = block_on(decoder.forward(0, &both, Rows::All)).unwrap();
        let expected = reference.logits(&plain);
        for (got, expected) in logits.chunks(model.vocab).zip(&expected) {
            assert!(error(got, expected) < FLOATS, "{model:?}");
        }
        assert_eq!(logits.len(), unread.len());
        assert!(error(&logits[8 * model.vocab..], &read[8 * model.vocab..]) > 0.01);
        let last = block_on(decoder.forward(0, &both, Rows::Last)).unwrap();
        assert!(last.len() == model.vocab && error(&last, &expected[8]) < FLOATS);
        for wrong in [
            Adapters { layers: 3, ..adapters.clone() },
            Adapters { numbers: vec![f32::NAN; adapters.numbers.len()], ..adapters.clone() },
        ] {
            assert!(matches!(decoder.adapt(&wrong), Err(Error::OtherAdapters { .. })));
        }
        let unknown = block_on(decoder.forward(0, &[model.vocab as u32 | ADAPTED], Rows::None));
        assert!(matches!(unknown, Err(Error::UnknownToken { token, .. }) if token as usize == model.vocab));
    }
}

#[test]
fn a_kept_beginning_gives_the_same() {
    let model = TinyModel { layers: 2, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap());
    let tokens = tokens(40, model.vocab);
    block_on(decoder.forward(0, &tokens[..35], Rows::None)).unwrap();
    let kept = decoder.keep(35).unwrap();
    let first = block_on(decoder.forward(35, &tokens[35..], Rows::Last)).unwrap();
    block_on(decoder.forward(0, &tokens[20..], Rows::None)).unwrap();
    decoder.restore(kept, 35).unwrap();
    assert_eq!(block_on(decoder.forward(35, &tokens[35..], Rows::Last)).unwrap(), first);
    assert!(matches!(decoder.restore(kept, 36), Err(Error::NoSnapshot)));
    decoder.drop_snapshot(kept);
    assert!(matches!(decoder.restore(kept, 1), Err(Error::NoSnapshot)));
}

#[test]
fn what_cannot_be_run_is_an_error() {
    let model = TinyModel { context: 16, ..TinyModel::default() };
    let mut decoder = decoder(&model.write().unwrap());
    let mut run = |position, tokens: &[u32]| block_on(decoder.forward(position, tokens, Rows::Last));
    assert!(matches!(run(0, &[264]), Err(Error::UnknownToken { token: 264, vocabulary: 264 })));
    assert!(matches!(run(0, &[0; 17]), Err(Error::TooLong { needed: 17, context: 16 })));
    assert!(matches!(run(0, &[]), Err(Error::EmptyPrompt)));
    assert!(matches!(run(3, &[1]), Err(Error::Device { .. })), "a hole in the cache");
    assert!(run(0, &[1, 2]).is_ok(), "and it goes on");
}

#[test]
fn heads_that_the_kernels_do_not_do_are_refused_before_a_weight() {
    let model = TinyModel { kind: Kind::F32, head_dim: 12, ..TinyModel::default() };
    let file = model.write().unwrap();
    let mut loader = Loader::new(Box::new(FlexStore::native()), LoadOptions::default());
    // The header, and not yet the whole of the first weight.
    let refused = loader.feed(&file[..16 << 10]).unwrap_err();
    assert!(matches!(refused, Error::File(seealso_gguf::Error::Unsupported { .. })), "{refused:?}");
    let text = refused.to_string();
    assert!(text.contains("heads of 12 elements") && text.contains("a multiple of 8"), "{text}");
}

/// The model's file with the first bytes of a tensor replaced.
fn broken(model: &TinyModel, name: &str, begin: &[u8]) -> Vec<u8> {
    let mut file = model.write().unwrap();
    let header = read_all::<seealso_gguf::Error>(&file, &mut |_, _| Ok(())).unwrap();
    let at = (header.data_start + header.tensor(name).unwrap().1.offset) as usize;
    file[at..at + begin.len()].copy_from_slice(begin);
    file
}

#[test]
fn numbers_that_are_none_are_errors() {
    let model = TinyModel { kind: Kind::Q4_0, ..TinyModel::default() };
    let refused = |file: &[u8]| {
        let outcome = load(file, Box::new(FlexStore::native()), LoadOptions::default(), &mut |_| ());
        outcome.map(|_| ()).unwrap_err().to_string()
    };
    for (value, name) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")] {
        let error = refused(&broken(&model, "blk.0.ffn_norm.weight", &value.to_le_bytes()));
        assert!(error.starts_with(&format!("loading tensor `blk.0.ffn_norm.weight`: it holds {name}")), "{error}");
    }
    for factor in [0.0, -1.0] {
        let error = refused(&changed(&model, |writer| {
            writer.tensor("rope_freqs.weight", &[8], Kind::F32, &[1.0, factor, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
        }));
        assert!(error.starts_with("loading tensor `rope_freqs.weight`: it holds"), "{error}");
    }
    // Sound by itself, but not what comes of it.
    let mut decoder = decoder(&broken(&model, "blk.0.ffn_norm.weight", &[f32::MAX.to_le_bytes(); 64].concat()));
    let outcome = block_on(decoder.forward(0, &[1, 2, 3], Rows::Last));
    assert!(matches!(outcome, Err(Error::Device { doing: "running the model", .. })), "{outcome:?}");
}

#[test]
fn long_contexts() {
    for (kind, tolerance) in [(Kind::F32, FLOATS), (Kind::Q4_1, QUANTISED)] {
        let sizes = TinyModel { width: 32, heads: 2, kv_heads: 1, head_dim: 16, ffn_width: 32, ..TinyModel::default() };
        let model = TinyModel { context: 2100, layers: 2, kind, ..sizes };
        let file = model.write().unwrap();
        let tokens = tokens(1500, model.vocab);
        let expected = &Reference::new(&file).logits(&tokens)[1499];
        let (_, decoder) =
            load(file.as_slice(), Box::new(FlexStore::native()), LoadOptions { context: 2100 }, &mut |_| ()).unwrap();
        let mut session = Session::new(decoder, SessionOptions { chunk: 128, ..SessionOptions::default() });
        let go_on = &mut async |_| ControlFlow::Continue(());
        let whole = block_on(session.prefill(&tokens, go_on)).unwrap().unwrap();
        assert!(error(&whole, expected) < tolerance, "{kind}: {:.5}", error(&whole, expected));
        assert!(block_on(session.remember("beginning", &tokens[..700], go_on)).unwrap());
        block_on(session.prefill(&[9; 900], go_on)).unwrap();
        let mut reused = Vec::new();
        let watch = &mut async |step: PrefillProgress| {
            reused.push(step.reused);
            ControlFlow::Continue(())
        };
        let again = block_on(session.prefill(&tokens, watch)).unwrap().unwrap();
        assert_eq!(reused, [700; 8], "one before each pass of 128, and the end");
        assert!(error(&again, expected) < tolerance, "{kind}: {:.5}", error(&again, expected));
    }
}

#[test]
fn two_models_at_once_do_not_mix() {
    let files = [1, 2].map(|seed| TinyModel { seed, ..TinyModel::default() }.write().unwrap());
    let mut decoders = files.clone().map(|file| decoder(&file));
    for (decoder, file) in decoders.iter_mut().zip(&files) {
        let got = block_on(decoder.forward(0, &[1, 2, 3], Rows::Last)).unwrap();
        assert!(error(&got, &Reference::new(file).logits(&[1, 2, 3])[2]) < QUANTISED);
    }
}

#[test]
fn loads_from_pieces_of_any_size() {
    let model = TinyModel { kind: Kind::Q4_0, ..TinyModel::default() };
    let file = model.write().unwrap();
    let whole = block_on(decoder(&file).forward(0, &[7, 8], Rows::Last)).unwrap();
    for size in [1, 7, 1000] {
        let mut loader = Loader::new(Box::new(FlexStore::native()), LoadOptions::default());
        for piece in file.chunks(size) {
            loader.feed(piece).unwrap();
        }
        assert_eq!((loader.progress().done, loader.progress().total), (file.len() as u64, file.len() as u64));
        let (_, mut decoder) = loader.finish().unwrap();
        assert_eq!(block_on(decoder.forward(0, &[7, 8], Rows::Last)).unwrap(), whole);
    }
}

#[test]
fn a_cut_file_is_an_error() {
    let file = TinyModel::default().write().unwrap();
    for cut in (0..file.len()).step_by(file.len() / 40) {
        let outcome = load(&file[..cut], Box::new(FlexStore::native()), LoadOptions::default(), &mut |_| ());
        assert!(outcome.is_err(), "cut at {cut}");
    }
}
