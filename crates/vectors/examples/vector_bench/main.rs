//! Measures what a search of vectors costs, and what it finds, beside a scan of all vectors and a graph (HNSW); prints
//! JSON.
//!
//! ```sh
//! cargo run --release -p seealso-vectors --example vector_bench -- texts 100000 [GRAPH]        # random vectors as texts have
//! cargo run --release -p seealso-vectors --example vector_bench -- topics 100000 [GRAPH]       # random vectors, worst case
//! cargo run --release -p seealso-vectors --example vector_bench -- files 100000 GRAPH FILE...  # files of embeddings
//! ```
//!
//! Bytes, requests and rounds are those of a search from an empty cache, the root among them. Where GRAPH is not 0, a graph of the
//! vectors is made and searched too. Queries are not in the set. Times are medians.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

mod data;
mod graph;

use std::collections::BTreeMap;
use std::time::Instant;

use data::{QUERIES, Sample};
use graph::{Graph, GraphSearch, LINK_BYTES, Walk};
use seealso_vectors::{Budget, ChunkNo, Error, File, Hash, Int8Table, Layout, Vectors, quantise, write};

/// Vectors that are searched for.
const NEAREST: usize = 10;
/// Bytes that searches may read, in KiB: of leaves, and of groups.
const BUDGETS: [(u64, u64); 6] = [(96, 96), (384, 128), (384, 256), (512, 128), (768, 256), (1536, 512)];
/// How many vectors a search of the graph keeps on the way, and of how many it looks at the neighbours together.
const WALKS: [(usize, usize); 6] = [(16, 1), (32, 1), (64, 1), (32, 4), (64, 4), (128, 8)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "give topics, texts or files, a number of vectors, whether to make a graph, and files of embeddings";
    let (Some(kind), Some(Ok(count))) = (arguments.first(), arguments.get(1).map(|count| count.parse())) else {
        return Err(usage.into());
    };
    let Sample { set, queries } = match kind.as_str() {
        "topics" => data::topics(count),
        "texts" => data::texts(count),
        "files" => data::files(arguments.get(3..).unwrap_or_default(), count)?,
        _ => return Err(usage.into()),
    };
    let (exact, scan_ms) = timed_each(&queries, |query| scan(&set.vectors, query));
    let mut files = BTreeMap::new();
    let (written, build_ms) = timed(|| {
        write(&set, Layout::default(), &mut |hash, bytes| {
            files.insert(*hash, bytes.to_vec());
            Ok(())
        })
    });
    let written = written?;
    println!("{{\"vectors\": {}, \"dimensions\": {},", set.vectors.len(), set.space.dimensions);
    println!(" \"intrinsic_dimension\": {:.1},", intrinsic_dimension(&set.vectors, &queries, &exact));
    println!(" \"root_bytes\": {}, \"leaves\": {}, \"files\": {},", written.root.len(), written.leaves, written.files);
    println!(" \"total_bytes\": {}, \"build_ms\": {build_ms:.0},", written.bytes + written.root.len() as u64);
    println!(" \"scan_ms\": {scan_ms:.3},");
    let rows = BUDGETS.map(|(leaves, groups)| {
        let budget = Budget { group_bytes: groups << 10, leaf_bytes: leaves << 10, ..Budget::ALL };
        measure(&written.root, &files, &queries, &exact, budget)
    });
    println!(" \"searches\": [\n  {}],", rows.join(",\n  "));
    let has_graph = arguments.get(2).is_some_and(|graph| graph != "0");
    let graph = if has_graph {
        measure_graph(&set.vectors, &leaves(&written.root, &files), &queries, &exact)
    } else {
        "null".into()
    };
    println!(" \"graph\": {graph}}}");
    Ok(())
}

/// The result of `work`, and the milliseconds that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64() * 1000.0)
}

