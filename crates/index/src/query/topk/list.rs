//! A postings list with the score of each profile.

use std::rc::Rc;

use crate::postings::profile::TermProfile;
use crate::postings::run::Run;

/// A term's postings, with the score of each profile.
pub(crate) struct ScoredList {
    /// The term's place in the query.
    pub(crate) order: usize,
    /// The postings.
    pub(crate) runs: Vec<Rc<Run>>,
    /// The profiles, by number.
    pub(crate) profiles: Vec<TermProfile>,
    /// The score of each profile.
    pub(crate) scores: Vec<f64>,
    /// Whether the best profiles that skip entries name are the best by these scores.
    pub(crate) bounds_hold: bool,
}

/// A posting of a page: the place of its list among those searched, and the number of its profile.
pub(crate) type ListPosting = (usize, u32);

impl ScoredList {
    /// The score of a posting with that profile.
    #[inline]
    pub(crate) fn score(&self, profile: u32) -> f64 {
        self.scores.get(profile as usize).copied().unwrap_or(0.0)
    }

    /// The highest score of a profile.
    pub(super) fn most(&self) -> f64 {
        self.scores.iter().fold(0.0, |most, &score| score.max(most))
    }
}
