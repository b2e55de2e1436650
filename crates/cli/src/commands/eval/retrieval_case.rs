//! Question files: each line is a question with the places of its answer and the facts that an answer must state.
//!
//! A place is a page (`pack/guide/install`), or an address of a site, with a section or without
//! (`guide/install.html#linux`).

use anyhow::Context as _;
use seealso::FetchedPage;
use seealso_pack::{Page, site_place};
use serde::Deserialize;

use super::required_facts::RequiredFacts;

/// A question whose answer is known.
#[derive(Debug, Deserialize)]
#[serde(try_from = "CaseLine")]
pub(super) struct RetrievalCase {
    pub(super) id: String,
    pub(super) question: String,
    pub(super) kind: String,
    pub(super) language: Option<String>,
    /// The places of the answer; empty where the packs have none.
    pub(super) gold: Vec<GoldPlace>,
    /// The facts that an answer must state.
    pub(super) required: RequiredFacts,
}

/// A line of a question file.
#[derive(Deserialize)]
struct CaseLine {
    id: String,
    question: String,
    gold: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    also_for: Option<Vec<usize>>,
    #[serde(default = "super::single")]
    kind: String,
    lang: Option<String>,
    #[serde(default)]
    must_say: Vec<String>,
}

impl TryFrom<CaseLine> for RetrievalCase {
    type Error = anyhow::Error;

    fn try_from(line: CaseLine) -> anyhow::Result<RetrievalCase> {
        let mut gold: Vec<GoldPlace> = line.gold.iter().map(|place| GoldPlace(vec![Place::of(place)])).collect();
        let also_for = line.also_for.or_else(|| (gold.len() == 1).then(|| vec![0; line.also.len()]));
        let also_for = also_for.unwrap_or_default();
        anyhow::ensure!(
            also_for.len() == line.also.len(),
            "`also_for` must give, for each place in `also`, the number from 0 of the place in `gold` that it can stand for"
        );
        for (place, stands_for) in line.also.iter().zip(also_for) {
            let gold = gold.get_mut(stands_for);
            gold.with_context(|| format!("`also_for` holds {stands_for}, but `gold` has no such place"))?
                .0
                .push(Place::of(place));
        }
        let required = RequiredFacts::of(&line.must_say)?;
        let (id, question, kind, language) = (line.id, line.question, line.kind, line.lang);
        Ok(RetrievalCase { id, question, kind, language, gold, required })
    }
}

/// The questions of a file.
pub(super) fn parse_cases(text: &str) -> anyhow::Result<Vec<RetrievalCase>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).with_context(|| format!("line {}", at + 1))).collect()
}

impl RetrievalCase {
    /// Whether `page` is one of the gold places.
    pub(super) fn is_gold(&self, page: &PageName) -> bool {
        self.gold.iter().any(|gold| gold.is_page(page))
    }

    /// Whether a gold place names a section.
    pub(super) fn names_sections(&self) -> bool {
        self.gold.iter().flat_map(|gold| &gold.0).any(|place| !place.section.is_empty())
    }

    /// Whether the section of `anchor` on `page` is one of the gold places, or lies in one.
    pub(super) fn is_gold_section(&self, page: &FetchedPage, anchor: &str) -> bool {
        let name = PageName::of(&page.id, &page.page.file);
        let mut places = self.gold.iter().flat_map(|gold| &gold.0).filter(|place| place.is_page(&name));
        places.any(|place| {
            place.section.is_empty() || lies_in(page, anchor, &place.section) || is_within(page, &place.section)
        })
    }
}

/// A page's id and its file, both without the ending. Of a part of a site's page the file is the page's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageName {
    pub(super) id: String,
    pub(super) file: String,
}

impl PageName {
    pub(super) fn of(id: &str, file: &str) -> PageName {
        PageName { id: without_ending(id).to_owned(), file: without_ending(&site_place(file).0).to_owned() }
    }
}

/// The place of a fact: the one in `gold`, or one in `also` that holds it too.
#[derive(Debug)]
pub(super) struct GoldPlace(Vec<Place>);

