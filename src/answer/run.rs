//! The run around a unit: what of its surroundings is quoted with it, so that the quotation says the whole of it.
//!
//! A sentence is quoted with what stands around it in its paragraph, as far as that is short; whatever the length, with the
//! sentence before it where it leans on that ("This …"), and with the one behind it where that turns it ("However, …", "It
//! was removed …"). A line that introduces a list, a table or code is quoted with what follows, an item with the lines that
//! introduce it and, where the list is short, with the list; a line that only names what follows, as a heading does, with that;
//! code with the sentence before it, and that with the code; and the warnings around the two.

use seealso_index::{QuestionWords, Role};

use crate::answer::Form;
use crate::answer::asking::denies;
use crate::answer::scored_page::ScoredPage;
use crate::answer::sentences::may_end_sentence;
use crate::answer::unit::Unit;

/// A paragraph's sentences are quoted up to so many characters, and a list or code up to so many.
const PROSE_CHARACTERS: usize = 360;
const LIST_CHARACTERS: usize = 480;
/// Warnings are added up to so many.
const WARNING_CHARACTERS: usize = 600;
/// What a quotation needs to be understood is added up to so many.
const MOST_CHARACTERS: usize = 1_000;

/// The places of the units that are quoted with the one at `seed`, itself included, in the order of the page.
pub(super) fn run_around(page: &ScoredPage, seed: usize, words: Option<&QuestionWords>) -> Vec<usize> {
    let mut run = Run { page, words, first: seed, last: seed, characters: page.units[seed].characters() };
    match page.units[seed].form {
        Form::Prose => {
            run.take_paragraph();
            run.take_named();
            run.take_announced();
            run.take_code();
        }
        Form::Item => run.take_list(seed),
        Form::Code | Form::Row | Form::Heading => {}
    }
    run.take_outcome();
    let mut places: Vec<usize> = (run.first..=run.last).collect();
    places.extend(run.outcome_of_list(seed));
    let intros = run.introductions();
    let first = intros.first().copied().unwrap_or(run.first);
    places.extend(run.warnings(first));
    places.extend(intros);
    places.extend(run.denying_headings());
    places.sort_unstable();
    places.dedup();
    places
}

/// Units that stand one behind the other.
struct Run<'r> {
    page: &'r ScoredPage,
    words: Option<&'r QuestionWords>,
    first: usize,
    last: usize,
    characters: usize,
}

