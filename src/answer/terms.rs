//! The terms of a sub-query: which of them a text holds, and what share of the whole weight these have.

use seealso_index::{Analysis, Error, Index, Kind, QuestionWords, Role, Token};

use crate::config::Config;
use crate::retrieve::decompose::SubQuery;

/// What a common word that tells nothing of a subject counts against one that does.
const WEAK_SHARE: f64 = 0.3;
/// What a word of the context counts against one of the sub-query's own.
const CONTEXT_SHARE: f64 = 0.3;
/// Words that ask, and say nothing of what.
const ASKING: [Role; 6] = [Role::Asking, Role::Being, Role::Doing, Role::Opening, Role::Measuring, Role::Commanding];
/// Shorter words, in bytes, stand beside each other in many longer ones.
const LEAST_JOINED: usize = 3;
/// So many words are looked for together with the next one, at most.
const MOST_JOINED: usize = 16;
/// Two stems are of one family where they begin with so many characters alike, and with this share of the longer one.
const FAMILY_LETTERS: usize = 5;
const FAMILY_SHARE: f64 = 0.6;

/// Which of a sub-query's terms were found, in their order.
pub(super) type TermSet = Vec<bool>;

/// What a text holds of a sub-query's terms.
pub(super) struct Match {
    /// The terms that it has.
    pub(super) exact: TermSet,
    /// Those of which it has another word of the family, as "disqualification" is of "disqualifies".
    pub(super) kin: TermSet,
}

/// The terms of a sub-query as one language analyses them.
pub(super) struct Terms {
    pub(super) analysis: Analysis,
    pub(super) items: Vec<Term>,
    /// All words of the clause that asks for the sub-query, stop words too: where each starts, and the word in lower case.
    pub(super) words: Vec<(usize, String)>,
    /// The words of which questions and clauses are built in this language, where they are known.
    pub(super) question_words: Option<QuestionWords>,
    /// What two neighbours among the terms are when they are written together, each by the place of the first.
    joined: Vec<(usize, String)>,
    /// What a term and the particle behind it are when they are written together, as "backup" is "back up".
    phrasal: Vec<(usize, String)>,
    total: f64,
}

pub(super) struct Term {
    text: String,
    /// What is meant with it, if it is misspelt.
    meant: Vec<String>,
    /// As it is written in the sub-query.
    pub(super) written: String,
    /// Its idf over the pages, less where it is weak or of the context.
    pub(super) rarity: f64,
    /// Whether it is what the sub-query shares with others of the question, which a page may lack.
    is_context: bool,
    /// Whether it tells what is asked about.
    pub(super) telling: bool,
    /// Whether it is written as a name is, with a capital.
    name: bool,
    /// Whether no page is known to have it.
    pub(super) unheard_of: bool,
}

