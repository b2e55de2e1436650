//! A site as packs, one for each language.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use seealso_pack::{Page, numbered_site_file, site_file};

use super::inventory::Inventory;
use super::links::{Places, see_also};
use super::related::Related;
use super::units::{SPLIT_BYTES, Unit, divide};
use super::{Site, language, parallel, summary, titles};
use crate::language_tag::language_tag;
use crate::page::{PageSection, SitePage};
use crate::settings::Settings;

/// A page has at most so many other names.
const MOST_ALIASES: usize = 64;

/// What stands above the links of a page that the site links with no other.
const DERIVED: &str = "*The site links this page with no other; these are the most like it by their words.*\n\n";

/// The folder of the packs of older versions.
pub const VERSIONS_FOLDER: &str = "versions";

/// The file of a part has a path of at most so many bytes: catalogs take 1,024 with the pack's own path.
const MAX_FILE_BYTES: usize = 960;

/// A pack of a site: its manifest and its pages.
#[derive(Debug, Clone, PartialEq)]
pub struct SitePack {
    /// The pack's path under the packs root, which is its language's tag.
    pub path: String,
    /// The text of `manifest.yaml`.
    pub manifest: String,
    /// The pages, by file below `wiki/`, each with its text.
    pub pages: BTreeMap<String, String>,
    /// How many sections its pages have.
    pub sections: usize,
}

/// Makes packs of the pages of a site, which lies at `base` as seen from the packs root: one for each language, and of each
/// older version such packs of its own, which are searched where a filter names them.
pub fn packs(site: &Site, inventory: &Inventory, settings: &Settings, base: &str) -> Vec<SitePack> {
    let mut packs = packs_of_one(site, inventory, settings, base);
    for (folder, older) in &site.older {
        let inventory = inventory.below(folder);
        packs.extend(packs_of_one(older, &inventory, settings, base).into_iter().map(|pack| pack.archive(folder)));
    }
    packs
}

/// The packs of one version of a site.
fn packs_of_one(site: &Site, inventory: &Inventory, settings: &Settings, base: &str) -> Vec<SitePack> {
    let limit = settings.split.unwrap_or(SPLIT_BYTES);
    let units: Vec<Unit> = site.pages.iter().enumerate().flat_map(|(at, page)| divide(at, page, limit)).collect();
    let places = Places::of(&site.pages, &units);
    let links = see_also(&site.pages, &units, &places);
    let files = files(&site.pages, &units);
    let titles: Vec<String> = units.iter().map(|unit| title(&site.pages[unit.page], unit)).collect();
    let mut names: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (name, target) in &inventory.names {
        if let Some(unit) = places.find(target) {
            names.entry(unit).or_default().push(name);
        }
    }
    let default = settings.language.as_deref().and_then(language_tag);
    let languages = language::of_pages(&site.pages, default.as_deref().unwrap_or("en"));
    let repeated = summary::repeated_descriptions(&site.pages);
    let mut related: Option<Related> = None;
    let mut packs: BTreeMap<&str, SitePack> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate() {
        let page = &site.pages[unit.page];
        let tag = languages[unit.page].as_str();
        let pack = packs.entry(tag).or_insert_with(|| new_pack(site, settings, tag, base));
        let sections = &page.sections[unit.sections.clone()];
        let is_first = unit.sections.start == 0;
        let description = Some(page.description.as_str())
            .filter(|text| is_first && text.chars().count() >= 20 && !repeated.contains_key(text));
        // What a page is linked with in another language is another pack's.
        let is_of_pack = |other: usize| languages[units[other].page] == tag;
        let mut linked: Vec<usize> = links[number].iter().copied().filter(|&other| is_of_pack(other)).collect();
        let is_derived = linked.is_empty();
        if is_derived {
            linked = related.get_or_insert_with(|| related_units(site, &units, &titles)).to(number, is_of_pack);
        }
        let see_also = linked.iter().map(|&other| (files[other].as_str(), titles[other].as_str()));
        let see_also = SeeAlso { links: see_also.collect(), is_derived };
        let within: Vec<&str> = unit
            .above
            .iter()
            .map(|&at| &page.sections[at])
            .filter(|section| section.has_own_id)
            .map(|section| section.id.as_str())
            .collect();
        let made = Page {
            file: files[number].clone(),
            title: titles[number].clone(),
            summary: description.map_or_else(|| summary::of_sections(sections), summary::cut),
            aliases: aliases(page, sections, names.get(&number).map_or(&[], Vec::as_slice), &titles[number]),
            body: body(sections, &see_also),
            fields: fields(page, &within, see_also.is_derived && !see_also.links.is_empty()),
            ..Page::default()
        };
        pack.sections += sections.len();
        pack.pages.insert(made.file.clone(), made.to_markdown());
    }
    packs.into_values().collect()
}

/// The folder, under the packs root, of the packs of the older version that lies in `folder` of the site.
pub fn packs_folder(folder: &str) -> String {
    let safe = site_file(folder, "", false);
    format!("{VERSIONS_FOLDER}/{}", safe.strip_suffix(".md").unwrap_or(&safe))
}

impl SitePack {
    /// The pack as that of the older version in `folder`.
    fn archive(self, folder: &str) -> SitePack {
        let path = format!("{}/{}", packs_folder(folder), self.path);
        SitePack { path, manifest: format!("{}archived: true\n", self.manifest), ..self }
    }
}

