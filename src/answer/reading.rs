//! A page as it is read for one sub-query: the units that can be quoted from it (sentences, list items, rows of tables,
//! blocks of code), each with its place on the page, and which of the terms asked for they hold. Each part of a page is
//! analysed once, so the time is linear in the page.

use seealso_index::{Analysis, Token};
use seealso_pack::{Block, BlockKind, Page, Section, SectionKind};

use crate::answer::Form;
use crate::answer::asking::announces;
use crate::answer::sentences::{SentenceRules, is_lead_in, may_end_sentence};
use crate::answer::terms::{Found, Terms, either, without};

/// What a heading's or title's term counts beside a unit, against one in it; and one in what stands next to the unit or
/// introduces it.
const CONTEXT_SHARE: f64 = 0.5;
const NEAR_SHARE: f64 = 0.3;
/// Units of fewer letters are not quoted by themselves, a Chinese, Japanese or Korean one counted twice; nor those of more
/// characters.
const FEWEST_LETTERS: usize = 15;
const MOST_CHARACTERS: usize = 600;
/// From here on scripts are written in characters each of which says as much as some letters do.
const FIRST_WIDE: char = '\u{2e80}';

/// What can be quoted: a sentence, a sentence of a list item, a row, a block of code.
pub(super) struct Unit {
    pub(super) text: String,
    pub(super) form: Form,
    /// Its section's place in [`Reading::sections`].
    pub(super) section: usize,
    /// The place of its block on the page.
    pub(super) block: usize,
    /// The unit that introduces the list, table or code that it belongs to.
    pub(super) intro: Option<usize>,
    pub(super) standing: Standing,
    /// Whether it can be what is quoted, not only what is quoted along.
    pub(super) is_seed: bool,
    /// Whether it stands beside the page's own thread, as a warning does.
    pub(super) is_aside: bool,
    /// The terms that it holds.
    pub(super) own: Found,
    kin: Found,
    /// Of a row, the terms in the heads of its columns.
    heads: Found,
}

/// How near a unit stands to what its whole page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The page's description, where its text does not say it.
    Description,
    /// The page's description, as its text says it.
    SaidDescription,
    /// The page's opening or abstract.
    Lead,
    /// One of its key points, which stand out of their context.
    KeyPoint,
    Body,
}

/// A section's heading, and the terms in it and in those above it.
pub(super) struct ReadSection {
    pub(super) heading: String,
    pub(super) anchor: String,
    kind: SectionKind,
    found: Found,
}

/// A page, read for one sub-query.
pub(super) struct Reading {
    /// The terms in its title and aliases.
    pub(super) names: Found,
    pub(super) sections: Vec<ReadSection>,
    pub(super) units: Vec<Unit>,
    /// The terms that stand anywhere in its names, summary, headings and units.
    pub(super) found: Found,
    /// What each term weighs on this page: its rarity among pages, by its rarity among the page's units.
    weights: Vec<f64>,
}

impl Reading {
    /// Reads `page` for a sub-query of `terms`.
    pub(super) fn of(page: &Page, terms: &Terms) -> Reading {
        let names = terms.find(&format!("{} {}", page.title, page.aliases.join(" ")), true);
        let summary = terms.find(&page.summary, false);
        let (sections, blocks) = page.sections_and_blocks();
        let mut reading = Reading {
            names: names.exact,
            sections: read_sections(sections, terms),
            units: Vec::new(),
            found: Vec::new(),
            weights: Vec::new(),
        };
        let rules = SentenceRules::of(terms.analysis);
        let description = rules.sentences(page.summary.trim());
        for (place, block) in blocks.into_iter().enumerate() {
            if block.kind != BlockKind::Heading {
                reading.take(place, &block, &description, terms, &rules);
            }
        }
        reading.describe(page, &description, terms);
        let exact = either(&reading.all(), &summary.exact);
        // Another word of a family stands for one that the page does not have.
        let fill = |found: &mut Found, kin: &Found| *found = either(found, &without(kin, &exact));
        reading.units.iter_mut().for_each(|unit| fill(&mut unit.own, &unit.kin));
        fill(&mut reading.names, &names.kin);
        reading.found = either(&either(&reading.all(), &exact), &without(&summary.kin, &exact));
        reading.weights = reading.weigh(terms);
        reading
    }

