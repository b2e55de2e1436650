//! What the writer is handed: packs, their pages, and the words of a page, counted.

use std::collections::BTreeMap;

use super::names;
use crate::analysis::{Analysis, Kind};
use crate::bm25::{FIELDS, Field, Frequencies};
use crate::format::PAGE_HASH_BYTES;

/// A page as it is handed to the writer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPage {
    /// Path under the pack's page root, such as `concepts/docker-image.md`.
    pub file: String,
    /// The title.
    pub title: String,
    /// Other names of the page.
    pub aliases: Vec<String>,
    /// One sentence on what the page answers.
    pub summary: String,
    /// Salient terms of the body, as the pack's analysis has them, each with its count; empty for an index of metadata
    /// alone.
    pub body: Vec<(String, u32)>,
    /// Tags to filter by.
    pub tags: Vec<String>,
    /// First bytes of the page file's SHA-256, by which a reader sees that the page changed since.
    pub hash: [u8; PAGE_HASH_BYTES],
    /// The pages that it lists under See Also, as places in the same pack, from 0.
    pub links: Vec<u32>,
}

/// A pack as it is handed to the writer, its pages aside.
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
    /// BCP 47 tag of the language its pages are written in.
    pub language: String,
    /// Whether `links` come from page bodies, for want of See Also sections.
    pub links_derived: bool,
    /// Where the site lies that its pages are of; empty for none. The index only keeps it.
    pub site: String,
}

/// A pack with its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPack {
    /// What it is.
    pub info: PackInfo,
    /// Its pages; they keep this order.
    pub pages: Vec<NewPage>,
    /// How many of its pages hold each term anywhere, their whole bodies included; empty where that is not known.
    pub pages_with: BTreeMap<String, u32>,
}

/// A page's tokens, counted: what a thread of its own can prepare.
#[derive(Debug, Clone)]
pub struct Analysed {
    pub(super) counts: BTreeMap<String, Frequencies>,
    pub(super) tokens: [u32; FIELDS],
    pub(super) names: Vec<Vec<String>>,
}

impl Analysed {
    /// Analyses a page.
    pub fn of(page: &NewPage, analysis: Analysis) -> Analysed {
        let mut counts: BTreeMap<String, Frequencies> = BTreeMap::new();
        let mut tokens = [0; FIELDS];
        for (field, text) in texts(page) {
            let mut found = analysis.tokens_in(field, &text);
            // A compound's parts find it, and a question tries them apart and together: its joined form is a term more
            // for each of a million hyphenated names.
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
        Analysed { counts, tokens, names: names.map(|name| names::terms_of(analysis, name)).collect() }
    }

    /// Tokens that count for the page's length: those of all fields but the body.
    pub(super) fn length(&self) -> u32 {
        Field::ALL.iter().filter(|&&field| field != Field::Body).map(|&field| self.tokens[field as usize]).sum()
    }
}

/// The texts whose words a page is found by, and whose tokens are its length.
fn texts(page: &NewPage) -> [(Field, String); 3] {
    [
        (Field::Title, page.title.clone()),
        (Field::Aliases, page.aliases.join("\n")),
        (Field::Summary, page.summary.clone()),
    ]
}
