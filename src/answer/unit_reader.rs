//! Reading the blocks of a page into units.

use seealso_pack::{Block, BlockKind, SectionKind};

use crate::answer::Form;
use crate::answer::lists::OpenLists;
use crate::answer::sentences::SentenceRules;
use crate::answer::terms::{TermSet, Terms};
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

    /// Takes the block at `place` of the page, which stands in a section of `kind`.
    pub(super) fn take(&mut self, place: usize, block: &'r Block, kind: SectionKind) {
        let form = Form::of(block.kind);
        let text = block.text_with_heads();
        let text = text.trim();
        let abstract_text = text.strip_prefix(ABSTRACT).filter(|_| block.kind == BlockKind::Quote);
        let texts = match form {
            Form::Row | Form::Code => vec![text],
            _ => self.rules.sentences(abstract_text.unwrap_or(text)).into_iter().map(strip_references).collect(),
        };
        let mut membership = self.lists.take(block, form, &self.units);
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            let standing = match kind {
                _ if self.description.contains(&text) => Standing::SaidDescription,
                _ if abstract_text.is_some() => Standing::Lead,
                SectionKind::Lead => Standing::Lead,
                SectionKind::KeyPoints => Standing::KeyPoint,
                _ => Standing::Body,
            };
            let unit = self.unit(block, text, form);
            self.units.push(Unit {
                section: block.section,
                block: place,
                intro: membership.intro,
                list: membership.list,
                joins: membership.joins,
                depth: block.list.depth,
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
    /// others.
    fn unit(&mut self, block: &'r Block, text: &str, form: Form) -> Unit {
        if form != Form::Row {
            return Unit::of(text, form, self.terms.find(text, false), self.terms.none());
        }
        if self.heads.0 != block.heads {
            self.heads = (&block.heads, self.terms.find(&block.heads, false).exact);
        }
        Unit::of(text, form, self.terms.find(&block.text, false), self.heads.1.clone())
    }
}
