//! Spherical k-means (Dhillon and Modha 2001, "Concept decompositions for large sparse text data using clustering"):
//! each vector belongs to the centre with which it has the largest product, and a centre is the direction of the sum of
//! its vectors.

use super::{add, direction, vector};
use crate::int8::{Int8Table, Int8Vector};

/// Vectors, and their centre.
#[derive(Debug, Clone)]
pub(crate) struct Cluster {
    pub(crate) centre: Int8Vector,
    /// The numbers of the vectors, in ascending order; at least one.
    pub(crate) members: Vec<u32>,
}

/// How often centres are moved. Beyond some eight times they hardly move.
const ROUNDS: usize = 8;
/// From how many vectors a centre is found. Of more, some are drawn.
const SAMPLE: usize = 48;

/// Divides the vectors of these numbers around at most `count` centres. No cluster is empty.
pub(crate) fn kmeans(table: &Int8Table, members: &[u32], count: usize) -> Vec<Cluster> {
    let sample = draw(members, count.saturating_mul(SAMPLE));
    let mut centres = first_centres(table, &sample, count);
    for _ in 0..ROUNDS {
        if !move_centres(table, &sample, &mut centres) {
            break;
        }
    }
    let mut divided = vec![Vec::new(); centres.len()];
    for (&member, place) in members.iter().zip(assign(table, members, &centres)) {
        divided[place].push(member);
    }
    divided.retain(|members| !members.is_empty());
    divided.into_iter().map(|members| Cluster::of(table, members)).collect()
}

/// For each of these vectors the number of the nearest centre, the first of equally near ones.
pub(crate) fn assign(table: &Int8Table, members: &[u32], centres: &[Int8Vector]) -> Vec<usize> {
    members.iter().map(|&member| nearest(table, member, centres).0).collect()
}

/// The nearest centre, and its product with the vector.
fn nearest(table: &Int8Table, member: u32, centres: &[Int8Vector]) -> (usize, f32) {
    let vector = vector(table, member);
    let mut best = (0, f32::MIN);
    for (place, centre) in centres.iter().enumerate() {
        let product = centre.view().dot(vector);
        if product > best.1 {
            best = (place, product);
        }
    }
    best
}

/// Moves each centre to the direction of its vectors' sum; one without vectors to the vector that is farthest from its
/// centre. Returns whether any moved.
fn move_centres(table: &Int8Table, sample: &[u32], centres: &mut [Int8Vector]) -> bool {
    let mut sums = vec![0.0; centres.len() * table.dimensions()];
    let mut sizes = vec![0usize; centres.len()];
    let mut far: Vec<(f32, u32)> = Vec::with_capacity(sample.len());
    for &member in sample {
        let (place, product) = nearest(table, member, centres);
        add(&mut sums[place * table.dimensions()..][..table.dimensions()], vector(table, member));
        sizes[place] += 1;
        far.push((product, member));
    }
    far.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut far = far.into_iter();
    let mut moved = false;
    for (place, centre) in centres.iter_mut().enumerate() {
        let next = match sizes[place] {
            0 => far.next().map(|(_, member)| vector(table, member).to_owned()),
            _ => direction(&sums[place * table.dimensions()..][..table.dimensions()]),
        };
        if let Some(next) = next.filter(|next| next != centre) {
            (*centre, moved) = (next, true);
        }
    }
    moved
}

/// At most `count` of these vectors as centres, each the likelier the farther it is from those before (Arthur and
/// Vassilvitskii 2007, "k-means++: the advantages of careful seeding").
fn first_centres(table: &Int8Table, sample: &[u32], count: usize) -> Vec<Int8Vector> {
    let mut state = sample.len() as u64;
    let mut centres: Vec<Int8Vector> = Vec::new();
    // Half the squared distance of two vectors of length 1 is 1 less their product.
    let mut distances = vec![1.0f64; sample.len()];
    while centres.len() < count {
        let sum: f64 = distances.iter().sum();
        if sum <= 0.0 {
            break;
        }
        // 53 bits make a fraction.
        let mut left = (random(&mut state) >> 11) as f64 / (1u64 << 53) as f64 * sum;
        let passes = |distance: &f64| {
            left -= distance;
            left < 0.0
        };
        let last = distances.len() - 1;
        let drawn = distances.iter().position(passes).unwrap_or(last);
        let centre = vector(table, sample[drawn]).to_owned();
        for (distance, &member) in distances.iter_mut().zip(sample) {
            let product = f64::from(centre.view().dot(vector(table, member)));
            *distance = distance.min((1.0 - product).max(0.0));
        }
        distances[drawn] = 0.0;
        centres.push(centre);
    }
    centres
}

/// `count` of these numbers, drawn at random but always the same, in their order; all where they are no more.
fn draw(members: &[u32], count: usize) -> Vec<u32> {
    if members.len() <= count {
        return members.to_vec();
    }
    // Knuth, The Art of Computer Programming 3.4.2, algorithm S.
    let (mut state, mut drawn) = (members.len() as u64, Vec::with_capacity(count));
    for (at, &member) in members.iter().enumerate() {
        let left = (members.len() - at) as u64;
        if random(&mut state) % left < (count - drawn.len()) as u64 {
            drawn.push(member);
        }
    }
    drawn
}

/// 64 random bits: SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int8::quantise;

    #[test]
    fn so_many_are_drawn_and_always_the_same() {
        let members: Vec<u32> = (10..110).collect();
        let drawn = draw(&members, 7);
        assert_eq!(drawn, draw(&members, 7));
        assert_eq!(drawn.len(), 7);
        assert!(drawn.is_sorted() && drawn.iter().all(|member| members.contains(member)));
        assert_eq!(draw(&members, 100), members);
        assert!(draw(&members, 0).is_empty() && draw(&[], 3).is_empty());
    }

    #[test]
    fn a_centre_without_vectors_moves_to_the_farthest_vector() {
        let mut table = Int8Table::new(2);
        let unit = |x: f32, y: f32| quantise(&[x, y]).unwrap();
        [unit(1.0, 0.0), unit(1.0, 0.1), unit(0.0, 1.0)].iter().for_each(|vector| table.push(vector.view()));
        let mut centres = vec![unit(1.0, 0.0), unit(-1.0, 0.0)];
        assert!(move_centres(&table, &[0, 1, 2], &mut centres));
        assert_eq!(centres[1].view().values, [0, 127]);
        assert_eq!(assign(&table, &[0, 1, 2], &centres), [0, 0, 1]);
    }
}
