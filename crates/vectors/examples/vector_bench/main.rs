//! Measures what a search of vectors costs, and what it finds, beside a scan of all vectors and a graph (HNSW); prints
//! JSON.
//!
//! ```sh
//! cargo run --release -p seealso-vectors --example vector_bench -- 1000000 [GRAPH]    # random vectors
//! cargo run --release -p seealso-vectors --example vector_bench -- FILE...            # files of embeddings
//! ```
//!
//! Bytes and requests are those of a search from an empty cache, the root among them. With `GRAPH`, as many vectors at
//! most get a graph. Queries are vectors of the set, moved by noise: each still has a nearest vector, and other
//! neighbours than that vector has. Times are medians.
#![allow(clippy::print_stdout, reason = "printing is what it is for")]

mod data;
mod graph;

use std::collections::BTreeMap;
use std::time::Instant;

use data::Queries;
use graph::Graph;
use seealso_vectors::{Budget, Error, Hash, Int8Table, Layout, Vectors, quantise, write};

/// Vectors that are searched for.
const NEAREST: usize = 10;
/// How many queries are asked.
const QUERIES: usize = 200;
/// Bytes of leaves that searches may read, in KiB; a third of that of groups.
const BUDGETS: [u64; 7] = [96, 192, 288, 384, 576, 768, 1536];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let set = match arguments.first().map(|first| first.parse::<usize>()) {
        Some(Ok(count)) => data::mixed(count),
        Some(Err(_)) => data::read(&arguments)?,
        None => return Err("give a number of vectors, or files of embeddings".into()),
    };
    let graph_of = arguments.get(1).and_then(|most| most.parse::<usize>().ok()).unwrap_or(0);
    let queries = Queries::of(&set.vectors, QUERIES);
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
    println!(" \"root_bytes\": {}, \"leaves\": {}, \"files\": {},", written.root.len(), written.leaves, written.files);
    println!(" \"total_bytes\": {}, \"build_ms\": {build_ms:.0},", written.bytes + written.root.len() as u64);
    println!(" \"scan_ms\": {:.3},", scan_ms);
    let rows = BUDGETS.map(|kib| {
        let budget = Budget { group_bytes: (kib << 10) / 3, leaf_bytes: kib << 10 };
        measure(&written.root, &files, &queries, &exact, budget)
    });
    println!(" \"searches\": [\n  {}]{}", rows.join(",\n  "), if graph_of > 0 { "," } else { "" });
    if graph_of > 0 {
        println!(" \"graph\": {}", measure_graph(&set.vectors, graph_of, &queries));
    }
    println!("}}");
    Ok(())
}

/// The result of `work`, and the milliseconds that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64() * 1000.0)
}

/// The results of `work` for each query, and the median of the milliseconds that it took.
fn timed_each<T>(queries: &Queries, work: impl Fn(&[f32]) -> T) -> (Vec<T>, f64) {
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
    queries: &Queries,
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
        "{{\"leaf_kib\": {}, \"recall_at_10\": {:.3}, \"cold_bytes\": {:.0}, \"bytes_after_root\": {:.0}, \"requests\": {:.1}, \"rounds\": {:.1}, \"warm_ms\": {:.3}}}",
        budget.leaf_bytes >> 10,
        share / QUERIES as f64,
        each(bytes) + root.len() as f64,
        each(bytes),
        each(requests) + 1.0,
        each(rounds) + 1.0,
        median(warm_ms),
    )
}

/// A graph over the first vectors: what its searches find and visit.
fn measure_graph(vectors: &Int8Table, most: usize, queries: &Queries) -> String {
    let mut part = Int8Table::new(vectors.dimensions());
    vectors.iter().take(most).for_each(|vector| part.push(vector));
    let (graph, build_ms) = timed(|| Graph::build(&part));
    let (exact, scan_ms) = timed_each(queries, |query| scan(&part, query));
    let rows = [16, 32, 64, 128].map(|breadth| {
        let (mut share, mut visited, mut steps) = (0.0, 0, 0);
        let search = |query: &[f32]| graph.search(&quantise(query).expect("it has a direction"), NEAREST, breadth);
        let (found, ms) = timed_each(queries, search);
        for (found, exact) in found.into_iter().zip(&exact) {
            (visited, steps) = (visited + found.visited, steps + found.steps);
            share += recall(found.nearest.into_iter(), exact);
        }
        let each = |sum: usize| sum as f64 / QUERIES as f64;
        format!(
            "{{\"breadth\": {breadth}, \"recall_at_10\": {:.3}, \"visited\": {:.0}, \"steps\": {:.0}, \"ms\": {:.3}}}",
            share / QUERIES as f64,
            each(visited),
            each(steps),
            ms
        )
    });
    format!(
        "{{\"vectors\": {}, \"build_ms\": {build_ms:.0}, \"scan_ms\": {:.3}, \"link_bytes\": {},\n  \"searches\": [\n   {}]}}",
        part.len(),
        scan_ms,
        graph.link_bytes(),
        rows.join(",\n   ")
    )
}
