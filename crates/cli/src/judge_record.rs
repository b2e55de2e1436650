//! How well a model judges claims, and by what: the record in the catalog beside its file.

use std::path::Path;

use seealso::Judge;
use seealso_gguf::ModelConfig;
use seealso_model::adapters::MOST_UNITS as MOST_ADAPTER_UNITS;
use seealso_model::{Adapters, Reading, Unit};
use seealso_pack::{from_base64, to_base64};
use serde_json::{Value, json};

/// The catalog of models that stands beside their files, as `cargo xtask model` writes it.
const CATALOG: &str = "models.json";

/// More layers than any model has.
const MOST_LAYERS: usize = 1024;

/// A measured judge.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// Its measure and bounds.
    pub(crate) judge: Judge,
    /// What it judges by; by the likelihood of yes over no where there is none.
    pub(crate) reading: Option<Reading>,
}

impl Record {
    /// That of the model in the file at `path`, where the catalog beside it has a measurement. A reading that was made for
    /// a model of another `shape` is none.
    pub(crate) fn of_file(path: &Path, shape: Option<&ModelConfig>) -> Option<Record> {
        let file = path.file_name()?.to_str()?;
        let catalog = std::fs::read(path.with_file_name(CATALOG)).ok()?;
        let catalog: Value = serde_json::from_slice(&catalog).ok()?;
        let of_file =
            |model: &&Value| model["files"].as_array().is_some_and(|files| files.iter().any(|of| of["url"] == file));
        Record::of_json(&catalog["models"].as_array()?.iter().find(of_file)?["judge"], shape)
    }

    /// A record of a catalog. Where what it says of a reading is unsound, the likelihoods count.
    fn of_json(record: &Value, shape: Option<&ModelConfig>) -> Option<Record> {
        let by_likelihoods = Record { judge: judge(record)?, reading: None };
        let fits = |reading: &Reading| shape.is_none_or(|shape| reading.is_for(shape.layers, shape.width));
        let by_reading = Record::of_reading(&record["reading"]);
        Some(by_reading.filter(|record| record.reading.as_ref().is_some_and(fits)).unwrap_or(by_likelihoods))
    }

    /// The record of a reading, with its own measure and bounds.
    pub(crate) fn of_reading(told: &Value) -> Option<Record> {
        Some(Record { judge: judge(told)?, reading: Some(reading(told)?) })
    }
}

fn judge(record: &Value) -> Option<Judge> {
    let number = |name: &str| record[name].as_f64().filter(|number| number.is_finite());
    let judge = Judge { auc: number("auc")?, supports: number("supports")?, rejects: number("rejects")? };
    ((0.0..=1.0).contains(&judge.auc) && judge.supports >= judge.rejects).then_some(judge)
}

/// More hidden units than any reading has.
const MOST_UNITS: usize = 256;
/// More weights than any has.
pub const MOST_WEIGHTS: usize = 1 << 20;

/// A reading: `{"layers", "read", "bias", "weights"}`, `read` 1 where it is left out, the weights as base64 of floats of four
/// bytes, little-endian. With `"units"`, an array of `[bias, counts, scale]` for each, the weights are bytes from -127 to
/// 127, to be multiplied by their unit's scale and by that of their number: `"scales"`, base64 of floats.
fn reading(record: &Value) -> Option<Reading> {
    let bytes = from_base64(record["weights"].as_str()?)?;
    let told = record.get("units").map_or(Some(Vec::new()), |units| units.as_array()?.iter().map(unit).collect())?;
    let units: Vec<Unit> = told.iter().map(|(unit, _)| *unit).collect();
    let weights = match units.len() {
        0 => floats(&bytes)?,
        1..=MOST_UNITS => scaled(&bytes, &told, &floats(&from_base64(record["scales"].as_str()?)?)?)?,
        _ => return None,
    };
    let reading = Reading {
        layers: usize::try_from(record["layers"].as_u64()?).ok()?,
        read: record.get("read").map_or(Some(1), |read| usize::try_from(read.as_u64()?).ok())?,
        weights,
        units,
        bias: record["bias"].as_f64()?,
        adapters: record.get("adapters").map_or(Some(None), |told| adapters(told).map(Some))?,
    };
    let width = reading.weights.len() / reading.units.len().max(1) / reading.read.max(1);
    let sound = (1..=MOST_LAYERS).contains(&reading.layers)
        && reading.weights.len() <= MOST_WEIGHTS
        && reading.fits(width)
        && reading.adapters.as_ref().is_none_or(|adapters| adapters.fits(MOST_LAYERS + 1, width))
        && reading.weights.iter().all(|weight| weight.is_finite());
    sound.then_some(reading)
}

