//! Vectors that are near each other, together: leaves of about equal size.
//!
//! [`kmeans()`] finds the centres, [`leaves`] makes leaves of them: a cluster that is too large is divided again, and the
//! vectors of one that is too small go to the next centre. All is done on the stored bytes, and the same vectors give
//! the same leaves on every machine.

mod kmeans;

pub(crate) use kmeans::{Cluster, assign, kmeans};

use crate::int8::{Int8Ref, Int8Table, Int8Vector, quantise};

/// A leaf of more than so many times the size aimed at is divided.
const MOST_TIMES: usize = 2;
/// How often a cluster that is too large is divided again; then its vectors are divided in the order of their numbers, in
/// which the chunks of a page follow each other.
const MOST_DIVISIONS: usize = 4;
/// A leaf of less than this part of the size aimed at is dissolved.
const LEAST_PART: usize = 4;

/// Divides the vectors of these numbers into leaves of about `size` vectors.
pub(crate) fn leaves(table: &Int8Table, members: Vec<u32>, size: usize) -> Vec<Cluster> {
    divide(table, members, size.max(1), MOST_DIVISIONS)
}

/// Divides vectors; `divisions` times at most, since some vectors have no centres that divide them evenly.
fn divide(table: &Int8Table, members: Vec<u32>, size: usize, divisions: usize) -> Vec<Cluster> {
    let count = members.len().div_ceil(size);
    let clusters = if divisions > 0 { kmeans(table, &members, count) } else { Vec::new() };
    let clusters = dissolve_small(table, clusters, size / LEAST_PART);
    if clusters.len() <= 1 && count > 1 {
        return members.chunks(size).map(|members| Cluster::of(table, members.to_vec())).collect();
    }
    let mut leaves = Vec::new();
    for cluster in clusters {
        match cluster.members.len() > size * MOST_TIMES {
            true => leaves.extend(divide(table, cluster.members, size, divisions - 1)),
            false => leaves.push(cluster),
        }
    }
    leaves
}

/// Gives the vectors of clusters of less than `least` vectors to the nearest other cluster.
fn dissolve_small(table: &Int8Table, clusters: Vec<Cluster>, least: usize) -> Vec<Cluster> {
    let (kept, small): (Vec<Cluster>, Vec<Cluster>) =
        clusters.into_iter().partition(|cluster| cluster.members.len() >= least);
    if kept.is_empty() || small.is_empty() {
        return [kept, small].concat();
    }
    let centres: Vec<Int8Vector> = kept.iter().map(|cluster| cluster.centre.clone()).collect();
    let homeless: Vec<u32> = small.into_iter().flat_map(|cluster| cluster.members).collect();
    let places = assign(table, &homeless, &centres);
    let mut members: Vec<Vec<u32>> = kept.into_iter().map(|cluster| cluster.members).collect();
    for (vector, place) in homeless.into_iter().zip(places) {
        members[place].push(vector);
    }
    members.into_iter().map(|members| Cluster::of(table, members)).collect()
}

impl Cluster {
    /// The cluster of these vectors, of which there is at least one.
    pub(crate) fn of(table: &Int8Table, mut members: Vec<u32>) -> Cluster {
        members.sort_unstable();
        Cluster { centre: centre(table, &members), members }
    }
}

/// The direction of the sum of these vectors, of which there is at least one; that of the first where the sum has none.
pub(crate) fn centre(table: &Int8Table, members: &[u32]) -> Int8Vector {
    let mut sum = vec![0.0; table.dimensions()];
    members.iter().for_each(|&member| add(&mut sum, vector(table, member)));
    direction(&sum).unwrap_or_else(|| vector(table, members[0]).to_owned())
}

/// Adds a vector to a sum.
fn add(sum: &mut [f32], vector: Int8Ref<'_>) {
    sum.iter_mut().zip(vector.floats()).for_each(|(sum, number)| *sum += number);
}

/// The vector of length 1 in the direction of a sum; none where it has none.
fn direction(sum: &[f32]) -> Option<Int8Vector> {
    let length = sum.iter().map(|number| f64::from(*number) * f64::from(*number)).sum::<f64>().sqrt();
    let unit: Vec<f32> = sum.iter().map(|number| (f64::from(*number) / length) as f32).collect();
    quantise(&unit).ok()
}

