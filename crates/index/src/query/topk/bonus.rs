//! Bonuses: what is added to the scores of certain pages besides their postings, and the bounds that follow from it.

use std::ops::Range;

use super::cursor::END;
use crate::ids::PageNo;
use crate::postings::profile::TermProfile;

/// A bonus on the scores of certain pages.
pub(crate) struct Bonus<'s> {
    /// The place of the bonus's term in the query.
    pub(crate) order: usize,
    /// The pages that get it, by rising number, no page twice.
    pub(crate) pages: &'s [Range<u32>],
    /// The most that it adds to any page.
    pub(crate) most: f64,
    /// What it adds to a page.
    pub(crate) score: &'s dyn BonusScore,
}

/// What a bonus adds to each page.
pub(crate) trait BonusScore {
    /// What is added to the score of `page`, where the term has that profile; 0 for a page that does not get the bonus.
    fn added_to(&self, page: PageNo, profile: &TermProfile) -> f64;
}

/// A range of pages that get the same bonuses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region {
    /// Its last page; [`END`] after all pages that get a bonus.
    pub(super) last: u32,
    /// The most that the bonuses add to one of its pages.
    pub(super) most_bonus: f64,
}

/// The pages of a bonus, and the position among them.
pub(super) struct BonusPages<'l> {
    pages: &'l [Range<u32>],
    most: f64,
    at: usize,
}

impl<'l> BonusPages<'l> {
    pub(super) fn new(bonus: &Bonus<'l>) -> Self {
        BonusPages { pages: bonus.pages, most: bonus.most, at: 0 }
    }

    /// The range of pages from `page` on that all get the bonus, or all do not. From call to call `page` rises.
    fn look(&mut self, page: u32) -> Region {
        while self.pages.get(self.at).is_some_and(|pages| pages.end <= page) {
            self.at += 1;
        }
        match self.pages.get(self.at) {
            None => Region { last: END, most_bonus: 0.0 },
            Some(pages) if pages.start > page => Region { last: pages.start - 1, most_bonus: 0.0 },
            Some(pages) => Region { last: pages.end - 1, most_bonus: self.most },
        }
    }
}

/// The region that begins at `page`. From call to call `page` rises.
pub(super) fn region_at(page: u32, bonuses: &mut [BonusPages<'_>]) -> Region {
    let mut region = Region { last: END, most_bonus: 0.0 };
    for bonus in bonuses {
        let own = bonus.look(page);
        region = Region { last: region.last.min(own.last), most_bonus: region.most_bonus + own.most_bonus };
    }
    region
}
