//! A page as it is read for one sub-query: the units that can be quoted from it (sentences, list items, rows of tables,
//! blocks of code), each with its place on the page, and which of the terms asked for they hold. Each part of a page is
//! analysed once, so the time is linear in the page.

use seealso_pack::{Page, Section, SectionKind};

use crate::answer::Form;
use crate::answer::question_form::announces;
use crate::answer::sentences::SentenceRules;
use crate::answer::terms::{TermSet, Terms, difference, intersection, union};
use crate::answer::unit::{Standing, Unit};
use crate::answer::unit_reader::UnitReader;
use crate::retrieve::fetch::FetchedPage;

/// The weight of a term in the heading or title above a unit, where one in the unit has weight 1; and of a term in the units
/// beside it, or in the line that introduces it.
const CONTEXT_SHARE: f64 = 0.5;
const NEAR_SHARE: f64 = 0.3;
/// The additional weight of a term in a unit whose heading has it too: of units with the same terms, the one below that
/// heading is about the subject.
const HEADED_SHARE: f64 = 0.1;
/// A page's description is read up to so many sentences.
const MOST_DESCRIPTION: usize = 12;

/// A section's heading, and the terms in it and in those above it.
pub(super) struct ScoredSection {
    pub(super) heading: String,
    pub(super) anchor: String,
    /// The share of the sub-query's own weight that its heading and its other names hold.
    pub(super) named: f64,
    found: TermSet,
}

/// A page, read for one sub-query.
pub(super) struct ScoredPage {
    /// The terms in its title and aliases.
    pub(super) names: TermSet,
    pub(super) sections: Vec<ScoredSection>,
    pub(super) units: Vec<Unit>,
    /// The terms that stand anywhere in its names, summary, headings and units.
    pub(super) found: TermSet,
    /// What each term weighs on this page: its rarity among pages, by its rarity among the page's units.
    weights: Vec<f64>,
}

impl ScoredPage {
    /// Reads a page for a sub-query of `terms`.
    pub(super) fn of(fetched: &FetchedPage, terms: &Terms) -> ScoredPage {
        let page = &fetched.page;
        let summary = terms.find(&page.summary, false);
        let (sections, blocks) = fetched.page_text.parts(page);
        let (own, of_sections) = names(page, sections);
        let names = terms.find(&own, true);
        let mut scored = ScoredPage {
            names: names.exact,
            sections: scored_sections(sections, &of_sections, terms),
            units: Vec::new(),
            found: Vec::new(),
            weights: Vec::new(),
        };
        let rules = SentenceRules::of(terms.analysis);
        let mut description = rules.sentences(page.summary.trim());
        description.truncate(MOST_DESCRIPTION);
        let mut reader = UnitReader::new(&description, &rules, terms);
        for (place, block) in blocks.iter().enumerate() {
            let is_elsewhere = |section: &&Section| matches!(section.kind, SectionKind::SeeAlso | SectionKind::Sources);
            if let Some(section) = sections.get(block.section).filter(|section| !is_elsewhere(section)) {
                reader.take(place, block, section);
            }
        }
        scored.units = reader.units;
        scored.describe(page, &description, terms);
        let exact = union(&scored.all(), &summary.exact);
        // Another word of a family stands for one that the page does not have.
        let fill = |found: &mut TermSet, kin: &TermSet| *found = union(found, &difference(kin, &exact));
        scored.units.iter_mut().for_each(|unit| fill(&mut unit.own, &unit.kin));
        fill(&mut scored.names, &names.kin);
        scored.found = union(&union(&scored.all(), &exact), &difference(&summary.kin, &exact));
        scored.weights = scored.weigh(terms);
        scored
    }

    /// Takes the page's own description, where it says what the page's text does not.
    fn describe(&mut self, page: &Page, description: &[&str], terms: &Terms) {
        let is_said = || description.iter().any(|sentence| self.units.iter().any(|unit| unit.text.contains(sentence)));
        if !page.has_telling_summary() || announces(&page.summary, terms.question_words.as_ref()) || is_said() {
            return;
        }
        let (heading, anchor) = (String::new(), String::new());
        self.sections.push(ScoredSection { heading, anchor, named: 0.0, found: terms.none() });
        for text in description {
            let unit = Unit::of(text, Form::Prose, None, terms.find(text, false), terms.none());
            let (section, standing) = (self.sections.len() - 1, Standing::Description);
            self.units.push(Unit { section, standing, block: usize::MAX, ..unit });
        }
    }

    /// The weight of each term: its idf among pages, times its share of the greatest idf among the units of this page
    /// (Robertson and Spärck Jones 1976, as BM25 has it). What stands in every other sentence tells none from the others.
    fn weigh(&self, terms: &Terms) -> Vec<f64> {
        let count = self.units.iter().filter(|unit| unit.form != Form::Heading).count() as f64;
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
        let headed = intersection(&unit.own, &self.sections[unit.section].found);
        self.share(&unit.own)
            + HEADED_SHARE * self.share(&headed)
            + CONTEXT_SHARE * self.share(&around)
            + NEAR_SHARE * self.share(&near)
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

/// The names of a page, as one text, and those of each of its sections: an alias that a heading of the page holds is the
/// name of that section, and not of the page.
fn names(page: &Page, sections: &[Section]) -> (String, Vec<String>) {
    let mut own = page.title.clone();
    let mut of_sections = vec![String::new(); sections.len()];
    let holds = |section: &Section, name: &str| {
        let heading = section.heading.as_deref().unwrap_or_default();
        section.kind != SectionKind::Lead && holds_word(heading, name)
    };
    for alias in &page.aliases {
        // Of `Vec::retain` or `fs.open`, the heading has the last step.
        let step = alias.trim_end_matches(['.', ':']).rsplit([':', '.']).next().unwrap_or_default();
        let place =
            sections.iter().position(|section| holds(section, alias) || !step.is_empty() && holds(section, step));
        let names = place.map_or(&mut own, |place| &mut of_sections[place]);
        names.push(' ');
        names.push_str(alias);
    }
    (own, of_sections)
}

/// Whether `word` stands in `text` with no letter or digit beside it.
fn holds_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let beside = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
        !beside.into_iter().flatten().any(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The sections, each with the terms of its heading and of those that it stands below.
fn scored_sections(sections: &[Section], names: &[String], terms: &Terms) -> Vec<ScoredSection> {
    let mut above: Vec<(u8, TermSet)> = Vec::new();
    let read = |(section, names): (&Section, &String)| {
        let heading = section.heading.clone().unwrap_or_default();
        above.retain(|(level, _)| *level < section.level);
        let own = terms.find(&format!("{heading} {names}"), false).exact;
        let named = if section.kind == SectionKind::Body { terms.own_share(&own) } else { 0.0 };
        let found = above.iter().fold(own, |found, (_, other)| union(&found, other));
        above.push((section.level, found.clone()));
        ScoredSection { heading, anchor: section.anchor.clone(), found, named }
    };
    sections.iter().zip(names).map(read).collect()
}
