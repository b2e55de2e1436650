//! The best pages while blocks of long lists are not there yet: which blocks must be fetched, and when no more must.
//!
//! The postings that are there give each page a score that it has at least. An unfetched block adds at most the score
//! of its best posting. Once `k` pages score higher than any other page can, the other blocks are not needed.

use super::topk::ScoredPage;
use crate::postings::profile::TermProfile;
use crate::sort::sort_by;

/// The score of a page by the postings that are there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PartialScore {
    pub(crate) page: u32,
    pub(crate) score: f64,
    /// The page's length in tokens.
    pub(crate) length: u32,
}

/// The most that a posting of a list scores, for each length of a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LengthBounds(Vec<f64>);

/// Pages of this length or longer share one bound.
const LENGTHS: usize = 64;

impl LengthBounds {
    /// `scores` are those of the list's `profiles`.
    pub(crate) fn new(profiles: &[TermProfile], scores: &[f64]) -> Self {
        let mut bounds = vec![0.0f64; LENGTHS];
        for (profile, &score) in profiles.iter().zip(scores) {
            let bound = &mut bounds[(profile.length as usize).min(LENGTHS - 1)];
            *bound = bound.max(score);
        }
        LengthBounds(bounds)
    }

    fn at(&self, length: u32) -> f64 {
        self.0[(length as usize).min(LENGTHS - 1)]
    }
}

/// A block of a list that is not there yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct UnfetchedBlock {
    /// The list that it belongs to.
    pub(crate) list: usize,
    /// Its place among the list's blocks.
    pub(crate) block: usize,
    /// Its first possible page, and its last page.
    pub(crate) pages: (u32, u32),
    /// The most that one of its postings scores.
    pub(crate) bound: f64,
    /// How many postings the list has.
    pub(crate) count: u32,
}

/// The next step of a search.
#[derive(Debug, PartialEq)]
pub(crate) enum Decision {
    /// These are the best pages.
    Done(Vec<ScoredPage>),
    /// Blocks must be fetched first.
    Fetch {
        /// The places of these blocks among those that were given.
        blocks: Vec<usize>,
        /// The best pages by the postings that are there; none while pages without any may be better.
        likely: Vec<u32>,
    },
}

/// A factor greater than what rounding can add to a sum of scores.
const MARGIN: f64 = 1.0 + 1e-9;
/// A list of so many blocks or fewer is fetched whole, since a further round would cost more.
const FEW_BLOCKS: usize = 3;
/// The threshold is expected to reach at least this share of the rarest list's bound.
const EXPECTED_SHARE: f64 = 0.6;

