//! The numbering of term profiles: the commonest get a number in the whole index, the others in each list that has
//! them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::format::huffman::lengths;
use crate::postings::profile::{COMMON_PROFILES, TermProfile};

/// The profiles of all postings so far, with preliminary numbers.
#[derive(Default)]
pub(super) struct Profiles {
    numbers: BTreeMap<TermProfile, u32>,
    /// How many postings have each profile, by preliminary number.
    counts: Vec<u32>,
}

/// The final number of a profile.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProfileNumber {
    /// Its number in the whole index.
    Common(u32),
    /// The profile has no such number; each list that has it stores it.
    Rare(TermProfile),
}

/// The final numbering.
pub(super) struct Numbering {
    /// The common profiles, by number.
    pub(super) common: Vec<TermProfile>,
    /// The final number of each profile, by preliminary number.
    pub(super) numbers: Vec<ProfileNumber>,
    /// The lengths of the codes of the common profiles, and of the code of all others.
    pub(super) code: Vec<u8>,
}

impl Profiles {
    /// Adds a posting's profile; returns its preliminary number.
    pub(super) fn add(&mut self, profile: TermProfile) -> u32 {
        let next = self.counts.len() as u32;
        let number = *self.numbers.entry(profile).or_insert(next);
        if number == next {
            self.counts.push(0);
        }
        self.counts[number as usize] += 1;
        number
    }

    /// The final numbering. With `lengths_apart` profiles that differ in their length alone are one, whose length is 0.
    pub(super) fn numbered(&self, lengths_apart: bool) -> Numbering {
        let bare = |profile: TermProfile| if lengths_apart { TermProfile { length: 0, ..profile } } else { profile };
        let mut totals: BTreeMap<TermProfile, u32> = BTreeMap::new();
        for (&profile, &number) in &self.numbers {
            *totals.entry(bare(profile)).or_default() += self.counts[number as usize];
        }
        let mut profiles: Vec<(TermProfile, u32)> = totals.into_iter().collect();
        profiles.sort_by_key(|&(profile, count)| (Reverse(count), profile));
        let places: BTreeMap<TermProfile, usize> =
            profiles.iter().enumerate().map(|(place, &(profile, _))| (profile, place)).collect();
        let mut numbers = vec![ProfileNumber::Rare(TermProfile::default()); self.numbers.len()];
        for (&profile, &number) in &self.numbers {
            let place = places[&bare(profile)];
            numbers[number as usize] = match place < COMMON_PROFILES {
                true => ProfileNumber::Common(place as u32),
                false => ProfileNumber::Rare(bare(profile)),
            };
        }
        let mut counts = vec![0u64; COMMON_PROFILES + 1];
        profiles
            .iter()
            .enumerate()
            .for_each(|(place, &(_, count))| counts[place.min(COMMON_PROFILES)] += u64::from(count));
        let common = profiles.into_iter().take(COMMON_PROFILES).map(|(profile, _)| profile).collect();
        Numbering { common, numbers, code: lengths(&counts) }
    }
}
