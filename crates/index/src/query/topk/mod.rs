//! The best pages of a query without scoring all: MaxScore (Turtle and Flood, 1995) with bounds of intervals (Ding and
//! Suel, 2011).
//!
//! Lists are ordered by the most that one of their postings can score. While the lists at the lower end together can't
//! lift a page over the worst that is kept, pages that only they hold are not looked at; intervals of the other lists
//! are skipped while their bounds together can't lift one either. A [`Bonus`] counts in these bounds for its own pages
//! only: after these pages, lists that were looked at because of the bonus are left out again. The result equals that
//! of scoring every page: sums are made in the order of the query's terms, and bounds have a margin for rounding.

use crate::ids::PageNo;
use crate::postings::profile::TermProfile;
pub(crate) use bonus::{Bonus, BonusScore};
use bonus::{BonusPages, Region, region_at};
use cursor::{Cursor, END};
pub(crate) use list::{ListPosting, ScoredList};

mod bonus;
mod cursor;
mod list;

/// A page with its score.
pub(crate) type ScoredPage = (u32, f64);

/// A factor greater than what rounding can add to a sum of scores.
const MARGIN: f64 = 1.0 + 1e-9;

/// All components of a page's score.
pub(crate) struct Scorer<'s> {
    /// The lists, in the order of the query's terms.
    pub(crate) lists: &'s [ScoredList],
    /// The bonuses, in that order.
    pub(crate) bonuses: &'s [Bonus<'s>],
}

impl Scorer<'_> {
    /// A page's score from its postings, which are in the order of their lists. Sums are always made in this order.
    pub(crate) fn total(&self, page: u32, postings: &[ListPosting]) -> f64 {
        let own: f64 = postings.iter().map(|&(list, profile)| self.lists[list].score(profile)).sum();
        if self.bonuses.is_empty() {
            return own;
        }
        let profile_of = |&(list, profile): &ListPosting| {
            self.lists[list].profiles.get(profile as usize).copied().unwrap_or_default()
        };
        let length = postings.first().map_or(0, |posting| profile_of(posting).length);
        let added = |bonus: &Bonus<'_>| {
            let posting = postings.iter().find(|(list, _)| self.lists[*list].order == bonus.order);
            bonus.score.added_to(PageNo(page), &posting.map_or(TermProfile::absent(length), profile_of))
        };
        own + self.bonuses.iter().map(added).sum::<f64>()
    }

    /// The most that all bonuses add to any page.
    pub(crate) fn most_bonus(&self) -> f64 {
        self.bonuses.iter().map(|bonus| bonus.most).sum()
    }
}

/// The best pages so far, best first.
struct TopPages {
    most: usize,
    pages: Vec<ScoredPage>,
}

impl TopPages {
    /// The score that a page must exceed to be kept. Pages come by rising number, and of equal ones the first is kept.
    fn threshold(&self) -> f64 {
        if self.pages.len() < self.most { 0.0 } else { self.pages[self.most - 1].1 }
    }

    fn offer(&mut self, page: u32, score: f64) {
        if self.pages.len() == self.most && score <= self.threshold() {
            return;
        }
        let place = self.pages.partition_point(|&(_, kept)| kept >= score);
        self.pages.insert(place, (page, score));
        self.pages.truncate(self.most);
    }
}

/// The `k` best of the pages that `accept` takes: best first, and of equal ones the lower number first.
pub(crate) fn top(scorer: &Scorer<'_>, k: usize, accept: &dyn Fn(u32) -> bool) -> Vec<ScoredPage> {
    let mut cursors: Vec<Cursor<'_>> = scorer.lists.iter().enumerate().map(Cursor::new).collect();
    if k == 0 || cursors.is_empty() {
        return Vec::new();
    }
    crate::sort_by(&mut cursors, |a, b| a.bound.total_cmp(&b.bound));
    let mut search = MaxScore::new(scorer, cursors, k);
    loop {
        let page = search.next_page();
        if page > search.region.last {
            search.next_region();
            continue;
        }
        if page == END {
            break;
        }
        if search.skip_window(page) {
            continue;
        }
        if accept(page) {
            search.score(page);
        } else {
            search.pass(page);
        }
    }
    search.top.pages
}

/// The state of a MaxScore search.
struct MaxScore<'l> {
    scorer: &'l Scorer<'l>,
    cursors: Vec<Cursor<'l>>,
    bonuses: Vec<BonusPages<'l>>,
    /// The region of the current page.
    region: Region,
    /// For each list the sum of the bounds up to it.
    sums: Vec<f64>,
    /// The first essential list: one whose pages are looked at even if no other list holds them.
    essential: usize,
    top: TopPages,
    /// The last page up to which the essential lists' segments and the region stay the same, and the most that a page
    /// up to there can score.
    window: (u32, f64),
    is_window_known: bool,
    /// The postings of the current page.
    postings: Vec<ListPosting>,
}

