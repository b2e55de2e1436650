//! A perceptron with one hidden layer of hyperbolic tangents, fitted to standardised features.
//!
//! The logistic loss is minimised by Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019), its
//! steps falling along a cosine; half of the features, drawn anew for each row, are left out (dropout, Srivastava et al.
//! 2014). The same rows give the same weights, which are rounded to one byte each.

use seealso_model::Unit;

use crate::probe::catalog_json::QuantizedProbe;
use crate::random::Random;

/// The length of the first step.
const RATE: f32 = 3e-4;
/// The share of itself that each weight loses in a step of full length, in units of [`RATE`].
const DECAY: f32 = 1.0;
/// Adam's decay of the running means of gradients, and of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];
/// The rows of a step.
const BATCH: usize = 64;
/// The seed of the first weights.
const SEED: u64 = 1;

/// Fits a perceptron with `units` hidden units, which tells rows whose truth is above 0 from the others, in `passes` passes
/// over the rows.
///
/// None where there is no row or unit, rows differ in length, or the weights are not finite.
pub(crate) fn fit(rows: &[&[f32]], truths: &[f64], units: usize, passes: usize) -> Option<QuantizedProbe> {
    let width = rows.first()?.len();
    if units == 0 || rows.len() != truths.len() || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let standard = Standardisation::of(rows);
    let rows: Vec<Vec<f32>> = rows.iter().map(|row| standard.of_row(row)).collect();
    let mut trainer = Trainer::new(width, units);
    let (mut order, total) = ((0..rows.len()).collect::<Vec<_>>(), passes * rows.len().div_ceil(BATCH));
    for pass in 0..passes {
        shuffle(&mut order, &mut trainer.random);
        for (batch, chosen) in order.chunks(BATCH).enumerate() {
            for &at in chosen {
                trainer.add_gradients(&rows[at], truths[at] as f32, 1.0 / chosen.len() as f32);
            }
            let done = (pass * rows.len().div_ceil(BATCH) + batch) as f32 / total as f32;
            trainer.step(0.5 * RATE * (1.0 + (std::f32::consts::PI * done).cos()));
        }
    }
    trainer.numbers.iter().all(|number| number.is_finite()).then(|| standard.quantize(&trainer))
}

/// The means of features, and the factors that give them a deviation of 1; for features that never change, 0.
struct Standardisation {
    means: Vec<f32>,
    scales: Vec<f32>,
}

impl Standardisation {
    fn of(rows: &[&[f32]]) -> Standardisation {
        let (count, width) = (rows.len() as f64, rows[0].len());
        let mean_of = |column: usize| rows.iter().map(|row| f64::from(row[column])).sum::<f64>() / count;
        let means: Vec<f64> = (0..width).map(mean_of).collect();
        let scale_of = |column: usize| {
            let squares = rows.iter().map(|row| (f64::from(row[column]) - means[column]).powi(2)).sum::<f64>();
            let deviation = (squares / count).sqrt();
            if deviation > 0.0 { (1.0 / deviation) as f32 } else { 0.0 }
        };
        let scales = (0..width).map(scale_of).collect();
        Standardisation { means: means.into_iter().map(|mean| mean as f32).collect(), scales }
    }

    fn of_row(&self, row: &[f32]) -> Vec<f32> {
        let standard = row.iter().zip(&self.means).zip(&self.scales);
        standard.map(|((number, mean), scale)| (number - mean) * scale).collect()
    }

