//! The vectors that are measured: random ones of two kinds, or those of files of embeddings; and queries, which are vectors
//! that are not in the set.

use std::collections::BTreeSet;
use std::fs;

use seealso_test_support::Random;
use seealso_vectors::{ChunkName, EmbeddingCache, Int8Ref, Int8Table, NewPack, NewSet, Space, quantise};

/// Dimensions of random vectors: those of all-MiniLM-L6-v2.
const DIMENSIONS: usize = 384;
/// How many queries are asked.
pub(crate) const QUERIES: usize = 200;

/// A set, and the vectors that are searched for in it.
pub(crate) struct Sample {
    pub(crate) set: NewSet,
    pub(crate) queries: Vec<Vec<f32>>,
}

impl Sample {
    fn new(vectors: Int8Table, queries: Vec<Vec<f32>>, model: &str) -> Sample {
        let name = |at: usize| ChunkName { file: format!("concepts/page-{}.md", at / 3), number: at as u32 % 3 };
        let packs = vec![NewPack { path: "pack".into(), chunks: (0..vectors.len()).map(name).collect() }];
        let (sha256, dimensions) = ([0; 32], vectors.dimensions());
        let space = Space { model: model.into(), sha256, scheme: "test".into(), dimensions };
        Sample { set: NewSet { space, packs, vectors }, queries }
    }
}

/// Vectors for each topic that there is.
const VECTORS_PER_TOPIC: usize = 30;
/// What the topics of a vector weigh: the first is that of its page, the others are any.
const TOPIC_WEIGHTS: [f32; 4] = [1.0, 0.7, 0.5, 0.4];
/// What chance weighs.
const CHANCE: f32 = 0.7;
/// Vectors of one page, which follow each other.
const PAGE: usize = 5;

/// `count` vectors, each the sum of four of many topics and of chance in all dimensions: the worst case, since nearly all of a
/// vector's distance to others is chance. Queries are vectors moved by as much noise.
pub(crate) fn topics(count: usize) -> Sample {
    let mut random = Random::new(count as u64);
    let topic_count = count.div_ceil(VECTORS_PER_TOPIC).max(TOPIC_WEIGHTS.len());
    let topics: Vec<Vec<f32>> = (0..topic_count).map(|_| direction(&mut random)).collect();
    let mut vectors = Int8Table::new(DIMENSIONS);
    let mut first = 0;
    for at in 0..count {
        if at % (2 * PAGE) == 0 {
            first = random.below(topics.len());
        }
        let mut vector = vec![0.0; DIMENSIONS];
        add(&mut vector, &direction(&mut random), CHANCE);
        for (place, weight) in TOPIC_WEIGHTS.iter().enumerate() {
            let topic = if place == 0 { first } else { random.below(topics.len()) };
            add(&mut vector, &topics[topic], *weight);
        }
        push(&mut vectors, &vector);
    }
    let query = |_| {
        let mut near: Vec<f32> = vectors.get(random.below(count)).into_iter().flat_map(Int8Ref::floats).collect();
        add(&mut near, &direction(&mut random), CHANCE);
        near
    };
    let queries = (0..QUERIES).map(query).collect();
    Sample::new(vectors, queries, "topics")
}

/// The directions in which vectors of texts differ; that of rank r has a share of 1 / r of the variance.
const RANK: usize = 96;
/// What a vector is the sum of: a direction that all have, its domain, topic and page, and itself; and noise everywhere.
const LEVEL_WEIGHTS: [f32; 6] = [0.3, 0.5, 0.5, 0.4, 0.4, 0.15];
/// What a query differs from its page by, where a vector differs by 0.4.
const QUERY_OFFSET: f32 = 0.6;

