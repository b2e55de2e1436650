//! Products and norms in plain arithmetic, with which kernels are compared.

use super::EPSILON;

/// The dot product.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Rows of activations after an RMS norm.
pub(super) fn normed(x: &[f32], weight: &[f32]) -> Vec<f32> {
    let row = |row: &[f32]| {
        let scale = 1.0 / (dot(row, row) / row.len() as f32 + EPSILON).sqrt();
        row.iter().zip(weight).map(|(x, weight)| x * scale * weight).collect::<Vec<_>>()
    };
    x.chunks(weight.len()).flat_map(row).collect()
}

/// Rows of activations times a matrix's rows.
pub(super) fn multiply(x: &[f32], matrix: &[f32], columns: usize) -> Vec<f32> {
    x.chunks(columns).flat_map(|row| matrix.chunks(columns).map(move |weights| dot(row, weights))).collect()
}