impl GoldPlace {
    /// Whether `page` is that place.
    pub(super) fn is_page(&self, page: &PageName) -> bool {
        self.0.iter().any(|place| place.is_page(page))
    }
}

/// A page, and the anchor of a section of it; empty for the whole page.
#[derive(Debug)]
struct Place {
    page: String,
    section: String,
}

impl Place {
    fn of(written: &str) -> Place {
        let (page, section) = written.split_once('#').unwrap_or((written, ""));
        let index = if page.is_empty() || page.ends_with('/') { "index" } else { "" };
        Place { page: format!("{}{index}", without_ending(page)), section: section.to_owned() }
    }

    fn is_page(&self, page: &PageName) -> bool {
        self.page == page.id || self.page == page.file
    }
}

fn without_ending(path: &str) -> &str {
    [".html", ".htm", ".md"].iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// Whether a page is a part of the section of that anchor, of a page of a site.
fn is_within(page: &FetchedPage, outer: &str) -> bool {
    let fields = Page::parse(&page.page.file, &page.text).0.fields;
    let within = fields.iter().find(|(key, _)| key == "within").map(|(_, value)| value.lines());
    within.is_some_and(|within| within.iter().any(|anchor| anchor == outer))
}

/// Whether the section of anchor `inner` is the one of anchor `outer` or lies below its heading.
fn lies_in(page: &FetchedPage, inner: &str, outer: &str) -> bool {
    let sections = page.page.sections();
    let Some(first) = sections.iter().position(|section| section.anchor == outer) else { return false };
    let below = sections[first + 1..].iter().take_while(|section| section.level > sections[first].level);
    inner == outer || below.into_iter().any(|section| section.anchor == inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn case(fields: &str) -> anyhow::Result<RetrievalCase> {
        let text = format!("\n{{\"id\": \"q\", \"question\": \"What?\", {fields}}}\n");
        Ok(parse_cases(&text)?.remove(0))
    }

    #[test]
    fn a_place_is_a_page_id_or_an_address_of_a_site() {
        let check = |place: &str, is_gold: bool| {
            let case = case(&format!("\"gold\": [\"{place}\"]")).unwrap();
            assert_eq!(case.is_gold(&PageName::of("docs/guide/install", "guide/install.md")), is_gold, "{place}");
        };
        check("docs/guide/install", true);
        check("guide/install.html#linux", true);
        check("guide/install.html", true);
        check("install", false);
        check("guide/", false);
        let part = PageName::of("en/guide/install.html~~linux", "guide/install.html~~linux.md");
        assert!(case("\"gold\": [\"guide/install.html#linux\"]").unwrap().is_gold(&part));
        let case = case("\"gold\": [\"guide/#top\"]").unwrap();
        assert!(case.is_gold(&PageName::of("docs/guide/index", "guide/index.html")));
    }

    #[test]
    fn other_places_stand_for_the_gold_place_that_they_name() {
        let page = |file: &str| PageName::of(&format!("p/{file}"), file);
        let two = case("\"gold\": [\"p/a\", \"p/b\"], \"also\": [\"p/c\"], \"also_for\": [1]").unwrap();
        let stands_for = |file: &str| two.gold.iter().map(|gold| gold.is_page(&page(file))).collect::<Vec<_>>();
        assert_eq!((stands_for("a"), stands_for("c")), (vec![true, false], vec![false, true]));
        let one = case("\"gold\": [\"p/a\"], \"also\": [\"p/c\"]").unwrap();
        assert!(one.is_gold(&page("c")) && !one.is_gold(&page("b")));
        let refused = |fields: &str| format!("{:#}", case(fields).unwrap_err());
        let message = refused("\"gold\": [\"p/a\", \"p/b\"], \"also\": [\"p/c\"]");
        assert!(message.starts_with("line 2: `also_for` must give, for each place in `also`"), "{message}");
        let message = refused("\"gold\": [\"p/a\", \"p/b\"], \"also\": [\"p/c\"], \"also_for\": [2]");
        assert!(message.contains("`also_for` holds 2"), "{message}");
    }
}
