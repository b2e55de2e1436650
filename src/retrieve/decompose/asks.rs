//! Rule 1: the asks of a question, each made to stand alone.
//!
//! The antecedents of an ask are carried into it: a pronoun is replaced by the subject of the ask before; an ask with
//! little more than a question word ("what helps") gets the words of that ask before it; "each of them" is asked of
//! each; and the words of an introduction are added as context, which counts less.

use seealso_index::{Error, Role, fold};

use super::clauses::{Clause, Kind, clauses};
use super::evidence::Evidence;
use super::subject::{Phrase, Subject, pair, subject};
use super::words::Words;
use super::{bare_range, join};

/// An ask of fewer content words means little without its antecedent.
const ENOUGH_WORDS: usize = 2;
/// An ask of fewer content words depends on the introduction of the question.
const STANDING_ALONE: usize = 4;
/// An ask of at most this many words is carried into the next whole; a longer one only by its subject.
const MOST_CARRIED: usize = 6;

/// One ask, as text to search for, and the words that it shares with the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) text: String,
    pub(super) context: String,
}

/// The asks of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asks {
    pub(super) items: Vec<Ask>,
    /// Whether the index separates all of them.
    pub(super) are_sure: bool,
}

/// The asks of `words`; `None` if it is one question without an introduction.
pub(super) fn asks(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Asks>, Error> {
    let mut clauses = clauses(words, evidence)?;
    join_needy(words, evidence, &mut clauses)?;
    if clauses.len() < 2 || !clauses.iter().any(|clause| clause.kind != Kind::Telling) {
        return Ok(None);
    }
    let mut builder = AskBuilder {
        words,
        evidence,
        preamble: String::new(),
        pair: String::new(),
        before: Vec::new(),
        items: Vec::new(),
    };
    for (place, clause) in clauses.iter().enumerate() {
        let (from, to) = (clause.from, clause.to);
        match clause.kind {
            // A statement after the last question belongs to that question.
            Kind::Telling if !clauses[place..].iter().any(|later| later.kind != Kind::Telling) => {
                if let Some(last) = builder.items.last_mut() {
                    last.context = join(&[&last.context, &telling(words, from, to)]);
                }
            }
            Kind::Telling => builder.preamble = join(&[&builder.preamble, &telling(words, from, to)]),
            _ => builder.add(clause)?,
        }
    }
    let are_sure = clauses.iter().skip(1).all(|clause| clause.kind == Kind::Apart);
    let mut items = builder.items;
    drop_repeated(&mut items, evidence)?;
    Ok((!items.is_empty()).then_some(Asks { items, are_sure }))
}

/// The first `most` of `asks`; the surplus shares the last one.
pub(super) fn within(mut asks: Vec<Ask>, most: usize) -> Vec<Ask> {
    if asks.len() > most.max(1) {
        let surplus = asks.split_off(most.max(1) - 1);
        let join_all = |of: fn(&Ask) -> &str, by: &str| surplus.iter().map(of).collect::<Vec<_>>().join(by);
        asks.push(Ask { text: join_all(|ask| &ask.text, ", "), context: join_all(|ask| &ask.context, " ") });
    }
    asks
}

/// Joins an ask with the clause before it if it has no words of its own, or, after a statement, too few: "It fell.
/// Why?"
fn join_needy(words: &Words, evidence: &Evidence<'_>, clauses: &mut Vec<Clause>) -> Result<(), Error> {
    let mut at = 1;
    while at < clauses.len() {
        let (before, clause) = (clauses[at - 1], clauses[at]);
        let own = words.telling(clause.from, clause.to).count();
        let is_bare = words.content(clause.from, clause.to).next().is_none();
        let is_needy = clause.kind != Kind::Telling && (is_bare || before.kind == Kind::Telling && own < ENOUGH_WORDS);
        // An ask of each of two names has the names as its words.
        let is_of_each = is_needy
            && words.find(clause.from, clause.to, Role::Distributing).is_some()
            && pair(words, clause.from, evidence)?.is_some();
        if is_needy && !is_of_each {
            let kind = if before.kind == Kind::Telling { clause.kind } else { before.kind };
            clauses[at - 1] = Clause { from: before.from, to: clause.to, kind };
            clauses.remove(at);
            // All statements before it are joined too.
            while before.kind == Kind::Telling && at > 1 && clauses[at - 2].kind == Kind::Telling {
                at -= 1;
                clauses[at].from = clauses[at - 1].from;
                clauses.remove(at - 1);
            }
        } else {
            at += 1;
        }
    }
    Ok(())
}

/// An ask that stands alone, as an antecedent of later ones.
struct Antecedent {
    subject: Option<String>,
    /// All its words, if they are few.
    whole: Option<String>,
}

impl Antecedent {
    /// The words that a later ask takes from this one.
    fn carried(&self) -> &str {
        self.whole.as_deref().or(self.subject.as_deref()).unwrap_or_default()
    }
}

/// Makes the asks of a question one by one.
struct AskBuilder<'m, 'e> {
    words: &'m Words,
    evidence: &'m Evidence<'e>,
    /// The content words of the question's introduction.
    preamble: String,
    /// The names that were asked about one by one.
    pair: String,
    before: Vec<Antecedent>,
    items: Vec<Ask>,
}

impl AskBuilder<'_, '_> {
    fn add(&mut self, clause: &Clause) -> Result<(), Error> {
        let (words, from, to) = (self.words, clause.from, clause.to);
        if let Some(each) = words.find(from, to, Role::Distributing)
            && let Some(pair) = pair(words, from, self.evidence)?
        {
            self.distribute(clause, each, pair);
            return Ok(());
        }
        let own = subject(words, from, to, self.evidence)?;
        let pronoun = pronoun(words, from, to, own);
        let is_new = own.is_some_and(|own| own.is_new);
        let is_short = words.telling(from, to).count() < ENOUGH_WORDS && !is_new && clause.kind != Kind::Apart;
        let text = match (self.before.last(), pronoun) {
            (Some(Antecedent { subject: Some(subject), .. }), Some(at)) => {
                replaced(words, clause, (at, at + 1), subject)
            }
            (Some(_), _) if is_short => self.preceded(bare_range(words, from, to)),
            _ => words.slice(from, to).to_owned(),
        };
        let is_carried = is_short && pronoun.is_none() && self.preamble.is_empty();
        let context = if is_carried { "" } else { self.context(clause, pronoun.is_some(), is_new) };
        let context = context.to_owned();
        // An ask that depends on another subject leaves it the subject of what follows.
        if self.before.is_empty() || pronoun.is_none() && !is_short {
            let is_few = words.telling(from, to).count() <= MOST_CARRIED;
            let whole = is_few.then(|| bare_range(words, from, to).to_owned());
            let subject = own.map(|own| words.slice(own.phrase.0, own.phrase.1).to_owned());
            self.before.push(Antecedent { subject, whole });
        }
        self.items.push(Ask { text, context });
        Ok(())
    }

    /// Makes one ask of the clause for each of two names, in place of "each of them" at word `each`.
    fn distribute(&mut self, clause: &Clause, each: usize, pair: [Phrase; 2]) {
        let words = self.words;
        let is_name = |at: &usize| pair.iter().any(|(start, end)| start <= at && at < end);
        let telling: Vec<usize> = words.telling(0, clause.from).filter(|at| !is_name(at)).collect();
        let context = if self.before.is_empty() { words.gather(&telling) } else { String::new() };
        let range = (each, end_of_each(words, each, clause.to));
        let names = pair.map(|(start, end)| words.slice(start, end));
        for name in names {
            self.items.push(Ask { text: replaced(words, clause, range, name), context: context.clone() });
            self.before.push(Antecedent { subject: Some(name.to_owned()), whole: None });
        }
        self.pair = names.join(" ");
    }

    /// The context of an ask. The first one has the introduction, as has one with a pronoun or with few words. Another
    /// one that refers back has the ask before it, unless the index separates the two; otherwise it has the names that
    /// were asked about one by one.
    fn context(&self, clause: &Clause, has_pronoun: bool, is_new: bool) -> &str {
        let Some(before) = self.before.last() else { return &self.preamble };
        let leans = |at| self.words.has_any(at, &[Role::Definite, Role::Pointing]);
        let is_short = self.words.telling(clause.from, clause.to).count() < STANDING_ALONE;
        let leans = !is_new || is_short || (clause.from..clause.to).any(leans);
        match () {
            _ if has_pronoun => &self.preamble,
            _ if !self.pair.is_empty() => &self.pair,
            _ if is_short && !self.preamble.is_empty() => &self.preamble,
            _ if leans && clause.kind != Kind::Apart => before.carried(),
            _ => "",
        }
    }

    /// A short ask with the words of the ask before it, or with the subjects if several were asked about.
    fn preceded(&self, ask: &str) -> String {
        let subjects: Vec<&str> = self.before.iter().filter_map(|before| before.subject.as_deref()).collect();
        let carried = match (subjects.len(), self.before.last()) {
            (0..2, Some(before)) => before.carried().to_owned(),
            _ => subjects.join(", "),
        };
        if carried.is_empty() { ask.to_owned() } else { format!("{carried}: {ask}") }
    }
}

/// The first pronoun in `from..to` that refers to something before the clause; after a noun phrase of the clause, it
/// refers to that.
fn pronoun(words: &Words, from: usize, to: usize, own: Option<Subject>) -> Option<usize> {
    let limit = own.filter(|own| own.is_introduced).map_or(to, |own| own.phrase.0);
    let leans = |&at: &usize| {
        let is_last = at + 1 == to;
        let is_lower = words.written(at) == words.words[at].lower || at == from;
        let leans = words.has(at, Role::Leaning) || words.has(at, Role::Possessive) && !is_last;
        leans && is_lower
    };
    (from..limit).find(leans)
}

/// The end of "each of them" that begins at `at`.
fn end_of_each(words: &Words, at: usize, to: usize) -> usize {
    let belongs = [Role::Of, Role::Leaning, Role::Pointing, Role::Distributing, Role::Person];
    (at + 1..to.min(at + 4)).find(|&place| !words.has_any(place, &belongs)).unwrap_or(to.min(at + 4))
}

/// The words of `clause` with `phrase` in place of those in `range`.
fn replaced(words: &Words, clause: &Clause, range: (usize, usize), phrase: &str) -> String {
    join(&[words.slice(clause.from, range.0), phrase, words.slice(range.1, clause.to)])
}

fn telling(words: &Words, from: usize, to: usize) -> String {
    words.gather(&words.telling(from, to).collect::<Vec<_>>())
}

/// Drops asks with the same content words as an earlier one.
fn drop_repeated(items: &mut Vec<Ask>, evidence: &Evidence<'_>) -> Result<(), Error> {
    let mut seen: Vec<Vec<String>> = Vec::new();
    let mut kept = Vec::new();
    for item in items.drain(..) {
        let words = evidence.words(&item.text)?;
        let mut key: Vec<String> = words.content(0, words.len()).map(|at| fold(words.written(at))).collect();
        seealso_index::sort_by(&mut key, String::cmp);
        key.dedup();
        if !seen.contains(&key) {
            seen.push(key);
            kept.push(item);
        }
    }
    *items = kept;
    Ok(())
}
