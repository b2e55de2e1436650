//! Which units a unit is linked with: by the links in its text, then by the order of the site.

use std::collections::HashMap;

use super::units::Unit;
use crate::address::Target;
use crate::page::SitePage;

/// A unit has at most so many links to others.
const MOST_LINKS: usize = 12;

/// Where each address and each id of the site lies among its units.
pub(super) struct Places<'s> {
    /// The units of each page, in order, by the page's address.
    pages: HashMap<&'s str, Vec<usize>>,
    /// The unit that holds an id of a page.
    ids: HashMap<(&'s str, &'s str), usize>,
}

impl<'s> Places<'s> {
    pub(super) fn of(pages: &'s [SitePage], units: &[Unit]) -> Places<'s> {
        let mut places = Places { pages: HashMap::new(), ids: HashMap::new() };
        for (number, unit) in units.iter().enumerate() {
            let page = &pages[unit.page];
            places.pages.entry(&page.address).or_default().push(number);
            for section in &page.sections[unit.sections.clone()] {
                if section.has_own_id {
                    places.ids.entry((&page.address, &section.id)).or_insert(number);
                }
            }
        }
        places
    }

    /// The unit that a target lies in: that of its id, or the first one of its page.
    pub(super) fn find(&self, target: &Target) -> Option<usize> {
        let (address, units) = self.page(&target.address)?;
        let by_id = || self.ids.get(&(address, target.fragment.as_str()));
        by_id().or_else(|| units.first()).copied()
    }

    /// A page by its address, or by that of its folder or without its ending.
    fn page(&self, address: &str) -> Option<(&'s str, &Vec<usize>)> {
        let known = |address: &str| self.pages.get_key_value(address).map(|(address, units)| (*address, units));
        if address.is_empty() || address.ends_with('/') {
            return known(&format!("{address}index.html"));
        }
        known(address).or_else(|| known(&format!("{address}.html"))).or_else(|| known(&format!("{address}/index.html")))
    }
}

/// The units that each unit leads to, the most telling first.
pub(super) fn see_also(pages: &[SitePage], units: &[Unit], places: &Places<'_>) -> Vec<Vec<usize>> {
    let mut all = Vec::with_capacity(units.len());
    for (number, unit) in units.iter().enumerate() {
        let page = &pages[unit.page];
        let mut found: Vec<usize> = Vec::new();
        let mut add = |unit: Option<usize>| {
            if let Some(unit) = unit.filter(|&unit| unit != number)
                && found.len() < MOST_LINKS
                && !found.contains(&unit)
            {
                found.push(unit);
            }
        };
        for section in &page.sections[unit.sections.clone()] {
            section.links.iter().for_each(|target| add(places.find(target)));
        }
        // The parts of a page stand beside each other, and the first one above the others.
        let parts = &places.pages[page.address.as_str()];
        let at = parts.iter().position(|&part| part == number).unwrap_or(0);
        if at > 0 {
            add(parts.first().copied());
            add(parts.get(at + 1).copied());
        } else {
            for target in [&page.parent, &page.next, &page.previous].into_iter().flatten() {
                add(places.find(target));
            }
        }
        all.push(found);
    }
    all
}