impl Terms {
    /// The terms of `sub_query`, which `clause` asks for, weighed for pages in the language of `analysis`.
    pub(super) fn of(
        sub_query: &SubQuery,
        clause: &str,
        analysis: Analysis,
        index: &Index,
        config: &Config,
    ) -> Result<Terms, Error> {
        let (mut items, mut phrasal): (Vec<Term>, Vec<(usize, String)>) = (Vec::new(), Vec::new());
        let question_words = QuestionWords::of(analysis);
        let searcher = index.searcher(&config.bm25);
        let capital_nouns = question_words.as_ref().is_some_and(QuestionWords::has_capital_nouns);
        for (text, is_context) in [(&sub_query.text, false), (&sub_query.context, true)] {
            let mut tokens = searcher.query_words(analysis, text)?;
            add_unknown_identifiers(&mut tokens, analysis, text);
            let identifiers = Identifiers::of(&tokens);
            for token in &tokens {
                let is_known = items.iter().any(|term| term.text == token.term);
                if token.stop || is_known || token.kind == Kind::Joined || identifiers.have_letter(token) {
                    continue;
                }
                let (rarity, pages_with) = searcher.rarity(analysis, &token.term)?;
                let word = text[token.start..token.end].to_lowercase();
                // Other languages than English have no list of weak words.
                let asks =
                    question_words.as_ref().is_some_and(|table| ASKING.iter().any(|role| table.is(*role, &word)));
                let is_weak = token.weak || asks && analysis != Analysis::English;
                let share = if is_weak { WEAK_SHARE } else { 1.0 };
                let share = if is_context { share * CONTEXT_SHARE } else { share };
                let particle = particle_behind(token, &tokens).filter(|particle| {
                    let word = text[particle.start..particle.end].to_lowercase();
                    question_words.as_ref().is_some_and(|table| table.is(Role::Particle, &word))
                });
                if let Some(particle) = particle {
                    let written = [&text[token.start..token.end], &text[particle.start..particle.end]].concat();
                    let whole = analysis.tokens(&written).into_iter().next();
                    phrasal.extend(whole.map(|whole| (items.len(), whole.term)));
                }
                let name = is_name(text, token.start, token.end, capital_nouns) || token.kind == Kind::Identifier;
                // A name that no page has is another name, and no mistake.
                let written = &text[token.start..token.end];
                let meant = if name { Vec::new() } else { searcher.near_spellings(analysis, token, written)? };
                let rarities = meant.iter().map(|meant| Ok(searcher.rarity(analysis, meant)?.0));
                let rarity =
                    rarities.collect::<Result<Vec<f64>, Error>>()?.into_iter().reduce(f64::max).unwrap_or(rarity);
                items.push(Term {
                    text: token.term.clone(),
                    written: text[token.start..token.end].to_owned(),
                    rarity: rarity * share,
                    is_context,
                    telling: !is_weak,
                    name,
                    unheard_of: pages_with == 0 && meant.is_empty(),
                    meant,
                });
            }
        }
        let total = items.iter().map(|term| term.rarity).sum();
        let are_long = |two: &&[Term]| two.iter().all(|term| term.text.len() >= LEAST_JOINED);
        let neighbours = items.windows(2).enumerate().take(MOST_JOINED).filter(|(_, two)| are_long(two));
        let joined = neighbours.map(|(place, two)| (place, [&*two[0].text, &*two[1].text].concat())).collect();
        let words = analysis.all_tokens(clause).into_iter().filter(|token| token.kind == Kind::Word);
        let words = words.map(|token| (token.start, clause[token.start..token.end].to_lowercase())).collect();
        Ok(Terms { analysis, items, words, question_words, joined, phrasal, total })
    }

    /// No term at all.
    pub(super) fn none(&self) -> TermSet {
        vec![false; self.items.len()]
    }

    /// What `text` holds. A stop word counts where it is written as it is asked for or as an acronym, or in a name.
    pub(super) fn find(&self, text: &str, is_name: bool) -> Match {
        let (mut exact, mut kin) = (self.none(), self.none());
        let tokens = self.analysis.all_tokens_and_forms(text);
        let identifiers = Identifiers::of(&tokens);
        for token in &tokens {
            let written = &text[token.start..token.end];
            if identifiers.have_letter(token) {
                continue;
            }
            let is_meant = |term: &Term| {
                !token.stop || is_name || term.written == written || written.chars().all(char::is_uppercase)
            };
            let is_it = |term: &Term| (term.text == token.term || term.meant.contains(&token.term)) && is_meant(term);
            match self.items.iter().position(is_it) {
                Some(place) => exact[place] = true,
                None if token.kind == Kind::Word && !token.stop => {
                    self.items
                        .iter()
                        .zip(&mut kin)
                        .for_each(|(term, kin)| *kin |= same_family(&term.text, &token.term));
                }
                None => {}
            }
            for (place, _) in self.phrasal.iter().filter(|(_, whole)| *whole == token.term) {
                exact[*place] = true;
            }
            // "effect hook" is said by `useEffectHook`.
            for (place, _) in self.joined.iter().filter(|(_, joined)| token.term.contains(joined.as_str())) {
                exact[*place..place + 2].fill(true);
            }
        }
        Match { exact, kin }
    }

    /// The share of the whole weight that the `found` terms have, by how rare they are among pages.
    pub(super) fn share(&self, found: &[bool]) -> f64 {
        let held: f64 = self.items.iter().zip(found).filter(|(_, found)| **found).map(|(term, _)| term.rarity).sum();
        if self.total > 0.0 { held / self.total } else { 0.0 }
    }

    /// The same of the sub-query's own words, without the context.
    pub(super) fn own_share(&self, found: &[bool]) -> f64 {
        let own = || self.items.iter().zip(found).filter(|(term, _)| !term.is_context);
        let total: f64 = own().map(|(term, _)| term.rarity).sum();
        let held: f64 = own().filter(|(_, found)| **found).map(|(term, _)| term.rarity).sum();
        if total > 0.0 { held / total } else { 0.0 }
    }

