//! A perceptron with one hidden layer of hyperbolic tangents, learnt from standardised features.
//!
//! The logistic loss is brought down by Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019), its
//! steps falling along a cosine; half of the features, drawn anew for each row, are left out (dropout, Srivastava et al.
//! 2014). The same rows give the same weights. What was learnt is rounded to a byte a weight, and judged by that.

use seealso_cli::Rounded;
use seealso_model::Unit;

use crate::swap::Random;

/// How far a step goes at first.
const RATE: f32 = 3e-4;
/// What share of itself each weight loses in a step of full length, in units of [`RATE`].
const DECAY: f32 = 1.0;
/// Adam's memory of slopes, and of their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];
/// Rows whose slopes are taken together.
const BATCH: usize = 64;
/// What the weights are drawn with.
const SEED: u64 = 1;

/// The perceptron of so many units that tells rows of `truths` above 0 from the others, after so many passes over them all.
///
/// None where there is no row or unit, rows differ in length, or no finite weights come of them.
pub(crate) fn fit(rows: &[&[f32]], truths: &[f64], units: usize, passes: usize) -> Option<Rounded> {
    let width = rows.first()?.len();
    if units == 0 || rows.len() != truths.len() || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let standard = Standard::of(rows);
    let rows: Vec<Vec<f32>> = rows.iter().map(|row| standard.of_row(row)).collect();
    let mut learner = Learner::new(width, units);
    let (mut order, total) = ((0..rows.len()).collect::<Vec<_>>(), passes * rows.len().div_ceil(BATCH));
    for pass in 0..passes {
        shuffle(&mut order, &mut learner.random);
        for (batch, chosen) in order.chunks(BATCH).enumerate() {
            for &at in chosen {
                learner.learn(&rows[at], truths[at] as f32, 1.0 / chosen.len() as f32);
            }
            let done = (pass * rows.len().div_ceil(BATCH) + batch) as f32 / total as f32;
            learner.step(0.5 * RATE * (1.0 + (std::f32::consts::PI * done).cos()));
        }
    }
    learner.numbers.iter().all(|number| number.is_finite()).then(|| standard.undone(&learner))
}

/// Features' means, and what brings them to a deviation of 1; those that never change to 0.
struct Standard {
    means: Vec<f32>,
    scales: Vec<f32>,
}

impl Standard {
    fn of(rows: &[&[f32]]) -> Standard {
        let (count, width) = (rows.len() as f64, rows[0].len());
        let mean_of = |column: usize| rows.iter().map(|row| f64::from(row[column])).sum::<f64>() / count;
        let means: Vec<f64> = (0..width).map(mean_of).collect();
        let scale_of = |column: usize| {
            let squares = rows.iter().map(|row| (f64::from(row[column]) - means[column]).powi(2)).sum::<f64>();
            let deviation = (squares / count).sqrt();
            if deviation > 0.0 { (1.0 / deviation) as f32 } else { 0.0 }
        };
        let scales = (0..width).map(scale_of).collect();
        Standard { means: means.into_iter().map(|mean| mean as f32).collect(), scales }
    }

    fn of_row(&self, row: &[f32]) -> Vec<f32> {
        let standard = row.iter().zip(&self.means).zip(&self.scales);
        standard.map(|((number, mean), scale)| (number - mean) * scale).collect()
    }

    /// What was learnt of standardised features, rounded, for features as they are: rounded before it is moved by the means,
    /// so that a feature that is always large moves nothing by its rounding.
    fn undone(self, learner: &Learner) -> Rounded {
        let (biases, counts) = (learner.biases(), learner.counts());
        let (mut weights, mut units) = (Vec::with_capacity(learner.units * learner.width), Vec::new());
        for unit in 0..learner.units {
            let row = learner.row(unit);
            let largest = row.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
            let scale = if largest > 0.0 { largest / f32::from(i8::MAX) } else { 1.0 };
            let rounded: Vec<i8> = row.iter().map(|weight| (weight / scale).round() as i8).collect();
            let moves = rounded.iter().zip(&self.scales).zip(&self.means);
            let moved: f64 = moves
                .map(|((weight, of_feature), mean)| {
                    f64::from(f32::from(*weight) * scale * of_feature) * f64::from(*mean)
                })
                .sum();
            let bias = (f64::from(learner.numbers[biases + unit]) - moved) as f32;
            units.push((Unit { bias, counts: learner.numbers[counts + unit] }, scale));
            weights.extend(rounded);
        }
        Rounded { weights, units, scales: self.scales, bias: f64::from(learner.numbers[learner.bias()]) }
    }
}

/// A perceptron that is being learnt. All its numbers lie in one row: weights `[units, width]`, the units' biases, what they
/// count, and the bias of all.
struct Learner {
    width: usize,
    units: usize,
    numbers: Vec<f32>,
    slopes: Vec<f32>,
    /// Adam's running means of the slopes and of their squares.
    means: [Vec<f32>; 2],
    /// How many steps were made: `MEMORY` to that power.
    faded: [f32; 2],
    random: Random,
    /// The row that is learnt from, with what is left out of it.
    kept: Vec<f32>,
}

