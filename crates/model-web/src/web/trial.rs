//! Trying devices before a model is loaded: whether the GPU computes what the CPU does, and how fast each of them is.
//! Both take a model of random weights that is made here.

use seealso_boundary::bad_call;
use seealso_gguf::Kind;
use seealso_gguf::testing::TinyModel;
use seealso_model::network::{Network, Rows};
use seealso_model::{Decoder, Error, LoadOptions, Loader, ops::WeightStore, ops::gpu};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::error::into_error;
use super::kernels::Kernels;
use super::listener::now;
use super::place::store;

/// The most by which the GPU's logits may differ from the CPU's, relative to their size. The CPU rounds activations to
/// 8 bits, which on random weights is a hundredth or two; wrong ones differ by all of it.
const TOLERANCE: f64 = 0.1;

/// Checks that the GPU gives known answers: its kernels on small numbers, and a small model the logits that it has with
/// the CPU's `kernels`.
///
/// # Errors
///
/// `wrong-results`, and whatever keeps it from being known.
#[wasm_bindgen(js_name = knownAnswer)]
#[allow(unreachable_pub, reason = "wasm_bindgen exports public functions alone")]
pub async fn known_answer(kernels: Kernels) -> Result<(), JsValue> {
    let model = TinyModel { kind: Kind::Q4_1, layers: 2, ..TinyModel::default() };
    let (cpu, gpu) = (store(Some(kernels))?, store(None)?);
    compare(&model, cpu, gpu).await.map_err(into_error)
}

async fn compare(model: &TinyModel, cpu: Box<dyn WeightStore>, gpu: Box<dyn WeightStore>) -> Result<(), Error> {
    let (mut cpu, mut gpu) = (decoder(model, cpu)?, decoder(model, gpu)?);
    gpu::prove(&mut gpu).await?;
    let tokens: Vec<u32> = (0..9).map(|index| index * 29 + 5).collect();
    let expected = cpu.forward(0, &tokens, Rows::All).await?;
    let mut got = gpu.forward(0, &tokens[..8], Rows::All).await?;
    got.extend(gpu.forward(8, &tokens[8..], Rows::Last).await?);
    let square = |values: &mut dyn Iterator<Item = f32>| values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>();
    let difference = square(&mut got.iter().zip(&expected).map(|(a, b)| a - b));
    let off = (difference / square(&mut expected.iter().copied())).sqrt();
    match off <= TOLERANCE && got.len() == expected.len() {
        true => Ok(()),
        false => Err(Error::WrongResults { what: "a small model".to_owned(), off }),
    }
}

/// How fast a device is: tokens a second of a model of 135 million weights, about.
#[derive(Serialize)]
struct Speed {
    decode: f64,
    prefill: f64,
}

/// Layers of the model that is timed: SmolLM2's, of which it has thirty.
const LAYERS: usize = 4;
const ALL_LAYERS: usize = 30;
/// Tokens of a prompt that are read at once.
const PROMPT: usize = 32;
/// How long a device runs before it is timed, since programs are compiled meanwhile, and then while it is.
const WARM_MS: f64 = 100.0;
const TIMED_MS: f64 = 200.0;

/// Times `kernels`, or without any the GPU.
///
/// # Errors
///
/// Whatever keeps the device from computing.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "wasm_bindgen exports public functions alone")]
pub async fn calibrate(kernels: Option<Kernels>) -> Result<JsValue, JsValue> {
    let speed = speed(store(kernels)?).await.map_err(into_error)?;
    serde_wasm_bindgen::to_value(&speed).map_err(bad_call)
}

async fn speed(store: Box<dyn WeightStore>) -> Result<Speed, Error> {
    let layers = TinyModel {
        kind: Kind::Q4_1,
        layers: LAYERS,
        width: 576,
        heads: 9,
        kv_heads: 3,
        head_dim: 64,
        ffn_width: 1536,
        ..TinyModel::default()
    };
    let mut decoder = decoder(&layers, store)?;
    let whole = LAYERS as f64 / ALL_LAYERS as f64;
    let prefill = whole * PROMPT as f64 * rate(&mut decoder, 0, &[0; PROMPT]).await?;
    let decode = whole * rate(&mut decoder, PROMPT, &[0]).await?;
    Ok(Speed { decode, prefill })
}

/// Passes a second.
async fn rate(decoder: &mut Decoder, position: usize, tokens: &[u32]) -> Result<f64, Error> {
    run_for(WARM_MS, decoder, position, tokens).await?;
    run_for(TIMED_MS, decoder, position, tokens).await
}

async fn run_for(ms: f64, decoder: &mut Decoder, position: usize, tokens: &[u32]) -> Result<f64, Error> {
    let begun = now();
    let mut passes = 0.0;
    loop {
        decoder.forward(position, tokens, Rows::Last).await?;
        passes += 1.0;
        let took = now() - begun;
        if took >= ms {
            return Ok(1000.0 * passes / took);
        }
    }
}

fn decoder(model: &TinyModel, store: Box<dyn WeightStore>) -> Result<Decoder, Error> {
    let mut loader = Loader::new(store, LoadOptions { context: model.context });
    loader.feed(&model.write()?)?;
    Ok(loader.finish()?.1)
}