    /// Rounds the weights of standardised features, and gives those of the features themselves. The weights are rounded before
    /// the bias is moved by the means, so that the rounding of a feature that is always large moves nothing.
    fn quantize(self, trainer: &Trainer) -> QuantizedProbe {
        let (biases, counts) = (trainer.biases(), trainer.counts());
        let (mut weights, mut units) = (Vec::with_capacity(trainer.units * trainer.width), Vec::new());
        for unit in 0..trainer.units {
            let row = trainer.row(unit);
            let largest = row.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
            let scale = if largest > 0.0 { largest / f32::from(i8::MAX) } else { 1.0 };
            let rounded: Vec<i8> = row.iter().map(|weight| (weight / scale).round() as i8).collect();
            let moves = rounded.iter().zip(&self.scales).zip(&self.means);
            let moved: f64 = moves
                .map(|((weight, of_feature), mean)| {
                    f64::from(f32::from(*weight) * scale * of_feature) * f64::from(*mean)
                })
                .sum();
            let bias = (f64::from(trainer.numbers[biases + unit]) - moved) as f32;
            units.push((Unit { bias, counts: trainer.numbers[counts + unit] }, scale));
            weights.extend(rounded);
        }
        QuantizedProbe { weights, units, scales: self.scales, bias: f64::from(trainer.numbers[trainer.bias()]) }
    }
}

/// A perceptron that is being fitted. Its numbers lie in one row: weights `[units, width]`, the biases of units, their weights
/// in the sum, and the bias of the sum.
struct Trainer {
    width: usize,
    units: usize,
    numbers: Vec<f32>,
    gradients: Vec<f32>,
    /// Adam's running means of the gradients and of their squares.
    means: [Vec<f32>; 2],
    /// `BETAS` to the power of the number of steps.
    powers: [f32; 2],
    random: Random,
    /// The present row after dropout.
    kept: Vec<f32>,
}

impl Trainer {
    fn new(width: usize, units: usize) -> Trainer {
        let count = units * (width + 2) + 1;
        let mut random = Random::new(SEED);
        let mut numbers = vec![0.0; count];
        // So large that a sum of standardised features is near 1.
        numbers[..units * width].fill_with(|| normal(&mut random) / (width as f32).sqrt());
        numbers[units * (width + 1)..count - 1].fill_with(|| normal(&mut random) / (units as f32).sqrt());
        let zeros = || vec![0.0; count];
        let means = [zeros(), zeros()];
        Trainer { width, units, numbers, gradients: zeros(), means, powers: [1.0; 2], random, kept: vec![0.0; width] }
    }

    fn biases(&self) -> usize {
        self.units * self.width
    }

    fn counts(&self) -> usize {
        self.units * (self.width + 1)
    }

    fn bias(&self) -> usize {
        self.units * (self.width + 2)
    }

    fn row(&self, unit: usize) -> &[f32] {
        &self.numbers[unit * self.width..][..self.width]
    }

    /// Adds the gradients of the loss at a row, times `share`; `truth` is 1 or -1.
    fn add_gradients(&mut self, row: &[f32], truth: f32, share: f32) {
        // Numbers that are kept count twice, so that sums are as large as without dropout.
        let mut bits = 0;
        for (at, (kept, number)) in self.kept.iter_mut().zip(row).enumerate() {
            if at % 64 == 0 {
                bits = self.random.bits();
            }
            *kept = if bits & 1 == 1 { 2.0 * number } else { 0.0 };
            bits >>= 1;
        }
        let (biases, counts, bias) = (self.biases(), self.counts(), self.bias());
        let output = |unit: usize| (self.numbers[biases + unit] + dot(self.row(unit), &self.kept)).tanh();
        let outputs: Vec<f32> = (0..self.units).map(output).collect();
        let value = dot(&outputs, &self.numbers[counts..bias]) + self.numbers[bias];
        let gradient = -truth * share / (1.0 + (truth * value).exp());
        self.gradients[bias] += gradient;
        for (unit, output) in outputs.into_iter().enumerate() {
            self.gradients[counts + unit] += gradient * output;
            let inner = gradient * self.numbers[counts + unit] * (1.0 - output * output);
            self.gradients[biases + unit] += inner;
            let gradients = &mut self.gradients[unit * self.width..][..self.width];
            gradients.iter_mut().zip(&self.kept).for_each(|(gradient, number)| *gradient += inner * number);
        }
    }

