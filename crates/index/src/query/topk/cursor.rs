//! A cursor: a position in a scored list, which advances page by page or skips intervals.

use super::list::ScoredList;
use crate::postings::run::SKIP_INTERVAL;

/// An interval of postings that can be skipped.
struct Segment {
    /// The run that it belongs to.
    run: u32,
    /// Its first posting in the run.
    start: u32,
    /// Its last page.
    last: u32,
    /// The most that one of its postings scores.
    bound: f64,
}

/// A position in a list.
pub(super) struct Cursor<'l> {
    pub(super) list: &'l ScoredList,
    /// The list's place among those searched.
    pub(super) number: usize,
    segments: Vec<Segment>,
    /// The most that a posting of the list scores.
    pub(super) bound: f64,
    /// The current segment.
    at: usize,
    /// Its pages and their profiles.
    pages: &'l [u32],
    profiles: &'l [u16],
    /// The position in the segment.
    place: usize,
    /// The segment that was looked at last.
    looked_at: usize,
    /// The current page; [`END`] after the last.
    pub(super) page: u32,
}

/// A number after all pages.
pub(super) const END: u32 = u32::MAX;

impl<'l> Cursor<'l> {
    /// A cursor at the first posting of a list.
    pub(super) fn new((number, list): (usize, &'l ScoredList)) -> Self {
        let most = list.most();
        let bound_of = |profile: u16| if list.bounds_hold { list.score(u32::from(profile)) } else { most };
        let mut segments = Vec::with_capacity(list.runs.iter().map(|run| run.skips.len()).sum());
        for (number, run) in list.runs.iter().enumerate() {
            for (interval, &(last, best)) in run.skips.iter().enumerate() {
                let (run, start) = (number as u32, (interval * SKIP_INTERVAL) as u32);
                segments.push(Segment { run, start, last, bound: bound_of(best) });
            }
        }
        let bound = segments.iter().fold(0.0, |most: f64, segment| most.max(segment.bound));
        let (pages, profiles): (&[u32], &[u16]) = (&[], &[]);
        let mut cursor =
            Cursor { list, number, segments, bound, at: 0, pages, profiles, place: 0, looked_at: 0, page: END };
        cursor.load(0);
        cursor
    }

    /// Moves to the beginning of a segment.
    fn load(&mut self, segment: usize) {
        (self.at, self.place) = (segment, 0);
        let Some(known) = self.segments.get(segment) else {
            (self.pages, self.profiles, self.page) = (&[], &[], END);
            return;
        };
        let run = &self.list.runs[known.run as usize];
        let start = known.start as usize;
        let end = (start + SKIP_INTERVAL).min(run.pages.len());
        (self.pages, self.profiles) = (&run.pages[start..end], &run.profiles[start..end]);
        self.page = self.pages[0];
    }

    /// Advances to the next page.
    #[inline]
    pub(super) fn next(&mut self) {
        self.place += 1;
        match self.pages.get(self.place) {
            Some(&page) => self.page = page,
            None => self.load(self.at + 1),
        }
    }

    /// Advances to the first page that is not before `page`.
    pub(super) fn seek(&mut self, page: u32) {
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

    /// The bound and the last page of the segment that would hold `page`, without moving. From call to call `page`
    /// rises.
    pub(super) fn look(&mut self, page: u32) -> (f64, u32) {
        self.looked_at = self.looked_at.max(self.at);
        while self.segments.get(self.looked_at).is_some_and(|segment| segment.last < page) {
            self.looked_at += 1;
        }
        self.segments.get(self.looked_at).map_or((0.0, END), |segment| (segment.bound, segment.last))
    }

    /// The profile of the current posting.
    pub(super) fn profile(&self) -> u32 {
        u32::from(self.profiles[self.place])
    }
}
