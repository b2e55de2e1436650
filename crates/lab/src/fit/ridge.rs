//! Ridge regression (Hoerl and Kennard 1970) on standardised features, solved by Cholesky's decomposition.

/// A linear function of features.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Linear {
    pub(crate) weights: Vec<f64>,
    pub(crate) bias: f64,
}

/// The function with the least squares of errors to `targets`, plus `penalty` times the square of each weight (of its
/// feature in standard deviations). Features that never change get no weight.
///
/// None where there is no row, rows differ in length, or the weights are not finite; the penalty is above 0.
pub(crate) fn fit(rows: &[&[f32]], targets: &[f64], penalty: f64) -> Option<Linear> {
    let width = rows.first()?.len();
    if rows.len() != targets.len() || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let count = rows.len() as f64;
    let mean_of = |column: usize| rows.iter().map(|row| f64::from(row[column])).sum::<f64>() / count;
    let means: Vec<f64> = (0..width).map(mean_of).collect();
    let scale_of = |column: usize| {
        let squares = rows.iter().map(|row| (f64::from(row[column]) - means[column]).powi(2)).sum::<f64>();
        let deviation = (squares / count).sqrt();
        if deviation > 0.0 { 1.0 / deviation } else { 0.0 }
    };
    let scales: Vec<f64> = (0..width).map(scale_of).collect();
    let target = targets.iter().sum::<f64>() / count;

    let (mut products, mut right) = (vec![vec![0.0; width]; width], vec![0.0; width]);
    for (row, wanted) in rows.iter().zip(targets) {
        let row: Vec<f64> =
            (0..width).map(|column| (f64::from(row[column]) - means[column]) * scales[column]).collect();
        for (a, (sums, right)) in row.iter().zip(products.iter_mut().zip(&mut right)) {
            *right += a * (wanted - target);
            for (sum, b) in sums.iter_mut().zip(&row) {
                *sum += a * b;
            }
        }
    }
    for (column, sums) in products.iter_mut().enumerate() {
        sums[column] += penalty;
    }
    let solved = solve(products, right);
    let weights: Vec<f64> = solved.iter().zip(&scales).map(|(weight, scale)| weight * scale).collect();
    let bias = target - weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f64>();
    (bias.is_finite() && weights.iter().all(|weight| weight.is_finite())).then_some(Linear { weights, bias })
}

/// Solves `matrix × x = right` for a symmetric, positive definite matrix.
pub(crate) fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        let (above, rest) = matrix.split_at_mut(row);
        let current = &mut rest[0];
        for (column, other) in above.iter().enumerate() {
            current[column] = (current[column] - dot(&current[..column], &other[..column])) / other[column];
        }
        current[row] = (current[row] - dot(&current[..row], &current[..row])).sqrt();
        right[row] = (right[row] - dot(&current[..row], &right[..row])) / current[row];
    }
    for row in (0..size).rev() {
        right[row] /= matrix[row][row];
        let solved = right[row];
        for column in 0..row {
            right[column] -= matrix[row][column] * solved;
        }
    }
    right
}

/// The dot product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_a_penalty_bends_it() {
        let rows: [&[f32]; 4] = [&[1.0, 0.0, 7.0], &[2.0, 1.0, 7.0], &[3.0, -1.0, 7.0], &[4.0, 0.5, 7.0]];
        let targets: Vec<f64> =
            rows.iter().map(|row| 2.0 * f64::from(row[0]) - 3.0 * f64::from(row[1]) + 0.5).collect();
        let close = |got: &Linear, weights: [f64; 3], bias: f64| {
            let pairs = got.weights.iter().zip(weights).chain([(&got.bias, bias)]);
            pairs.for_each(|(got, expected)| assert!((got - expected).abs() < 1e-6, "{got} {expected}"));
        };
        close(&fit(&rows, &targets, 1e-9).unwrap(), [2.0, -3.0, 0.0], 0.5);
        // One feature of deviation 1: its weight is the covariance, times 2 / (2 + 2).
        let pair: [&[f32]; 2] = [&[-1.0], &[1.0]];
        assert_eq!(fit(&pair, &[-1.0, 3.0], 2.0), Some(Linear { weights: vec![1.0], bias: 1.0 }));
        assert_eq!(fit(&[], &[], 1.0), None);
        assert_eq!(fit(&[&[f32::NAN], &[1.0]], &[1.0, 2.0], 1.0), None);
        assert_eq!(fit(&[&[1.0], &[]], &[1.0, 2.0], 1.0), None);
    }
}
