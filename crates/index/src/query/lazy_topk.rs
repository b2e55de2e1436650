//! The best pages while parts of long lists are still missing: what must be fetched, and when nothing more must.
//!
//! The postings that are there give each page a score that it has at least; a missing part adds at most its best
//! posting. Once `k` pages score higher than any other could, the rest need never come.

use crate::postings::profile::Shape;
use crate::query::topk::Scored;

/// A page as far as its postings are there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Known {
    pub(crate) page: u32,
    /// Its score from these.
    pub(crate) score: f64,
    /// Its length in tokens.
    pub(crate) length: u32,
}

/// The most that a list's posting scores on a page of each length.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LengthBounds(Vec<f64>);

/// Longer pages share one bound.
const LENGTHS: usize = 64;

impl LengthBounds {
    /// `scores` are those of the list's `shapes`.
    pub(crate) fn new(shapes: &[Shape], scores: &[f64]) -> Self {
        let mut bounds = vec![0.0f64; LENGTHS];
        for (shape, &score) in shapes.iter().zip(scores) {
            let bound = &mut bounds[(shape.length as usize).min(LENGTHS - 1)];
            *bound = bound.max(score);
        }
        LengthBounds(bounds)
    }

    fn at(&self, length: u32) -> f64 {
        self.0[(length as usize).min(LENGTHS - 1)]
    }
}

/// A part of a list that is not there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gap {
    /// Its list.
    pub(crate) list: usize,
    /// Its place among the list's parts.
    pub(crate) part: usize,
    /// Its first and last page, at the outside.
    pub(crate) pages: (u32, u32),
    /// The most that one of its postings scores.
    pub(crate) bound: f64,
    /// Postings in the list.
    pub(crate) count: u32,
}

/// What to do next.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// These are the best.
    Done(Vec<Scored>),
    /// Something is to be fetched first.
    Fetch {
        /// These gaps, by number.
        gaps: Vec<usize>,
        /// The pages that are the best as far as can be seen; none while that is not far.
        likely: Vec<u32>,
    },
}

/// A bound that rounding can't break.
const MARGIN: f64 = 1.0 + 1e-9;
/// Lists of no more parts come whole: a round costs more than they do.
const FEW: usize = 3;
/// A list's best is expected to lift the threshold at least to this share of it.
const EXPECTED: f64 = 0.6;

