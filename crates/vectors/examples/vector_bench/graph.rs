//! A graph of near vectors in layers, for comparison: Malkov and Yashunin 2018, "Efficient and robust approximate
//! nearest neighbor search using hierarchical navigable small world graphs" (HNSW), with the simple choice of neighbours
//! (algorithm 3).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use seealso_test_support::Random;
use seealso_vectors::{Int8Ref, Int8Table, Int8Vector};

/// Links that a new vector makes in a layer; a vector has twice as many at most in the lowest.
const LINKS: usize = 16;
/// How broadly neighbours of a new vector are searched for.
const BUILD_BREADTH: usize = 64;

/// The graph.
pub(crate) struct Graph<'v> {
    vectors: &'v Int8Table,
    /// For each layer, the lowest first, the neighbours of each vector; none of those that are not in the layer.
    layers: Vec<Vec<Vec<u32>>>,
    entry: u32,
}

/// What a search found.
pub(crate) struct GraphSearch {
    pub(crate) nearest: Vec<u32>,
    /// Vectors that were compared with the query.
    pub(crate) visited: usize,
    /// Vectors whose neighbours were looked at, one after another.
    pub(crate) steps: usize,
}

/// A product as a number that can be ordered.
#[derive(PartialEq, PartialOrd, Clone, Copy)]
struct Product(f32);

impl Eq for Product {}

#[allow(clippy::derive_ord_xor_partial_ord, reason = "products are never NaN")]
impl Ord for Product {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl<'v> Graph<'v> {
    /// A graph over all vectors.
    pub(crate) fn build(vectors: &'v Int8Table) -> Graph<'v> {
        let mut random = Random::new(3);
        let mut graph = Graph { vectors, layers: vec![vec![Vec::new(); vectors.len()]], entry: 0 };
        for new in 1..vectors.len() as u32 {
            // A vector is in layer l and all below it with the probability LINKS^-l.
            let top = (-random.share().max(1e-9).ln() / (LINKS as f64).ln()) as usize;
            graph.insert(new, top);
        }
        graph
    }

    fn insert(&mut self, new: u32, top: usize) {
        let vector = self.vector(new);
        let highest = self.layers.len() - 1;
        let (mut entry, mut cost) = (vec![self.entry], (0, 0));
        for layer in (0..=highest).rev() {
            let breadth = if layer > top { 1 } else { BUILD_BREADTH };
            entry = self.search_layer(vector, &entry, breadth, layer, &mut cost);
            if layer <= top {
                let most = if layer == 0 { 2 * LINKS } else { LINKS };
                let neighbours: Vec<u32> = entry.iter().copied().filter(|near| *near != new).take(LINKS).collect();
                for &near in &neighbours {
                    self.layers[layer][near as usize].push(new);
                    self.prune(near, layer, most);
                }
                self.layers[layer][new as usize] = neighbours;
            }
        }
        if top > highest {
            self.layers.push(vec![Vec::new(); self.vectors.len()]);
            self.entry = new;
        }
    }

    /// Keeps the nearest links of a vector.
    fn prune(&mut self, of: u32, layer: usize, most: usize) {
        if self.layers[layer][of as usize].len() <= most {
            return;
        }
        let mut links = std::mem::take(&mut self.layers[layer][of as usize]);
        let vector = self.vector(of);
        links.sort_by_cached_key(|&to| Reverse(Product(self.vector(to).dot(vector))));
        links.truncate(most);
        self.layers[layer][of as usize] = links;
    }

    /// The `count` nearest vectors, of the `breadth` best that are kept on the way.
    pub(crate) fn search(&self, query: &Int8Vector, count: usize, breadth: usize) -> GraphSearch {
        let (mut entry, mut cost) = (vec![self.entry], (0, 0));
        for layer in (0..self.layers.len()).rev() {
            let breadth = if layer > 0 { 1 } else { breadth };
            entry = self.search_layer(query.view(), &entry, breadth, layer, &mut cost);
        }
        entry.truncate(count);
        GraphSearch { nearest: entry, visited: cost.0, steps: cost.1 }
    }

    /// Algorithm 2: the `breadth` nearest vectors that a walk from `entry` finds, the nearest first. `cost` counts vectors
    /// compared and vectors left.
    fn search_layer(
        &self,
        query: Int8Ref<'_>,
        entry: &[u32],
        breadth: usize,
        layer: usize,
        cost: &mut (usize, usize),
    ) -> Vec<u32> {
        let mut seen: HashSet<u32> = entry.iter().copied().collect();
        let product = |of: u32| Product(self.vector(of).dot(query));
        let mut open: BinaryHeap<(Product, u32)> = entry.iter().map(|&at| (product(at), at)).collect();
        let mut best: BinaryHeap<Reverse<(Product, u32)>> = open.iter().map(|&at| Reverse(at)).collect();
        cost.0 += entry.len();
        while let Some((near, at)) = open.pop() {
            if best.len() >= breadth && best.peek().is_some_and(|worst| near < worst.0.0) {
                break;
            }
            cost.1 += 1;
            for &next in &self.layers[layer][at as usize] {
                if seen.insert(next) {
                    cost.0 += 1;
                    let product = product(next);
                    if best.len() < breadth || best.peek().is_some_and(|worst| product > worst.0.0) {
                        open.push((product, next));
                        best.push(Reverse((product, next)));
                        if best.len() > breadth {
                            best.pop();
                        }
                    }
                }
            }
        }
        best.into_sorted_vec().into_iter().map(|Reverse((_, at))| at).collect()
    }

    fn vector(&self, number: u32) -> Int8Ref<'v> {
        self.vectors.get(number as usize).expect("links lead to vectors")
    }

    /// Bytes of all links, four each.
    pub(crate) fn link_bytes(&self) -> usize {
        4 * self.layers.iter().flatten().map(Vec::len).sum::<usize>()
    }
}
