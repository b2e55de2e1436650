//! Reading the blocks of a page into units.

use seealso_pack::{Block, BlockKind, Section, SectionKind};

use crate::answer::Form;
use crate::answer::lists::OpenLists;
use crate::answer::question_form::denies;
use crate::answer::sentences::SentenceRules;
use crate::answer::terms::{Match, TermSet, Terms};
use crate::answer::unit::{Standing, Unit, strip_references};

/// Opens a quote that says what its page is about.
const ABSTRACT: &str = "Abstract:";

/// Reads the blocks of one page, in order.
pub(super) struct UnitReader<'r> {
    pub(super) units: Vec<Unit>,
    /// The sentences of the page's description.
    description: &'r [&'r str],
    rules: &'r SentenceRules,
    terms: &'r Terms,
    lists: OpenLists,
    /// The heads of the table at hand, and the terms in them.
    heads: (&'r str, TermSet),
}

impl<'r> UnitReader<'r> {
    pub(super) fn new(description: &'r [&'r str], rules: &'r SentenceRules, terms: &'r Terms) -> UnitReader<'r> {
        let (units, lists, heads) = (Vec::new(), OpenLists::default(), ("", terms.none()));
        UnitReader { units, description, rules, terms, lists, heads }
    }

    /// Takes the block at `place` of the page, which stands in `section`.
    pub(super) fn take(&mut self, place: usize, block: &'r Block, section: &Section) {
        let form = Form::of(block.kind);
        // Titles of callouts and the like are no headings.
        if form == Form::Heading && section.heading.as_deref() != Some(&block.text) {
            return;
        }
        let text = block.text_with_heads(|head| self.denies(head));
        let text = text.trim();
        let abstract_text = text.strip_prefix(ABSTRACT).filter(|_| block.kind == BlockKind::Quote);
        let texts = match form {
            Form::Row | Form::Code | Form::Heading => vec![text],
            _ => self.rules.sentences(abstract_text.unwrap_or(text)).into_iter().map(strip_references).collect(),
        };
        let mut membership = self.lists.take(block, form, &self.units);
        let opens = self.units.last().is_none_or(|last| last.section != block.section || last.form == Form::Heading);
        // An item that goes on behind a list inside of it goes on as a paragraph.
        let form = if membership.resumes && form == Form::Item { Form::Prose } else { form };
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            let standing = match section.kind {
                _ if self.description.contains(&text) => Standing::SaidDescription,
                _ if abstract_text.is_some() => Standing::Lead,
                SectionKind::Lead => Standing::Lead,
                SectionKind::KeyPoints => Standing::KeyPoint,
                _ if opens => Standing::Opening,
                _ => Standing::Body,
            };
            let unit = self.unit(block, text, form, membership.intro);
            self.units.push(Unit {
                section: block.section,
                block: place,
                list: block.list.list,
                joins: membership.joins,
                depth: if form == Form::Heading { section.level } else { block.list.depth },
                number: block.list.number,
                standing,
                is_aside: block.kind == BlockKind::Aside,
                ..unit
            });
            // Further sentences go on in the block.
            membership.joins = true;
        }
    }

    /// A unit of `block` with the terms that it holds. Every row is said with the same heads: they tell none from the
    /// others. A heading's terms are its section's.
    fn unit(&mut self, block: &'r Block, text: &str, form: Form, intro: Option<usize>) -> Unit {
        let none = || self.terms.none();
        match form {
            Form::Heading => Unit::of(text, form, intro, Match { exact: none(), kin: none() }, none()),
            Form::Row => {
                if self.heads.0 != block.heads {
                    self.heads = (&block.heads, self.terms.find(&block.heads, false).exact);
                }
                Unit::of(text, form, intro, self.terms.find(&block.text, false), self.heads.1.clone())
            }
            _ => Unit::of(text, form, intro, self.terms.find(text, false), none()),
        }
    }

    /// Whether a head says that what stands below it is not so.
    fn denies(&self, head: &str) -> bool {
        self.terms.question_words.as_ref().is_some_and(|words| denies(head, words))
    }
}
