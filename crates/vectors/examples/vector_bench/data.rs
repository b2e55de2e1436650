//! The vectors that are measured: random ones in clusters of clusters, or those of files of embeddings.

use std::fs;

use seealso_test_support::Random;
use seealso_vectors::{ChunkName, EmbeddingCache, Int8Table, NewPack, NewSet, Space, quantise};

/// Dimensions of random vectors: those of all-MiniLM-L6-v2.
const DIMENSIONS: usize = 384;
/// Vectors of a topic, such as the chunks that say much the same.
const TOPIC: usize = 30;
/// Topics of a field.
const FIELD: usize = 30;

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

/// `count` random vectors: fields, topics around each field, vectors around each topic. Two vectors of a topic have a
/// cosine of about 0.6, two of a field of about 0.35, as chunks of a page and of a wiki have by all-MiniLM-L6-v2.
pub(crate) fn clustered(count: usize) -> NewSet {
    let mut random = Random::new(count as u64);
    let mut vectors = Int8Table::new(DIMENSIONS);
    let (mut field, mut topic) = (Vec::new(), Vec::new());
    for at in 0..count {
        if at % (TOPIC * FIELD) == 0 {
            field = direction(&mut random, DIMENSIONS);
        }
        if at % TOPIC == 0 {
            topic = sum(&[(0.59, &field), (0.5, &direction(&mut random, DIMENSIONS))]);
        }
        let own = direction(&mut random, DIMENSIONS);
        let vector = unit(&sum(&[(1.0, &topic), (0.63, &own)]));
        vectors.push(quantise(&vector).expect("a random vector has a direction").view());
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

fn sum(parts: &[(f32, &Vec<f32>)]) -> Vec<f32> {
    let mut sum = vec![0.0; parts[0].1.len()];
    for (weight, part) in parts {
        sum.iter_mut().zip(*part).for_each(|(sum, x)| *sum += weight * x);
    }
    sum
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}