    fn take(&mut self, place: usize, block: &Block, description: &[&str], terms: &Terms, rules: &SentenceRules) {
        let Some(kind) = self.sections.get(block.section).map(|section| section.kind) else { return };
        if matches!(kind, SectionKind::SeeAlso | SectionKind::Sources) {
            return;
        }
        let said = block.said();
        let said = said.trim();
        let said = said.strip_prefix("Abstract:").unwrap_or(said).trim();
        let form = Form::of(block.kind);
        let texts = if matches!(form, Form::Row | Form::Code) { vec![said] } else { rules.sentences(said) };
        let intro = self.introduction(block.section, form);
        let is_whole = matches!(form, Form::Row | Form::Code);
        let texts = texts.into_iter().map(|text| if is_whole { text } else { without_references(text) });
        for text in texts.filter(|text| !text.is_empty()) {
            let standing = match kind {
                _ if description.contains(&text) => Standing::SaidDescription,
                _ if block.kind == BlockKind::Quote => Standing::Lead,
                SectionKind::Lead => Standing::Lead,
                SectionKind::KeyPoints => Standing::KeyPoint,
                _ => Standing::Body,
            };
            let is_aside = block.kind == BlockKind::Aside;
            let mut unit = Unit::of(text, form, block.section, place, terms);
            if form == Form::Row {
                // Every row is said with the same heads: they tell none from the others.
                unit.heads = terms.find(&block.heads, false).exact;
                unit.own = terms.find(&block.text, false).exact;
            }
            self.units.push(Unit { intro, standing, is_aside, ..unit });
        }
    }

    /// The unit that introduces a list, table or code of `form`, which begins or goes on here: the last one before it.
    fn introduction(&self, section: usize, form: Form) -> Option<usize> {
        let last = self.units.last().filter(|last| last.section == section && form != Form::Prose)?;
        match last.form {
            Form::Prose => Some(self.units.len() - 1),
            // Code inside of a step.
            Form::Item if form == Form::Code => Some(self.units.len() - 1),
            other if other == form => last.intro,
            _ => None,
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
        let around = without(&either(&self.names, &self.sections[unit.section].found), &unit.own);
        let near = without(&without(&self.near(place), &unit.own), &around);
        self.share(&unit.own) + CONTEXT_SHARE * self.share(&around) + NEAR_SHARE * self.share(&near)
    }

    fn share(&self, found: &[bool]) -> f64 {
        let total: f64 = self.weights.iter().sum();
        let held: f64 = self.weights.iter().zip(found).filter(|(_, found)| **found).map(|(weight, _)| weight).sum();
        if total > 0.0 { held / total } else { 0.0 }
    }

    /// The terms in a unit's neighbours in its block, and in what introduces it.
    fn near(&self, place: usize) -> Found {
        let unit = &self.units[place];
        let neighbours = [place.checked_sub(1), Some(place + 1)];
        let beside = neighbours.into_iter().flatten().filter_map(|at| self.units.get(at));
        let beside = beside.filter(|other| other.block == unit.block);
        let intro = unit.intro.map(|at| &self.units[at]);
        beside.chain(intro).fold(unit.heads.clone(), |near, other| either(&near, &other.own))
    }

    fn all(&self) -> Found {
        let headings = self.sections.iter().map(|section| &section.found);
        let all = headings.chain(self.units.iter().flat_map(|unit| [&unit.own, &unit.heads]));
        all.fold(self.names.clone(), |union, found| either(&union, found))
    }
}

impl Unit {
    fn of(text: &str, form: Form, section: usize, block: usize, terms: &Terms) -> Unit {
        let found = terms.find(text, false);
        Unit {
            text: text.to_owned(),
            form,
            section,
            block,
            intro: None,
            standing: Standing::Body,
            is_seed: is_of_fit_length(text) && !is_lead_in(text),
            is_aside: false,
            own: found.exact,
            kin: found.kin,
            heads: terms.none(),
        }
    }