impl Run<'_> {
    fn unit(&self, at: usize) -> Option<&Unit> {
        self.page.units.get(at)
    }

    /// The unit behind the run, or before it, where it belongs to the same block.
    fn in_block(&self, at: Option<usize>) -> Option<usize> {
        let block = self.page.units[self.first].block;
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
        if !self.page.units[announcer].is_lead_in() {
            return;
        }
        let (list, depth, section) = (next.list, next.depth, next.section);
        let belongs =
            |unit: &Unit| unit.section == section && (unit.intro == Some(announcer) || unit.is_inside(list, depth));
        let most = self.characters + LIST_CHARACTERS;
        while self.unit(self.last + 1).is_some_and(belongs) && self.takes(self.last + 1, most) {}
    }

    /// Takes the code that stands right behind the last sentence.
    fn take_code(&mut self) {
        let next = self.last + 1;
        if self.unit(next).is_some_and(|unit| unit.form == Form::Code && unit.intro == Some(self.last)) {
            self.takes(next, self.characters + LIST_CHARACTERS);
        }
    }

    /// Takes the list around the item at `seed` with what its items hold, where it is short; else the item's own block.
    fn take_list(&mut self, seed: usize) {
        let (first, last) = self.list_around(seed);
        let characters = (first..=last).map(|at| self.page.units[at].characters()).sum::<usize>();
        if characters <= LIST_CHARACTERS {
            (self.first, self.last, self.characters) = (first, last, characters);
        } else {
            self.take_paragraph();
            self.take_named();
        }
    }

    /// Takes what is said of the run, where that only names it, as a line that stands for a heading does: the block behind
    /// it, of the same item where it is an item's.
    fn take_named(&mut self) {
        let next = self.last + 1;
        let unit = &self.page.units[self.last];
        let is_name = !unit.text.ends_with(may_end_sentence) && !unit.is_lead_in();
        let is_said = |other: &Unit| other.joins || unit.list == 0 && other.list == 0 && other.form == Form::Prose;
        if is_name
            && self.is_in_section(next)
            && self.unit(next).is_some_and(is_said)
            && self.takes(next, MOST_CHARACTERS)
        {
            while self.unit(self.last + 1).is_some_and(|other| other.block == self.page.units[next].block)
                && self.takes(self.last + 1, PROSE_CHARACTERS)
            {}
        }
    }

    /// The lines that introduce what the run begins with, the outermost first: each that announces it, or without which
    /// it is no whole sentence.
    fn introductions(&self) -> Vec<usize> {
        let mut intros = Vec::new();
        let mut at = self.first;
        while let Some(intro) = self.page.units[at].intro {
            let is_code = self.page.units[at].form == Form::Code;
            if !(is_code || self.page.units[intro].is_lead_in() || self.leans(at)) {
                break;
            }
            intros.insert(0, intro);
            at = intro;
        }
        intros
    }

    /// The first and last unit of the list around the one at `seed`, with what its items hold.
    fn list_around(&self, seed: usize) -> (usize, usize) {
        let Unit { list, depth, section, .. } = self.page.units[seed];
        let belongs =
            |at: &usize| self.unit(*at).is_some_and(|other| other.section == section && other.is_inside(list, depth));
        let first = (0..seed).rev().take_while(belongs).last().unwrap_or(seed);
        (first, (seed + 1..).take_while(belongs).last().unwrap_or(seed))
    }

    /// Takes the first sentence of the next block of the section, where that turns what was said, or says what comes of the
    /// code before it ("This also deletes …").
    fn take_outcome(&mut self) {
        let next = self.last + 1;
        let is_code = self.page.units[self.last].form == Form::Code;
        if self.is_in_section(next) && (self.turns(next) || is_code && (self.leans(next) || self.denies(next))) {
            self.takes(next, MOST_CHARACTERS);
        }
    }

    /// The sentence behind the list of the item at `seed`, where that turns what the list says, or denies something.
    fn outcome_of_list(&self, seed: usize) -> Option<usize> {
        let next = Some(seed).filter(|seed| self.page.units[*seed].list != 0).map(|seed| self.list_around(seed).1 + 1);
        next.filter(|next| self.is_in_section(*next) && (self.turns(*next) || self.denies(*next)))
    }

    /// The headings of the section and of those around it that deny what stands below them ("Not covered").
    fn denying_headings(&self) -> Vec<usize> {
        let section = self.page.units[self.first].section;
        let mut level = u8::MAX;
        let above = (0..self.first).rev().filter(|at| {
            let unit = &self.page.units[*at];
            let is_around =
                unit.form == Form::Heading && (level < u8::MAX || unit.section == section) && unit.depth < level;
            level = if is_around { unit.depth } else { level };
            is_around
        });
        above.filter(|at| self.denies(*at)).collect()
    }

    fn is_in_section(&self, at: usize) -> bool {
        let section = self.page.units[self.first].section;
        self.unit(at).is_some_and(|unit| unit.section == section)
    }

    /// The warnings that stand around a command or numbered steps: right before the block of the unit at `at`, between
    /// that and the run, and right behind the run.
    fn warnings(&self, at: usize) -> Vec<usize> {
        let units = &self.page.units;
        let is_done = |unit: &Unit| unit.form == Form::Code || unit.number.is_some() || unit.text.contains('`');
        if !units[at..=self.last].iter().any(is_done) {
            return Vec::new();
        }
        let begins = (1..=at).rev().find(|at| !units[*at].joins).unwrap_or(0);
        let is_warning = |other: &usize| units[*other].is_aside && units[*other].section == units[at].section;
        let before: Vec<usize> = (0..begins).rev().take_while(is_warning).collect();
        let between = (at..self.first).filter(is_warning);
        let behind = (self.last + 1..units.len()).take_while(is_warning);
        let before = self.beginnings(before.into_iter().rev());
        before.into_iter().chain(self.beginnings(between)).chain(self.beginnings(behind)).collect()
    }

    /// Of `warnings`, in their order, as much as has room: each from its first sentence on, which always has.
    fn beginnings(&self, warnings: impl Iterator<Item = usize>) -> Vec<usize> {
        let units = &self.page.units;
        let (mut taken, mut characters): (Vec<usize>, usize) = (Vec::new(), 0);
        for at in warnings {
            let goes_on = taken.last().is_some_and(|last| last + 1 == at);
            characters += units[at].characters();
            if characters <= WARNING_CHARACTERS && (goes_on || !units[at].joins) || taken.is_empty() {
                taken.push(at);
            }
        }
        taken
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
        self.words.zip(self.unit(at)).is_some_and(|(words, unit)| denies(&unit.text, words))
    }

    /// Whether the sentence at `at` begins with a word, or two, of one of `roles`.
    fn begins(&self, at: usize, roles: &[Role]) -> bool {
        let Some((words, unit)) = self.words.zip(self.unit(at)) else { return false };
        let mut written = unit.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let first = written.next().unwrap_or_default().to_lowercase();
        let two = [&*first, "-", &*written.next().unwrap_or_default().to_lowercase()].concat();
        let begins = |role: &Role| words.is(*role, &first) || words.is(*role, &two);
        matches!(unit.form, Form::Prose | Form::Item) && roles.iter().any(begins)
    }
}
