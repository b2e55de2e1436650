//! `graph`: pages that others link to come a little earlier.
//!
//! A page's centrality is its degree, links to it and from it, as a share of the largest degree in its pack (Freeman 1978,
//! "Centrality in Social Networks: Conceptual Clarification"). A ranking by similarity is ordered anew by a convex combination of
//! both. In a pack with few links, degrees tell nothing, and the ranking stays as it is.

use std::collections::BTreeMap;
use std::fmt;

use seealso_index::PageNo;

use super::near::{NearChunk, sort_by_score};

/// A pack of fewer links a page has no centralities.
pub(super) const LEAST_LINKS_PER_PAGE: f64 = 2.0;
/// How far the sum of two weights may be from 1.
const TOLERANCE: f64 = 0.001;

/// The weights of similarity and centrality, which are not negative and sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphWeights {
    similarity: f64,
    centrality: f64,
}

/// Weights that are no convex combination.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BadWeights {
    /// The weight of similarity.
    pub similarity: f64,
    /// The weight of centrality.
    pub centrality: f64,
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadWeights { similarity, centrality } = self;
        write!(
            f,
            "the weights {similarity} of similarity and {centrality} of centrality must not be negative and must sum to 1"
        )
    }
}

impl std::error::Error for BadWeights {}

impl GraphWeights {
    /// These weights.
    ///
    /// # Errors
    /// [`BadWeights`] where one is negative or no number, or where their sum is not 1 (± 0.001).
    pub fn new(similarity: f64, centrality: f64) -> Result<GraphWeights, BadWeights> {
        let is_convex = similarity >= 0.0 && centrality >= 0.0 && (similarity + centrality - 1.0).abs() <= TOLERANCE;
        is_convex.then_some(GraphWeights { similarity, centrality }).ok_or(BadWeights { similarity, centrality })
    }

    /// The combination of a similarity and a centrality.
    pub fn combine(self, similarity: f64, centrality: f64) -> f64 {
        self.similarity * similarity + self.centrality * centrality
    }
}

impl Default for GraphWeights {
    fn default() -> Self {
        GraphWeights { similarity: 0.6, centrality: 0.4 }
    }
}

/// The links between the pages of one pack.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkGraph {
    /// For each page with a link the pages that it is linked with: first those that it links to, in their order, then those
    /// that link to it.
    neighbours: BTreeMap<PageNo, Vec<PageNo>>,
    /// For each page with a link, how many links begin or end there.
    degrees: BTreeMap<PageNo, usize>,
    pages: usize,
    links: usize,
}

impl LinkGraph {
    /// The graph of a pack of `pages` pages with these links, each from a page to another. A link that is there twice, or that
    /// leads to its own page, counts once, or not at all.
    pub fn new(pages: usize, links: &[(PageNo, PageNo)]) -> LinkGraph {
        let mut outgoing: BTreeMap<PageNo, Vec<PageNo>> = BTreeMap::new();
        let mut incoming: BTreeMap<PageNo, Vec<PageNo>> = BTreeMap::new();
        let mut count = 0;
        for &(from, to) in links.iter().filter(|(from, to)| from != to) {
            let targets = outgoing.entry(from).or_default();
            if !targets.contains(&to) {
                targets.push(to);
                incoming.entry(to).or_default().push(from);
                count += 1;
            }
        }
        let mut degrees: BTreeMap<PageNo, usize> = BTreeMap::new();
        for (page, linked) in outgoing.iter().chain(&incoming) {
            *degrees.entry(*page).or_default() += linked.len();
        }
        let mut neighbours = outgoing;
        for (page, sources) in incoming {
            let known = neighbours.entry(page).or_default();
            let new: Vec<PageNo> = sources.into_iter().filter(|source| !known.contains(source)).collect();
            known.extend(new);
        }
        LinkGraph { neighbours, degrees, pages, links: count }
    }

    /// Whether it has too few links for degrees to tell anything.
    pub fn is_sparse(&self) -> bool {
        (self.links as f64) < LEAST_LINKS_PER_PAGE * self.pages.max(1) as f64
    }

    /// The degree of `page` as a share of the largest one; 0 for a page that has no links or is not in the pack.
    pub fn centrality(&self, page: PageNo) -> f64 {
        let most = self.degrees.values().max().copied().unwrap_or(0);
        let own = self.degrees.get(&page).copied().unwrap_or(0);
        if most == 0 { 0.0 } else { own as f64 / most as f64 }
    }

    /// The pages that `page` is linked with: first those that it links to.
    pub fn neighbours(&self, page: PageNo) -> &[PageNo] {
        self.neighbours.get(&page).map_or(&[], Vec::as_slice)
    }
}

