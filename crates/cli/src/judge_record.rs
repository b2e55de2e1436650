//! The record of a model as a judge of claims: its measure, its bounds and its probe, which the catalog beside the model's
//! file has as JSON. The catalog calls a probe a reading.

#[cfg(test)]
mod tests;

use std::path::Path;

use seealso::Judge;
use seealso_gguf::ModelConfig;
use seealso_model::adapters::MOST_UNITS as MAX_ADAPTER_UNITS;
use seealso_model::{Adapters, Probe, Unit};
use seealso_pack::from_base64;
use serde_json::Value;

/// The catalog of models that stands beside their files, as `cargo xtask model` writes it.
const CATALOG: &str = "models.json";

/// More layers than any model has.
const MAX_LAYERS: usize = 1024;

/// A model as a judge.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JudgeRecord {
    /// How well it judges, and the bounds of its verdicts.
    pub(crate) judge: Judge,
    /// The probe that it judges by; where there is none, it judges by the likelihoods of yes and no.
    pub(crate) probe: Option<Probe>,
}

impl JudgeRecord {
    /// The record of the model in the file at `path`, where the catalog beside it has one. A probe that was fitted to a model
    /// of another `shape` is left out.
    pub(crate) fn of_file(path: &Path, shape: Option<&ModelConfig>) -> Option<JudgeRecord> {
        let file = path.file_name()?.to_str()?;
        let catalog = std::fs::read(path.with_file_name(CATALOG)).ok()?;
        let catalog: Value = serde_json::from_slice(&catalog).ok()?;
        let of_file =
            |model: &&Value| model["files"].as_array().is_some_and(|files| files.iter().any(|of| of["url"] == file));
        JudgeRecord::from_json(&catalog["models"].as_array()?.iter().find(of_file)?["judge"], shape)
    }

    /// Parses a record of a catalog. A probe that is unsound is left out.
    fn from_json(record: &Value, shape: Option<&ModelConfig>) -> Option<JudgeRecord> {
        let by_likelihoods = JudgeRecord { judge: parse_judge(record)?, probe: None };
        let fits = |probe: &Probe| shape.is_none_or(|shape| probe.is_for(shape.layers, shape.width));
        let by_probe = JudgeRecord::from_probe_json(&record["reading"]);
        Some(by_probe.filter(|record| record.probe.as_ref().is_some_and(fits)).unwrap_or(by_likelihoods))
    }

    /// Parses a probe with its own measure and bounds.
    pub(crate) fn from_probe_json(record: &Value) -> Option<JudgeRecord> {
        Some(JudgeRecord { judge: parse_judge(record)?, probe: Some(parse_probe(record)?) })
    }
}

fn parse_judge(record: &Value) -> Option<Judge> {
    let number = |name: &str| record[name].as_f64().filter(|number| number.is_finite());
    let judge = Judge { auc: number("auc")?, supports: number("supports")?, rejects: number("rejects")? };
    ((0.0..=1.0).contains(&judge.auc) && judge.supports >= judge.rejects).then_some(judge)
}

/// More hidden units than any probe has.
const MAX_UNITS: usize = 256;
/// More weights than any probe has.
pub const MAX_WEIGHTS: usize = 1 << 20;

