//! A decoder in plain f32, written for reading and apart from the operations under test: no cache, no quantised
//! activations, every token's attention computed anew. Weights are dequantised by the format's definition.

use std::collections::HashMap;

use seealso_gguf::{Error, ModelConfig, RopeLayout, RopeScaling, dequantise, read_all};
use seealso_model::Adapters;

/// All weights as floats, by the names of the file.
pub(crate) struct Reference {
    pub(crate) config: ModelConfig,
    tensors: HashMap<String, Vec<f32>>,
    /// What tokens are read through.
    pub(crate) adapters: Option<Adapters>,
    /// From this position on.
    pub(crate) adapted_from: usize,
}

impl Reference {
    /// From a whole file.
    pub(crate) fn new(file: &[u8]) -> Self {
        let mut tensors = HashMap::new();
        let header = read_all::<Error>(file, &mut |tensor, bytes| {
            let mut values = vec![0.0; tensor.elements() as usize];
            dequantise(tensor.kind, bytes, &mut values)?;
            tensors.insert(tensor.name.clone(), values);
            Ok(())
        });
        let config = ModelConfig::from_header(&header.expect("the file is whole")).expect("it is a decoder");
        Self { config, tensors, adapters: None, adapted_from: 0 }
    }

    fn tensor(&self, name: &str) -> &[f32] {
        &self.tensors[name]
    }

    fn block(&self, layer: usize, name: &str) -> Option<&[f32]> {
        self.tensors.get(&format!("blk.{layer}.{name}")).map(Vec::as_slice)
    }

    /// The logits after each token.
    pub(crate) fn logits(&self, tokens: &[u32]) -> Vec<Vec<f32>> {
        let output = self.tensors.get("output.weight").map_or_else(|| self.tensor("token_embd.weight"), Vec::as_slice);
        let rows = self.states(tokens, self.config.layers);
        rows.iter().map(|row| multiply(output, &self.norm(row, self.tensor("output_norm.weight")))).collect()
    }

    /// What stands behind the first `layers` layers after each token.
    pub(crate) fn states(&self, tokens: &[u32], layers: usize) -> Vec<Vec<f32>> {
        let width = self.config.width;
        let embedding = self.tensor("token_embd.weight");
        let mut rows: Vec<Vec<f32>> =
            tokens.iter().map(|&token| embedding[token as usize * width..][..width].to_vec()).collect();
        for layer in 0..layers {
            rows.iter_mut().skip(self.adapted_from).for_each(|row| self.adapt(layer, row));
            self.attend(layer, &mut rows);
            rows.iter_mut().for_each(|row| self.feed_forward(layer, row));
        }
        rows
    }

    fn attend(&self, layer: usize, rows: &mut [Vec<f32>]) {
        let (heads, kv_heads, dim) = (self.config.heads, self.config.kv_heads, self.config.head_dim);
        let [q, k, v] = ["q", "k", "v"].map(|which| -> Vec<Vec<f32>> {
            rows.iter().enumerate().map(|(position, row)| self.project(layer, which, row, position)).collect()
        });
        for (position, row) in rows.iter_mut().enumerate() {
            let mut attended = vec![0.0; heads * dim];
            for head in 0..heads {
                let at = head / (heads / kv_heads) * dim;
                let query = &q[position][head * dim..][..dim];
                let score = |other: usize| dot(query, &k[other][at..][..dim]) / (dim as f32).sqrt();
                let scores: Vec<f32> = (0..=position).map(score).collect();
                let highest = scores.iter().copied().fold(f32::MIN, f32::max);
                let sum: f32 = scores.iter().map(|score| (score - highest).exp()).sum();
                for (other, score) in scores.iter().enumerate() {
                    for element in 0..dim {
                        attended[head * dim + element] += (score - highest).exp() / sum * v[other][at + element];
                    }
                }
            }
            let output = multiply(self.block(layer, "attn_output.weight").expect("every layer has one"), &attended);
            row.iter_mut().zip(output).for_each(|(x, y)| *x += y);
        }
    }

