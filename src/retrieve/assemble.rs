//! `assemble`: the pages as one labelled string within the tier's budget, and a manifest with every page whole.
//!
//! The budget counts characters of the whole string, with labels and blank lines. Pages are added in pick order, whole
//! if they fit. If the first picks of all sub-queries do not fit together, each is cut at a section's end to its fair
//! share, so that no subject is crowded out.

use seealso_index::{Analysis, PackEntry, PackNo, PageNo, sort_by};
use seealso_pack::Page;
use seealso_pack::seek::find_last;

use crate::retrieve::fetch::{FetchedPage, Via};
use crate::retrieve::page_text::PageText;
use crate::tier::Tier;
use crate::trace::{Describe, Detail, detail};

/// The text for a model to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// Labelled pages, separated by blank lines.
    pub text: String,
    /// Its length in characters.
    pub chars: usize,
    /// The most characters allowed.
    pub budget: usize,
    /// The pages in it, in order, and whether each is whole.
    pub parts: Vec<(String, bool)>,
}

/// Every page that was kept, whole, whether or not the context had room for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifest {
    /// The pages: picks first, then those of See Also.
    pub pages: Vec<FetchedPage>,
    /// The number of further pages that could not be fetched: what no page contains may stand in these.
    pub lost: usize,
}

/// A page whose text came from elsewhere than a library's source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Its id.
    pub page: String,
    /// Its pack's path.
    pub pack: String,
    /// Its file inside the pack's page root.
    pub file: String,
    /// Its language's tag.
    pub language: String,
    /// How it was found.
    pub via: Via,
    /// The sub-queries that it serves.
    pub sub_queries: Vec<usize>,
    /// Whether it stands for a page of a site.
    pub is_on_site: bool,
    /// The whole file.
    pub text: String,
}

impl Manifest {
    /// The manifest of pages that were fetched before, in the order of an answer's sources. Their numbers in an index
    /// are unknown.
    pub fn of_texts(texts: impl IntoIterator<Item = SourceText>) -> Manifest {
        let page = |text: SourceText| FetchedPage {
            number: PageNo(0),
            pack: PackNo(0),
            pack_entry: PackEntry {
                path: text.pack,
                page_root: String::new(),
                title: String::new(),
                links_derived: false,
                site: String::new(),
            },
            // A language without its stemmer is read word for word.
            analysis: Some(Analysis::of_language(&text.language)).filter(|a| a.is_there()).unwrap_or(Analysis::Plain),
            id: text.page,
            page: Page { is_on_site: text.is_on_site, ..Page::parse(&text.file, &text.text).0 },
            page_text: PageText::default(),
            text: text.text,
            stale: false,
            via: text.via,
            sub_queries: text.sub_queries,
        };
        Manifest { pages: texts.into_iter().map(page).collect(), lost: 0 }
    }

    /// The whole file of a page, from memory; `None` if the manifest does not have it.
    pub fn fetch_full_page(&self, pack: &str, file: &str) -> Option<&str> {
        let found = self.pages.iter().find(|page| page.pack_entry.path == pack && page.page.file == file);
        found.map(|page| page.text.as_str())
    }
}

/// The result of retrieval.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembly {
    /// The string to read.
    pub context: Context,
    /// The pages behind it.
    pub manifest: Manifest,
}

/// The least characters of a cut page; a shorter one is left out.
const LEAST_CUT: usize = 300;
/// The separator between two pages.
const SEPARATOR: &str = "\n\n";

/// Assembles `pages` for `tier`.
pub fn assemble(pages: Vec<FetchedPage>, tier: Tier) -> Assembly {
    let mut context = Context { budget: tier.retrieval_chars(), ..Context::default() };
    let firsts = first_picks(&pages);
    let shares = fair_shares(&firsts.iter().map(|&at| cost(&pages[at])).collect::<Vec<_>>(), context.budget);
    let mut full = false;
    for (at, page) in pages.iter().enumerate() {
        let share = firsts.iter().position(|&first| first == at).map(|place| shares[place]);
        let reserved: usize =
            firsts.iter().zip(&shares).filter(|(first, _)| **first > at).map(|(_, share)| share).sum();
        let room = context.budget.saturating_sub(context.chars + reserved);
        match share {
            Some(share) => drop(add(&mut context, page, share.min(room))),
            None if full => {}
            None => full = !add(&mut context, page, room) || context.parts.last().is_some_and(|(_, whole)| !whole),
        };
    }
    Assembly { context, manifest: Manifest { pages, lost: 0 } }
}