/// Parses a probe: `{"layers", "read", "bias", "weights"}`, `read` 1 by default, the weights as base64 of floats of four
/// bytes, little-endian. With `"units"`, an array of `[bias, counts, scale]` for each, the weights are bytes from -127 to
/// 127, to be multiplied by the scale of their unit and by that of their number: `"scales"`, base64 of floats.
pub fn parse_probe(record: &Value) -> Option<Probe> {
    let bytes = from_base64(record["weights"].as_str()?)?;
    let scaled_units =
        record.get("units").map_or(Some(Vec::new()), |units| units.as_array()?.iter().map(parse_unit).collect())?;
    let units: Vec<Unit> = scaled_units.iter().map(|(unit, _)| *unit).collect();
    let weights = match units.len() {
        0 => floats(&bytes)?,
        1..=MAX_UNITS => dequantize(&bytes, &scaled_units, &floats(&from_base64(record["scales"].as_str()?)?)?)?,
        _ => return None,
    };
    let probe = Probe {
        layers: usize::try_from(record["layers"].as_u64()?).ok()?,
        read: record.get("read").map_or(Some(1), |read| usize::try_from(read.as_u64()?).ok())?,
        weights,
        units,
        bias: record["bias"].as_f64()?,
        adapters: record.get("adapters").map_or(Some(None), |adapters| parse_adapters(adapters).map(Some))?,
    };
    let width = probe.weights.len() / probe.units.len().max(1) / probe.read.max(1);
    let is_sound = (1..=MAX_LAYERS).contains(&probe.layers)
        && probe.weights.len() <= MAX_WEIGHTS
        && probe.fits(width)
        && probe.adapters.as_ref().is_none_or(|adapters| adapters.fits(MAX_LAYERS + 1, width))
        && probe.weights.iter().all(|weight| weight.is_finite());
    is_sound.then_some(probe)
}

/// Parses adapters: `{"layers", "units", "weights", "scales", "biases"}`, the last three base64. The weights are bytes from -127
/// to 127: for each layer, a row for the sum of each unit, and then a row for what each unit adds. Each row has a scale and each
/// unit a bias, both floats.
fn parse_adapters(record: &Value) -> Option<Adapters> {
    let number = |name: &str| usize::try_from(record[name].as_u64()?).ok();
    let bytes = |name: &str| from_base64(record[name].as_str()?);
    let (layers, units) = (number("layers")?, number("units")?);
    let (weights, scales, biases) = (bytes("weights")?, floats(&bytes("scales")?)?, floats(&bytes("biases")?)?);
    let rows = layers.checked_mul(units)?.checked_mul(2)?;
    let width = weights.len().checked_div(rows)?;
    let is_sound = (1..=MAX_LAYERS).contains(&layers)
        && (1..=MAX_ADAPTER_UNITS).contains(&units)
        && width >= units
        && (rows * width, rows, layers * units) == (weights.len(), scales.len(), biases.len())
        && weights.len() <= MAX_WEIGHTS;
    if !is_sound {
        return None;
    }
    let mut numbers = Vec::with_capacity(weights.len() + layers * width);
    let all =
        weights.chunks_exact(2 * units * width).zip(scales.chunks_exact(2 * units)).zip(biases.chunks_exact(units));
    for ((weights, scales), biases) in all {
        for (row, scale) in weights.chunks_exact(width).zip(scales) {
            numbers.extend(row.iter().map(|byte| f32::from(byte.cast_signed()) * scale));
        }
        numbers.extend(biases);
        numbers.resize(numbers.len() + width - units, 0.0);
    }
    numbers.iter().all(|number| number.is_finite()).then_some(Adapters { layers, units, numbers })
}

/// Parses a unit of a probe, with the scale of its weights.
fn parse_unit(record: &Value) -> Option<(Unit, f32)> {
    let numbers: Vec<f32> =
        record.as_array()?.iter().map(|number| Some(number.as_f64()? as f32)).collect::<Option<_>>()?;
    match numbers.as_slice() {
        &[bias, counts, scale] if numbers.iter().all(|number| number.is_finite()) => {
            Some((Unit { bias, counts }, scale))
        }
        _ => None,
    }
}

fn floats(bytes: &[u8]) -> Option<Vec<f32>> {
    let (floats, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// The weights that rows of signed bytes stand for, a row for each unit.
fn dequantize(bytes: &[u8], units: &[(Unit, f32)], scales: &[f32]) -> Option<Vec<f32>> {
    let rows = bytes.chunks_exact(scales.len().max(1)).zip(units);
    let weights = rows.flat_map(|(row, (_, scale))| {
        row.iter().zip(scales).map(move |(byte, of_number)| f32::from(byte.cast_signed()) * scale * of_number)
    });
    (scales.len() * units.len() == bytes.len()).then(|| weights.collect())
}
