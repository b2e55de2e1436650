//! What the titles of a site's pages have in common: the site's own name.

use std::collections::BTreeMap;

use crate::page::SitePage;
use crate::settings::Settings;

/// What stands between a page's title and the site's.
const SEPARATORS: [&str; 7] = [" - ", " | ", " \u{2014} ", " \u{2013} ", " \u{b7} ", " :: ", " \u{bb} "];

/// Takes the site's name off titles that come with it, and gives pages without a heading of their own the title of their head.
pub(super) fn complete(pages: &mut [SitePage], settings: &Settings) {
    let suffix = settings
        .title_suffix
        .clone()
        .or_else(|| common_end(pages).map(|(separator, name)| format!("{separator}{name}")))
        .unwrap_or_default();
    let without_suffix = |title: &str| match title.strip_suffix(suffix.as_str()).map(str::trim) {
        Some(own) if !own.is_empty() => own.to_owned(),
        _ => title.to_owned(),
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for page in &*pages {
        *counts.entry(page.head_title.clone()).or_default() += 1;
    }
    for page in pages {
        page.title = without_suffix(&page.title);
        let head = without_suffix(&page.head_title);
        // A head that several pages have tells none from the others; one with the heading in it says no more of the page.
        let tells = !head.is_empty() && head != suffix.trim() && counts.get(&page.head_title) == Some(&1);
        if !page.has_own_heading && tells && !head.contains(&page.title) {
            page.title = head;
        }
    }
}

/// The name of the site: what most titles end with.
pub(super) fn site_name(pages: &[SitePage]) -> Option<String> {
    common_end(pages).map(|(_, name)| name)
}

/// What the titles of at least half of the pages end with, and what stands before it.
fn common_end(pages: &[SitePage]) -> Option<(&'static str, String)> {
    let mut ends: BTreeMap<(&'static str, &str), usize> = BTreeMap::new();
    for page in pages {
        let end =
            SEPARATORS.iter().filter_map(|separator| page.head_title.rfind(separator).map(|at| (at, *separator))).max();
        if let Some((at, separator)) = end {
            *ends.entry((separator, &page.head_title[at + separator.len()..])).or_default() += 1;
        }
    }
    let ((separator, name), count) = ends.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1 && count * 2 >= pages.len()).then(|| (separator, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_site_is_no_part_of_titles() {
        let page =
            |title: &str| SitePage { title: title.to_owned(), head_title: title.to_owned(), ..SitePage::default() };
        let mut pages = ["Tea - a drink - Kitchen", "Coffee - Kitchen", "Kitchen", "Pots | Other"].map(page);
        complete(&mut pages, &Settings::default());
        assert_eq!(
            pages.each_ref().map(|page| page.title.as_str()),
            ["Tea - a drink", "Coffee", "Kitchen", "Pots | Other"]
        );
        assert_eq!(site_name(&pages).as_deref(), Some("Kitchen"));
        assert_eq!(site_name(&pages[3..]), None);
    }

    #[test]
    fn a_page_of_parts_alone_has_the_title_of_its_head() {
        let page = |head: &str, heading: &str, has_own_heading: bool| SitePage {
            title: heading.to_owned(),
            head_title: head.to_owned(),
            has_own_heading,
            ..SitePage::default()
        };
        let mut pages = [
            page("Log ahead - Base", "1. Overview", false),
            page("reset(1) - Base", "SYNOPSIS", false),
            page("4.2. Pots - Base", "Pots", false),
            page("All of Base", "Introduction", false),
            page("All of Base", "Pragmas", false),
            page("tea.html - Base", "Tea", true),
            page("- Base", "Cups", false),
        ];
        complete(&mut pages, &Settings::default());
        assert_eq!(
            pages.each_ref().map(|page| page.title.as_str()),
            ["Log ahead", "reset(1)", "Pots", "Introduction", "Pragmas", "Tea", "Cups"]
        );
    }
}