/// The results of `work` for each query, and the median of the milliseconds that it took.
fn timed_each<T>(queries: &[Vec<f32>], work: impl Fn(&[f32]) -> T) -> (Vec<T>, f64) {
    let (results, times): (Vec<T>, Vec<f64>) = queries.iter().map(|query| timed(|| work(query))).unzip();
    (results, median(times))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// The nearest vectors, by comparing all.
fn scan(vectors: &Int8Table, query: &[f32]) -> Vec<u32> {
    let query = quantise(query).expect("queries have a direction");
    let mut scored: Vec<(f32, u32)> = vectors.iter().map(|vector| vector.dot(query.view())).zip(0..).collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if scored.len() > NEAREST {
        scored.select_nth_unstable_by(NEAREST, order);
        scored.truncate(NEAREST);
    }
    scored.sort_by(order);
    scored.into_iter().map(|(_, at)| at).collect()
}

/// The share of the exact neighbours that were found.
fn recall(found: impl Iterator<Item = u32>, exact: &[u32]) -> f64 {
    found.filter(|at| exact.contains(at)).count() as f64 / exact.len().max(1) as f64
}

/// Searches with a budget, each from an empty cache and then again.
fn measure(
    root: &[u8],
    files: &BTreeMap<Hash, Vec<u8>>,
    queries: &[Vec<f32>],
    exact: &[Vec<u32>],
    budget: Budget,
) -> String {
    let vectors = Vectors::open(root).expect("it was just written");
    let (mut bytes, mut requests, mut rounds, mut share, mut warm_ms) = (0, 0, 0, 0.0, Vec::new());
    for (query, exact) in queries.iter().zip(exact) {
        vectors.clear_cache();
        let search = || vectors.search(query, NEAREST, budget, &|_| true);
        let near = loop {
            match search() {
                Err(Error::Missing) => rounds += 1,
                other => break other.expect("the files are sound"),
            }
            for file in vectors.wanted() {
                (bytes, requests) = (bytes + files[&file.hash].len(), requests + 1);
                vectors.supply(file, &files[&file.hash]).expect("the files are sound");
            }
        };
        warm_ms.push(timed(search).1);
        share += recall(near.into_iter().map(|near| near.chunk.0), exact);
    }
    let each = |sum: usize| sum as f64 / QUERIES as f64;
    format!(
        "{{\"leaf_kib\": {}, \"group_kib\": {}, \"recall_at_10\": {:.3}, \"cold_bytes\": {:.0}, \"bytes_after_root\": {:.0}, \"requests\": {:.1}, \"rounds\": {:.1}, \"warm_ms\": {:.3}}}",
        budget.leaf_bytes >> 10,
        budget.group_bytes >> 10,
        share / QUERIES as f64,
        each(bytes) + root.len() as f64,
        each(bytes),
        each(requests) + 1.0,
        each(rounds) + 1.0,
        median(warm_ms),
    )
}

/// The directions in which vectors differ, as the ten nearest of each query tell (Levina and Bickel 2004).
fn intrinsic_dimension(vectors: &Int8Table, queries: &[Vec<f32>], exact: &[Vec<u32>]) -> f64 {
    let inverse = |(query, exact): (&Vec<f32>, &Vec<u32>)| {
        let query = quantise(query).expect("queries have a direction");
        let near = exact.iter().filter_map(|at| vectors.get(*at as usize));
        let distances: Vec<f64> =
            near.map(|near| (2.0 - 2.0 * f64::from(near.dot(query.view()))).max(1e-9).sqrt()).collect();
        let farthest = distances.last().copied().unwrap_or(1.0);
        distances.iter().map(|distance| (farthest / distance).ln()).sum::<f64>() / (NEAREST as f64 - 2.0)
    };
    queries.len() as f64 / queries.iter().zip(exact).map(inverse).sum::<f64>()
}

/// The leaves of a written set: the leaf of each vector, and the bytes of each leaf.
struct Leaves {
    leaf_of: Vec<u32>,
    bytes: Vec<usize>,
}

/// The leaves of all vectors; that of each is the file that it still needs when all others have come.
fn leaves(root: &[u8], files: &BTreeMap<Hash, Vec<u8>>) -> Leaves {
    let vectors = Vectors::open(root).expect("it was just written");
    let mut found = Leaves { leaf_of: Vec::new(), bytes: Vec::new() };
    let mut numbers: BTreeMap<Hash, u32> = BTreeMap::new();
    for chunk in (0..vectors.len()).map(ChunkNo) {
        while vectors.prefetch(&[chunk]) == Err(Error::Missing) {
            let wanted = vectors.wanted();
            let leaf = wanted.iter().find(|file| file.file == File::Leaf);
            if let Some(leaf) = leaf {
                let number = *numbers.entry(leaf.hash).or_insert_with(|| {
                    found.bytes.push(leaf.bytes as usize);
                    found.bytes.len() as u32 - 1
                });
                found.leaf_of.push(number);
                break;
            }
            for file in wanted {
                vectors.supply(file, &files[&file.hash]).expect("the files are sound");
            }
        }
    }
    found
}

/// A graph over all vectors: what its searches find, and what they read.
fn measure_graph(vectors: &Int8Table, leaves: &Leaves, queries: &[Vec<f32>], exact: &[Vec<u32>]) -> String {
    let (graph, build_ms) = timed(|| Graph::build(vectors));
    let rows = WALKS.map(|(breadth, beam)| {
        let walk = Walk { breadth, beam, leaf_of: &leaves.leaf_of };
        let search = |query: &[f32]| graph.search(&quantise(query).expect("it has a direction"), NEAREST, walk);
        let (found, ms) = timed_each(queries, search);
        let recalls = found.iter().zip(exact).map(|(found, exact)| recall(found.nearest.iter().copied(), exact));
        let recall = recalls.sum::<f64>() / QUERIES as f64;
        let mean = |of: &dyn Fn(&GraphSearch) -> usize| found.iter().map(of).sum::<usize>() as f64 / QUERIES as f64;
        let bytes_of_leaves = |found: &GraphSearch| found.leaves.iter().map(|leaf| leaves.bytes[*leaf as usize]).sum();
        format!(
            "{{\"breadth\": {breadth}, \"beam\": {beam}, \"recall_at_10\": {recall:.3}, \"visited\": {:.0}, \"ms\": {ms:.3},\n    \"own_files\": {{\"bytes\": {:.0}, \"requests\": {:.0}, \"rounds\": {:.0}}}, \"leaves\": {{\"bytes\": {:.0}, \"requests\": {:.0}, \"rounds\": {:.0}}}}}",
            mean(&|found| found.visited),
            mean(&|found| found.own_bytes),
            mean(&|found| found.steps),
            mean(&|found| found.rounds),
            mean(&bytes_of_leaves),
            mean(&|found| found.leaves.len()),
            mean(&|found| found.leaf_rounds),
        )
    });
    format!(
        "{{\"build_ms\": {build_ms:.0}, \"links\": {}, \"own_file_bytes\": {},\n  \"searches\": [\n   {}]}}",
        graph.links(),
        graph.links() * (LINK_BYTES + vectors.dimensions()),
        rows.join(",\n   ")
    )
}