fn fields(page: &SitePage, within: &[&str], has_derived_links: bool) -> Vec<(String, seealso_pack::Value)> {
    let list = |ids: &[&str]| {
        seealso_pack::Value::List(ids.iter().map(|id| seealso_pack::Value::Text((*id).to_owned())).collect())
    };
    let within = (!within.is_empty()).then(|| ("within".to_owned(), list(within)));
    let version =
        (!page.version.is_empty()).then(|| ("version".to_owned(), seealso_pack::Value::Text(page.version.clone())));
    let derived = has_derived_links.then(|| ("see_also".to_owned(), seealso_pack::Value::Text("derived".to_owned())));
    within.into_iter().chain(version).chain(derived).collect()
}

fn new_pack(site: &Site, settings: &Settings, tag: &str, base: &str) -> SitePack {
    let name =
        settings.title.clone().or_else(|| titles::site_name(&site.pages)).unwrap_or_else(|| "Documentation".to_owned());
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let manifest = format!(
        "name: {tag}\ntitle: {}\nversion: 1.0.0\nlanguage: {tag}\nsite: {}\nsummary: {}\n",
        quoted(&name),
        quoted(base),
        quoted(&format!("The pages of the site {name}.")),
    );
    SitePack { path: tag.to_owned(), manifest, pages: BTreeMap::new(), sections: 0 }
}

/// The file of each unit: the page's, or that of the place where a part begins.
fn files(pages: &[SitePage], units: &[Unit]) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut files = Vec::with_capacity(units.len());
    for unit in units {
        let page = &pages[unit.page];
        let first = unit.sections.start;
        let own = if first == 0 { "" } else { page.sections[first].id.as_str() };
        // A part whose id is too long for a path is opened at the page's top.
        let fits = numbered_site_file(&page.address, own, usize::MAX).len() <= MAX_FILE_BYTES;
        let fragment = if fits { own } else { "" };
        // On some file systems capital letters are the same as small ones, and several parts may begin at one place.
        let named = [false, true].map(|spell_capitals| site_file(&page.address, fragment, spell_capitals));
        let numbered = (first..).map(|number| numbered_site_file(&page.address, fragment, number));
        let free = |file: &String| !taken.contains(&file.to_lowercase());
        let file = named.into_iter().chain(numbered).find(free).unwrap_or_default();
        taken.insert(file.to_lowercase());
        files.push(file);
    }
    files
}

/// The title of a unit: the page's, and for a part of one its own heading behind it.
fn title(page: &SitePage, unit: &Unit) -> String {
    let first = &page.sections[unit.sections.start];
    let own = first.names.first().filter(|_| first.heading.starts_with('`')).unwrap_or(&first.title);
    if unit.sections.start == 0 || own.is_empty() || *own == page.title {
        page.title.clone()
    } else {
        format!("{}: {own}", page.title)
    }
}

/// The other names of a unit: of the code that it defines, by the inventory and by its headings and terms.
fn aliases(page: &SitePage, sections: &[PageSection], inventory: &[&str], title: &str) -> Vec<String> {
    let mut aliases: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if aliases.len() < MOST_ALIASES && name != title && !aliases.iter().any(|known| known == name) {
            aliases.push(name.to_owned());
        }
    };
    let topic = page.title.rsplit("::").next().and_then(|last| last.split(' ').next_back()).unwrap_or_default();
    for section in sections {
        let is_member = page.members.iter().any(|prefix| section.id.starts_with(prefix.as_str()));
        for name in &section.names {
            if is_member {
                add(&format!("{topic}::{name}"));
            }
        }
    }
    inventory.iter().for_each(|name| add(name));
    sections.iter().flat_map(|section| &section.names).for_each(|name| add(name));
    aliases
}

/// What a unit is read on with.
struct SeeAlso<'s> {
    /// Files and titles.
    links: Vec<(&'s str, &'s str)>,
    /// Whether the site links it with no other page, so that these are the ones most like it.
    is_derived: bool,
}

/// The units by their words.
fn related_units(site: &Site, units: &[Unit], titles: &[String]) -> Related {
    let text = |unit: &Unit| {
        let bodies = site.pages[unit.page].sections[unit.sections.clone()].iter().map(|section| &section.body);
        bodies.map(|body| summary::plain(body)).collect::<Vec<_>>().join(" ")
    };
    let texts = parallel::for_each(units, &|_, _| ControlFlow::Continue(()), || text)
        .unwrap_or_else(|_| units.iter().map(text).collect());
    Related::of(titles.iter().map(String::as_str).zip(texts.iter().map(String::as_str)))
}

/// The Markdown of a unit, whose headings name the ids by which the site's page is opened.
fn body(sections: &[PageSection], see_also: &SeeAlso<'_>) -> String {
    let mut out = String::new();
    // The heading of a part is its title, so it stands at the top.
    let top = sections.iter().map(|section| section.level).filter(|&level| level > 0).min().unwrap_or(1);
    for section in sections {
        if section.level > 0 {
            let level = usize::from(section.level - top + 1).min(6);
            let id = if section.id.is_empty() { String::new() } else { format!(" {{#{}}}", section.id) };
            out.push_str(&format!("{} {}{id}\n\n", "#".repeat(level), section.heading));
        }
        if !section.body.is_empty() {
            out.push_str(&section.body);
            out.push_str("\n\n");
        }
    }
    if !see_also.links.is_empty() {
        out.push_str("# See Also\n\n");
        if see_also.is_derived {
            out.push_str(DERIVED);
        }
        for (file, title) in &see_also.links {
            let title = title.replace(['[', ']', '|'], " ");
            out.push_str(&format!("- [[/{file}|{title}]]\n"));
        }
    }
    out
}