/// Judges what is there. `pages` are those with a posting that came; `limits` bound the lists' scores by page length;
/// `most_told` is what a page may gain besides; those with a posting that came have it in their score.
pub(crate) fn judge(pages: &[Known], gaps: &[Gap], limits: &[(usize, LengthBounds)], most_told: f64, k: usize) -> Next {
    let mut scores: Vec<f64> = pages.iter().map(|page| page.score).collect();
    crate::sort_by(&mut scores, |a, b| b.total_cmp(a));
    let threshold = if k > 0 && scores.len() >= k { scores[k - 1] } else { 0.0 };
    let lists = open_lists(gaps);
    let unseen: f64 = lists.iter().map(|list| list.bound).sum::<f64>() + most_told;
    if unseen * MARGIN >= threshold && !lists.is_empty() {
        return Next::Fetch { gaps: whole_lists(gaps, lists, threshold), likely: Vec::new() };
    }
    let fetch = gaps_that_matter(pages, gaps, limits, threshold);
    let mut best: Vec<Scored> = pages.iter().map(|page| (page.page, page.score)).collect();
    crate::sort_by(&mut best, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(k);
    match fetch.is_empty() {
        true => Next::Done(best),
        false => Next::Fetch { gaps: fetch, likely: best.into_iter().map(|(page, _)| page).collect() },
    }
}

/// The gaps in which a page may stand that they could lift to the threshold.
fn gaps_that_matter(pages: &[Known], gaps: &[Gap], limits: &[(usize, LengthBounds)], threshold: f64) -> Vec<usize> {
    let mut needed = vec![false; gaps.len()];
    for page in pages {
        let covers = |gap: &&Gap| (gap.pages.0..=gap.pages.1).contains(&page.page);
        let bound = |gap: &Gap| {
            let limit =
                limits.iter().find(|(list, _)| *list == gap.list).map_or(gap.bound, |(_, limit)| limit.at(page.length));
            gap.bound.min(limit)
        };
        let most: f64 = page.score + gaps.iter().filter(covers).map(bound).sum::<f64>();
        if most * MARGIN >= threshold {
            gaps.iter().zip(&mut needed).for_each(|(gap, needed)| *needed |= covers(&gap));
        }
    }
    (0..gaps.len()).filter(|&gap| needed[gap]).collect()
}

/// A list with gaps.
#[derive(Debug, Clone, Copy)]
struct OpenList {
    list: usize,
    bound: f64,
    count: u32,
}

fn open_lists(gaps: &[Gap]) -> Vec<OpenList> {
    let mut lists: Vec<OpenList> = Vec::new();
    for gap in gaps {
        match lists.iter_mut().find(|open| open.list == gap.list) {
            Some(open) => open.bound = open.bound.max(gap.bound),
            None => lists.push(OpenList { list: gap.list, bound: gap.bound, count: gap.count }),
        }
    }
    lists
}

/// All gaps of the rarest lists, until those left can't matter any more, as far as can be foreseen.
fn whole_lists(gaps: &[Gap], mut lists: Vec<OpenList>, threshold: f64) -> Vec<usize> {
    crate::sort_by(&mut lists, |a, b| a.count.cmp(&b.count).then(a.list.cmp(&b.list)));
    let expected = threshold.max(lists.first().map_or(0.0, |list| list.bound * EXPECTED));
    let mut left: f64 = lists.iter().map(|list| list.bound).sum();
    let mut fetched = Vec::new();
    for list in &lists {
        let parts = gaps.iter().filter(|gap| gap.list == list.list).count();
        if !fetched.is_empty() && left * MARGIN < expected && parts > FEW {
            continue;
        }
        left -= list.bound;
        fetched.extend((0..gaps.len()).filter(|&gap| gaps[gap].list == list.list));
    }
    fetched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(list: usize, part: usize, pages: (u32, u32), bound: f64, count: u32) -> Gap {
        Gap { list, part, pages, bound, count }
    }

    fn known(postings: &[(u32, f64)]) -> Vec<Known> {
        postings.iter().map(|&(page, score)| Known { page, score, length: 9 }).collect()
    }

    #[test]
    fn nothing_is_fetched_that_can_t_matter() {
        let there = [(1, 5.0), (7, 4.0), (9, 1.0)];
        let gaps = [gap(1, 0, (0, 4), 0.5, 900), gap(1, 1, (5, 20), 0.5, 900)];
        let first = judge(&known(&there), &gaps, &[], 0.0, 1);
        assert_eq!(first, Next::Fetch { gaps: vec![0], likely: vec![1] }, "page 1 stays first, its score is open");
        let only_far = [gap(1, 1, (10, 20), 0.5, 900)];
        assert_eq!(judge(&known(&there), &only_far, &[], 0.0, 2), Next::Done(vec![(1, 5.0), (7, 4.0)]));
        assert_eq!(judge(&known(&there), &[], &[], 0.0, 2), Next::Done(vec![(1, 5.0), (7, 4.0)]));
    }

    #[test]
    fn a_long_page_gains_less_than_a_short_one() {
        let there = [(1, 5.0), (7, 4.4), (8, 4.4)];
        let gaps = [gap(1, 0, (7, 7), 1.0, 900)];
        let shapes = [3, 9].map(|length| Shape { length, ..Shape::default() });
        let limit = |score| [(1, LengthBounds::new(&shapes, &[1.0, score]))];
        assert_eq!(judge(&known(&there), &gaps, &limit(0.5), 0.0, 1), Next::Done(vec![(1, 5.0)]));
        assert_eq!(judge(&known(&there), &gaps, &limit(0.7), 0.0, 1), Next::Fetch { gaps: vec![0], likely: vec![1] });
    }

    #[test]
    fn whole_lists_come_while_unseen_pages_could_win() {
        let mut gaps =
            vec![gap(0, 0, (0, 9), 3.0, 5000), gap(1, 0, (0, 9), 1.0, 90_000), gap(0, 1, (10, 19), 2.0, 5000)];
        let all = Next::Fetch { gaps: vec![0, 2, 1], likely: vec![] };
        assert_eq!(judge(&[], &gaps, &[], 0.0, 2), all, "a list of few parts comes whole");
        gaps.extend((1..5).map(|part| gap(1, part, (10 * part as u32, 10 * part as u32 + 9), 1.0, 90_000)));
        let rarer = Next::Fetch { gaps: vec![0, 2], likely: vec![] };
        assert_eq!(judge(&[], &gaps, &[], 0.0, 2), rarer);
        assert_eq!(judge(&known(&[(3, 0.5), (4, 0.4)]), &gaps, &[], 0.0, 2), rarer);
    }

    #[test]
    fn packs_words_may_lift_a_page_that_has_no_posting_yet() {
        let there = known(&[(1, 5.0), (7, 4.0)]);
        let far = [gap(1, 0, (10, 20), 0.5, 900)];
        assert_eq!(judge(&there, &far, &[], 4.4, 1), Next::Done(vec![(1, 5.0)]));
        assert_eq!(judge(&there, &far, &[], 4.6, 1), Next::Fetch { gaps: vec![0], likely: vec![] });
    }
}