    /// Whether `more` has all that `less` has of the terms that tell what is asked about, and others too.
    pub(super) fn goes_beyond(&self, more: &[bool], less: &[bool]) -> bool {
        let telling =
            || self.items.iter().zip(more.iter().zip(less)).filter(|(term, _)| term.telling && !term.is_context);
        telling().all(|(_, (more, less))| more >= less) && telling().any(|(_, (more, less))| more > less)
    }

    /// Whether `term` is a name in the sub-query itself.
    pub(super) fn is_name(&self, term: &Term) -> bool {
        term.name && !term.is_context
    }

    /// Whether `term` has at least `share` of the whole weight.
    pub(super) fn is_heavy(&self, term: &Term, share: f64) -> bool {
        !term.is_context && term.rarity >= self.total * share
    }
}

/// Adds the identifiers of `text` that the index does not know, such as `exclude_docs`: their words are more common than they
/// are. The index knows those in names and summaries; the text of a page may have others. What has dots or slashes alone is
/// left out: `config.local` or `items.length` may be the asker's own.
fn add_unknown_identifiers(tokens: &mut Vec<Token>, analysis: Analysis, text: &str) {
    let is_known = |form: &Token| tokens.iter().any(|token| token.kind == form.kind && token.start == form.start);
    let mut forms = analysis.forms(text);
    let names_code = |form: &Token| form.term.contains('_') || form.term.contains("::") || form.term.starts_with("--");
    forms.retain(|form| form.kind == Kind::Identifier && names_code(form) && !is_known(form));
    for form in &forms {
        let is_inside = |token: &&mut Token| form.start <= token.start && token.end <= form.end;
        tokens.iter_mut().filter(is_inside).for_each(|token| token.weak = true);
    }
    tokens.extend(forms);
}

/// The word right behind `token`, such as the "up" of "back up".
fn particle_behind<'t>(token: &Token, tokens: &'t [Token]) -> Option<&'t Token> {
    let is_behind = |other: &&Token| other.kind == Kind::Word && other.start == token.end + 1;
    tokens.iter().find(is_behind).filter(|_| token.kind == Kind::Word)
}

/// Whether two stems are of one family: "disqualifi" and "disqualif", "regist" and "registr".
fn same_family(a: &str, b: &str) -> bool {
    let alike = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    alike >= FAMILY_LETTERS && alike as f64 >= FAMILY_SHARE * a.chars().count().max(b.chars().count()) as f64
}

/// The identifiers of a text.
struct Identifiers(Vec<(usize, usize)>);

impl Identifiers {
    fn of(tokens: &[Token]) -> Identifiers {
        let identifiers = tokens.iter().filter(|token| token.kind == Kind::Identifier);
        let mut places: Vec<_> = identifiers.map(|token| (token.start, token.end)).collect();
        places.sort_unstable();
        Identifiers(places)
    }

    /// Whether `token` is a letter or digit inside of one: that of "C++" is no "C".
    fn have_letter(&self, token: &Token) -> bool {
        let next = self.0.partition_point(|(_, end)| *end < token.end);
        token.term.len() == 1 && self.0.get(next).is_some_and(|(start, _)| *start <= token.start)
    }
}

/// Whether the word at `start..end` is written as a name is: with a capital that neither a sentence's beginning explains
/// nor, where `capital_nouns` are written so, that it is a noun.
fn is_name(text: &str, start: usize, end: usize, capital_nouns: bool) -> bool {
    let word = &text[start..end];
    let before = text[..start].trim_end();
    let opens = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
    let explained = opens || capital_nouns;
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    capitals > 1 || (capitals == 1 && !(explained && word.starts_with(char::is_uppercase)))
}

/// The terms that are in `a` or in `b`.
pub(super) fn union(a: &[bool], b: &[bool]) -> TermSet {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}

/// The terms that are in `a` and in `b`.
pub(super) fn intersection(a: &[bool], b: &[bool]) -> TermSet {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

/// The terms that are in `a` and not in `b`.
pub(super) fn difference(a: &[bool], b: &[bool]) -> TermSet {
    a.iter().zip(b).map(|(a, b)| *a && !b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_family_begin_alike() {
        let check = |a: &str, b: &str, expected: bool| assert_eq!(same_family(a, b), expected, "{a} {b}");
        check("disqualifi", "disqualif", true);
        check("regist", "registr", true);
        check("claim", "claimant", true);
        check("inform", "information", false);
        check("comput", "compar", false);
        check("press", "press", true);
        check("car", "care", false);
        check("übersetz", "übersetzung", true);
    }
}
