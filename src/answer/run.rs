//! The run around a unit: what of its surroundings is quoted with it, so that the quotation says the whole of it.
//!
//! A sentence is quoted with what stands around it in its paragraph, as far as that is short; whatever the length, with the
//! sentence before it where it leans on that ("This …"), and with the one behind it where that turns it ("However, …", "It
//! was removed …"). A line that introduces a list, a table or code is quoted with what follows, an item with the lines that
//! introduce it and, where the list is short, with the list; code with the sentence before it, and that with the code; and
//! the warnings around the two.

use seealso_index::{QuestionWords, Role};

use crate::answer::Form;
use crate::answer::reading::Reading;
use crate::answer::unit::Unit;

/// A paragraph's sentences are quoted up to so many characters, and a list with its introduction up to so many.
const PROSE_CHARACTERS: usize = 360;
const LIST_CHARACTERS: usize = 480;
/// Warnings are added up to so many.
const WARNING_CHARACTERS: usize = 600;
/// What a quotation needs to be understood is added up to so many.
const MOST_CHARACTERS: usize = 1_000;

/// The places of the units that are quoted with the one at `seed`, itself included, in the order of the page.
pub(super) fn run(reading: &Reading, seed: usize, words: Option<&QuestionWords>) -> Vec<usize> {
    let mut run = Run { reading, words, first: seed, last: seed, characters: reading.units[seed].characters() };
    match reading.units[seed].form {
        Form::Prose => {
            run.take_paragraph();
            run.take_announced();
            run.take_code();
        }
        Form::Item => run.take_list(seed),
        Form::Code | Form::Row => {}
    }
    run.take_outcome();
    let intros = run.introductions();
    let warnings = run.warnings(intros.first().copied().unwrap_or(run.first));
    let mut places: Vec<usize> = (run.first..=run.last).chain(intros).chain(warnings).collect();
    places.sort_unstable();
    places.dedup();
    places
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
        if let Some(before) = self.in_block(self.first.checked_sub(1)).filter(|before| !self.leans(*before)) {
            self.takes(before, PROSE_CHARACTERS);
        }
    }

    /// Takes what the last sentence announces.
    fn take_announced(&mut self) {
        let announcer = self.last;
        let Some(next) = self.unit(announcer + 1).filter(|next| next.intro == Some(announcer)) else { return };
        if !self.reading.units[announcer].is_lead_in() {
            return;
        }
        let (list, depth) = (next.list, next.depth);
        let belongs = |unit: &Unit| unit.intro == Some(announcer) || unit.is_inside(list, depth);
        while self.unit(self.last + 1).is_some_and(belongs)
            && self.takes(self.last + 1, LIST_CHARACTERS.max(self.characters))
        {}
    }

    /// Takes the code that stands right behind the last sentence.
    fn take_code(&mut self) {
        let next = self.last + 1;
        if self.unit(next).is_some_and(|unit| unit.form == Form::Code && unit.intro == Some(self.last)) {
            self.takes(next, LIST_CHARACTERS.max(self.characters));
        }
    }

    /// Takes the list around the item at `seed` with what its items hold, where it is short; else the item's own block.
    fn take_list(&mut self, seed: usize) {
        let Unit { list, depth, section, .. } = self.reading.units[seed];
        let belongs =
            |at: usize| self.unit(at).is_some_and(|other| other.section == section && other.is_inside(list, depth));
        let first = (0..seed).rev().take_while(|at| belongs(*at)).last().unwrap_or(seed);
        let last = (seed + 1..).take_while(|at| belongs(*at)).last().unwrap_or(seed);
        let characters = (first..=last).map(|at| self.reading.units[at].characters()).sum::<usize>();
        if characters <= LIST_CHARACTERS {
            (self.first, self.last, self.characters) = (first, last, characters);
        } else {
            self.take_paragraph();
        }
    }

    /// The lines that introduce what the run begins with, the outermost first: each that announces it, or without which
    /// it is no whole sentence.
    fn introductions(&self) -> Vec<usize> {
        let mut intros = Vec::new();
        let mut at = self.first;
        while let Some(intro) = self.reading.units[at].intro {
            let is_code = self.reading.units[at].form == Form::Code;
            if !(is_code || self.reading.units[intro].is_lead_in() || self.leans(at)) {
                break;
            }
            intros.insert(0, intro);
            at = intro;
        }
        intros
    }

    /// Takes the first sentence of the next block of the section, where that turns what was said.
    fn take_outcome(&mut self) {
        let next = self.last + 1;
        let section = self.reading.units[self.first].section;
        if self.unit(next).is_some_and(|unit| unit.section == section) && self.turns(next) {
            self.takes(next, MOST_CHARACTERS);
        }
    }

    /// The warnings that stand right before the block of the unit at `at`, or right behind the run, which has code.
    fn warnings(&self, at: usize) -> Vec<usize> {
        let units = &self.reading.units;
        if !(at..=self.last).any(|at| units[at].form == Form::Code || units[at].text.contains('`')) {
            return Vec::new();
        }
        let begins = (1..=at).rev().find(|at| !units[*at].joins).unwrap_or(0);
        let is_warning = |other: &usize| units[*other].is_aside && units[*other].section == units[at].section;
        let before = (0..begins).rev().take_while(is_warning);
        let behind = (self.last + 1..units.len()).take_while(is_warning);
        let mut room = WARNING_CHARACTERS;
        let fits = |at: &usize| {
            room = room.saturating_sub(units[*at].characters());
            room > 0
        };
        before.chain(behind).take_while(fits).collect()
    }

    /// Whether the sentence at `at` begins with a word that leans on what stands before it.
    fn leans(&self, at: usize) -> bool {
        self.begins(at, &[Role::Leaning, Role::Pointing, Role::Possessive, Role::Contrasting, Role::Joining])
    }

    /// Whether the sentence at `at` turns what stands before it: it begins with a word that does ("However"), or leans on
    /// it and denies it or says that it ended ("It was removed").
    fn turns(&self, at: usize) -> bool {
        let leans = || self.begins(at, &[Role::Leaning, Role::Pointing]);
        self.begins(at, &[Role::Contrasting]) || leans() && self.denies(at)
    }

    fn denies(&self, at: usize) -> bool {
        let Some((words, unit)) = self.words.zip(self.unit(at)) else { return false };
        let mut written = unit.text.split(|c: char| c.is_whitespace() || ",;:.!?()".contains(c));
        written.any(|word| {
            let word = word.to_lowercase().replace('’', "'");
            words.is(Role::Negating, &word)
        })
    }

    fn begins(&self, at: usize, roles: &[Role]) -> bool {
        let Some((words, unit)) = self.words.zip(self.unit(at)) else { return false };
        let first = unit.text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        let first = first.unwrap_or_default().to_lowercase();
        matches!(unit.form, Form::Prose | Form::Item) && roles.iter().any(|role| words.is(*role, &first))
    }
}