/// Adapters: `{"layers", "units", "weights", "scales", "biases"}`, all base64: the weights bytes from -127 to 127, of each unit of
/// each layer those of its sum, and after those of all units what each adds; a scale for each of these rows, and a bias for each
/// unit, floats.
fn adapters(told: &Value) -> Option<Adapters> {
    let number = |name: &str| usize::try_from(told[name].as_u64()?).ok();
    let bytes = |name: &str| from_base64(told[name].as_str()?);
    let (layers, units) = (number("layers")?, number("units")?);
    let (weights, scales, biases) = (bytes("weights")?, floats(&bytes("scales")?)?, floats(&bytes("biases")?)?);
    let rows = layers.checked_mul(units)?.checked_mul(2)?;
    let width = weights.len().checked_div(rows)?;
    let sound = (1..=MOST_LAYERS).contains(&layers)
        && (1..=MOST_ADAPTER_UNITS).contains(&units)
        && width >= units
        && (rows * width, rows, layers * units) == (weights.len(), scales.len(), biases.len())
        && weights.len() <= MOST_WEIGHTS;
    if !sound {
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

/// A unit of a record, with its weights' scale.
fn unit(told: &Value) -> Option<(Unit, f32)> {
    let numbers: Vec<f32> =
        told.as_array()?.iter().map(|number| Some(number.as_f64()? as f32)).collect::<Option<_>>()?;
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

/// Weights that are bytes with a sign, a row of them for each unit.
fn scaled(bytes: &[u8], units: &[(Unit, f32)], scales: &[f32]) -> Option<Vec<f32>> {
    let rows = bytes.chunks_exact(scales.len().max(1)).zip(units);
    let weights = rows.flat_map(|(row, (_, scale))| {
        row.iter().zip(scales).map(move |(byte, of_number)| f32::from(byte.cast_signed()) * scale * of_number)
    });
    (scales.len() * units.len() == bytes.len()).then(|| weights.collect())
}

/// A perceptron's weights as a catalog has them. What is read is what these say, not what they were rounded from.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounded {
    /// `[units, numbers]`.
    pub weights: Vec<i8>,
    /// With the scale of its weights.
    pub units: Vec<(Unit, f32)>,
    /// Each number's scale.
    pub scales: Vec<f32>,
    /// The bias of the sum.
    pub bias: f64,
}

impl Rounded {
    /// What it says, read behind the last `read` of so many layers.
    pub fn reading(&self, layers: usize, read: usize) -> Reading {
        let weights = scaled(&self.bytes(), &self.units, &self.scales).unwrap_or_default();
        let units = self.units.iter().map(|(unit, _)| *unit).collect();
        Reading { layers, read, weights, units, bias: self.bias, adapters: None }
    }

    fn bytes(&self) -> Vec<u8> {
        self.weights.iter().map(|weight| weight.cast_unsigned()).collect()
    }

    /// A record's part.
    pub fn told(&self, layers: usize, read: usize) -> Value {
        let units = self.units.iter().map(|(unit, scale)| json!([unit.bias, unit.counts, scale]));
        json!({
            "layers": layers,
            "read": read,
            "bias": self.bias,
            "units": units.collect::<Vec<_>>(),
            "scales": told_floats(&self.scales),
            "weights": to_base64(&self.bytes()),
        })
    }
}

fn told_floats(floats: &[f32]) -> String {
    to_base64(&floats.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<u8>>())
}

/// A reading without units as a catalog has it.
pub fn told(reading: &Reading) -> Value {
    json!({
        "layers": reading.layers,
        "read": reading.read,
        "bias": reading.bias,
        "weights": told_floats(&reading.weights),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_reading_counts_before_likelihoods() {
        let judge = |auc| Judge { auc, supports: 1.0, rejects: -0.5 };
        let figures = |auc: f64| json!({ "auc": auc, "supports": 1.0, "rejects": -0.5 });
        let mut record = figures(0.7);
        assert_eq!(Record::of_json(&record, None), Some(Record { judge: judge(0.7), reading: None }));
        let known =
            Reading { layers: 3, read: 1, weights: vec![0.5, -2.0], units: Vec::new(), bias: 0.25, adapters: None };
        let mut by_reading = told(&known);
        assert_eq!(by_reading, json!({ "layers": 3, "read": 1, "bias": 0.25, "weights": "AAAAPwAAAMA=" }));
        by_reading.as_object_mut().unwrap().extend(figures(0.8).as_object().unwrap().clone());
        record["reading"] = by_reading.clone();
        assert_eq!(Record::of_json(&record, None), Some(Record { judge: judge(0.8), reading: Some(known) }));
        let likelihoods = Some(Record { judge: judge(0.7), reading: None });
        for (name, wrong) in [
            ("weights", json!("AAAAPwAA")),
            ("weights", json!("")),
            ("weights", json!("AADAfw==")),
            ("layers", json!(-1)),
            ("layers", json!(0)),
            ("read", json!(0)),
            ("read", json!(3)),
            ("read", json!(4)),
            ("read", json!("1")),
            ("layers", json!(4_294_967_297_u64)),
            ("auc", json!(5.0)),
            ("bias", Value::Null),
            ("auc", Value::Null),
            ("supports", json!(-1.0)),
        ] {
            record["reading"] = by_reading.clone();
            record["reading"][name] = wrong;
            assert_eq!(Record::of_json(&record, None), likelihoods, "{name}");
        }
        // What was left out is one layer.
        by_reading.as_object_mut().unwrap().remove("read");
        assert_eq!(reading(&by_reading), reading(&told(&Reading { read: 1, ..reading(&by_reading).unwrap() })));
        assert_eq!(Record::of_json(&Value::Null, None), None);
        assert_eq!(Record::of_json(&json!({ "reading": by_reading }), None), None);
    }

    #[test]
    fn units_have_weights_of_a_byte() {
        let unit = |bias, counts| Unit { bias, counts };
        let known = Rounded {
            weights: vec![127, -1, 0, 2],
            units: vec![(unit(0.5, -2.0), 0.5), (unit(0.0, 1.0), 1.0)],
            scales: vec![1.0, 4.0],
            bias: 0.25,
        };
        let told = known.told(3, 1);
        assert_eq!((&told["weights"], &told["scales"]), (&json!("f/8AAg=="), &json!("AACAPwAAgEA=")));
        assert_eq!(told["units"], json!([[0.5, -2.0, 0.5], [0.0, 1.0, 1.0]]));
        let units = vec![unit(0.5, -2.0), unit(0.0, 1.0)];
        let expected =
            Reading { layers: 3, read: 1, weights: vec![63.5, -2.0, 0.0, 8.0], units, bias: 0.25, adapters: None };
        assert_eq!((known.reading(3, 1), reading(&told)), (expected.clone(), Some(expected)));
        for (name, wrong) in [
            ("units", json!([[0.5, -2.0, 0.01], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]])),
            ("units", json!([[0.5, -2.0], [0.0, 1.0]])),
            ("units", json!([[0.5, -2.0, 1e300], [0.0, 1.0, 1.0]])),
            ("units", json!([[0.5, -2.0, 3e38], [0.0, 1.0, 1.0]])),
            ("units", json!("two")),
            ("units", json!(vec![[0.5, -2.0, 0.5]; 257])),
            ("scales", json!("AACAPw==")),
            ("scales", json!("AADAfwAAgEA=")),
            ("scales", Value::Null),
            ("weights", json!("")),
            ("read", json!(2)),
        ] {
            let mut broken = told.clone();
            broken[name] = wrong;
            // Two layers of one number are as sound as one of two.
            assert_eq!(reading(&broken).is_none(), name != "read", "{broken}");
        }
    }

    #[test]
    fn adapters_have_a_scale_for_each_row() {
        let told = json!({
            "layers": 2, "units": 1, "weights": "AQL//gMEBQY=", "scales": "AACAPwAAAEAAAIA/AAAAPw==", "biases": "AAAAPwAAgD8=",
        });
        let numbers = vec![1.0, 2.0, -2.0, -4.0, 0.5, 0.0, 3.0, 4.0, 2.5, 3.0, 1.0, 0.0];
        assert_eq!(adapters(&told), Some(Adapters { layers: 2, units: 1, numbers }));
        let mut record = super::told(&Reading {
            layers: 3,
            read: 1,
            weights: vec![0.5, -2.0],
            units: Vec::new(),
            bias: 0.25,
            adapters: None,
        });
        for (name, wrong) in [
            ("layers", json!(0)),
            ("layers", json!(1)),
            ("layers", json!(1_u64 << 40)),
            ("units", json!(9)),
            ("units", json!(0)),
            ("weights", json!("AQL//gMEBQ==")),
            ("weights", Value::Null),
            ("scales", json!("AACAPw==")),
            ("biases", json!("")),
            ("biases", json!("AAAAPwAAwH8=")),
        ] {
            let mut broken = told.clone();
            broken[name] = wrong;
            assert_eq!(adapters(&broken), None, "{broken}");
            // Without what the prompt was to be read through the reading is worth nothing.
            record["adapters"] = broken;
            assert_eq!(reading(&record), None);
        }
        record["adapters"] = told;
        assert!(reading(&record).is_some_and(|reading| reading.is_for(3, 2) && !reading.is_for(2, 2)));
    }
}
