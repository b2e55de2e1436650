//! Probes as a catalog of models has them: JSON, as [`parse_probe`] reads it.

use seealso_cli::parse_probe;
use seealso_model::{Probe, Unit};
use seealso_pack::to_base64;
use serde_json::{Value, json};

/// A perceptron with weights of one byte.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuantizedProbe {
    /// The weights, `[units, numbers]`.
    pub(crate) weights: Vec<i8>,
    /// The units, each with the scale of its weights.
    pub(crate) units: Vec<(Unit, f32)>,
    /// The scale of each number that is read.
    pub(crate) scales: Vec<f32>,
    /// The bias of the sum.
    pub(crate) bias: f64,
}

impl QuantizedProbe {
    /// The probe that these weights make, read behind the last `read` of the first `layers` layers: the one that the command
    /// reads from a catalog. None where it is larger than a catalog may have.
    pub(crate) fn dequantize(&self, layers: usize, read: usize) -> Option<Probe> {
        parse_probe(&self.to_json(layers, read))
    }

    /// The probe as a catalog has it.
    pub(crate) fn to_json(&self, layers: usize, read: usize) -> Value {
        let units = self.units.iter().map(|(unit, scale)| json!([unit.bias, unit.counts, scale]));
        let weights: Vec<u8> = self.weights.iter().map(|weight| weight.cast_unsigned()).collect();
        json!({
            "layers": layers,
            "read": read,
            "bias": self.bias,
            "units": units.collect::<Vec<_>>(),
            "scales": floats_to_base64(&self.scales),
            "weights": to_base64(&weights),
        })
    }
}

fn floats_to_base64(floats: &[f32]) -> String {
    to_base64(&floats.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<u8>>())
}

/// A linear probe as a catalog has it.
pub(crate) fn linear_probe_to_json(probe: &Probe) -> Value {
    json!({
        "layers": probe.layers,
        "read": probe.read,
        "bias": probe.bias,
        "weights": floats_to_base64(&probe.weights),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_probe_is_read_as_it_was_written() {
        let (weights, units) = (vec![0.5, -2.0], Vec::new());
        let probe = Probe { layers: 3, read: 1, weights, units, bias: 0.25, adapters: None };
        let written = linear_probe_to_json(&probe);
        assert_eq!(written, json!({ "layers": 3, "read": 1, "bias": 0.25, "weights": "AAAAPwAAAMA=" }));
        assert_eq!(parse_probe(&written), Some(probe));
    }

    #[test]
    fn weights_of_one_byte_are_read_with_their_scales() {
        let unit = |bias, counts| Unit { bias, counts };
        let probe = QuantizedProbe {
            weights: vec![127, -1, 0, 2],
            units: vec![(unit(0.5, -2.0), 0.5), (unit(0.0, 1.0), 1.0)],
            scales: vec![1.0, 4.0],
            bias: 0.25,
        };
        let written = probe.to_json(3, 1);
        assert_eq!((&written["weights"], &written["scales"]), (&json!("f/8AAg=="), &json!("AACAPwAAgEA=")));
        assert_eq!(written["units"], json!([[0.5, -2.0, 0.5], [0.0, 1.0, 1.0]]));
        let (weights, units) = (vec![63.5, -2.0, 0.0, 8.0], vec![unit(0.5, -2.0), unit(0.0, 1.0)]);
        let expected = Probe { layers: 3, read: 1, weights, units, bias: 0.25, adapters: None };
        assert_eq!(probe.dequantize(3, 1), Some(expected));
    }
}
