//! BERT written plainly in double precision, one text at a time: what the encoder is compared with.

use std::collections::BTreeMap;

use super::tiny::Tiny;

type Row = Vec<f64>;

pub(super) struct Reference {
    pub(super) sizes: Tiny,
    pub(super) values: BTreeMap<String, Vec<f64>>,
}

/// The error function by its Maclaurin series, exact enough below 4.
fn erf(x: f64) -> f64 {
    if x.abs() > 4.0 {
        return x.signum();
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..120 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(a: &[f64], b: &[f64]) -> Row {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

impl Reference {
    fn linear(&self, name: &str, x: &[f64]) -> Row {
        let rows = self.values[&format!("{name}.weight")].chunks(x.len());
        rows.zip(&self.values[&format!("{name}.bias")]).map(|(row, bias)| dot(row, x) + bias).collect()
    }

    fn norm(&self, name: &str, x: &[f64]) -> Row {
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
        let (scale, shift) = (&self.values[&format!("{name}.weight")], &self.values[&format!("{name}.bias")]);
        let normal = x.iter().map(|x| (x - mean) / (variance + 1e-12).sqrt());
        normal.zip(scale).zip(shift).map(|((x, scale), shift)| x * scale + shift).collect()
    }

    fn embedding(&self, name: &str, row: usize) -> &[f64] {
        let width = self.sizes.width;
        &self.values[&format!("embeddings.{name}_embeddings.weight")][row * width..(row + 1) * width]
    }

    fn attend(&self, at: &str, x: &[Row]) -> Vec<Row> {
        let part = |name: &str| x.iter().map(|x| self.linear(&format!("{at}.self.{name}"), x)).collect::<Vec<_>>();
        let (queries, keys, values) = (part("query"), part("key"), part("value"));
        let size = self.sizes.width / self.sizes.heads;
        let mut out = vec![vec![0.0; self.sizes.width]; x.len()];
        for (out, query) in out.iter_mut().zip(&queries) {
            for head in (0..self.sizes.width).step_by(size) {
                let head = head..head + size;
                let score = |key: &Row| (dot(&query[head.clone()], &key[head.clone()]) / (size as f64).sqrt()).exp();
                let scores: Row = keys.iter().map(score).collect();
                for (score, value) in scores.iter().zip(&values) {
                    for at in head.clone() {
                        out[at] += score / scores.iter().sum::<f64>() * value[at];
                    }
                }
            }
        }
        out
    }

    /// The states after the last layer, a row a token.
    pub(super) fn states(&self, ids: &[u32]) -> Vec<Row> {
        self.states_of_pair(ids, ids.len())
    }

    /// The same of two texts, of which the second begins at that place.
    fn states_of_pair(&self, ids: &[u32], second: usize) -> Vec<Row> {
        let token = |(at, &id): (usize, &u32)| {
            let sum = add(self.embedding("word", id as usize), self.embedding("position", at));
            let segment = self.embedding("token_type", usize::from(at >= second));
            self.norm("embeddings.LayerNorm", &add(&sum, segment))
        };
        let mut x: Vec<Row> = ids.iter().enumerate().map(token).collect();
        for layer in 0..self.sizes.layers {
            let at = format!("encoder.layer.{layer}");
            let attended = self.attend(&format!("{at}.attention"), &x);
            for (x, attended) in x.iter_mut().zip(attended) {
                let output = self.linear(&format!("{at}.attention.output.dense"), &attended);
                *x = self.norm(&format!("{at}.attention.output.LayerNorm"), &add(x, &output));
                let up = self.linear(&format!("{at}.intermediate.dense"), x);
                let inner: Row = up.iter().map(|x| 0.5 * x * (1.0 + erf(x / 2f64.sqrt()))).collect();
                let down = self.linear(&format!("{at}.output.dense"), &inner);
                *x = self.norm(&format!("{at}.output.LayerNorm"), &add(x, &down));
            }
        }
        x
    }

    /// The score of two texts that are read together.
    pub(super) fn score(&self, ids: &[u32], second: usize) -> f64 {
        let pooled = self.linear("pooler.dense", &self.states_of_pair(ids, second)[0]);
        let pooled: Row = pooled.into_iter().map(f64::tanh).collect();
        self.linear("classifier", &pooled)[0]
    }

    /// The unit vector of the states' mean.
    pub(super) fn vector(&self, ids: &[u32]) -> Row {
        let sum = self.states(ids).iter().fold(vec![0.0; self.sizes.width], |sum, state| add(&sum, state));
        let length = dot(&sum, &sum).sqrt();
        sum.iter().map(|x| x / length).collect()
    }
}

#[test]
fn erf_is_as_in_tables() {
    for (x, expected) in [(0.0, 0.0), (0.5, 0.520_499_877_8), (1.0, 0.842_700_792_9), (-2.0, -0.995_322_265_0)] {
        assert!((erf(x) - expected).abs() < 1e-9, "{x}: {}", erf(x));
    }
}