impl Learner {
    fn new(width: usize, units: usize) -> Learner {
        let count = units * (width + 2) + 1;
        let mut random = Random::new(SEED);
        let mut numbers = vec![0.0; count];
        // As large as keeps a sum of standardised features near 1.
        numbers[..units * width].fill_with(|| normal(&mut random) / (width as f32).sqrt());
        numbers[units * (width + 1)..count - 1].fill_with(|| normal(&mut random) / (units as f32).sqrt());
        let zeros = || vec![0.0; count];
        let means = [zeros(), zeros()];
        Learner { width, units, numbers, slopes: zeros(), means, faded: [1.0; 2], random, kept: vec![0.0; width] }
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

    /// Adds the slopes of the loss at a row, `share` of them; `truth` is 1 or -1.
    fn learn(&mut self, row: &[f32], truth: f32, share: f32) {
        // What is kept counts twice, so that sums stay as large as they are without leaving out.
        let mut bits = 0;
        for (at, (kept, number)) in self.kept.iter_mut().zip(row).enumerate() {
            if at % 64 == 0 {
                bits = self.random.bits();
            }
            *kept = if bits & 1 == 1 { 2.0 * number } else { 0.0 };
            bits >>= 1;
        }
        let (biases, counts, bias) = (self.biases(), self.counts(), self.bias());
        let said = |unit: usize| (self.numbers[biases + unit] + dot(self.row(unit), &self.kept)).tanh();
        let said: Vec<f32> = (0..self.units).map(said).collect();
        let value = dot(&said, &self.numbers[counts..bias]) + self.numbers[bias];
        let slope = -truth * share / (1.0 + (truth * value).exp());
        self.slopes[bias] += slope;
        for (unit, said) in said.into_iter().enumerate() {
            self.slopes[counts + unit] += slope * said;
            let inner = slope * self.numbers[counts + unit] * (1.0 - said * said);
            self.slopes[biases + unit] += inner;
            let slopes = &mut self.slopes[unit * self.width..][..self.width];
            slopes.iter_mut().zip(&self.kept).for_each(|(slope, number)| *slope += inner * number);
        }
    }

    /// Goes one step down, and forgets the slopes.
    fn step(&mut self, rate: f32) {
        for (faded, memory) in self.faded.iter_mut().zip(MEMORY) {
            *faded *= memory;
        }
        let (biases, counts, bias) = (self.biases(), self.counts(), self.bias());
        let [first, second] = &mut self.means;
        for (at, (number, slope)) in self.numbers.iter_mut().zip(&mut self.slopes).enumerate() {
            first[at] = MEMORY[0] * first[at] + (1.0 - MEMORY[0]) * *slope;
            second[at] = MEMORY[1] * second[at] + (1.0 - MEMORY[1]) * *slope * *slope;
            let (mean, square) = (first[at] / (1.0 - self.faded[0]), second[at] / (1.0 - self.faded[1]));
            let is_weight = at < biases || (counts..bias).contains(&at);
            let decay = if is_weight { DECAY * *number } else { 0.0 };
            *number -= rate * (mean / (square.sqrt() + 1e-8) + decay);
            *slope = 0.0;
        }
    }
}

/// A number of mean 0 and deviation 1, nearly normal: the sum of twelve even ones.
fn normal(random: &mut Random) -> f32 {
    let even = |bits: u64| (bits >> 40) as f32 / (1_u64 << 24) as f32;
    (0..12).map(|_| even(random.bits())).sum::<f32>() - 6.0
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    (1..all.len()).rev().for_each(|end| all.swap(end, random.below(end + 1)));
}

/// In eight lanes, which the compiler makes one instruction of.
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
    fn learns_what_no_linear_function_tells() {
        // Below, between and above: what is between is true.
        let rows: Vec<[f32; 60]> = (0..60).map(|at| [5.0 + (at % 3) as f32; 60]).collect();
        let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
        let truths: Vec<f64> = (0..60).map(|at| if at % 3 == 1 { 1.0 } else { -1.0 }).collect();
        let learnt = fit(&rows, &truths, 8, 1500).unwrap();
        assert_eq!(fit(&rows, &truths, 8, 1500).as_ref(), Some(&learnt));
        let reading = learnt.reading(1, 1);
        assert!(rows.iter().zip(&truths).all(|(row, truth)| reading.of(row) * truth > 0.0));
    }

    #[test]
    fn a_feature_of_another_size_is_worth_as_much() {
        // The first tells the truth and is always large, the second is small and tells nothing.
        let rows: Vec<[f32; 2]> =
            (0..64).map(|at| [9000.0 + 500.0 * (at % 2) as f32, 0.001 * (at / 2 % 2) as f32]).collect();
        let rows: Vec<&[f32]> = rows.iter().map(|row| &row[..]).collect();
        let truths: Vec<f64> = (0..64).map(|at| if at % 2 == 1 { 1.0 } else { -1.0 }).collect();
        let learnt = fit(&rows, &truths, 2, 2000).unwrap();
        let reading = learnt.reading(1, 1);
        assert!(rows.iter().zip(&truths).all(|(row, truth)| reading.of(row) * truth > 0.0));
    }

    #[test]
    fn nothing_is_learnt_of_nothing() {
        assert_eq!(fit(&[], &[], 2, 1), None);
        assert_eq!(fit(&[&[1.0]], &[1.0], 0, 1), None);
        assert_eq!(fit(&[&[1.0], &[1.0, 2.0]], &[1.0, -1.0], 2, 1), None);
        assert_eq!(fit(&[&[f32::NAN]], &[1.0], 2, 1), None);
        // A feature that never changes has no weight.
        let learnt = fit(&[&[1.0, 5.0], &[-1.0, 5.0]], &[1.0, -1.0], 2, 3).unwrap().reading(1, 1).weights;
        assert_eq!((learnt[1], learnt[3]), (0.0, 0.0));
    }
}