/// The indices of each sub-query's first page in `pages`.
pub(crate) fn first_picks(pages: &[FetchedPage]) -> Vec<usize> {
    let mut served: Vec<usize> = Vec::new();
    let mut firsts = Vec::new();
    for (at, page) in pages.iter().enumerate().filter(|(_, page)| page.via == Via::Search) {
        if page.sub_queries.iter().any(|sub_query| !served.contains(sub_query)) {
            served.extend(&page.sub_queries);
            firsts.push(at);
        }
    }
    firsts
}

/// Characters that a whole page takes in the context, its separator included.
fn cost(page: &FetchedPage) -> usize {
    label(page).chars().count() + readable(page).0.trim_end().chars().count() + SEPARATOR.len()
}

/// Divides `budget`: a need of less than an even share leaves the rest to the others.
pub(crate) fn fair_shares(needs: &[usize], budget: usize) -> Vec<usize> {
    let mut shares = vec![0; needs.len()];
    let mut order: Vec<usize> = (0..needs.len()).collect();
    sort_by(&mut order, |a, b| needs[*a].cmp(&needs[*b]));
    let mut left = budget;
    for (done, at) in order.into_iter().enumerate() {
        shares[at] = needs[at].min(left / (needs.len() - done));
        left -= shares[at];
    }
    shares
}

fn label(page: &FetchedPage) -> String {
    format!("[{}/{}]\n", page.pack_entry.path, page.page.file)
}

/// Adds `page` in at most `room` characters, with separator and label; returns whether anything was added.
fn add(context: &mut Context, page: &FetchedPage, room: usize) -> bool {
    let label = label(page);
    let separator = if context.text.is_empty() { "" } else { SEPARATOR };
    let Some(room) = room.checked_sub(label.chars().count() + separator.len()) else { return false };
    let (text, section_ends) = readable(page);
    let text = text.trim_end();
    let (body, whole) = match text.chars().count() <= room {
        true => (text, true),
        false => (cut_at_section(text, &section_ends, room), false),
    };
    if !whole && body.chars().count() < LEAST_CUT {
        return false;
    }
    context.text += separator;
    context.text += &label;
    context.text += body;
    context.chars = context.text.chars().count();
    context.parts.push((page.id.clone(), whole));
    true
}

/// The longest beginning of `text`, a page, of at most `room` characters that ends at one of `section_ends`. If that
/// would leave more than half of the room empty, a paragraph's end serves, then a line's end, then any character.
fn cut_at_section<'t>(text: &'t str, section_ends: &[usize], room: usize) -> &'t str {
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    let enough = |at: &usize| head[..*at].chars().count() * 2 >= room;
    let section = section_ends.iter().copied().rfind(|&at| at <= end).filter(enough);
    let mark = |mark: &str| find_last(head, mark).filter(enough);
    let at = section.or_else(|| mark("\n\n")).or_else(|| mark("\n")).unwrap_or(end);
    text[..at].trim_end()
}

/// A page's file as readers see it: its front matter and its sections; and the end of each section, in bytes.
fn readable(page: &FetchedPage) -> (String, Vec<usize>) {
    let front = page.text.len().checked_sub(page.page.body.len()).and_then(|end| page.text.get(..end));
    let (mut text, mut ends) = (front.unwrap_or("").to_owned(), Vec::new());
    for section in page.page_text.parts(&page.page).0 {
        text += &section.text;
        ends.push(text.len());
    }
    (text, ends)
}

impl Describe for Assembly {
    fn note(&self) -> String {
        let context = &self.context;
        format!(
            "{} of {} characters, {} of {} pages",
            context.chars,
            context.budget,
            context.parts.len(),
            self.manifest.pages.len()
        )
    }

