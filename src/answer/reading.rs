//! A page as it is read for one sub-query: the units that can be quoted from it (sentences, list items, rows of tables,
//! blocks of code), each with its place on the page, and which of the terms asked for they hold. Each part of a page is
//! analysed once, so the time is linear in the page.

use seealso_pack::{Block, BlockKind, Page, Section, SectionKind};

use crate::answer::Form;
use crate::answer::asking::announces;
use crate::answer::lists::OpenLists;
use crate::answer::sentences::SentenceRules;
use crate::answer::terms::{TermSet, Terms, difference, union};
use crate::answer::unit::{Standing, Unit, strip_references};
use crate::retrieve::fetch::FetchedPage;

/// What a heading's or title's term counts beside a unit, against one in it; and one in what stands next to the unit or
/// introduces it.
const CONTEXT_SHARE: f64 = 0.5;
const NEAR_SHARE: f64 = 0.3;
/// Opens a quote that says what its page is about.
const ABSTRACT: &str = "Abstract:";
/// A section's heading, and the terms in it and in those above it.
pub(super) struct ReadSection {
    pub(super) heading: String,
    pub(super) anchor: String,
    kind: SectionKind,
    found: TermSet,
}

/// A page, read for one sub-query.
pub(super) struct Reading {
    /// The terms in its title and aliases.
    pub(super) names: TermSet,
    pub(super) sections: Vec<ReadSection>,
    pub(super) units: Vec<Unit>,
    /// The terms that stand anywhere in its names, summary, headings and units.
    pub(super) found: TermSet,
    /// What each term weighs on this page: its rarity among pages, by its rarity among the page's units.
    weights: Vec<f64>,
}

impl Reading {
    /// Reads a page for a sub-query of `terms`.
    pub(super) fn of(fetched: &FetchedPage, terms: &Terms) -> Reading {
        let page = &fetched.page;
        let names = terms.find(&format!("{} {}", page.title, page.aliases.join(" ")), true);
        let summary = terms.find(&page.summary, false);
        let (sections, blocks) = fetched.page_text.parts(page);
        let mut reading = Reading {
            names: names.exact,
            sections: read_sections(sections, terms),
            units: Vec::new(),
            found: Vec::new(),
            weights: Vec::new(),
        };
        let rules = SentenceRules::of(terms.analysis);
        let description = rules.sentences(page.summary.trim());
        let mut lists = OpenLists::default();
        for (place, block) in blocks.iter().enumerate().filter(|(_, block)| block.kind != BlockKind::Heading) {
            reading.take(place, block, &description, &mut lists, terms, &rules);
        }
        reading.describe(page, &description, terms);
        let exact = union(&reading.all(), &summary.exact);
        // Another word of a family stands for one that the page does not have.
        let fill = |found: &mut TermSet, kin: &TermSet| *found = union(found, &difference(kin, &exact));
        reading.units.iter_mut().for_each(|unit| fill(&mut unit.own, &unit.kin));
        fill(&mut reading.names, &names.kin);
        reading.found = union(&union(&reading.all(), &exact), &difference(&summary.kin, &exact));
        reading.weights = reading.weigh(terms);
        reading
    }

