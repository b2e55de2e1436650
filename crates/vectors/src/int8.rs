//! Vectors of one byte a number: a scale, and whole numbers from -127 to 127.
//!
//! The largest number of a vector is 127 times its scale, and every other number is rounded to the nearest multiple of
//! the scale. A stored number is therefore off by half the scale at most, and a product with a vector of length 1 by
//! half the scale times the root of the dimensions. Products of two such vectors are sums of whole numbers, so they are
//! the same on every machine.

use crate::error::Error;

/// A vector of bytes, which owns them.
#[derive(Debug, Clone, PartialEq)]
pub struct Int8Vector {
    scale: f32,
    values: Vec<i8>,
}

/// A view of a vector of bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Int8Ref<'a> {
    /// What each number is multiplied by: a positive finite number.
    pub scale: f32,
    /// The numbers, each from -127 to 127.
    pub values: &'a [i8],
}

/// Vectors of bytes of equal dimensions, one after another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Int8Table {
    dimensions: usize,
    scales: Vec<f32>,
    /// The numbers of all vectors: `scales.len() · dimensions`.
    values: Vec<i8>,
}

/// The largest stored number.
const LARGEST: f32 = 127.0;

/// The vector of bytes that is nearest to `vector`, with the scale max/127.
///
/// # Errors
/// [`Error::NoDirection`] where all numbers are zero or too small for a scale, or one is not finite.
pub fn quantise(vector: &[f32]) -> Result<Int8Vector, Error> {
    let largest = vector.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
    let scale = largest / LARGEST;
    // `max` passes over what is no number.
    if !scale.is_normal() || vector.iter().any(|number| !number.is_finite()) {
        return Err(Error::NoDirection);
    }
    // The quotient is 127 at most, but for rounding.
    let values = vector.iter().map(|number| (number / scale).round().clamp(-LARGEST, LARGEST) as i8).collect();
    Ok(Int8Vector { scale, values })
}

impl Int8Vector {
    /// The vector of these numbers, each from -127 to 127, times `scale`, a positive finite number.
    pub(crate) fn new(scale: f32, values: Vec<i8>) -> Int8Vector {
        Int8Vector { scale, values }
    }

    /// A view of it.
    #[must_use]
    pub fn view(&self) -> Int8Ref<'_> {
        Int8Ref { scale: self.scale, values: &self.values }
    }
}

impl Int8Ref<'_> {
    /// The vector with bytes of its own.
    pub(crate) fn to_owned(self) -> Int8Vector {
        Int8Vector { scale: self.scale, values: self.values.to_vec() }
    }

    /// The product with another vector of bytes. Where both stand for vectors of length 1, it is their cosine.
    ///
    /// Where one has more dimensions, its further numbers do not count.
    #[must_use]
    pub fn dot(self, other: Int8Ref<'_>) -> f32 {
        let products = self.values.iter().zip(other.values).map(|(a, b)| i32::from(*a) * i32::from(*b));
        products.sum::<i32>() as f32 * (self.scale * other.scale)
    }

    /// The product with a vector of single precision.
    #[must_use]
    pub fn dot_floats(self, other: &[f32]) -> f32 {
        self.values.iter().zip(other).map(|(a, b)| f32::from(*a) * b).sum::<f32>() * self.scale
    }

    /// The numbers that it stands for.
    pub fn floats(self) -> impl Iterator<Item = f32> {
        self.values.iter().map(move |&value| f32::from(value) * self.scale)
    }
}

impl Int8Table {
    /// A table of no vectors, which will have so many dimensions.
    #[must_use]
    pub fn new(dimensions: usize) -> Int8Table {
        Int8Table { dimensions, ..Int8Table::default() }
    }

    /// How many numbers a vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Adds a vector.
    ///
    /// # Panics
    /// Where it has other dimensions than the table.
    pub fn push(&mut self, vector: Int8Ref<'_>) {
        assert_eq!(vector.values.len(), self.dimensions, "vectors of a table have equal dimensions");
        self.scales.push(vector.scale);
        self.values.extend_from_slice(vector.values);
    }