    /// Makes one step down the gradients, and clears them.
    fn step(&mut self, rate: f32) {
        for (powers, memory) in self.powers.iter_mut().zip(BETAS) {
            *powers *= memory;
        }
        let (biases, counts, bias) = (self.biases(), self.counts(), self.bias());
        let [first, second] = &mut self.means;
        for (at, (number, gradient)) in self.numbers.iter_mut().zip(&mut self.gradients).enumerate() {
            first[at] = BETAS[0] * first[at] + (1.0 - BETAS[0]) * *gradient;
            second[at] = BETAS[1] * second[at] + (1.0 - BETAS[1]) * *gradient * *gradient;
            let (mean, square) = (first[at] / (1.0 - self.powers[0]), second[at] / (1.0 - self.powers[1]));
            let is_weight = at < biases || (counts..bias).contains(&at);
            let decay = if is_weight { DECAY * *number } else { 0.0 };
            *number -= rate * (mean / (square.sqrt() + 1e-8) + decay);
            *gradient = 0.0;
        }
    }
}

/// A number of mean 0 and deviation 1, nearly normal: the sum of twelve uniform ones.
fn normal(random: &mut Random) -> f32 {
    let uniform = |bits: u64| (bits >> 40) as f32 / (1_u64 << 24) as f32;
    (0..12).map(|_| uniform(random.bits())).sum::<f32>() - 6.0
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    (1..all.len()).rev().for_each(|end| all.swap(end, random.below(end + 1)));
}

/// The dot product, in eight lanes, of which the compiler makes one instruction.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let (a, last_a) = a.as_chunks::<LANES>();
    let (b, last_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        sums.iter_mut().zip(a).zip(b).for_each(|((sum, a), b)| *sum += a * b);
    }
    let last: f32 = last_a.iter().zip(last_b).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + last
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn fits_what_no_linear_function_can() {
        // Below, between and above: what is between is true.
        let rows: Vec<[f32; 60]> = (0..60).map(|at| [5.0 + (at % 3) as f32; 60]).collect();
        let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
        let truths: Vec<f64> = (0..60).map(|at| if at % 3 == 1 { 1.0 } else { -1.0 }).collect();
        let fitted = fit(&rows, &truths, 8, 1500).unwrap();
        assert_eq!(fit(&rows, &truths, 8, 1500).as_ref(), Some(&fitted));
        let probe = fitted.dequantize(1, 1).unwrap();
        assert!(rows.iter().zip(&truths).all(|(row, truth)| probe.of(row) * truth > 0.0));
    }

    #[test]
    fn a_feature_of_another_size_is_worth_as_much() {
        // The first tells the truth and is always large, the second is small and tells nothing.
        let rows: Vec<[f32; 2]> =
            (0..64).map(|at| [9000.0 + 500.0 * (at % 2) as f32, 0.001 * (at / 2 % 2) as f32]).collect();
        let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
        let truths: Vec<f64> = (0..64).map(|at| if at % 2 == 1 { 1.0 } else { -1.0 }).collect();
        let fitted = fit(&rows, &truths, 2, 2000).unwrap();
        let probe = fitted.dequantize(1, 1).unwrap();
        assert!(rows.iter().zip(&truths).all(|(row, truth)| probe.of(row) * truth > 0.0));
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        assert_eq!(fit(&[], &[], 2, 1), None);
        assert_eq!(fit(&[&[1.0]], &[1.0], 0, 1), None);
        assert_eq!(fit(&[&[1.0], &[1.0, 2.0]], &[1.0, -1.0], 2, 1), None);
        assert_eq!(fit(&[&[f32::NAN]], &[1.0], 2, 1), None);
        // A feature that never changes has no weight.
        let fitted = fit(&[&[1.0, 5.0], &[-1.0, 5.0]], &[1.0, -1.0], 2, 3).unwrap().dequantize(1, 1).unwrap().weights;
        assert_eq!((fitted[1], fitted[3]), (0.0, 0.0));
    }
}