    fn take(
        &mut self,
        place: usize,
        block: &Block,
        description: &[&str],
        lists: &mut OpenLists,
        terms: &Terms,
        rules: &SentenceRules,
    ) {
        let Some(kind) = self.sections.get(block.section).map(|section| section.kind) else { return };
        if matches!(kind, SectionKind::SeeAlso | SectionKind::Sources) {
            return;
        }
        let text = block.text_with_heads();
        let text = text.trim();
        let abstract_text = text.strip_prefix(ABSTRACT).filter(|_| block.kind == BlockKind::Quote);
        let form = Form::of(block.kind);
        let texts = match form {
            Form::Row | Form::Code => vec![text],
            _ => rules.sentences(abstract_text.unwrap_or(text)).into_iter().map(strip_references).collect(),
        };
        let mut membership = lists.take(block, form, &self.units);
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            let standing = match kind {
                _ if description.contains(&text) => Standing::SaidDescription,
                _ if abstract_text.is_some() => Standing::Lead,
                SectionKind::Lead => Standing::Lead,
                SectionKind::KeyPoints => Standing::KeyPoint,
                _ => Standing::Body,
            };
            let mut unit = Unit::of(text, form, block.section, place, terms);
            if form == Form::Row {
                // Every row is said with the same heads: they tell none from the others.
                unit.heads = terms.find(&block.heads, false).exact;
                unit.own = terms.find(&block.text, false).exact;
            }
            self.units.push(Unit {
                standing,
                intro: membership.intro,
                list: membership.list,
                joins: membership.joins,
                depth: block.list.depth,
                number: block.list.number,
                is_aside: block.kind == BlockKind::Aside,
                ..unit
            });
            // Further sentences go on in the block.
            membership.joins = true;
        }
    }

    /// Takes the page's own description, where it says what the page's text does not.
    fn describe(&mut self, page: &Page, description: &[&str], terms: &Terms) {
        let is_said = || description.iter().any(|sentence| self.units.iter().any(|unit| unit.text.contains(sentence)));
        if !page.has_telling_summary() || announces(&page.summary, terms.question_words.as_ref()) || is_said() {
            return;
        }
        let (heading, anchor) = (String::new(), String::new());
        self.sections.push(ReadSection { heading, anchor, kind: SectionKind::Lead, found: terms.none() });
        for text in description {
            let unit = Unit::of(text, Form::Prose, self.sections.len() - 1, usize::MAX, terms);
            self.units.push(Unit { standing: Standing::Description, ..unit });
        }
    }

    /// The weight of each term: its idf among pages, times its share of the greatest idf among the units of this page
    /// (Robertson and Spärck Jones 1976, as BM25 has it). What stands in every other sentence tells none from the others.
    fn weigh(&self, terms: &Terms) -> Vec<f64> {
        let count = self.units.len() as f64;
        let idf = |held: f64| (1.0 + (count - held + 0.5) / (held + 0.5)).ln();
        let weight = |at: usize| {
            let held = self.units.iter().filter(|unit| unit.own[at]).count() as f64;
            terms.items[at].rarity * idf(held) / idf(0.0)
        };
        (0..terms.items.len()).map(weight).collect()
    }

    /// The share of the sub-query's weight on this page that a unit holds, with half of what its headings and the page's
    /// names hold beside it, and less of what stands next to it.
    pub(super) fn worth(&self, place: usize) -> f64 {
        let unit = &self.units[place];
        let around = difference(&union(&self.names, &self.sections[unit.section].found), &unit.own);
        let near = difference(&difference(&self.near(place), &unit.own), &around);
        self.share(&unit.own) + CONTEXT_SHARE * self.share(&around) + NEAR_SHARE * self.share(&near)
    }

    fn share(&self, found: &[bool]) -> f64 {
        let total: f64 = self.weights.iter().sum();
        let held: f64 = self.weights.iter().zip(found).filter(|(_, found)| **found).map(|(weight, _)| weight).sum();
        if total > 0.0 { held / total } else { 0.0 }
    }

    /// The terms in a unit's neighbours in its block, and in what introduces it.
    fn near(&self, place: usize) -> TermSet {
        let unit = &self.units[place];
        let neighbours = [place.checked_sub(1), Some(place + 1)];
        let beside = neighbours.into_iter().flatten().filter_map(|at| self.units.get(at));
        let beside = beside.filter(|other| other.block == unit.block);
        let intro = unit.intro.map(|at| &self.units[at]);
        beside.chain(intro).fold(unit.heads.clone(), |near, other| union(&near, &other.own))
    }

    fn all(&self) -> TermSet {
        let headings = self.sections.iter().map(|section| &section.found);
        let all = headings.chain(self.units.iter().flat_map(|unit| [&unit.own, &unit.heads]));
        all.fold(self.names.clone(), |held, found| union(&held, found))
    }
}

/// The sections, each with the terms of its heading and of those that it stands below.
fn read_sections(sections: &[Section], terms: &Terms) -> Vec<ReadSection> {
    let mut above: Vec<(u8, TermSet)> = Vec::new();
    let read = |section: &Section| {
        let heading = section.heading.clone().unwrap_or_default();
        above.retain(|(level, _)| *level < section.level);
        let own = terms.find(&heading, false).exact;
        let found = above.iter().fold(own, |found, (_, other)| union(&found, other));
        above.push((section.level, found.clone()));
        ReadSection { heading, anchor: section.anchor.clone(), kind: section.kind, found }
    };
    sections.iter().map(read).collect()
}
