//! The run around a unit: what of its surroundings is quoted with it, so that the quotation says the whole of it.
//!
//! A sentence is quoted with what stands around it in its paragraph, as far as that is short; whatever the length, with the
//! sentence before it where it leans on that ("This …"), and with the one behind it where that turns it ("However, …"). A
//! line that introduces a list, a table or code is quoted with what follows, an item with the line that introduces it and,
//! where the list is short, with the list; code with the sentence that introduces it, and the warning before that.

use seealso_index::{QuestionWords, Role};

use crate::answer::Form;
use crate::answer::reading::{Reading, Unit};
use crate::answer::sentences::is_lead_in;

/// A paragraph's sentences are quoted up to so many characters, and a list with its introduction up to so many.
const PROSE_CHARACTERS: usize = 360;
const LIST_CHARACTERS: usize = 480;
/// What a quotation needs to be understood is added up to so many.
const MOST_CHARACTERS: usize = 1_000;

/// The places of the units that are quoted with the one at `seed`, itself included, in the order of the page.
pub(super) fn run(reading: &Reading, seed: usize, words: Option<&QuestionWords>) -> Vec<usize> {
    let mut run = Run { reading, words, first: seed, last: seed, characters: reading.units[seed].characters() };
    let intro = match reading.units[seed].form {
        Form::Prose => {
            run.take_paragraph();
            run.take_announced();
            None
        }
        Form::Item => run.take_list(seed),
        Form::Code => reading.units[seed].intro,
        Form::Row => reading.units[seed].intro.filter(|at| is_lead_in(&reading.units[*at].text)),
    };
    run.take_outcome();
    let warning = intro.or(Some(run.first)).and_then(|at| run.warning_before(at));
    let places = run.first..=run.last;
    let before = warning.into_iter().chain(intro).filter(|at| !places.contains(at));
    before.collect::<Vec<_>>().into_iter().chain(places.clone()).collect()
}

/// Units that stand one behind the other.
struct Run<'r> {
    reading: &'r Reading,
    words: Option<&'r QuestionWords>,
    first: usize,
    last: usize,
    characters: usize,
}

impl Run<'_> {
    fn unit(&self, at: usize) -> Option<&Unit> {
        self.reading.units.get(at)
    }

    /// The unit behind the run, or before it, where it belongs to the same block.
    fn in_block(&self, at: Option<usize>) -> Option<usize> {
        let block = self.reading.units[self.first].block;
        at.filter(|at| self.unit(*at).is_some_and(|unit| unit.block == block))
    }

    fn takes(&mut self, at: usize, most: usize) -> bool {
        let Some(more) = self.unit(at).map(Unit::characters) else { return false };
        let fits = self.characters + more <= most;
        if fits {
            self.characters += more;
            (self.first, self.last) = (self.first.min(at), self.last.max(at));
        }
        fits
    }

    fn take_paragraph(&mut self) {
        while self.leans(self.first)
            && let Some(before) = self.in_block(self.first.checked_sub(1))
            && self.takes(before, MOST_CHARACTERS)
        {}
        while let Some(next) = self.in_block(Some(self.last + 1)) {
            let most = if self.turns(next) { MOST_CHARACTERS } else { PROSE_CHARACTERS };
            if !self.takes(next, most) {
                break;
            }
        }
        if let Some(before) = self.in_block(self.first.checked_sub(1)) {
            self.takes(before, PROSE_CHARACTERS);
        }
    }

    /// Takes what the last sentence announces.
    fn take_announced(&mut self) {
        let announcer = self.last;
        if !is_lead_in(&self.reading.units[announcer].text) {
            return;
        }
        while self.unit(self.last + 1).is_some_and(|unit| unit.intro == Some(announcer))
            && self.takes(self.last + 1, LIST_CHARACTERS.max(self.characters))
        {}
    }

    /// Takes the list around the item at `seed`, where it is short; else the item's own block. Gives the line that
    /// introduces it.
    fn take_list(&mut self, seed: usize) -> Option<usize> {
        let unit = &self.reading.units[seed];
        let (intro, section) = (unit.intro, unit.section);
        let belongs = |at: usize| {
            self.unit(at)
                .is_some_and(|other| other.form == Form::Item && other.intro == intro && other.section == section)
        };
        let first = (0..seed).rev().take_while(|at| belongs(*at)).last().unwrap_or(seed);
        let last = (seed + 1..).take_while(|at| belongs(*at)).last().unwrap_or(seed);
        let characters = (first..=last).map(|at| self.reading.units[at].characters()).sum::<usize>();
        if characters <= LIST_CHARACTERS {
            (self.first, self.last, self.characters) = (first, last, characters);
        } else {
            self.take_paragraph();
        }
        intro.filter(|at| is_lead_in(&self.reading.units[*at].text) || self.leans(self.first))
    }

    /// Takes the first sentence of the next block of the section, where that turns what was said.
    fn take_outcome(&mut self) {
        let next = self.last + 1;
        let section = self.reading.units[self.first].section;
        if self.unit(next).is_some_and(|unit| unit.section == section) && self.turns(next) {
            self.takes(next, MOST_CHARACTERS);
        }
    }

    /// A warning that stands right before the unit at `at`, of which the run has code.
    fn warning_before(&self, at: usize) -> Option<usize> {
        let has_code = (self.first..=self.last).any(|at| self.reading.units[at].form == Form::Code);
        let before = at.checked_sub(1).filter(|_| has_code)?;
        let (warning, unit) = (self.unit(before)?, self.unit(at)?);
        (warning.is_aside && warning.section == unit.section).then_some(before)
    }

    /// Whether the sentence at `at` begins with a word that leans on what stands before it.
    fn leans(&self, at: usize) -> bool {
        self.begins(at, &[Role::Leaning, Role::Pointing, Role::Possessive, Role::Contrasting, Role::Joining])
    }

    /// Whether the sentence at `at` begins with a word that turns what stands before it.
    fn turns(&self, at: usize) -> bool {
        self.begins(at, &[Role::Contrasting])
    }

    fn begins(&self, at: usize, roles: &[Role]) -> bool {
        let Some((words, unit)) = self.words.zip(self.unit(at)) else { return false };
        let first = unit.text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        let first = first.unwrap_or_default().to_lowercase();
        matches!(unit.form, Form::Prose | Form::Item) && roles.iter().any(|role| words.is(*role, &first))
    }
}
