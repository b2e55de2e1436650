//! The best pages of a query without looking at all: MaxScore (Turtle and Flood, 1995) with the bounds of blocks
//! (Ding and Suel, 2011).
//!
//! Lists are ordered by the most that one posting of theirs can score. While the lists at the lower end together can't
//! lift a page over the worst that is kept, pages that stand only there are never looked at; the others' blocks are
//! skipped while their bounds together can't. What packs' words may add counts in these bounds for their own pages only:
//! behind them, lists that were looked at for their sake are left out again. The result is that of scoring every page:
//! sums are made in the order of the query's terms, and bounds have a margin for rounding.

use std::ops::Range;
use std::rc::Rc;

use crate::postings::profile::Shape;
use crate::postings::run::{BLOCK, Run};
use crate::query::packs::Told;

/// A page with its score.
pub(crate) type Scored = (u32, f64);

/// More than what rounding can add to a sum of scores.
const MARGIN: f64 = 1.0 + 1e-9;

/// A term's postings with what each shape scores.
pub(crate) struct ScoredList {
    /// Its place in the query.
    pub(crate) order: usize,
    pub(crate) runs: Vec<Rc<Run>>,
    /// The shapes by number, and the score of each.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) scores: Vec<f64>,
    /// Whether the best shapes that blocks note are the best by these scores.
    pub(crate) bounds_hold: bool,
}

/// A posting of a page: the place of its list among those searched, and its shape's number.
pub(crate) type Part = (usize, u32);

/// Everything that a page's score is made of.
pub(crate) struct Scorer<'s> {
    /// The lists, in the order of the query's terms.
    pub(crate) lists: &'s [ScoredList],
    /// What packs say, in that order.
    pub(crate) told: &'s [Told],
}

impl Scorer<'_> {
    /// A page's score from its postings, which are in the order of their lists. Sums are always made in this order.
    pub(crate) fn total(&self, page: u32, parts: &[Part]) -> f64 {
        let own: f64 = parts.iter().map(|&(list, shape)| self.lists[list].score(shape)).sum();
        if self.told.is_empty() {
            return own;
        }
        let shape_of = |&(list, shape): &Part| self.lists[list].shapes.get(shape as usize).copied().unwrap_or_default();
        let length = parts.first().map_or(0, |part| shape_of(part).length);
        let gain = |told: &Told| {
            let part = parts.iter().find(|(list, _)| self.lists[*list].order == told.order);
            told.gain_in_search(page, &part.map_or(Shape { length, ..Shape::default() }, shape_of))
        };
        own + self.told.iter().map(gain).sum::<f64>()
    }

    /// The most that packs' words add to any page.
    pub(crate) fn most_told(&self) -> f64 {
        self.told.iter().map(Told::most).sum()
    }
}

impl ScoredList {
    /// What a posting of a shape scores.
    #[inline]
    pub(crate) fn score(&self, shape: u32) -> f64 {
        self.scores.get(shape as usize).copied().unwrap_or(0.0)
    }

    /// The most that any shape scores.
    fn most(&self) -> f64 {
        self.scores.iter().fold(0.0, |most, &score| score.max(most))
    }
}

/// A block of a run.
struct Segment {
    run: u32,
    /// Its first posting in the run.
    start: u32,
    last: u32,
    bound: f64,
}

/// A place in a list.
struct Cursor<'l> {
    list: &'l ScoredList,
    /// The list's place among those searched.
    number: usize,
    segments: Vec<Segment>,
    bound: f64,
    /// The segment, its postings, and the place in them.
    at: usize,
    pages: &'l [u32],
    shapes: &'l [u16],
    place: usize,
    /// The segment that was asked about last.
    looked_at: usize,
    page: u32,
}

/// What stands for a page behind the last.
const END: u32 = u32::MAX;