/// The vector of that number, which is there.
fn vector(table: &Int8Table, number: u32) -> Int8Ref<'_> {
    table.get(number as usize).expect("members are numbers of vectors of the table")
}

#[cfg(test)]
mod tests {
    use super::*;
    use seealso_test_support::Random;

    /// Vectors around as many random centres.
    fn around(centres: usize, count: usize, seed: u64) -> Int8Table {
        let mut random = Random::new(seed);
        let centres: Vec<Vec<f32>> = (0..centres).map(|_| random.floats(16)).collect();
        let mut table = Int8Table::new(16);
        for at in 0..count {
            let sum: Vec<f32> = centres[at % centres.len()].iter().map(|x| x + 0.1 * random.float()).collect();
            table.push(direction(&sum).unwrap().view());
        }
        table
    }

    fn all(table: &Int8Table) -> Vec<u32> {
        (0..table.len() as u32).collect()
    }

    #[test]
    fn clusters_are_those_that_the_vectors_were_drawn_around() {
        let table = around(5, 200, 1);
        let clusters = kmeans(&table, &all(&table), 5);
        assert_eq!(clusters.len(), 5);
        for cluster in &clusters {
            let of = cluster.members[0] % 5;
            assert_eq!(cluster.members, (0..200).filter(|at| at % 5 == of).collect::<Vec<u32>>());
            assert!(cluster.centre.view().dot(table.get(of as usize).unwrap()) > 0.95);
        }
    }

    #[test]
    fn every_vector_is_in_one_leaf_of_a_bounded_size() {
        for (centres, count, size) in [(7, 500, 16), (1, 500, 16), (300, 500, 16), (3, 10, 64), (2, 3, 1)] {
            let table = around(centres, count, 2);
            let leaves = leaves(&table, all(&table), size);
            let mut seen: Vec<u32> = leaves.iter().flat_map(|leaf| leaf.members.clone()).collect();
            seen.sort_unstable();
            assert_eq!(seen, all(&table), "{centres} {count} {size}");
            assert!(leaves.iter().all(|leaf| leaf.members.len() <= size * MOST_TIMES && leaf.members.is_sorted()));
        }
    }

    #[test]
    fn equal_vectors_are_divided_too() {
        let mut table = Int8Table::new(2);
        (0..100).for_each(|_| table.push(quantise(&[0.6, 0.8]).unwrap().view()));
        let sizes: Vec<usize> = leaves(&table, all(&table), 30).iter().map(|leaf| leaf.members.len()).collect();
        assert_eq!(sizes, [30, 30, 30, 10]);
        assert!(leaves(&table, Vec::new(), 30).is_empty());
    }

    #[test]
    fn a_crowd_among_vectors_that_are_alone_is_divided() {
        // Each centre but one is a vector that is far from all others, and too small a leaf.
        let mut table = Int8Table::new(64);
        let mut random = Random::new(4);
        for at in 0..340usize {
            let mut numbers = vec![0.0; 64];
            numbers[if at < 300 { 0 } else { at - 299 }] = 1.0;
            numbers.iter_mut().for_each(|number| *number += 0.01 * random.float());
            table.push(quantise(&numbers).unwrap().view());
        }
        let sizes: Vec<usize> = leaves(&table, all(&table), 16).iter().map(|leaf| leaf.members.len()).collect();
        assert_eq!(sizes.iter().sum::<usize>(), 340);
        assert!(sizes.iter().all(|size| *size <= 32), "{sizes:?}");
    }

    #[test]
    fn a_sum_without_direction_takes_the_first_vector() {
        let mut table = Int8Table::new(2);
        [[1.0, 0.0], [-1.0, 0.0]].iter().for_each(|vector| table.push(quantise(vector).unwrap().view()));
        assert_eq!(centre(&table, &[1, 0]).view().values, [-127, 0]);
        assert_eq!(centre(&table, &[0]).view().values, [127, 0]);
    }

    #[test]
    fn the_same_vectors_give_the_same_leaves() {
        let table = around(9, 400, 3);
        let numbers = |leaves: Vec<Cluster>| leaves.into_iter().map(|leaf| leaf.members).collect::<Vec<_>>();
        assert_eq!(numbers(leaves(&table, all(&table), 20)), numbers(leaves(&table, all(&table), 20)));
    }
}