    /// The vector of that number; none where there is none.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<Int8Ref<'_>> {
        let values = self.values.get(at * self.dimensions..(at + 1) * self.dimensions)?;
        Some(Int8Ref { scale: *self.scales.get(at)?, values })
    }

    /// All vectors.
    pub fn iter(&self) -> impl Iterator<Item = Int8Ref<'_>> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seealso_test_support::Random;

    #[test]
    fn numbers_are_rounded_to_multiples_of_a_127th_of_the_largest() {
        let check = |vector: &[f32], scale: f32, values: &[i8]| {
            let stored = quantise(vector).unwrap();
            assert_eq!(stored.view(), Int8Ref { scale, values }, "{vector:?}");
        };
        check(&[1.0, 0.0], 1.0 / 127.0, &[127, 0]);
        check(&[0.6, -0.8], 0.8 / 127.0, &[95, -127]);
        check(&[-0.5, 0.5, 0.25, 0.001], 0.5 / 127.0, &[-127, 127, 64, 0]);
        check(&[127.0, 63.5, -63.5, 0.4], 1.0, &[127, 64, -64, 0]);
    }

    #[test]
    fn a_vector_without_direction_is_refused() {
        for vector in [&[][..], &[0.0, -0.0], &[1.0, f32::NAN], &[f32::INFINITY, 1.0], &[1e-44, 0.0]] {
            assert_eq!(quantise(vector), Err(Error::NoDirection), "{vector:?}");
        }
    }

    #[test]
    fn products_are_those_of_the_stored_numbers() {
        let [a, b] = [[0.6, -0.8], [1.0, 0.0]].map(|vector| quantise(&vector).unwrap());
        // 95 · 127 · (0.8 / 127) · (1 / 127)
        assert!((a.view().dot(b.view()) - 0.598_425).abs() < 1e-6);
        assert!((a.view().dot_floats(&[1.0, 0.0]) - 0.598_425).abs() < 1e-6);
        assert_eq!(a.view().floats().map(|number| (number * 1e4).round()).collect::<Vec<_>>(), [5984.0, -8000.0]);
        let longest = Int8Ref { scale: 1.0, values: &[-127; crate::MAX_DIMENSIONS] };
        assert_eq!(longest.dot(longest), 132_128_768.0);
    }

    #[test]
    fn a_table_gives_its_vectors_back() {
        let mut table = Int8Table::new(2);
        assert!(table.is_empty() && table.get(0).is_none());
        for vector in [[1.0, 0.0], [0.6, -0.8]] {
            table.push(quantise(&vector).unwrap().view());
        }
        assert_eq!((table.len(), table.dimensions()), (2, 2));
        assert_eq!(table.get(1).unwrap().values, [95, -127]);
        assert_eq!(table.iter().map(|vector| vector.values[0]).collect::<Vec<_>>(), [127, 95]);
        assert!(table.get(2).is_none());
    }

    /// A vector of length 1 whose direction is random.
    fn unit(random: &mut Random, dimensions: usize) -> Vec<f32> {
        // Sums of uniform numbers are nearly normal, so that directions are nearly uniform.
        let vector: Vec<f32> = (0..dimensions).map(|_| (0..6).map(|_| random.float()).sum()).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        vector.iter().map(|x| x / length).collect()
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn a_cosine_is_off_by_half_a_scale_times_the_root_of_the_dimensions_at_most() {
        let mut random = Random::new(1);
        for dimensions in [2, 33, 384, 768] {
            for _ in 0..50 {
                let [a, b] = [0, 1].map(|_| unit(&mut random, dimensions));
                let stored = quantise(&b).unwrap();
                let off = (stored.view().dot_floats(&a) - dot(&a, &b)).abs();
                let bound = stored.view().scale / 2.0 * (dimensions as f32).sqrt();
                assert!(off <= bound + 1e-6, "{dimensions}: {off} > {bound}");
            }
        }
    }

    #[test]
    fn bytes_find_what_floats_find() {
        let mut random = Random::new(2);
        let vectors: Vec<Vec<f32>> = (0..300).map(|_| unit(&mut random, 384)).collect();
        let stored: Vec<Int8Vector> = vectors.iter().map(|vector| quantise(vector).unwrap()).collect();
        let cosines = vectors.iter().zip(&stored).map(|(vector, stored)| {
            let restored: Vec<f32> = stored.view().floats().collect();
            dot(vector, &restored) / dot(&restored, &restored).sqrt()
        });
        assert!(cosines.sum::<f32>() / 300.0 > 0.9998);
        let best = |scores: Vec<f32>| {
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
            order.truncate(10);
            order
        };
        let mut same = 0;
        for _ in 0..50 {
            let query = unit(&mut random, 384);
            let of_bytes = quantise(&query).unwrap();
            let exact = best(vectors.iter().map(|vector| dot(vector, &query)).collect());
            let near = best(stored.iter().map(|vector| vector.view().dot(of_bytes.view())).collect());
            same += exact.iter().filter(|at| near.contains(at)).count();
        }
        // Random directions are all equally far, which is harder than texts.
        assert!(same >= 485, "{same} of 500 are the same");
    }
}
