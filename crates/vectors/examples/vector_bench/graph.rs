//! A graph of near vectors in layers, for comparison: Malkov and Yashunin 2018, "Efficient and robust approximate
//! nearest neighbor search using hierarchical navigable small world graphs" (HNSW), with its choice of neighbours
//! that lie in different directions (algorithm 4). [`Graph::search`] counts what a walk reads where the graph lies in files on a plain host.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashSet};

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

/// What a search found, and what it took.
#[derive(Default)]
pub(crate) struct GraphSearch {
    pub(crate) nearest: Vec<u32>,
    /// Vectors that were compared with the query.
    pub(crate) visited: usize,
    /// Vectors whose neighbours were looked at. Each is a request where a vector has a file of its own, with its neighbours'
    /// vectors.
    pub(crate) steps: usize,
    /// The bytes of these files.
    pub(crate) own_bytes: usize,
    /// Sets of vectors whose neighbours were looked at together. Each waits for the files of those before.
    pub(crate) rounds: usize,
    /// The leaves that hold the compared vectors, where the vectors lie in the files of leaves and bring their links along.
    pub(crate) leaves: BTreeSet<u32>,
    /// Rounds that needed a leaf which had not come yet.
    pub(crate) leaf_rounds: usize,
}

/// How a graph is searched.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'l> {
    /// How many vectors are kept on the way.
    pub(crate) breadth: usize,
    /// The neighbours of so many vectors are looked at together.
    pub(crate) beam: usize,
    /// The leaf of each vector.
    pub(crate) leaf_of: &'l [u32],
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
        let (mut entry, mut cost) = (vec![self.entry], GraphSearch::default());
        for layer in (0..=highest).rev() {
            let breadth = if layer > top { 1 } else { BUILD_BREADTH };
            entry = self.search_layer(vector, &entry, Walk { breadth, beam: 1, leaf_of: &[] }, layer, &mut cost);
            if layer <= top {
                let most = if layer == 0 { 2 * LINKS } else { LINKS };
                let neighbours = self.choose(new, entry.iter().copied().filter(|near| *near != new), LINKS);
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

    /// Keeps links of a vector.
    fn prune(&mut self, of: u32, layer: usize, most: usize) {
        if self.layers[layer][of as usize].len() <= most {
            return;
        }
        let mut links = std::mem::take(&mut self.layers[layer][of as usize]);
        let vector = self.vector(of);
        links.sort_by_cached_key(|&to| Reverse(Product(self.vector(to).dot(vector))));
        self.layers[layer][of as usize] = self.choose(of, links.into_iter(), most);
    }

    /// At most `most` of the vectors `near`, which come nearest first: each is nearer to the vector than to those before it.
    fn choose(&self, of: u32, near: impl Iterator<Item = u32>, most: usize) -> Vec<u32> {
        let (vector, mut chosen) = (self.vector(of), Vec::<u32>::new());
        for near in near {
            let candidate = self.vector(near);
            let product = candidate.dot(vector);
            if chosen.len() < most && chosen.iter().all(|&known| self.vector(known).dot(candidate) < product) {
                chosen.push(near);
            }
        }
        chosen
    }

    /// The `count` nearest vectors of those that the walk keeps.
    pub(crate) fn search(&self, query: &Int8Vector, count: usize, walk: Walk<'_>) -> GraphSearch {
        let (mut entry, mut cost) = (vec![self.entry], GraphSearch::default());
        for layer in (0..self.layers.len()).rev() {
            let walk = if layer > 0 { Walk { breadth: 1, beam: 1, ..walk } } else { walk };
            entry = self.search_layer(query.view(), &entry, walk, layer, &mut cost);
        }
        entry.truncate(count);
        GraphSearch { nearest: entry, ..cost }
    }

    /// Algorithm 2: the nearest vectors that a walk from `entry` finds, the nearest first. `cost` counts what it takes.
    fn search_layer(
        &self,
        query: Int8Ref<'_>,
        entry: &[u32],
        walk: Walk<'_>,
        layer: usize,
        cost: &mut GraphSearch,
    ) -> Vec<u32> {
        let mut seen: HashSet<u32> = entry.iter().copied().collect();
        let product = |of: u32| Product(self.vector(of).dot(query));
        let mut open: BinaryHeap<(Product, u32)> = entry.iter().map(|&at| (product(at), at)).collect();
        let mut best: BinaryHeap<Reverse<(Product, u32)>> = open.iter().map(|&at| Reverse(at)).collect();
        cost.visited += entry.len();
        loop {
            let mut leaving = Vec::new();
            while leaving.len() < walk.beam {
                let Some((near, at)) = open.pop() else { break };
                if best.len() >= walk.breadth && best.peek().is_some_and(|worst| near < worst.0.0) {
                    break;
                }
                leaving.push(at);
            }
            if leaving.is_empty() {
                break;
            }
            let links: Vec<u32> = leaving.iter().flat_map(|&at| &self.layers[layer][at as usize]).copied().collect();
            let next: Vec<u32> = links.iter().copied().filter(|&next| seen.insert(next)).collect();
            cost.count(&leaving, &next, links.len() * (LINK_BYTES + self.vectors.dimensions()), walk.leaf_of);
            for next in next {
                let product = product(next);
                if best.len() < walk.breadth || best.peek().is_some_and(|worst| product > worst.0.0) {
                    open.push((product, next));
                    best.push(Reverse((product, next)));
                    if best.len() > walk.breadth {
                        best.pop();
                    }
                }
            }
        }
        best.into_sorted_vec().into_iter().map(|Reverse((_, at))| at).collect()
    }

    fn vector(&self, number: u32) -> Int8Ref<'v> {
        self.vectors.get(number as usize).expect("links lead to vectors")
    }

    /// How many links there are.
    pub(crate) fn links(&self) -> usize {
        self.layers.iter().flatten().map(Vec::len).sum()
    }
}

/// A link's number and the scale of its vector.
pub(crate) const LINK_BYTES: usize = 8;

impl GraphSearch {
    /// Counts that the neighbours of `leaving` were looked at, of which `next` were not known.
    fn count(&mut self, leaving: &[u32], next: &[u32], bytes: usize, leaf_of: &[u32]) {
        self.visited += next.len();
        self.steps += leaving.len();
        self.own_bytes += bytes;
        self.rounds += 1;
        let known = self.leaves.len();
        self.leaves.extend(next.iter().filter_map(|next| leaf_of.get(*next as usize)));
        self.leaf_rounds += usize::from(self.leaves.len() > known);
    }
}
