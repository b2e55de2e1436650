//! Logistic regression, by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani and Friedman 2009,
//! "The Elements of Statistical Learning", section 4.4.1).

use super::ridge::{Linear, dot, solve};

/// The most steps; a regression of few features takes fewer.
const STEPS: usize = 50;

/// The linear function whose logistic gives `truths` the largest likelihood, less `penalty` times half the square of each
/// weight.
///
/// None where there is no row, rows differ in length, or the steps do not converge; the penalty is above 0, and holds for the
/// bias too.
pub(crate) fn fit(rows: &[&[f64]], truths: &[bool], penalty: f64) -> Option<Linear> {
    let width = rows.first()?.len();
    if rows.len() != truths.len() || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    // The bias is the weight of a feature that is always 1.
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().copied().chain([1.0]).collect()).collect();
    let mut weights = vec![0.0; width + 1];
    for _ in 0..STEPS {
        let mut gradients: Vec<f64> = weights.iter().map(|weight| -penalty * weight).collect();
        let mut curves = vec![vec![0.0; width + 1]; width + 1];
        for (row, is_true) in rows.iter().zip(truths) {
            let likely = 1.0 / (1.0 + (-dot(&weights, row)).exp());
            let (missed, curve) = (f64::from(*is_true) - likely, likely * (1.0 - likely));
            for (a, (gradient, curves)) in row.iter().zip(gradients.iter_mut().zip(&mut curves)) {
                *gradient += a * missed;
                curves.iter_mut().zip(row).for_each(|(sum, b)| *sum += a * b * curve);
            }
        }
        curves.iter_mut().enumerate().for_each(|(at, row)| row[at] += penalty);
        let step = solve(curves, gradients);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < 1e-9) {
            let bias = weights.pop()?;
            return Some(Linear { weights, bias });
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_fitted() {
        // Of three rows at 0 one is true, of four at 1 three: log odds of -ln 2 and ln 3. A feature that never changes has no weight.
        let rows: [&[f64]; 7] =
            [&[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0], &[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0]];
        let truths = [true, false, false, true, true, true, false];
        let Linear { weights, bias } = fit(&rows, &truths, 1e-9).unwrap();
        for (got, expected) in [(bias, -(2.0_f64.ln())), (weights[0], 6.0_f64.ln()), (weights[1], 0.0)] {
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        }
    }

    #[test]
    fn rows_that_can_be_separated_have_finite_weights() {
        let found = fit(&[&[-1.0], &[1.0]], &[false, true], 0.1).unwrap();
        assert!(found.weights[0] > 1.0 && found.weights[0] < 10.0 && found.bias.abs() < 1e-6, "{found:?}");
        assert_eq!(fit(&[], &[], 1.0), None);
        assert_eq!(fit(&[&[1.0], &[]], &[true, false], 1.0), None);
        assert_eq!(fit(&[&[f64::NAN], &[1.0]], &[true, false], 1.0), None);
    }
}
