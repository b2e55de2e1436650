//! Sections that a generator repeats on many pages count once: methods that a type inherits, a note below every release.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::Site;
use super::choose::part_of_site;
use super::repeats::fingerprint;
use crate::page::{PageSection, SitePage, Skip};

/// Takes out of each page the sections that another page of the same language has with the same heading and text. The page
/// in the largest part of the site keeps them, as of pages with the same text. A section stays as long as something else
/// stands below its heading; a page of which nothing is left is skipped.
pub(super) fn keep_once(site: &mut Site) {
    let owners = owners(&site.pages);
    for (at, page) in site.pages.iter_mut().enumerate() {
        let language = page.language.clone();
        let is_repeated = |section: &PageSection| {
            key(section, &language).and_then(|key| owners.get(&key)).is_some_and(|owner| *owner != at)
        };
        remove(&mut page.sections, is_repeated);
    }
    let has_text = |page: &SitePage| page.sections.iter().any(|section| !section.body.is_empty());
    let emptied = site.pages.iter().filter(|page| !has_text(page)).map(|page| page.address.clone());
    site.skipped.extend(emptied.map(|address| (address, Skip::Duplicate)).collect::<Vec<_>>());
    site.pages.retain(has_text);
}

/// The page that keeps each section.
fn owners(pages: &[SitePage]) -> HashMap<u64, usize> {
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        *sizes.entry(part_of_site(page)).or_default() += 1;
    }
    let rank = |at: usize| {
        let page = &pages[at];
        (sizes[part_of_site(page)], Reverse((page.address.len(), &page.address)))
    };
    let mut owners: HashMap<u64, usize> = HashMap::new();
    for (at, page) in pages.iter().enumerate() {
        for key in page.sections.iter().filter_map(|section| key(section, &page.language)) {
            let owner = owners.entry(key).or_insert(at);
            if rank(at) > rank(*owner) {
                *owner = at;
            }
        }
    }
    owners
}

/// What tells a section from others; none of one without text.
fn key(section: &PageSection, language: &str) -> Option<u64> {
    (!section.body.is_empty()).then(|| fingerprint(&[language, &section.title, &section.body].join("\n")))
}

/// Removes the sections that are repeated, from the last to the first, so that what stands below a heading is known.
fn remove(sections: &mut Vec<PageSection>, is_repeated: impl Fn(&PageSection) -> bool) {
    let mut kept: Vec<PageSection> = Vec::with_capacity(sections.len());
    while let Some(mut section) = sections.pop() {
        let is_above = kept.last().is_some_and(|below| below.level > section.level);
        match is_repeated(&section) {
            // The page's first section has its title.
            true if is_above || sections.is_empty() => section.body.clear(),
            true => continue,
            false => {}
        }
        kept.push(section);
    }
    kept.reverse();
    *sections = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages, each by its address, language and sections with level, heading and text.
    type Pages<'t> = &'t [(&'t str, &'t str, &'t [(u8, &'t str, &'t str)])];

    fn kept(pages: Pages<'_>) -> Vec<(String, Vec<(String, String)>)> {
        let section = |&(level, title, body): &(u8, &str, &str)| PageSection {
            level,
            title: title.to_owned(),
            body: body.to_owned(),
            ..PageSection::default()
        };
        let page = |(address, language, sections): &(&str, &str, &[(u8, &str, &str)])| SitePage {
            address: (*address).to_owned(),
            language: (*language).to_owned(),
            sections: sections.iter().map(section).collect(),
            ..SitePage::default()
        };
        let mut site = Site { pages: pages.iter().map(page).collect(), ..Site::default() };
        keep_once(&mut site);
        let sections =
            |page: SitePage| page.sections.into_iter().map(|section| (section.title, section.body)).collect();
        site.pages.into_iter().map(|page| (page.address.clone(), sections(page))).collect()
    }

    fn check(pages: Pages<'_>, expected: &[(&str, &[(&str, &str)])]) {
        let owned = |(title, body): &(&str, &str)| ((*title).to_owned(), (*body).to_owned());
        let expected: Vec<_> = expected
            .iter()
            .map(|(address, sections)| ((*address).to_owned(), sections.iter().map(owned).collect::<Vec<_>>()))
            .collect();
        assert_eq!(kept(pages), expected);
    }

    #[test]
    fn a_repeated_section_stays_on_one_page() {
        let (lid, spout) = ((2, "lid", "Closes it. [More](x)"), (2, "spout", "Pours."));
        check(
            &[
                ("a/cup.html", "en", &[(1, "Cup", "A cup."), (2, "lid", "Closes it. [More](y)"), (2, "ear", "Holds.")]),
                ("b/pot.html", "en", &[(1, "Pot", "A pot."), lid, spout]),
                ("b/can.html", "en", &[(1, "Can", "A can."), spout]),
                ("de/kanne.html", "de", &[(1, "Kanne", "Eine Kanne."), spout]),
            ],
            &[
                ("a/cup.html", &[("Cup", "A cup."), ("ear", "Holds.")]),
                ("b/pot.html", &[("Pot", "A pot."), ("lid", "Closes it. [More](x)")]),
                ("b/can.html", &[("Can", "A can."), ("spout", "Pours.")]),
                ("de/kanne.html", &[("Kanne", "Eine Kanne."), ("spout", "Pours.")]),
            ],
        );
    }

    #[test]
    fn what_stands_below_a_heading_keeps_it() {
        check(
            &[
                ("a/x.html", "", &[(1, "X", "One."), (2, "All", "Same."), (3, "Own", "Own.")]),
                ("a/y1.html", "", &[(1, "Y", "Two."), (2, "All", "Same."), (3, "Other", "Other.")]),
                ("a/z12.html", "", &[(1, "X", "One."), (2, "All", "Same.")]),
            ],
            &[
                ("a/x.html", &[("X", "One."), ("All", "Same."), ("Own", "Own.")]),
                ("a/y1.html", &[("Y", "Two."), ("All", ""), ("Other", "Other.")]),
            ],
        );
    }
}
