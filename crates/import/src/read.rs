//! Reads one file of a site: bytes in, a content page or the reason why there is none out.

use crate::content::{self, ContentOrigin};
use crate::dom::{Dom, NodeId};
use crate::encoding::decode;
use crate::generator::{GENERATORS, Rules, is_apparatus};
use crate::head::Head;
use crate::markdown::{self, Ids};
use crate::notice::says_old;
use crate::page::{PageSection, SitePage, Skip};
use crate::settings::Settings;

/// Reads pages, with what the settings and the pages' generators say prepared once.
pub struct PageReader<'s> {
    settings: &'s Settings,
    /// The rules for each generator, and at last those for pages of unknown ones.
    rules: Vec<Rules>,
}

impl<'s> PageReader<'s> {
    /// A reader of the pages of a site with these settings.
    pub fn new(settings: &'s Settings) -> PageReader<'s> {
        let places = (0..GENERATORS.len()).map(Some).chain([None]);
        PageReader { settings, rules: places.map(|place| Rules::of(place, &settings.ignore)).collect() }
    }

    /// Reads the file at `address`, a path below the site's folder.
    ///
    /// # Errors
    /// The reason why the file is no page of its own.
    pub fn read(&self, address: &str, bytes: &[u8]) -> Result<SitePage, Skip> {
        if !self.settings.wants(address) {
            return Err(Skip::Excluded);
        }
        let html = decode(bytes);
        let dom = Dom::parse(&html).map_err(|_| Skip::TooLarge)?;
        let head = Head::of(&dom, address);
        if head.redirects {
            return Err(Skip::Redirect);
        }
        if head.no_index {
            return Err(Skip::NoIndex);
        }
        if head.has_frames {
            return Err(Skip::Frames);
        }
        let place = GENERATORS.of(&dom);
        let generator = place.map(|place| GENERATORS.get(place));
        if is_apparatus(address, generator) {
            return Err(Skip::Apparatus);
        }
        let rules = &self.rules[place.unwrap_or(GENERATORS.len())];
        let ids = Ids::of(&dom);
        let (contents, found_by) = content::of(&dom, rules, self.settings.content.as_ref());
        let sections = contents.iter().flat_map(|&id| markdown::sections(&dom, id, rules, &ids, &head.base));
        let sections: Vec<PageSection> = sections.collect();
        if sections.iter().all(|section| section.body.is_empty()) {
            return Err(Skip::Empty);
        }
        let first = sections.iter().find(|section| section.level > 0).filter(|section| section.level <= 2);
        let is_only = sections.iter().filter(|section| section.level == 1).count() == 1;
        let own = match first {
            _ if !head.marked_title.is_empty() => Some(head.marked_title),
            Some(section) if section.level == 1 && is_only => Some(section.title.clone()),
            _ => contents.first().and_then(|&id| heading_above(&dom, id)),
        };
        let has_own_heading = own.is_some();
        let title = own.or_else(|| first.map(|section| section.title.clone())).unwrap_or_else(|| head.title.clone());
        let title = if title.is_empty() { readable(address) } else { title };
        Ok(SitePage {
            address: address.to_owned(),
            title,
            head_title: head.title,
            has_own_heading,
            description: head.description,
            language: head.language,
            canonical: head.canonical,
            version: head.version,
            says_old: says_old(&dom, &html),
            root_links: head.root_links,
            previous: head.previous,
            next: head.next,
            parent: head.parent,
            is_marked: found_by == ContentOrigin::Mark,
            is_configured: found_by == ContentOrigin::Settings,
            generator: generator.map(|generator| generator.name.clone()).unwrap_or_default(),
            members: generator.map_or(&[], |generator| &generator.members),
            sections,
        })
    }
}

/// The heading of a page that stands beside its content, in the same part of the page.
fn heading_above(dom: &Dom, content: NodeId) -> Option<String> {
    let around = dom.ancestors(content).find(|&above| matches!(dom.name(above), "main" | "article"))?;
    let heading = dom.descendants(around).find(|&id| dom.name(id) == "h1")?;
    Some(dom.line(heading)).filter(|title| !title.is_empty())
}

/// A title made of a file's name: `guide/first-steps.html` is `First steps`.
fn readable(address: &str) -> String {
    let mut steps = address.rsplit('/');
    let file = steps.next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name = if stem == "index" { steps.next().unwrap_or("Home") } else { stem };
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.trim().chars();
    letters.next().map_or_else(|| "Untitled".to_owned(), |first| first.to_uppercase().chain(letters).collect())
}
