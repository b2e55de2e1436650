//! What the titles of a site's pages have in common: the site's own name.

use std::collections::BTreeMap;

use crate::page::SitePage;
use crate::settings::Settings;

/// What stands between a page's title and the site's.
const SEPARATORS: [&str; 7] = [" - ", " | ", " \u{2014} ", " \u{2013} ", " \u{b7} ", " :: ", " \u{bb} "];

/// Takes the site's name off titles that come with it.
pub(super) fn complete(pages: &mut [SitePage], settings: &Settings) {
    let suffix = settings
        .title_suffix
        .clone()
        .or_else(|| common_end(pages).map(|(separator, name)| format!("{separator}{name}")));
    let Some(suffix) = suffix else { return };
    for page in pages {
        if let Some(own) = page.title.strip_suffix(suffix.as_str()).filter(|own| !own.trim().is_empty()) {
            page.title = own.trim().to_owned();
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
}