/// Decides the next step. `pages` are all pages with a posting that is there, `limits` bound the scores of each list by
/// the length of a page, and `most_bonus` is the most that a page without such a posting gains besides its postings;
/// the scores in `pages` include their bonuses.
pub(crate) fn decide(
    pages: &[PartialScore],
    unfetched: &[UnfetchedBlock],
    limits: &[(usize, LengthBounds)],
    most_bonus: f64,
    k: usize,
) -> Decision {
    let mut scores: Vec<f64> = pages.iter().map(|page| page.score).collect();
    sort_by(&mut scores, |a, b| b.total_cmp(a));
    let threshold = if k > 0 && scores.len() >= k { scores[k - 1] } else { 0.0 };
    let lists = incomplete_lists(unfetched);
    let unseen: f64 = lists.iter().map(|list| list.bound).sum::<f64>() + most_bonus;
    if unseen * MARGIN >= threshold && !lists.is_empty() {
        return Decision::Fetch { blocks: whole_lists(unfetched, lists, threshold), likely: Vec::new() };
    }
    let blocks = decisive_blocks(pages, unfetched, limits, threshold);
    let mut best: Vec<ScoredPage> = pages.iter().map(|page| (page.page, page.score)).collect();
    sort_by(&mut best, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(k);
    match blocks.is_empty() {
        true => Decision::Done(best),
        false => Decision::Fetch { blocks, likely: best.into_iter().map(|(page, _)| page).collect() },
    }
}

/// The blocks that may hold a page of `pages` and lift it to the threshold.
fn decisive_blocks(
    pages: &[PartialScore],
    unfetched: &[UnfetchedBlock],
    limits: &[(usize, LengthBounds)],
    threshold: f64,
) -> Vec<usize> {
    let mut needed = vec![false; unfetched.len()];
    for page in pages {
        let may_hold = |block: &&UnfetchedBlock| (block.pages.0..=block.pages.1).contains(&page.page);
        let bound = |block: &UnfetchedBlock| {
            let limit = limits.iter().find(|(list, _)| *list == block.list);
            block.bound.min(limit.map_or(block.bound, |(_, limit)| limit.at(page.length)))
        };
        let most: f64 = page.score + unfetched.iter().filter(may_hold).map(bound).sum::<f64>();
        if most * MARGIN >= threshold {
            unfetched.iter().zip(&mut needed).for_each(|(block, needed)| *needed |= may_hold(&block));
        }
    }
    (0..unfetched.len()).filter(|&block| needed[block]).collect()
}

/// A list with unfetched blocks.
#[derive(Debug, Clone, Copy)]
struct IncompleteList {
    list: usize,
    bound: f64,
    count: u32,
}

fn incomplete_lists(unfetched: &[UnfetchedBlock]) -> Vec<IncompleteList> {
    let mut lists: Vec<IncompleteList> = Vec::new();
    for block in unfetched {
        match lists.iter_mut().find(|known| known.list == block.list) {
            Some(known) => known.bound = known.bound.max(block.bound),
            None => lists.push(IncompleteList { list: block.list, bound: block.bound, count: block.count }),
        }
    }
    lists
}

/// All unfetched blocks of the rarest lists: of as many lists as are needed so that the others can probably not lift a
/// page to the threshold.
fn whole_lists(unfetched: &[UnfetchedBlock], mut lists: Vec<IncompleteList>, threshold: f64) -> Vec<usize> {
    sort_by(&mut lists, |a, b| a.count.cmp(&b.count).then(a.list.cmp(&b.list)));
    let expected = threshold.max(lists.first().map_or(0.0, |list| list.bound * EXPECTED_SHARE));
    let mut left: f64 = lists.iter().map(|list| list.bound).sum();
    let mut fetched = Vec::new();
    for list in &lists {
        let blocks = unfetched.iter().filter(|block| block.list == list.list).count();
        if !fetched.is_empty() && left * MARGIN < expected && blocks > FEW_BLOCKS {
            continue;
        }
        left -= list.bound;
        fetched.extend((0..unfetched.len()).filter(|&block| unfetched[block].list == list.list));
    }
    fetched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(list: usize, block: usize, pages: (u32, u32), bound: f64, count: u32) -> UnfetchedBlock {
        UnfetchedBlock { list, block, pages, bound, count }
    }

    fn scores(postings: &[(u32, f64)]) -> Vec<PartialScore> {
        postings.iter().map(|&(page, score)| PartialScore { page, score, length: 9 }).collect()
    }

    #[test]
    fn nothing_is_fetched_that_can_t_matter() {
        let there = [(1, 5.0), (7, 4.0), (9, 1.0)];
        let blocks = [block(1, 0, (0, 4), 0.5, 900), block(1, 1, (5, 20), 0.5, 900)];
        let first = decide(&scores(&there), &blocks, &[], 0.0, 1);
        assert_eq!(
            first,
            Decision::Fetch { blocks: vec![0], likely: vec![1] },
            "page 1 stays first, its score is open"
        );
        let only_far = [block(1, 1, (10, 20), 0.5, 900)];
        assert_eq!(decide(&scores(&there), &only_far, &[], 0.0, 2), Decision::Done(vec![(1, 5.0), (7, 4.0)]));
        assert_eq!(decide(&scores(&there), &[], &[], 0.0, 2), Decision::Done(vec![(1, 5.0), (7, 4.0)]));
    }

    #[test]
    fn a_long_page_gains_less_than_a_short_one() {
        let there = [(1, 5.0), (7, 4.4), (8, 4.4)];
        let blocks = [block(1, 0, (7, 7), 1.0, 900)];
        let profiles = [3, 9].map(|length| TermProfile { length, ..TermProfile::default() });
        let limit = |score| [(1, LengthBounds::new(&profiles, &[1.0, score]))];
        assert_eq!(decide(&scores(&there), &blocks, &limit(0.5), 0.0, 1), Decision::Done(vec![(1, 5.0)]));
        assert_eq!(
            decide(&scores(&there), &blocks, &limit(0.7), 0.0, 1),
            Decision::Fetch { blocks: vec![0], likely: vec![1] }
        );
    }

    #[test]
    fn whole_lists_come_while_unseen_pages_could_win() {
        let mut blocks =
            vec![block(0, 0, (0, 9), 3.0, 5000), block(1, 0, (0, 9), 1.0, 90_000), block(0, 1, (10, 19), 2.0, 5000)];
        let all = Decision::Fetch { blocks: vec![0, 2, 1], likely: vec![] };
        assert_eq!(decide(&[], &blocks, &[], 0.0, 2), all, "a list of few blocks comes whole");
        blocks.extend((1..5).map(|at| block(1, at, (10 * at as u32, 10 * at as u32 + 9), 1.0, 90_000)));
        let rarer = Decision::Fetch { blocks: vec![0, 2], likely: vec![] };
        assert_eq!(decide(&[], &blocks, &[], 0.0, 2), rarer);
        assert_eq!(decide(&scores(&[(3, 0.5), (4, 0.4)]), &blocks, &[], 0.0, 2), rarer);
    }

    #[test]
    fn packs_words_may_lift_a_page_that_has_no_posting_yet() {
        let there = scores(&[(1, 5.0), (7, 4.0)]);
        let far = [block(1, 0, (10, 20), 0.5, 900)];
        assert_eq!(decide(&there, &far, &[], 4.4, 1), Decision::Done(vec![(1, 5.0)]));
        assert_eq!(decide(&there, &far, &[], 4.6, 1), Decision::Fetch { blocks: vec![0], likely: vec![] });
    }
}