impl<'l> Cursor<'l> {
    fn new((number, list): (usize, &'l ScoredList)) -> Self {
        let most = list.most();
        let bound_of = |shape: u16| if list.bounds_hold { list.score(u32::from(shape)) } else { most };
        let mut segments = Vec::with_capacity(list.runs.iter().map(|run| run.blocks.len()).sum());
        for (number, run) in list.runs.iter().enumerate() {
            for (block, &(last, best)) in run.blocks.iter().enumerate() {
                let (run, start) = (number as u32, (block * BLOCK) as u32);
                segments.push(Segment { run, start, last, bound: bound_of(best) });
            }
        }
        let bound = segments.iter().fold(0.0, |most: f64, segment| most.max(segment.bound));
        let mut cursor =
            Cursor { list, number, segments, bound, at: 0, pages: &[], shapes: &[], place: 0, looked_at: 0, page: END };
        cursor.load(0);
        cursor
    }

    /// Stands at the beginning of a segment.
    fn load(&mut self, segment: usize) {
        (self.at, self.place) = (segment, 0);
        let Some(known) = self.segments.get(segment) else {
            (self.pages, self.shapes, self.page) = (&[], &[], END);
            return;
        };
        let run = &self.list.runs[known.run as usize];
        let start = known.start as usize;
        let end = (start + BLOCK).min(run.pages.len());
        (self.pages, self.shapes) = (&run.pages[start..end], &run.shapes[start..end]);
        self.page = self.pages[0];
    }

    #[inline]
    fn next(&mut self) {
        self.place += 1;
        match self.pages.get(self.place) {
            Some(&page) => self.page = page,
            None => self.load(self.at + 1),
        }
    }

    /// Goes on to the first page that is not before `page`.
    fn seek(&mut self, page: u32) {
        if self.page >= page {
            return;
        }
        if self.segments[self.at].last < page {
            let after = self.at + 1;
            let skipped = self.segments[after..].partition_point(|segment| segment.last < page);
            self.load(after + skipped);
            if self.page >= page {
                return;
            }
        }
        self.place += self.pages[self.place..].partition_point(|&there| there < page);
        self.page = self.pages[self.place];
    }

    /// The bound and the last page of the segment that would hold `page`. Pages asked about rise.
    fn look(&mut self, page: u32) -> (f64, u32) {
        self.looked_at = self.looked_at.max(self.at);
        while self.segments.get(self.looked_at).is_some_and(|segment| segment.last < page) {
            self.looked_at += 1;
        }
        self.segments.get(self.looked_at).map_or((0.0, END), |segment| (segment.bound, segment.last))
    }

    fn shape(&self) -> u32 {
        u32::from(self.shapes[self.place])
    }
}

/// The pages kept so far, best first.
struct Best {
    most: usize,
    pages: Vec<Scored>,
}

impl Best {
    /// What a page must exceed to be kept. Pages come by rising number, and of equals the first is kept.
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

/// The `k` best of the pages that `accept` takes, best first, of equals the lower number first.
pub(crate) fn best(scorer: &Scorer<'_>, k: usize, accept: &dyn Fn(u32) -> bool) -> Vec<Scored> {
    let mut cursors: Vec<Cursor<'_>> = scorer.lists.iter().enumerate().map(Cursor::new).collect();
    if k == 0 || cursors.is_empty() {
        return Vec::new();
    }
    crate::sort_by(&mut cursors, |a, b| a.bound.total_cmp(&b.bound));
    let mut search = Search::new(scorer, cursors, k);
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
    search.best.pages
}

/// Pages of which the same packs' words speak.
#[derive(Debug, Clone, Copy)]
struct Region {
    /// The last of them; [`END`] for those behind all packs that say something.
    last: u32,
    /// What packs' words add at most to one of them.
    most_told: f64,
}

/// What one word of packs adds, and the place among their pages.
struct Telling<'l> {
    pages: &'l [Range<u32>],
    most: f64,
    at: usize,
}

impl Telling<'_> {
    /// What it adds at most to `page`, and up to which page that stays so. Pages asked about rise.
    fn look(&mut self, page: u32) -> Region {
        while self.pages.get(self.at).is_some_and(|pages| pages.end <= page) {
            self.at += 1;
        }
        match self.pages.get(self.at) {
            None => Region { last: END, most_told: 0.0 },
            Some(pages) if pages.start > page => Region { last: pages.start - 1, most_told: 0.0 },
            Some(pages) => Region { last: pages.end - 1, most_told: self.most },
        }
    }
}

/// The region that begins at `page`. Pages asked about rise.
fn region_at(page: u32, telling: &mut [Telling<'_>]) -> Region {
    let mut region = Region { last: END, most_told: 0.0 };
    for telling in telling {
        let own = telling.look(page);
        region = Region { last: region.last.min(own.last), most_told: region.most_told + own.most_told };
    }
    region
}

/// A search under way.
struct Search<'l> {
    scorer: &'l Scorer<'l>,
    cursors: Vec<Cursor<'l>>,
    telling: Vec<Telling<'l>>,
    /// The pages that are looked at now.
    region: Region,
    /// The bounds of the lists up to each, summed.
    sums: Vec<f64>,
    /// The first list whose pages are looked at for their own sake.
    essential: usize,
    best: Best,
    /// Up to this page the essential lists' segments and the region stay the same; what all lists can score together.
    window: (u32, f64),
    window_known: bool,
    parts: Vec<Part>,
}

