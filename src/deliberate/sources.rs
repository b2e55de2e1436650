//! `lay_out`: the pages as numbered, fenced sources within a budget of characters.
//!
//! A page is included without its front matter and without the sections that only list links, which no model can
//! follow. Pages have the numbers of the answer's sources. They are included whole while they fit. The first page that
//! does not fit is cut to the paragraphs nearest to its quotes, or else at a section's end, and ends the list. As in
//! `assemble`, the first pages of all sub-queries share the budget fairly.

use seealso_pack::SectionKind;

use crate::answer::CitedSentence;
use crate::deliberate::overlap::WordSet;
use crate::fence::fence_around;
use crate::retrieve::assemble::{Manifest, fair_shares};
use crate::retrieve::fetch::FetchedPage;

/// The sources that a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The sources, each under its number and title, in a fence that no page's text can close.
    pub text: String,
    /// The pages in it, in order.
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

/// The least characters of a cut page; a shorter one is left out.
const LEAST_CUT: usize = 300;
/// The separator between two sources.
const SEPARATOR: &str = "\n\n";

/// The pages to lay out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceSelection {
    /// Their indices in the manifest, in reading order.
    pub pages: Vec<usize>,
    /// The indices in `pages` of those that get a fair share before all others.
    pub firsts: Vec<usize>,
    /// The sentences that were quoted from them.
    pub quotes: Vec<CitedSentence>,
}

