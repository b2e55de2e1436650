//! `expand_top`: the pages beside the best one. The first page's neighbours in the graph of links are read too, two at most, and
//! only as long as few pages are read in all.

use seealso_index::PageNo;

/// How far the first page is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpansionLimits {
    /// The links that lead to a neighbour, one after the other.
    pub hops: usize,
    /// The most neighbours that are added.
    pub neighbours: usize,
    /// The most pages, with those that are there.
    pub pages: usize,
}

impl Default for ExpansionLimits {
    fn default() -> Self {
        ExpansionLimits { hops: 1, neighbours: 2, pages: 7 }
    }
}

/// The neighbours of the first of `pages` that are to be added: the nearest first, and none that is among `pages`.
/// `neighbours_of` gives the pages that a page is linked with.
pub fn expand_top<'g>(
    pages: &[PageNo],
    neighbours_of: impl Fn(PageNo) -> &'g [PageNo],
    limits: ExpansionLimits,
) -> Vec<PageNo> {
    let Some(&top) = pages.first() else { return Vec::new() };
    let room = limits.neighbours.min(limits.pages.saturating_sub(pages.len()));
    let (mut seen, mut edge, mut added) = (vec![top], vec![top], Vec::new());
    for _ in 0..limits.hops {
        let mut next = Vec::new();
        for &page in &edge {
            for &neighbour in neighbours_of(page) {
                if !seen.contains(&neighbour) {
                    seen.push(neighbour);
                    next.push(neighbour);
                }
            }
        }
        added.extend(next.iter().copied().filter(|page| !pages.contains(page)));
        if added.len() >= room {
            break;
        }
        edge = next;
    }
    added.truncate(room);
    added
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKS: [(u32, &[PageNo]); 4] = [
        (0, &[PageNo(1), PageNo(2), PageNo(3)]),
        (1, &[PageNo(0), PageNo(4)]),
        (2, &[PageNo(4), PageNo(2)]),
        (4, &[PageNo(5)]),
    ];

    fn check(pages: &[u32], hops: usize, expected: &[u32]) {
        let of = |page: PageNo| LINKS.iter().find(|(from, _)| *from == page.0).map_or(&[][..], |(_, linked)| *linked);
        let pages: Vec<PageNo> = pages.iter().copied().map(PageNo).collect();
        let limits = ExpansionLimits { hops, ..ExpansionLimits::default() };
        let added: Vec<u32> = expand_top(&pages, of, limits).into_iter().map(|page| page.0).collect();
        assert_eq!(added, expected, "{pages:?}, {hops} hops");
    }

    #[test]
    fn neighbours_of_the_first_page_are_added_hop_by_hop() {
        check(&[0], 0, &[]);
        check(&[0], 1, &[1, 2]);
        check(&[4], 1, &[5]);
        check(&[1, 0], 1, &[4]);
        check(&[1, 0], 2, &[4, 2]);
        check(&[2, 4], 2, &[5]);
        check(&[2, 4], 1, &[]);
        check(&[5], 2, &[]);
        check(&[], 1, &[]);
    }

    #[test]
    fn two_neighbours_and_seven_pages_are_the_most() {
        check(&[0, 10, 11, 12, 13], 1, &[1, 2]);
        check(&[0, 10, 11, 12, 13, 14], 1, &[1]);
        check(&[0, 10, 11, 12, 13, 14, 15], 1, &[]);
        check(&[0, 10, 11, 12, 13, 14, 15, 16], 1, &[]);
    }

    #[test]
    fn pages_that_are_there_are_not_added_again() {
        check(&[0, 1, 2], 1, &[3]);
        check(&[0, 3, 1, 2], 1, &[]);
    }
}