    pub(super) fn characters(&self) -> usize {
        self.text.chars().count()
    }
}

/// The sections, each with the terms of its heading and of those that it stands below.
fn read_sections(sections: Vec<Section>, terms: &Terms) -> Vec<ReadSection> {
    let mut above: Vec<(u8, Found)> = Vec::new();
    let read = |section: Section| {
        let heading = section.heading.unwrap_or_default();
        above.retain(|(level, _)| *level < section.level);
        let own = terms.find(&heading, false).exact;
        let found = above.iter().fold(own, |found, (_, other)| either(&found, other));
        above.push((section.level, found.clone()));
        ReadSection { heading, anchor: section.anchor, kind: section.kind, found }
    };
    sections.into_iter().map(read).collect()
}

/// `text` without the numbers of the page's own references at its end, as in `It grew. [2][3]`: a reader would take them for
/// numbers of the answer's sources.
fn without_references(text: &str) -> &str {
    let is_number =
        |inside: &str| !inside.is_empty() && inside.chars().all(|c| c.is_ascii_digit() || ", –-".contains(c));
    let mut text = text.trim_end();
    while let Some(open) = text.strip_suffix(']').and_then(|inside| inside.rfind('['))
        && is_number(&text[open + 1..text.len() - 1])
        // "The interval [0, 10]" is no reference.
        && text[..open].trim_end().ends_with(|c| may_end_sentence(c) || matches!(c, ']' | ')' | '"' | '”' | '’'))
    {
        text = text[..open].trim_end();
    }
    text
}

fn is_of_fit_length(text: &str) -> bool {
    let characters = text.chars().count();
    let wide = text.chars().filter(|c| *c >= FIRST_WIDE).count();
    characters + wide >= FEWEST_LETTERS && characters <= MOST_CHARACTERS
}

/// The terms of `tokens`, each once.
pub(super) fn distinct(tokens: Vec<Token>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if !words.contains(&token.term) {
            words.push(token.term);
        }
    }
    words
}

/// Whether two texts say the same: they share most of their words, and neither has a number or code that the other lacks.
pub(super) fn say_the_same(a: &str, b: &str, analysis: Analysis) -> bool {
    /// Of the smaller set of words.
    const SAME: f64 = 0.6;
    let [a_words, b_words] = [a, b].map(|text| distinct(analysis.tokens(text)));
    let (smaller, larger) = if a_words.len() <= b_words.len() { (a_words, b_words) } else { (b_words, a_words) };
    let shared = smaller.iter().filter(|word| larger.contains(word)).count();
    let is_fact = |word: &&String| word.bytes().any(|byte| byte.is_ascii_digit());
    let facts = |text: &str| -> Vec<String> {
        let code = text.split('`').skip(1).step_by(2).map(str::to_owned);
        distinct(analysis.tokens(text)).iter().filter(is_fact).cloned().chain(code).collect()
    };
    let (a_facts, b_facts) = (facts(a), facts(b));
    shared as f64 > SAME * smaller.len().max(1) as f64
        && (a_facts.iter().all(|fact| b_facts.contains(fact)) || b_facts.iter().all(|fact| a_facts.contains(fact)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pages_own_reference_marks_are_left_out() {
        let check = |text: &str, expected: &str| assert_eq!(without_references(text), expected);
        check("It grew. [2]", "It grew.");
        check("It grew.[2][3, 4]", "It grew.");
        check("\"It grew.\" [2–5]", "\"It grew.\"");
        check("[1]", "[1]");
        check("Lies in the interval [0, 10]", "Lies in the interval [0, 10]");
        check("See [the page]", "See [the page]");
        check("长大了。[2]", "长大了。");
    }
}