    fn detail(&self) -> Detail {
        let parts: Vec<Detail> =
            self.context.parts.iter().map(|(page, whole)| detail!({ "page": page, "whole": whole })).collect();
        let manifest: Vec<&str> = self.manifest.pages.iter().map(|page| page.id.as_str()).collect();
        detail!({ "chars": self.context.chars, "budget": self.context.budget, "parts": parts, "manifest": manifest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seealso_index::{PackNo, PageNo};
    use seealso_pack::Page;

    fn page(name: &str, text: &str, via: Via, sub_queries: &[usize]) -> FetchedPage {
        let file = format!("{name}.md");
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
            id: format!("p/{name}"),
            page: Page::parse(&file, text).0,
            page_text: PageText::default(),
            text: text.into(),
            stale: false,
            via,
            sub_queries: sub_queries.to_vec(),
        }
    }

    /// A page of `sections` sections of about 1,000 characters each.
    fn long(letter: char, sections: usize) -> String {
        let body: String = std::iter::repeat_n(letter, 980).collect();
        (0..sections).map(|n| format!("## Part {n}\n\n{body}\n\n")).collect()
    }

    #[test]
    fn labels_count_and_the_whole_string_keeps_the_cap() {
        let pages: Vec<FetchedPage> =
            (0..12).map(|n| page(&format!("a-rather-long-name-{n}"), &"x".repeat(640), Via::Search, &[0])).collect();
        let assembled = assemble(pages, Tier::Small);
        assert!(assembled.context.chars <= 8_000, "{}", assembled.context.chars);
        assert_eq!(assembled.context.chars, assembled.context.text.chars().count());
        // Twelve bodies alone are 7,680 characters and would fit; with their labels they don't.
        assert!(assembled.context.parts.len() < 12 || !assembled.context.parts[11].1);
        assert!(assembled.context.text.starts_with("[p/a-rather-long-name-0.md]\nxxx"));
        assert_eq!(assembled.manifest.pages.len(), 12);
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        let text = "猫".repeat(7_900);
        let assembled = assemble(vec![page("neko", &text, Via::Search, &[0])], Tier::Small);
        assert_eq!(assembled.context.parts, [("p/neko".to_owned(), true)]);
        assert_eq!(assembled.context.chars, 7_900 + "[p/neko.md]\n".len());
    }

    #[test]
    fn no_subject_is_crowded_out() {
        let pages =
            vec![page("big", &long('b', 20), Via::Search, &[0]), page("late", &long('l', 20), Via::Search, &[1])];
        let assembled = assemble(pages, Tier::Small);
        assert_eq!(assembled.context.parts, [("p/big".to_owned(), false), ("p/late".to_owned(), false)]);
        let (b, l) = (assembled.context.text.matches('b').count(), assembled.context.text.matches('l').count());
        assert!(b > 2_900 && l > 2_900, "{b} {l}");
        assert!(!assembled.context.text.contains("Part 19"));
        assert!(assembled.context.chars <= 8_000);
    }

    #[test]
    fn a_short_first_pick_leaves_its_share_to_the_others() {
        assert_eq!(fair_shares(&[100, 9_000, 9_000], 8_000), [100, 3_950, 3_950]);
        assert_eq!(fair_shares(&[10, 20], 8_000), [10, 20]);
        assert!(fair_shares(&[], 8_000).is_empty());
    }

    #[test]
    fn see_also_pages_come_last_and_any_page_can_be_had_whole() {
        let pages = vec![page("one", "first", Via::Search, &[0]), page("two", &long('t', 20), Via::SeeAlso, &[0])];
        let assembled = assemble(pages, Tier::Micro);
        assert!(assembled.context.text.starts_with("[p/one.md]\nfirst\n\n[p/two.md]\n## Part 0"));
        assert_eq!(assembled.manifest.fetch_full_page("p", "two.md"), Some(long('t', 20).as_str()));
        assert_eq!(assembled.manifest.fetch_full_page("p", "none.md"), None);
    }
}