/// `count` vectors of pages, in topics, in domains, that differ in few directions, as vectors of texts do: about twelve where
/// ten neighbours tell (Levina and Bickel 2004, "Maximum likelihood estimation of intrinsic dimension"). Queries are further
/// vectors of the pages, farther from them.
pub(crate) fn texts(count: usize) -> Sample {
    let mut random = Random::new(count as u64);
    let basis: Vec<Vec<f32>> = (0..RANK).map(|_| direction(&mut random)).collect();
    let length = (1..=RANK).map(|rank| 1.0 / rank as f32).sum::<f32>().sqrt();
    let offset = |random: &mut Random| {
        let mut sum = vec![0.0; DIMENSIONS];
        for (direction, rank) in basis.iter().zip(1..) {
            add(&mut sum, direction, normal(random) / (rank as f32).sqrt() / length);
        }
        sum
    };
    let many = |count: usize, random: &mut Random| (0..count).map(|_| offset(random)).collect::<Vec<_>>();
    let common = direction(&mut random);
    let (domains, topics) = (many((count / 2500).max(4), &mut random), many((count / 60).max(8), &mut random));
    let domain_of: Vec<usize> = topics.iter().map(|_| random.below(domains.len())).collect();
    let pages: Vec<(usize, Vec<f32>)> =
        (0..count.div_ceil(PAGE)).map(|_| (random.below(topics.len()), offset(&mut random))).collect();
    let vector_of = |page: usize, own: f32, random: &mut Random| {
        let (topic, page) = &pages[page];
        let levels = [&common, &domains[domain_of[*topic]], &topics[*topic], page, &offset(random), &direction(random)];
        let mut sum = vec![0.0; DIMENSIONS];
        for (place, (level, weight)) in levels.into_iter().zip(LEVEL_WEIGHTS).enumerate() {
            add(&mut sum, level, if place == 4 { own } else { weight });
        }
        sum
    };
    let mut vectors = Int8Table::new(DIMENSIONS);
    for at in 0..count {
        push(&mut vectors, &vector_of(at / PAGE, LEVEL_WEIGHTS[4], &mut random));
    }
    let queries = (0..QUERIES).map(|_| {
        let page = random.below(pages.len());
        unit(&vector_of(page, QUERY_OFFSET, &mut random))
    });
    let queries = queries.collect();
    Sample::new(vectors, queries, "texts")
}

/// The vectors of files of embeddings, which have one space; at most `count`. Some are held out as queries.
pub(crate) fn files(paths: &[String], count: usize) -> Result<Sample, Box<dyn std::error::Error>> {
    let mut found: Option<Int8Table> = None;
    let mut seen = BTreeSet::new();
    for path in paths {
        let file = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let space = EmbeddingCache::space_of(&file).ok_or_else(|| format!("{path}: not a file of embeddings"))?;
        let cache = EmbeddingCache::read(&file, space);
        let all = found.get_or_insert_with(|| Int8Table::new(cache.vectors().dimensions()));
        cache.vectors().iter().filter(|vector| seen.insert(vector.values.to_vec())).for_each(|vector| all.push(vector));
    }
    let all = found.ok_or("no file has vectors")?;
    let mut random = Random::new(5);
    let (mut queries, mut vectors) = (Vec::new(), Int8Table::new(all.dimensions()));
    let mut held_out = BTreeSet::new();
    while held_out.len() < QUERIES.min(all.len() / 2) {
        held_out.insert(random.below(all.len()));
    }
    let share = count as f64 / (all.len() - held_out.len()) as f64;
    for (at, vector) in all.iter().enumerate() {
        if held_out.contains(&at) {
            queries.push(vector.floats().collect());
        } else if random.share() < share {
            vectors.push(vector);
        }
    }
    Ok(Sample::new(vectors, queries, "files"))
}

fn push(vectors: &mut Int8Table, vector: &[f32]) {
    vectors.push(quantise(&unit(vector)).expect("a random vector has a direction").view());
}

fn add(sum: &mut [f32], vector: &[f32], weight: f32) {
    sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += weight * number);
}

/// A number of nearly normal distribution: a sum of uniform ones, whose variance is 1.
fn normal(random: &mut Random) -> f32 {
    random.float() + random.float() + random.float()
}

/// A random direction, as a vector of length 1.
fn direction(random: &mut Random) -> Vec<f32> {
    unit(&(0..DIMENSIONS).map(|_| normal(random)).collect::<Vec<_>>())
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}
