//! The input of the writer: packs and their pages, and the tokens of a page, counted.

use std::collections::BTreeMap;

use super::names::name_terms;
use crate::analysis::{Analysis, Kind};
use crate::field::{FIELDS, Field, Frequencies};
use crate::format::PAGE_HASH_BYTES;

/// A page to be indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPage {
    /// The path of the page's file under the pack's page root, such as `concepts/docker-image.md`.
    pub file: String,
    /// The title.
    pub title: String,
    /// Other names of the page.
    pub aliases: Vec<String>,
    /// One sentence on what the page answers.
    pub summary: String,
    /// Terms chosen from the body, as the pack's analysis makes them, each with its count; empty for an index of
    /// metadata alone.
    pub body: Vec<(String, u32)>,
    /// Tags to filter by.
    pub tags: Vec<String>,
    /// The first bytes of the page file's SHA-256, by which a reader notices that the page changed since.
    pub hash: [u8; PAGE_HASH_BYTES],
    /// The pages that it lists under See Also, as places in the same pack, from 0.
    pub links: Vec<u32>,
}

/// A pack to be indexed, without its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackInfo {
    /// The pack's path under the packs root, such as `history/roman-emperors`.
    pub path: String,
    /// The folder of its pages, under its path; empty for the pack's own folder.
    pub page_root: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub summary: String,
    /// The BCP 47 tag of the language that its pages are written in.
    pub language: String,
    /// Whether the pages' `links` come from their bodies, because none has a See Also section.
    pub links_derived: bool,
    /// Where the site lies that its pages are of; empty for none. The index only keeps it.
    pub site: String,
}

/// A pack to be indexed, with its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPack {
    /// The pack.
    pub info: PackInfo,
    /// Its pages; they keep this order.
    pub pages: Vec<NewPage>,
    /// How many of its pages hold each term anywhere, in their whole bodies too; empty where that is not known.
    pub pages_with: BTreeMap<String, u32>,
}

/// The tokens of a page, counted. Counting takes most of the time of a build, and needs no writer: it can be done in
/// threads.
#[derive(Debug, Clone)]
pub struct AnalysedPage {
    pub(super) counts: BTreeMap<String, Frequencies>,
    /// How many tokens each field has.
    pub(super) tokens: [u32; FIELDS],
    /// The terms of each name.
    pub(super) names: Vec<Vec<String>>,
}

impl AnalysedPage {
    /// Analyses a page.
    pub fn of(page: &NewPage, analysis: Analysis) -> AnalysedPage {
        let mut counts: BTreeMap<String, Frequencies> = BTreeMap::new();
        let mut tokens = [0; FIELDS];
        for (field, text) in texts(page) {
            let mut found = analysis.tokens_in(field, &text);
            // A compound is found by its parts, and a question is searched with and without its hyphens. The joined
            // form would be one term more for each of a million hyphenated names.
            found.retain(|token| token.kind != Kind::Joined);
            tokens[field as usize] = found.iter().filter(|token| !token.is_beside()).count() as u32;
            for token in found {
                counts.entry(token.term).or_default()[field as usize] += 1;
            }
        }
        for (term, count) in page.body.iter().filter(|(_, count)| *count > 0) {
            counts.entry(term.clone()).or_default()[Field::Body as usize] += count;
            tokens[Field::Body as usize] += count;
        }
        let names = std::iter::once(&page.title).chain(&page.aliases);
        AnalysedPage { counts, tokens, names: names.map(|name| name_terms(analysis, name)).collect() }
    }

    /// The page's length in tokens: those of all fields but the body.
    pub(super) fn length(&self) -> u32 {
        Field::ALL.iter().filter(|&&field| field != Field::Body).map(|&field| self.tokens[field as usize]).sum()
    }
}

/// The texts by whose words a page is found, and whose tokens make its length.
fn texts(page: &NewPage) -> [(Field, String); 3] {
    [
        (Field::Title, page.title.clone()),
        (Field::Aliases, page.aliases.join("\n")),
        (Field::Summary, page.summary.clone()),
    ]
}
