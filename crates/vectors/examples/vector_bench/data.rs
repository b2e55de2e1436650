//! The vectors that are measured: random mixtures of topics, or those of files of embeddings.

use std::fs;

use seealso_test_support::Random;
use seealso_vectors::{ChunkName, EmbeddingCache, Int8Table, NewPack, NewSet, Space, quantise};

/// Dimensions of random vectors: those of all-MiniLM-L6-v2.
const DIMENSIONS: usize = 384;
/// Vectors for each topic that there is.
const VECTORS_PER_TOPIC: usize = 30;
/// What the topics of a vector weigh: the first is that of its page, the others are any.
const WEIGHTS: [f32; 4] = [1.0, 0.7, 0.5, 0.4];
/// Vectors that have the same first topic one after another, as the chunks of some pages have.
const RUN: usize = 10;
/// What chance weighs.
const CHANCE: f32 = 0.7;

/// Queries.
pub(crate) struct Queries(Vec<Vec<f32>>);

impl Queries {
    /// `count` vectors of the set, each moved by noise of 0.6 times its length.
    pub(crate) fn of(vectors: &Int8Table, count: usize) -> Queries {
        let mut random = Random::new(17);
        let query = |_| {
            let near = vectors.get(random.below(vectors.len())).expect("it is below the number of vectors");
            let noise = direction(&mut random, vectors.dimensions());
            unit(&near.floats().zip(noise).map(|(x, noise)| x + 0.6 * noise).collect::<Vec<_>>())
        };
        Queries((0..count).map(query).collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.0.iter().map(Vec::as_slice)
    }
}

/// `count` random vectors, each the sum of four of many topics and of chance. They have no clusters that are apart from
/// each other, as the chunks of texts have none.
pub(crate) fn mixed(count: usize) -> NewSet {
    let mut random = Random::new(count as u64);
    let topics: Vec<Vec<f32>> =
        (0..count.div_ceil(VECTORS_PER_TOPIC).max(WEIGHTS.len())).map(|_| direction(&mut random, DIMENSIONS)).collect();
    let mut vectors = Int8Table::new(DIMENSIONS);
    let mut first = 0;
    for at in 0..count {
        if at % RUN == 0 {
            first = random.below(topics.len());
        }
        let mut vector: Vec<f32> = direction(&mut random, DIMENSIONS).iter().map(|x| CHANCE * x).collect();
        for (place, weight) in WEIGHTS.iter().enumerate() {
            let topic = &topics[if place == 0 { first } else { random.below(topics.len()) }];
            vector.iter_mut().zip(topic).for_each(|(sum, x)| *sum += weight * x);
        }
        vectors.push(quantise(&unit(&vector)).expect("a random vector has a direction").view());
    }
    set(vectors, "random")
}

/// The vectors of files of embeddings, which have one space.
pub(crate) fn read(paths: &[String]) -> Result<NewSet, Box<dyn std::error::Error>> {
    let mut found: Option<NewSet> = None;
    for path in paths.iter().filter(|path| path.parse::<usize>().is_err()) {
        let file = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let space = EmbeddingCache::space_of(&file).ok_or_else(|| format!("{path}: not a file of embeddings"))?;
        let cache = EmbeddingCache::read(&file, space.clone());
        let set =
            found.get_or_insert_with(|| NewSet { space, ..set(Int8Table::new(cache.vectors().dimensions()), "") });
        cache.vectors().iter().for_each(|vector| set.vectors.push(vector));
    }
    let found = found.ok_or("no file has vectors")?;
    Ok(NewSet { space: found.space.clone(), ..set(found.vectors, "") })
}

fn set(vectors: Int8Table, model: &str) -> NewSet {
    let name = |at: usize| ChunkName { file: format!("concepts/page-{}.md", at / 3), number: at as u32 % 3 };
    let packs = vec![NewPack { path: "pack".into(), chunks: (0..vectors.len()).map(name).collect() }];
    let space = Space { model: model.into(), sha256: [0; 32], scheme: "test".into(), dimensions: vectors.dimensions() };
    NewSet { space, packs, vectors }
}

/// A random direction, as a vector of length 1.
fn direction(random: &mut Random, dimensions: usize) -> Vec<f32> {
    // Sums of uniform numbers are nearly normal, so that directions are nearly uniform.
    unit(&(0..dimensions).map(|_| random.float() + random.float() + random.float()).collect::<Vec<_>>())
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}