/// Lays out pages of `manifest` in at most `chars` characters, labels and fences included.
pub fn lay_out(manifest: &Manifest, selection: &SourceSelection, chars: usize) -> Sources {
    let fence = fence(manifest);
    let pages =
        selection.pages.iter().filter_map(|&at| Some(Source::of(manifest.pages.get(at)?, at + 1, &selection.quotes)));
    let pages: Vec<Source> = pages.collect();
    let costs: Vec<usize> = pages.iter().map(|page| page.cost(&fence)).collect();
    let firsts = &selection.firsts;
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
pub(crate) fn fence(manifest: &Manifest) -> String {
    fence_around(manifest.pages.iter().map(|page| page.text.as_str()))
}

/// A page as the model reads it.
struct Source {
    number: usize,
    title: String,
    /// The sections with content, as written, separated by a blank line.
    body: String,
    /// The end of each section in `body`, in bytes.
    ends: Vec<usize>,
    /// The sentences that were quoted from it.
    quotes: Vec<String>,
}

impl Source {
    fn of(page: &FetchedPage, number: usize, quotes: &[CitedSentence]) -> Source {
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
        let quotes = quotes.iter().filter(|quote| quote.source == number).map(|quote| quote.text.clone()).collect();
        Source { number, title, body, ends, quotes }
    }

    fn framed(&self, body: &str, fence: &str) -> String {
        format!("[{}] {}\n{fence}\n{body}\n{fence}{SEPARATOR}", self.number, self.title)
    }

    /// Characters of the whole page in its frame.
    fn cost(&self, fence: &str) -> usize {
        self.framed(&self.body, fence).chars().count()
    }

    /// The page in its frame, in at most `room` characters, and whether it is whole; `None` if there is no room for
    /// enough of it.
    fn within(&self, room: usize, fence: &str) -> Option<(String, bool)> {
        if self.cost(fence) <= room {
            return Some((self.framed(&self.body, fence), true));
        }
        let room = room.checked_sub(self.framed("", fence).chars().count())?;
        let body = if self.quotes.is_empty() { self.cut(room).to_owned() } else { self.nearest(room) };
        let least = if self.quotes.is_empty() { LEAST_CUT } else { 1 };
        (body.chars().count() >= least).then(|| (self.framed(&body, fence), false))
    }

    /// The quoted paragraphs, then the page's first paragraphs, as far as there is room, in the order of the page. If a
    /// quoted paragraph does not fit, only its quoted sentences.
    fn nearest(&self, room: usize) -> String {
        let paragraphs: Vec<&str> =
            self.body.split(SEPARATOR).map(bare).filter(|text| !text.starts_with('#')).collect();
        let quoted = |paragraph: &str| -> Vec<&str> {
            let words = WordSet::of(paragraph);
            self.quotes.iter().map(String::as_str).filter(|quote| words.contains_all(&WordSet::of(quote))).collect()
        };
        let mut chosen: Vec<Option<String>> = vec![None; paragraphs.len()];
        let mut left = room;
        let mut take = |at: usize, text: String, left: &mut usize| {
            let cost = text.chars().count() + SEPARATOR.len();
            if chosen[at].is_none() && !text.is_empty() && cost <= *left {
                *left -= cost;
                chosen[at] = Some(text);
            }
        };
        for (at, paragraph) in paragraphs.iter().enumerate() {
            let quotes = quoted(paragraph);
            if !quotes.is_empty() {
                take(at, (*paragraph).to_owned(), &mut left);
                take(at, quotes.join(" "), &mut left);
            }
        }
        for (at, paragraph) in paragraphs.iter().enumerate() {
            take(at, (*paragraph).to_owned(), &mut left);
        }
        chosen.into_iter().flatten().collect::<Vec<_>>().join(SEPARATOR)
    }

    /// The beginning of the page, at most `room` characters, up to a section's end. If that would leave more than half
    /// of the room empty, up to a paragraph's end, a line's end, or any character.
    fn cut(&self, room: usize) -> &str {
        let end = self.body.char_indices().nth(room).map_or(self.body.len(), |(at, _)| at);
        let head = &self.body[..end];
        let enough = |at: &usize| head[..*at].chars().count() * 2 >= room;
        let section = self.ends.iter().copied().rfind(|&at| at <= end).filter(enough);
        let mark = |mark: &str| head.rfind(mark).filter(enough);
        head[..section.or_else(|| mark("\n\n")).or_else(|| mark("\n")).unwrap_or(end)].trim_end()
    }
}

/// A paragraph without a quotation mark and the label of an abstract.
fn bare(paragraph: &str) -> &str {
    let text = paragraph.trim().trim_start_matches('>').trim_start();
    text.strip_prefix("Abstract:").unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Form, Layout};
    use crate::retrieve::assemble::first_picks;
    use crate::retrieve::fetch::Via;
    use crate::retrieve::page_text::PageText;
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
                site: String::new(),
            },
            id: format!("p/{title}"),
            page: Page::parse("page.md", &text).0,
            page_text: PageText::default(),
            text,
            stale: false,
            via,
            sub_queries: vec![sub_query],
        }
    }

    fn manifest(pages: Vec<FetchedPage>) -> Manifest {
        Manifest { pages, lost: 0 }
    }

    /// Sections of about 1,000 characters each.
    fn long(letter: char, sections: usize) -> String {
        let body: String = std::iter::repeat_n(letter, 980).collect();
        (0..sections).map(|n| format!("## Part {n}\n\n{body}\n\n")).collect()
    }

    /// Lays out, keeps to the budget, and gives the parts.
    #[track_caller]
    fn check(pages: Vec<FetchedPage>, chars: usize, expected: &[(usize, bool)]) -> String {
        let manifest = manifest(pages);
        let pages = (0..manifest.pages.len()).collect();
        let selection = SourceSelection { pages, firsts: first_picks(&manifest.pages), quotes: Vec::new() };
        let sources = lay_out(&manifest, &selection, chars);
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

    #[test]
    fn a_page_is_cut_to_what_is_near_its_quotes() {
        let body = "# Tea\n\n> Abstract: Tea is a drink.\n\n## Steeping\n\nIt is steeped in hot water. It is drunk warm.\n\n## Trade\n\nIt was sold by ship. Clippers raced home with it every year.\n";
        let manifest = manifest(vec![page("Tea", body, Via::Search, 0)]);
        let quote = CitedSentence {
            text: "Clippers raced home with it every year.".to_owned(),
            source: 1,
            section: "Trade".to_owned(),
            anchor: "trade".to_owned(),
            sub_query: 0,
            passage: 0,
            layout: Layout::default(),
            form: Form::Prose,
            score: 1.0,
        };
        let selection = SourceSelection { pages: vec![0], firsts: vec![0], quotes: vec![quote] };
        let check = |chars: usize, expected: &str| assert_eq!(lay_out(&manifest, &selection, chars).text, expected);
        check(
            100,
            "[1] Tea\n~~~~\nTea is a drink.\n\nIt was sold by ship. Clippers raced home with it every year.\n~~~~",
        );
        check(65, "[1] Tea\n~~~~\nClippers raced home with it every year.\n~~~~");
    }
}
