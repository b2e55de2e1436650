//! A pattern of reasoning, with the variants of it for certain situations.

use serde::{Deserialize, Serialize};

use super::section::{below, text_of};
use crate::file_name::stem;
use crate::page::{Page, PageRole};

/// A way of reasoning that several entries share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// The file of its page, below the pack's page root.
    pub file: String,
    /// Its name in `pattern` fields: its own `slug`, else the file's name.
    pub slug: String,
    /// What it is for, in one sentence: the page's summary.
    pub description: String,
    /// The reasoning, with a place in braces for each thing that differs from case to case.
    pub template: String,
    /// How it reads in certain situations, in the order of the page.
    pub variants: Vec<Variant>,
}

/// A pattern as it reads in one situation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// The situation: a heading below `## Variants`.
    pub context: String,
    /// The text below that heading, in Markdown.
    pub text: String,
}

impl Pattern {
    /// The pattern of a page; `None` for a page that is none.
    pub fn of(page: &Page) -> Option<Pattern> {
        if page.role() != PageRole::Pattern {
            return None;
        }
        Some(Pattern {
            file: page.file.clone(),
            slug: slug(page),
            description: page.summary.clone(),
            template: page.field("template").unwrap_or_default(),
            variants: variants(page),
        })
    }
}

/// The slug of an entry's or a pattern's page.
pub(crate) fn slug(page: &Page) -> String {
    let of_file = || stem(&page.file).rsplit('/').next().unwrap_or_default().to_owned();
    page.field("slug").unwrap_or_else(of_file)
}

fn variants(page: &Page) -> Vec<Variant> {
    let sections = page.sections();
    let own = below(&sections, "Variants");
    let Some(level) = own.iter().skip(1).map(|section| section.level).min() else { return Vec::new() };
    let starts: Vec<usize> = (1..own.len()).filter(|&at| own[at].level == level).collect();
    let ends = starts.iter().skip(1).copied().chain([own.len()]);
    let variant = |(start, end): (usize, usize)| Variant {
        context: own[start].heading.clone().unwrap_or_default(),
        text: text_of(&own[start..end]),
    };
    starts.iter().copied().zip(ends).map(variant).collect()
}