impl<'l> MaxScore<'l> {
    fn new(scorer: &'l Scorer<'l>, cursors: Vec<Cursor<'l>>, k: usize) -> Self {
        let mut sum = 0.0;
        let sums = cursors.iter().map(|cursor| {
            sum += cursor.bound;
            sum
        });
        let sums = sums.collect();
        let mut bonuses: Vec<BonusPages<'l>> = scorer.bonuses.iter().map(BonusPages::new).collect();
        MaxScore {
            scorer,
            cursors,
            region: region_at(0, &mut bonuses),
            bonuses,
            sums,
            essential: 0,
            top: TopPages { most: k, pages: Vec::new() },
            window: (0, 0.0),
            is_window_known: false,
            postings: Vec::new(),
        }
    }

    /// Advances to the pages after the region, where other lists may be essential.
    fn next_region(&mut self) {
        let first = self.region.last.saturating_add(1);
        self.region = region_at(first, &mut self.bonuses);
        self.essential = self.sums.partition_point(|&sum| self.lifts_none(sum));
        self.is_window_known = false;
        self.cursors[self.essential..].iter_mut().for_each(|cursor| cursor.seek(first));
    }

    /// The next page of the essential lists; [`END`] where there is none.
    fn next_page(&self) -> u32 {
        self.cursors[self.essential..].iter().map(|cursor| cursor.page).min().unwrap_or(END)
    }

    /// Whether a page of the region with this sum of bounds can't be kept.
    fn lifts_none(&self, sum: f64) -> bool {
        self.full() && (sum + self.region.most_bonus) * MARGIN <= self.top.threshold()
    }

    fn full(&self) -> bool {
        self.top.pages.len() == self.top.most
    }

    /// The most that the lists before `list` and the bonuses can score together.
    fn sum_before(&self, list: usize) -> f64 {
        self.region.most_bonus + if list == 0 { 0.0 } else { self.sums[list - 1] }
    }

    /// Skips the window that begins at `page` if none of its pages can be kept.
    fn skip_window(&mut self, page: u32) -> bool {
        if !self.full() {
            return false;
        }
        if !self.is_window_known || page > self.window.0 {
            let mut window = (self.region.last, self.sum_before(self.essential));
            for cursor in &mut self.cursors[self.essential..] {
                let (bound, last) = cursor.look(page);
                window = (window.0.min(last), window.1 + bound);
            }
            (self.window, self.is_window_known) = (window, true);
        }
        if self.window.1 * MARGIN > self.top.threshold() {
            return false;
        }
        let target = self.window.0.saturating_add(1);
        self.cursors[self.essential..].iter_mut().for_each(|cursor| cursor.seek(target));
        true
    }

    /// Advances past `page`.
    fn pass(&mut self, page: u32) {
        for cursor in &mut self.cursors[self.essential..] {
            if cursor.page == page {
                cursor.next();
            }
        }
    }

    /// Scores `page` and advances past it.
    fn score(&mut self, page: u32) {
        self.postings.clear();
        let mut score = 0.0;
        for cursor in &mut self.cursors[self.essential..] {
            if cursor.page == page {
                self.postings.push((cursor.number, cursor.profile()));
                score += cursor.list.score(cursor.profile());
                cursor.next();
            }
        }
        let threshold = self.top.threshold();
        for list in (0..self.essential).rev() {
            if (score + self.sums[list] + self.region.most_bonus) * MARGIN <= threshold {
                return;
            }
            let before = self.sum_before(list);
            let cursor = &mut self.cursors[list];
            if (score + before + cursor.look(page).0) * MARGIN <= threshold {
                return;
            }
            cursor.seek(page);
            if cursor.page == page {
                self.postings.push((cursor.number, cursor.profile()));
                score += cursor.list.score(cursor.profile());
            }
        }
        if self.lifts_none(score) {
            return;
        }
        self.postings.sort_unstable();
        self.top.offer(page, self.scorer.total(page, &self.postings));
        self.leave_out_lists();
    }

    /// Leaves out essential lists that can't lift a page of the region high enough any more.
    fn leave_out_lists(&mut self) {
        while self.sums.get(self.essential).is_some_and(|&sum| self.lifts_none(sum)) {
            self.essential += 1;
            self.is_window_known = false;
        }
    }
}
