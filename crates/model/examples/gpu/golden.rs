//! Golden logits of tiny models: written once in plain arithmetic, and what the graphics processor gives beside them, in one
//! pass of all tokens, in passes of one, and in passes that are chained on the device.

#[path = "../../tests/reference/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod reference;

use std::path::Path;

use burn::tensor::Device;
use reference::Reference;
use seealso_model::network::{Network as _, Rows};
use seealso_model::ops::gpu::{GpuStore, has_half_floats};
use seealso_model::sample::GumbelSampling;
use seealso_model::{Decoder, LoadOptions, load};
use serde_json::json;

use crate::report::Report;
use crate::shapes;

/// Tokens of each model, and those that are drawn behind them.
const COUNT: usize = 12;
const DRAWN: usize = 20;

fn tokens(vocabulary: usize) -> Vec<u32> {
    (0..COUNT).map(|index| ((index * 37 + 5) % vocabulary) as u32).collect()
}

/// Writes the logits of each model after its last token.
pub(crate) fn write(path: &Path) -> Result<(), String> {
    let mut golden = Vec::new();
    for model in shapes::golden() {
        let file = model.write().map_err(|error| error.to_string())?;
        golden.push(Reference::new(&file).logits(&tokens(model.vocab)).pop().unwrap_or_default());
    }
    std::fs::write(path, json!(golden).to_string()).map_err(|error| error.to_string())
}

/// Compares each model's logits with the golden ones, with half floats too where there are any.
pub(crate) async fn check(device: &Device, path: &Path, report: &mut Report) {
    let golden = std::fs::read(path).ok().and_then(|text| serde_json::from_slice::<Vec<Vec<f32>>>(&text).ok());
    let Some(golden) = golden else {
        report.is_wrong(format!("{} is missing, or is no list of logits", path.display()));
        return;
    };
    let bound = if has_half_floats(device) { 0.004 } else { 0.002 };
    let (mut worst, mut wrong) = (0.0_f64, 0);
    for (model, expected) in shapes::golden().iter().zip(&golden) {
        let name = format!("{:?} {}", model.architecture, model.kind);
        let row = match differences(device, model, expected).await {
            Ok(off) => {
                worst = off.iter().copied().fold(worst, f64::max);
                wrong += usize::from(!off.iter().all(|&off| off < bound));
                json!({ "model": name, "together": off[0], "one_by_one": off[1], "chained": off[2], "bound": bound })
            }
            Err(error) => {
                wrong += 1;
                json!({ "model": name, "error": error })
            }
        };
        let line = row.to_string();
        report.row("golden", row, &line);
    }
    if wrong > 0 {
        report.is_wrong(format!("{wrong} of {} models give other logits or tokens than the golden ones", golden.len()));
    }
    report.put("golden_worst", json!({ "off": worst, "bound": bound, "wrong": wrong, "of": golden.len() }));
}

/// How far the logits are off by each way: the last is 0 where the same tokens are drawn here and there, and else 1.
async fn differences(
    device: &Device,
    model: &seealso_gguf::testing::TinyModel,
    expected: &[f32],
) -> Result<[f64; 3], String> {
    let file = model.write().map_err(|error| error.to_string())?;
    let store = Box::new(GpuStore::new(device.clone())?);
    let loaded = load(&file[..], store, LoadOptions { context: 64 }, &mut |_| ());
    let mut decoder = loaded.map_err(|error| error.to_string())?.1;
    let tokens = tokens(model.vocab);
    let together = decoder.forward(0, &tokens, Rows::Last).await.map_err(|error| error.to_string())?;
    let mut stepped = Vec::new();
    for (position, &token) in tokens.iter().enumerate() {
        stepped = decoder.forward(position, &[token], Rows::Last).await.map_err(|error| error.to_string())?;
    }
    let chained = chained(&mut decoder, &tokens).await.map_err(|error| error.to_string())?;
    Ok([error(&together, expected), error(&stepped, expected), chained])
}

/// 0 where tokens drawn on the device are those drawn here.
async fn chained(decoder: &mut Decoder, tokens: &[u32]) -> Result<f64, seealso_model::Error> {
    for (temperature, penalty) in [(0.0, 1.0), (0.8, 1.0), (0.5, 1.2)] {
        let chance = GumbelSampling { temperature, seed: 5, penalty };
        let mut there = tokens.to_vec();
        for at in COUNT..COUNT + DRAWN {
            there.push(decoder.draw(&there[..at - 1], there[at - 1], chance).await?);
        }
        for at in COUNT..COUNT + DRAWN {
            let logits = decoder.forward(at - 1, &there[at - 1..at], Rows::Last).await?;
            if chance.draw(&logits, &there[..at]) != Some(there[at]) {
                return Ok(1.0);
            }
        }
    }
    Ok(0.0)
}

/// The root of the mean square of the difference, against that of the expected.
fn error(got: &[f32], expected: &[f32]) -> f64 {
    let square = |values: &mut dyn Iterator<Item = f32>| values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>();
    if got.len() != expected.len() {
        return f64::INFINITY;
    }
    let difference = square(&mut got.iter().zip(expected).map(|(a, b)| a - b));
    (difference / square(&mut expected.iter().copied())).sqrt()
}
