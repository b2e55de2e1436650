//! Probes written as JSON, as [`parse_probe`](super::parse_probe) reads them.

use seealso_model::{Reading as Probe, Unit};
use seealso_pack::to_base64;
use serde_json::{Value, json};

use super::dequantize;

/// A perceptron with weights of one byte, as a catalog has it.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantizedProbe {
    /// The weights, `[units, numbers]`.
    pub weights: Vec<i8>,
    /// The units, each with the scale of its weights.
    pub units: Vec<(Unit, f32)>,
    /// The scale of each number that is read.
    pub scales: Vec<f32>,
    /// The bias of the sum.
    pub bias: f64,
}

impl QuantizedProbe {
    /// The probe that these weights make, read behind the last `read` of the first `layers` layers.
    pub fn dequantized(&self, layers: usize, read: usize) -> Probe {
        let weights = dequantize(&self.bytes(), &self.units, &self.scales).unwrap_or_default();
        let units = self.units.iter().map(|(unit, _)| *unit).collect();
        Probe { layers, read, weights, units, bias: self.bias, adapters: None }
    }

    fn bytes(&self) -> Vec<u8> {
        self.weights.iter().map(|weight| weight.cast_unsigned()).collect()
    }

    /// The probe as a catalog has it.
    pub fn to_json(&self, layers: usize, read: usize) -> Value {
        let units = self.units.iter().map(|(unit, scale)| json!([unit.bias, unit.counts, scale]));
        json!({
            "layers": layers,
            "read": read,
            "bias": self.bias,
            "units": units.collect::<Vec<_>>(),
            "scales": floats_to_base64(&self.scales),
            "weights": to_base64(&self.bytes()),
        })
    }
}

fn floats_to_base64(floats: &[f32]) -> String {
    to_base64(&floats.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<u8>>())
}

/// A linear probe as a catalog has it.
pub fn linear_probe_to_json(probe: &Probe) -> Value {
    json!({
        "layers": probe.layers,
        "read": probe.read,
        "bias": probe.bias,
        "weights": floats_to_base64(&probe.weights),
    })
}