    /// A row's queries, keys or values.
    fn project(&self, layer: usize, which: &str, row: &[f32], position: usize) -> Vec<f32> {
        let normed = self.norm(row, self.block(layer, "attn_norm.weight").expect("every layer has one"));
        let weight = self.block(layer, &format!("attn_{which}.weight")).expect("every layer has one");
        let mut out = multiply(weight, &normed);
        if let Some(bias) = self.block(layer, &format!("attn_{which}.bias")) {
            out.iter_mut().zip(bias).for_each(|(x, y)| *x += y);
        }
        if which != "v" {
            for head in out.chunks_mut(self.config.head_dim) {
                if let Some(norm) = self.block(layer, &format!("attn_{which}_norm.weight")) {
                    head.copy_from_slice(&self.norm(head, norm));
                }
                self.rotate(head, position);
            }
        }
        out
    }

    fn rotate(&self, head: &mut [f32], position: usize) {
        let rope = self.config.rope;
        for pair in 0..rope.dimensions / 2 {
            let stretch = match rope.scaling {
                RopeScaling::Linear(factor) => factor,
                RopeScaling::Factors => self.tensor("rope_freqs.weight")[pair],
                _ => 1.0,
            };
            let frequency = f64::from(rope.theta).powf(-2.0 * pair as f64 / rope.dimensions as f64);
            let angle = position as f64 * frequency / f64::from(stretch);
            let (sine, cosine) = (angle.sin() as f32, angle.cos() as f32);
            let (a, b) = match rope.layout {
                RopeLayout::Interleaved => (2 * pair, 2 * pair + 1),
                RopeLayout::Halves => (pair, pair + rope.dimensions / 2),
            };
            (head[a], head[b]) = (head[a] * cosine - head[b] * sine, head[a] * sine + head[b] * cosine);
        }
    }

    fn adapt(&self, layer: usize, row: &mut [f32]) {
        let width = row.len();
        let Some(adapters) = self.adapters.as_ref().filter(|adapters| (1..=adapters.layers).contains(&layer)) else {
            return;
        };
        let units = adapters.units;
        let numbers: Vec<&[f32]> =
            adapters.numbers.chunks((2 * units + 1) * width).nth(layer - 1).unwrap().chunks(width).collect();
        let size = (dot(row, row) / width as f32 + 1e-6).sqrt();
        let said: Vec<f32> =
            (0..units).map(|unit| (dot(row, numbers[unit]) / size + numbers[2 * units][unit]).tanh()).collect();
        for (said, up) in said.iter().zip(&numbers[units..]) {
            row.iter_mut().zip(*up).for_each(|(x, up)| *x += said * up);
        }
    }

    fn feed_forward(&self, layer: usize, row: &mut [f32]) {
        let part = |name: &str| self.block(layer, name).expect("every layer has one");
        let normed = self.norm(row, part("ffn_norm.weight"));
        let gate = multiply(part("ffn_gate.weight"), &normed);
        let up = multiply(part("ffn_up.weight"), &normed);
        let gated: Vec<f32> = gate.iter().zip(&up).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect();
        row.iter_mut().zip(multiply(part("ffn_down.weight"), &gated)).for_each(|(x, y)| *x += y);
    }

    fn norm(&self, row: &[f32], weight: &[f32]) -> Vec<f32> {
        let mean = dot(row, row) / row.len() as f32;
        let scale = 1.0 / (mean + self.config.norm_epsilon).sqrt();
        row.iter().zip(weight).map(|(x, w)| x * scale * w).collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>() as f32
}

/// A matrix, row by row, times a vector.
fn multiply(matrix: &[f32], vector: &[f32]) -> Vec<f32> {
    matrix.chunks(vector.len()).map(|row| dot(row, vector)).collect()
}