/// Ranks `chunks` by their similarities and the centralities of their pages. Where a similarity is missing, or where every
/// graph is sparse, they stay as they were; a page whose pack has a sparse graph or none counts by its similarity alone. Of equal
/// ones, the first stays first. Returns whether they were ranked anew.
///
/// `graph_of` gives the graph of a page's pack, if the site has one.
pub fn rerank_by_graph<'g>(
    chunks: &mut Vec<NearChunk>,
    graph_of: impl Fn(PageNo) -> Option<&'g LinkGraph>,
    weights: GraphWeights,
) -> bool {
    let dense = |page: PageNo| graph_of(page).filter(|graph| !graph.is_sparse());
    let measured = chunks.iter().all(|chunk| chunk.similarity.is_some());
    if !measured || !chunks.iter().any(|chunk| dense(chunk.page).is_some()) {
        return false;
    }
    for chunk in chunks.iter_mut() {
        let similarity = chunk.similarity.unwrap_or(0.0);
        chunk.centrality = dense(chunk.page).map(|graph| graph.centrality(chunk.page));
        chunk.score = chunk.centrality.map_or(similarity, |centrality| weights.combine(similarity, centrality));
    }
    sort_by_score(chunks);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::near::tests::{chunk, shown};

    fn graph(pages: usize, links: &[(u32, u32)]) -> LinkGraph {
        LinkGraph::new(pages, &links.iter().map(|&(from, to)| (PageNo(from), PageNo(to))).collect::<Vec<_>>())
    }

    /// Four pages, of which all others link to page 0 and page 1 links to all.
    const DENSE: [(u32, u32); 8] = [(0, 2), (1, 0), (1, 2), (1, 3), (2, 0), (2, 3), (3, 0), (3, 1)];

    #[test]
    fn weights_are_a_convex_combination() {
        let check = |similarity: f64, centrality: f64, is_right: bool| {
            assert_eq!(GraphWeights::new(similarity, centrality).is_ok(), is_right, "{similarity} {centrality}");
        };
        check(0.6, 0.4, true);
        check(1.0, 0.0, true);
        check(0.6, 0.4009, true);
        check(0.6, 0.402, false);
        check(0.6, 0.398, false);
        check(1.2, -0.2, false);
        check(f64::NAN, 0.4, false);
        assert_eq!(GraphWeights::default(), GraphWeights::new(0.6, 0.4).unwrap());
        assert_eq!(
            GraphWeights::new(0.7, 0.4).unwrap_err().to_string(),
            "the weights 0.7 of similarity and 0.4 of centrality must not be negative and must sum to 1"
        );
    }

    #[test]
    fn a_degree_counts_links_of_both_directions() {
        let graph = graph(4, &DENSE);
        // Degrees: 4, 4, 4, 4.
        assert_eq!([0, 1, 2, 3].map(|page| graph.centrality(PageNo(page))), [1.0, 1.0, 1.0, 1.0]);
        let star = self::graph(5, &[(1, 0), (2, 0), (3, 0), (3, 1), (1, 0), (2, 2)]);
        // Degrees: 3, 2, 1, 2; a repeated link and one to its own page add nothing. Page 4 has no link, page 9 is no page.
        let third = 1.0 / 3.0;
        assert_eq!(
            [0, 1, 2, 3, 4, 9].map(|page| star.centrality(PageNo(page))),
            [1.0, 2.0 * third, third, 2.0 * third, 0.0, 0.0]
        );
        assert_eq!(star.neighbours(PageNo(1)), [PageNo(0), PageNo(3)]);
        assert_eq!(star.neighbours(PageNo(0)), [PageNo(1), PageNo(2), PageNo(3)]);
        assert!(star.neighbours(PageNo(9)).is_empty());
    }

    #[test]
    fn a_graph_of_fewer_than_two_links_a_page_is_sparse() {
        assert!(!graph(4, &DENSE).is_sparse());
        assert!(graph(4, &DENSE[1..]).is_sparse());
        assert!(graph(5, &DENSE).is_sparse());
        assert!(graph(0, &[]).is_sparse());
    }

    /// Pages with these similarities, ranked by the graph: page and score to three places.
    fn check(similarities: &[(u32, f64)], graph: &LinkGraph, is_ranked: bool, expected: &[(u32, f64)]) {
        let near = |&(page, similarity): &(u32, f64)| {
            let mut chunk = chunk(page, 0, similarity);
            chunk.similarity = Some(similarity);
            chunk
        };
        let mut chunks: Vec<NearChunk> = similarities.iter().map(near).collect();
        assert_eq!(rerank_by_graph(&mut chunks, |_| Some(graph), GraphWeights::default()), is_ranked);
        let shown: Vec<(u32, f64)> =
            chunks.iter().map(|chunk| (chunk.page.0, (chunk.score * 1000.0).round() / 1000.0)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn central_pages_come_earlier() {
        let mut links = DENSE.to_vec();
        links.push((0, 3));
        links.push((0, 1));
        // Degrees: 6, 5, 4, 5.
        let graph = graph(4, &links);
        let centrality = [1.0, 5.0 / 6.0, 4.0 / 6.0, 5.0 / 6.0];
        assert_eq!([0, 1, 2, 3].map(|page| graph.centrality(PageNo(page))), centrality);
        // .6·.6 + .4·⅔ = .627; .6·.5 + .4·1 = .7; a page beyond the graph: .6·.7 = .42.
        check(&[(9, 0.7), (2, 0.6), (0, 0.5)], &graph, true, &[(0, 0.7), (2, 0.627), (9, 0.42)]);
        // Equal ones stay as they were.
        check(&[(3, 0.5), (1, 0.5)], &graph, true, &[(3, 0.633), (1, 0.633)]);
        check(&[(1, 0.5), (3, 0.5)], &graph, true, &[(1, 0.633), (3, 0.633)]);
    }

    #[test]
    fn sparse_graphs_and_unmeasured_pages_change_nothing() {
        check(&[(2, 0.6), (0, 0.5)], &graph(4, &DENSE[1..]), false, &[(2, 0.6), (0, 0.5)]);
        check(&[], &graph(4, &DENSE), false, &[]);
        let mut chunks = vec![chunk(2, 0, 8.0), chunk(0, 0, 3.0)];
        assert!(!rerank_by_graph(&mut chunks, |_| None, GraphWeights::default()));
        let graph = graph(4, &DENSE);
        assert!(!rerank_by_graph(&mut chunks, |_| Some(&graph), GraphWeights::default()), "no similarity is known");
        assert_eq!(shown(&chunks), [(2, 0, 8.0), (0, 0, 3.0)]);
    }
}
