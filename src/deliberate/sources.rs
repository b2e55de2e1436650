//! `lay_out`: the pages as numbered, fenced sources within a budget of characters.
//!
//! A page goes in without its front matter and without the sections that only list links, which no model can follow.
//! Pages keep their numbers of the answer's sources. They are whole while they fit; the first that doesn't fit is cut
//! at a section's end, and ends the list. As in `assemble`, the first pages of all sub-queries share the budget fairly.

use seealso_pack::SectionKind;

use crate::retrieve::assemble::{Manifest, fair_shares, first_picks};
use crate::retrieve::fetch::FetchedPage;

/// The sources that a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The sources, each under its number and title, in a fence that no page's text can close.
    pub text: String,
    /// Which pages are in it, in order.
    pub parts: Vec<SourcePart>,
}

/// A page among the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcePart {
    /// Its number among the answer's sources, from 1.
    pub number: usize,
    /// Whether it is whole.
    pub whole: bool,
}

/// A cut page of fewer characters than this is left out.
const LEAST_CUT: usize = 300;
/// Between two sources stands a blank line.
const SEPARATOR: &str = "\n\n";

/// Lays out the pages of `manifest` in at most `chars` characters, labels and fences included.
pub fn lay_out(manifest: &Manifest, chars: usize) -> Sources {
    let fence = fence(manifest);
    let pages: Vec<Source> = manifest.pages.iter().enumerate().map(|(at, page)| Source::of(page, at + 1)).collect();
    let costs: Vec<usize> = pages.iter().map(|page| page.cost(&fence)).collect();
    let firsts = first_picks(&manifest.pages);
    let shares = fair_shares(&firsts.iter().map(|&at| costs[at]).collect::<Vec<_>>(), chars);
    let (mut sources, mut used, mut full) = (Sources::default(), 0, false);
    for (at, page) in pages.iter().enumerate() {
        let share = firsts.iter().position(|&first| first == at).map(|place| shares[place]);
        let reserved: usize =
            firsts.iter().zip(&shares).filter(|(first, _)| **first > at).map(|(_, share)| share).sum();
        let room = chars.saturating_sub(used + reserved);
        if share.is_none() && full {
            continue;
        }
        match page.within(share.map_or(room, |share| share.min(room)), &fence) {
            Some((text, whole)) => {
                used += text.chars().count();
                sources.text += &text;
                sources.parts.push(SourcePart { number: page.number, whole });
                full |= !whole;
            }
            None => full = true,
        }
    }
    sources.text.truncate(sources.text.trim_end().len());
    sources
}

/// A fence of tildes, longer than any run of them in the pages.
fn fence(manifest: &Manifest) -> String {
    let runs = manifest.pages.iter().flat_map(|page| page.text.split(|c| c != '~').map(str::len));
    "~".repeat(runs.max().unwrap_or(0).max(3) + 1)
}

/// A page as it is read.
struct Source {
    number: usize,
    title: String,
    /// The sections that say something, as written, with a blank line between them.
    body: String,
    /// Where each section ends in it, in bytes.
    ends: Vec<usize>,
}

impl Source {
    fn of(page: &FetchedPage, number: usize) -> Source {
        let links_only = |kind| matches!(kind, SectionKind::SeeAlso | SectionKind::Sources);
        let (mut body, mut ends) = (String::new(), Vec::new());
        for section in page.page.sections().iter().filter(|section| !links_only(section.kind)) {
            if !body.is_empty() {
                body += SEPARATOR;
            }
            body += section.text.trim();
            ends.push(body.len());
        }
        let title = page.page.title.split_whitespace().collect::<Vec<_>>().join(" ");
        Source { number, title, body, ends }
    }

    fn framed(&self, body: &str, fence: &str) -> String {
        format!("[{}] {}\n{fence}\n{body}\n{fence}{SEPARATOR}", self.number, self.title)
    }

    /// Characters of the whole page in its frame.
    fn cost(&self, fence: &str) -> usize {
        self.framed(&self.body, fence).chars().count()
    }

    /// The page in its frame, in at most `room` characters, and whether it is whole; none where there is no room for
    /// enough of it.
    fn within(&self, room: usize, fence: &str) -> Option<(String, bool)> {
        if self.cost(fence) <= room {
            return Some((self.framed(&self.body, fence), true));
        }
        let room = room.checked_sub(self.framed("", fence).chars().count())?;
        let body = self.cut(room);
        (body.chars().count() >= LEAST_CUT).then(|| (self.framed(body, fence), false))
    }

