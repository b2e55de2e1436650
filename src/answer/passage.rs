//! A passage: what one section of a page says together in an answer.

use seealso_index::sort_by;

use crate::answer::{CitedSentence, Form, Layout};

/// A unit as it is quoted.
pub(super) struct Quotation {
    /// Its place on the page.
    pub(super) place: usize,
    /// The place where its paragraph or item begins.
    pub(super) begins: usize,
    pub(super) sentence: CitedSentence,
}

/// What is quoted from one section of a page, in the order in which it was chosen.
pub(super) struct Passage {
    /// The place of the section in the scored page.
    pub(super) section: usize,
    pub(super) quotations: Vec<Quotation>,
}

impl Passage {
    /// Whether it is of that section of the page at place `source`, from 0.
    pub(super) fn is_of(&self, source: usize, section: usize) -> bool {
        self.section == section && self.quotations.first().is_some_and(|first| first.sentence.source == source + 1)
    }

    /// Whether it quotes the unit at `place` of the page at place `source`, from 0.
    pub(super) fn has(&self, source: usize, place: usize) -> bool {
        self.quotations.iter().any(|other| other.place == place && other.sentence.source == source + 1)
    }

    /// Its sentences in the order of the page, numbered as those of passage `number`; what is left out is marked.
    pub(super) fn into_sentences(mut self, number: usize) -> Vec<CitedSentence> {
        sort_by(&mut self.quotations, |a, b| a.place.cmp(&b.place));
        let count = self.quotations.len();
        // Prose and headings stand in no list, and a heading's depth is its level.
        let is_item = |other: &&Quotation| other.sentence.form == Form::Item;
        let depths = self.quotations.iter().filter(is_item).map(|other| other.sentence.layout.depth);
        let outermost = depths.filter(|depth| *depth > 0).min().unwrap_or(0);
        let mut before: Option<(usize, usize)> = None;
        let laid_out = |(at, Quotation { place, begins, sentence }): (usize, Quotation)| {
            let joins = before.is_some_and(|(_, beginning)| beginning == begins);
            let layout = Layout {
                skips: before.is_some_and(|(before, _)| place != before + 1),
                joins,
                // One item by itself claims to be no list; code is cut wherever it stands.
                truncated: sentence.layout.truncated && (sentence.form == Form::Code || at + 1 == count && count > 1),
                number: sentence.layout.number.filter(|_| !joins && sentence.form == Form::Item),
                depth: match sentence.form {
                    Form::Item => sentence.layout.depth.saturating_sub(outermost),
                    _ => 0,
                },
            };
            before = Some((place, begins));
            CitedSentence { passage: number, layout, ..sentence }
        };
        self.quotations.into_iter().enumerate().map(laid_out).collect()
    }
}
