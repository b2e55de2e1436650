//! Whether a page can answer a sub-query: what of it the page lacks.
//!
//! A page must hold a share of the sub-query's weight. It must hold more where the index and the page know nothing of a
//! word that the question is about; a word that only says what kind, where, when or on what condition is none.

use seealso_index::{Analysis, Role};

use crate::answer::scored_page::ScoredPage;
use crate::answer::terms::{Term, TermSet, Terms};
use crate::config::Config;

/// A word that has at least this share of a sub-query's weight is what it is about.
const LARGE_SHARE: f64 = 1.0 / 3.0;

impl Terms {
    /// The share that a page must hold before it can answer, where it holds the `found` terms.
    pub(super) fn least_coverage(&self, found: &[bool], config: &Config) -> f64 {
        let is_subject = |(term, has): (&Term, &bool)| {
            let is_large = self.is_name(term) || self.is_heavy(term, LARGE_SHARE);
            let may_be = term.telling && term.unheard_of && !has && is_large;
            may_be && !self.is_context(term, found)
        };
        match self.items.iter().zip(found).any(is_subject) {
            true => config.least_coverage_of_foreign,
            false => config.least_coverage,
        }
    }

    /// Whether `term` is a circumstance of what the question asks for, which a page need not mention. It is one in four
    /// places:
    ///
    /// - before a noun that was found, as a brand: "a Bosch kettle";
    /// - behind a preposition, as a place or an occasion: "in Leeds";
    /// - as what a person does: "do I publish";
    /// - in a clause that says when or if.
    ///
    /// The noun behind the question's verb is the subject, never a circumstance. Nor is any term a circumstance where only
    /// one telling word of the question was found.
    fn is_context(&self, term: &Term, found: &[bool]) -> bool {
        let Some(table) = &self.question_words else { return false };
        let place = |term: &Term| self.words.iter().position(|(_, word)| *word == term.written.to_lowercase());
        let Some(at) = place(term) else { return false };
        let has = |at: Option<usize>, roles: &[Role]| {
            let word = at.and_then(|at| self.words.get(at));
            word.is_some_and(|(_, word)| roles.iter().any(|role| table.is(*role, word)))
        };
        let is_found = |at: Option<usize>| {
            at.is_some() && self.items.iter().zip(found).any(|(term, found)| *found && place(term) == at)
        };
        let is_article = |at: &usize| has(Some(*at), &[Role::Determining, Role::Definite]);
        let before = (0..at).rev().find(|at| !is_article(at));
        // What somebody does ("do I publish") is said in other words, too.
        let is_verb = has(at.checked_sub(1), &[Role::Person]) && has(at.checked_sub(2), &[Role::Doing, Role::Opening]);
        if !is_verb && has(before, &[Role::Being, Role::Doing, Role::Opening]) {
            return false;
        }
        let tells = |term: &Term| term.telling && !table.is(Role::Measured, &term.written.to_lowercase());
        let count = self.items.iter().zip(found).filter(|(term, found)| **found && tells(term)).count();
        let noun = if table.is_noun_first() { before } else { Some(at + 1) };
        let is_in_clause = || (1..at).any(|at| has(Some(at), &[Role::Subordinate]));
        count > 1 && (is_verb || is_found(noun) || has(before, &[Role::Placing]) || is_in_clause())
    }

    /// Whether a page names the subject of the question, but lacks a large part of the other terms. The page holds the
    /// `found` terms; its own names hold the `named` ones. A page that lacks a name lacks a subject, and is not meant here.
    fn merely_names(&self, found: &[bool], named: &[bool]) -> bool {
        let misses_name = self.items.iter().zip(found).any(|(term, found)| self.is_name(term) && !found);
        !misses_name && !self.goes_beyond(found, named) && self.share(found) <= 1.0 - LARGE_SHARE
    }
}

/// The pages that could answer a sub-query: the evidence for whether any page answers it.
#[derive(Default)]
pub(super) struct Subject {
    /// The terms in the names of the first page that holds no other term of the sub-query.
    named: Option<TermSet>,
    /// The terms that each page holds.
    matched: Vec<TermSet>,
    /// Whether a page is in another language than English, the one whose words that say little are known.
    is_foreign: bool,
    pub(super) is_merely_named: bool,
}

impl Subject {
    /// Takes a page. It `is_named` where names of it stand in the sub-query, and none of another page.
    pub(super) fn take(&mut self, terms: &Terms, page: ScoredPage, is_named: bool) {
        self.is_foreign |= terms.analysis != Analysis::English;
        if is_named && terms.merely_names(&page.found, &page.names) {
            self.named.get_or_insert(page.names);
        }
        self.matched.push(page.found);
        let is_described = |named: &TermSet| self.matched.iter().any(|matched| terms.goes_beyond(matched, named));
        self.is_merely_named = !self.is_foreign && self.named.as_ref().is_some_and(|named| !is_described(named));
    }
}