impl<'l> Search<'l> {
    fn new(scorer: &'l Scorer<'l>, cursors: Vec<Cursor<'l>>, k: usize) -> Self {
        let mut sum = 0.0;
        let sums = cursors.iter().map(|cursor| {
            sum += cursor.bound;
            sum
        });
        let sums = sums.collect();
        let telling = |told: &'l Told| Telling { pages: told.pages(), most: told.most(), at: 0 };
        let mut telling: Vec<Telling<'l>> = scorer.told.iter().map(telling).collect();
        Search {
            scorer,
            cursors,
            region: region_at(0, &mut telling),
            telling,
            sums,
            essential: 0,
            best: Best { most: k, pages: Vec::new() },
            window: (0, 0.0),
            window_known: false,
            parts: Vec::new(),
        }
    }

    /// Goes on to the pages behind the region. There other lists may be looked at for their own sake.
    fn next_region(&mut self) {
        let first = self.region.last.saturating_add(1);
        self.region = region_at(first, &mut self.telling);
        self.essential = self.sums.partition_point(|&sum| self.lifts_none(sum));
        self.window_known = false;
        self.cursors[self.essential..].iter_mut().for_each(|cursor| cursor.seek(first));
    }

    /// The next page of the lists that are looked at for their own sake; [`END`] where there is none.
    fn next_page(&self) -> u32 {
        self.cursors[self.essential..].iter().map(|cursor| cursor.page).min().unwrap_or(END)
    }

    /// Whether lists that can score so much together lift no page of the region high enough.
    fn lifts_none(&self, sum: f64) -> bool {
        self.full() && (sum + self.region.most_told) * MARGIN <= self.best.threshold()
    }

    fn full(&self) -> bool {
        self.best.pages.len() == self.best.most
    }

    /// What the lists before `list` can score together.
    fn sum_before(&self, list: usize) -> f64 {
        self.region.most_told + if list == 0 { 0.0 } else { self.sums[list - 1] }
    }

    /// Leaps over the window that begins at `page`, where nothing in it can be kept.
    fn skip_window(&mut self, page: u32) -> bool {
        if !self.full() {
            return false;
        }
        if !self.window_known || page > self.window.0 {
            let mut window = (self.region.last, self.sum_before(self.essential));
            for cursor in &mut self.cursors[self.essential..] {
                let (bound, last) = cursor.look(page);
                window = (window.0.min(last), window.1 + bound);
            }
            (self.window, self.window_known) = (window, true);
        }
        if self.window.1 * MARGIN > self.best.threshold() {
            return false;
        }
        let target = self.window.0.saturating_add(1);
        self.cursors[self.essential..].iter_mut().for_each(|cursor| cursor.seek(target));
        true
    }

    /// Goes past `page`.
    fn pass(&mut self, page: u32) {
        for cursor in &mut self.cursors[self.essential..] {
            if cursor.page == page {
                cursor.next();
            }
        }
    }

    /// Scores `page` and goes past it.
    fn score(&mut self, page: u32) {
        self.parts.clear();
        let mut score = 0.0;
        for cursor in &mut self.cursors[self.essential..] {
            if cursor.page == page {
                self.parts.push((cursor.number, cursor.shape()));
                score += cursor.list.score(cursor.shape());
                cursor.next();
            }
        }
        let threshold = self.best.threshold();
        for list in (0..self.essential).rev() {
            if (score + self.sums[list] + self.region.most_told) * MARGIN <= threshold {
                return;
            }
            let before = self.sum_before(list);
            let cursor = &mut self.cursors[list];
            if (score + before + cursor.look(page).0) * MARGIN <= threshold {
                return;
            }
            cursor.seek(page);
            if cursor.page == page {
                self.parts.push((cursor.number, cursor.shape()));
                score += cursor.list.score(cursor.shape());
            }
        }
        if self.lifts_none(score) {
            return;
        }
        self.parts.sort_unstable();
        self.best.offer(page, self.scorer.total(page, &self.parts));
        self.leave_out_lists();
    }

    /// Stops looking at lists for their own sake that can't lift a page of the region high enough any more.
    fn leave_out_lists(&mut self) {
        while self.sums.get(self.essential).is_some_and(|&sum| self.lifts_none(sum)) {
            self.essential += 1;
            self.window_known = false;
        }
    }
}