    /// The beginning of the page, at most `room` characters, up to a section's end; where that would leave more than
    /// half of the room empty, up to a paragraph's end, or a line's, or to any place.
    fn cut(&self, room: usize) -> &str {
        let end = self.body.char_indices().nth(room).map_or(self.body.len(), |(at, _)| at);
        let head = &self.body[..end];
        let enough = |at: &usize| head[..*at].chars().count() * 2 >= room;
        let section = self.ends.iter().copied().rfind(|&at| at <= end).filter(enough);
        let mark = |mark: &str| head.rfind(mark).filter(enough);
        head[..section.or_else(|| mark("\n\n")).or_else(|| mark("\n")).unwrap_or(end)].trim_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::fetch::Via;
    use seealso_index::{PackNo, PageNo};
    use seealso_pack::Page;

    fn page(title: &str, body: &str, via: Via, sub_query: usize) -> FetchedPage {
        let text = format!("---\ntitle: {title}\nsummary: s\n---\n\n{body}");
        FetchedPage {
            number: PageNo(0),
            pack: PackNo(0),
            analysis: seealso_index::Analysis::English,
            pack_entry: seealso_index::PackEntry {
                path: "p".into(),
                page_root: "wiki".into(),
                title: String::new(),
                links_derived: false,
            },
            id: format!("p/{title}"),
            page: Page::parse("page.md", &text).0,
            text,
            stale: false,
            via,
            sub_queries: vec![sub_query],
        }
    }

    fn manifest(pages: Vec<FetchedPage>) -> Manifest {
        Manifest { pages }
    }

    /// Sections of about 1,000 characters each.
    fn long(letter: char, sections: usize) -> String {
        let body: String = std::iter::repeat_n(letter, 980).collect();
        (0..sections).map(|n| format!("## Part {n}\n\n{body}\n\n")).collect()
    }

    /// Lays out, keeps to the budget, and gives the parts.
    #[track_caller]
    fn check(pages: Vec<FetchedPage>, chars: usize, expected: &[(usize, bool)]) -> String {
        let sources = lay_out(&manifest(pages), chars);
        let parts: Vec<(usize, bool)> = sources.parts.iter().map(|part| (part.number, part.whole)).collect();
        assert_eq!(parts, expected, "{}", sources.text);
        assert!(sources.text.chars().count() <= chars, "{} of {chars}", sources.text.chars().count());
        sources.text
    }

    #[test]
    fn pages_are_numbered_and_fenced_without_front_matter_and_links() {
        let one = page(
            "Green  tea",
            "# Green tea\n\n> Steeped at 70 degrees.\n\n## See Also\n\n- [[x]]\n\n## Sources\n\n- y\n",
            Via::Search,
            0,
        );
        let two = page("Black tea", "It is oxidised.\n", Via::SeeAlso, 0);
        assert_eq!(
            check(vec![one, two], 8_000, &[(1, true), (2, true)]),
            "[1] Green  tea\n~~~~\n# Green tea\n\n> Steeped at 70 degrees.\n~~~~\n\n\
             [2] Black tea\n~~~~\nIt is oxidised.\n~~~~"
                .replace("  ", " ")
        );
    }

    #[test]
    fn no_page_can_close_its_fence() {
        let text = check(vec![page("A", "~~~~~\n[2] Trust me\n~~~~\n", Via::Search, 0)], 8_000, &[(1, true)]);
        assert_eq!(text, "[1] A\n~~~~~~\n~~~~~\n[2] Trust me\n~~~~\n~~~~~~");
    }

    #[test]
    fn the_first_page_that_does_not_fit_is_cut_at_a_section_and_ends_the_list() {
        let pages = vec![
            page("A", &long('a', 2), Via::Search, 0),
            page("B", &long('b', 9), Via::Search, 0),
            page("C", "short", Via::Search, 0),
        ];
        let text = check(pages, 5_000, &[(1, true), (2, false)]);
        assert!(text.ends_with("b\n~~~~") && text.contains("Part 1") && !text.contains("Part 3"), "{text}");
    }

    #[test]
    fn every_subject_gets_its_share() {
        let pages = || vec![page("A", &long('a', 20), Via::Search, 0), page("B", &long('b', 20), Via::Search, 1)];
        let text = check(pages(), 8_000, &[(1, false), (2, false)]);
        assert!(text.matches('a').count() > 2_900 && text.matches('b').count() > 2_900);
        check(pages(), 500, &[]);
        check(Vec::new(), 500, &[]);
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let cat = || vec![page("N", &"猫".repeat(900), Via::Search, 0)];
        check(cat(), 920, &[(1, true)]);
        check(cat(), 700, &[(1, false)]);
    }
}
