//! A page as it is read for one sub-query: which of its sentences can be quoted, and which of the words asked for they
//! hold. Each part of a page is analysed once, so the time is linear in the page.

use seealso_index::{Analysis, Error, Index, Kind, Token};
use seealso_pack::{BlockKind, Page, SectionKind};

use crate::answer::sentences::{SentenceRules, is_lead_in};
use crate::config::Config;
use crate::retrieve::fetch::FetchedPage;

/// What a heading's or title's word counts beside a sentence, against one in it.
const CONTEXT_SHARE: f64 = 0.5;
/// What a common word that tells nothing of a subject counts against one that does.
const WEAK_SHARE: f64 = 0.3;
/// Sentences of fewer letters are not quoted, a Chinese, Japanese or Korean one counted twice; nor those of more
/// characters.
const FEWEST_LETTERS: usize = 15;
const MOST_CHARACTERS: usize = 420;
/// From here on scripts are written in characters each of which says as much as some letters do.
const FIRST_WIDE: char = '\u{2e80}';

/// Shorter words, in bytes, stand beside each other in many longer ones.
const LEAST_JOINED: usize = 3;
/// So many words are looked for together with the next one, at most.
const MOST_JOINED: usize = 16;

/// A word that has at least this share of a sub-query's weight is what it is about.
const LARGE_SHARE: f64 = 1.0 / 3.0;

/// Which of a sub-query's terms were found, in their order.
pub(super) type Found = Vec<bool>;

/// The terms of a sub-query as one page's language analyses them.
pub(super) struct Weights {
    pub(super) analysis: Analysis,
    terms: Vec<Term>,
    /// What two neighbours among the terms are when they are written together, each by the place of the first.
    joined: Vec<(usize, String)>,
    total: f64,
}

struct Term {
    text: String,
    /// As it is written in the sub-query.
    written: String,
    rarity: f64,
    /// Whether it tells what is asked about.
    telling: bool,
    /// Whether it is written as a name is, with a capital.
    name: bool,
    /// Whether no page is known to have it.
    unheard_of: bool,
}

impl Weights {
    /// The terms of `text`, weighed for `page`.
    pub(super) fn of(text: &str, page: &FetchedPage, index: &Index, config: &Config) -> Result<Weights, Error> {
        let analysis = page.analysis;
        let mut terms: Vec<Term> = Vec::new();
        let tokens = index.query_words(analysis, text)?;
        for token in &tokens {
            if token.stop || token.kind == Kind::Joined || is_letter_of_identifier(token, &tokens) {
                continue;
            }
            let (rarity, pages_with) = index.rarity(analysis, &token.term, &config.bm25)?;
            if !terms.iter().any(|term| term.text == token.term) {
                let name = is_name(text, token.start, token.end);
                let (telling, unheard_of) = (!token.weak, pages_with == 0);
                let rarity = rarity * if telling { 1.0 } else { WEAK_SHARE };
                let written = text[token.start..token.end].to_owned();
                terms.push(Term { text: token.term.clone(), written, rarity, telling, name, unheard_of });
            }
        }
        let total = terms.iter().map(|term| term.rarity).sum();
        let are_long = |two: &&[Term]| two.iter().all(|term| term.text.len() >= LEAST_JOINED);
        let neighbours = terms.windows(2).enumerate().take(MOST_JOINED).filter(|(_, two)| are_long(two));
        let joined = neighbours.map(|(place, two)| (place, [&*two[0].text, &*two[1].text].concat())).collect();
        Ok(Weights { analysis, terms, joined, total })
    }

    /// Which of the terms stand in `text`. A stop word is one of them where it is written as it is asked for or as an
    /// acronym, or in a name.
    fn find(&self, text: &str, is_name: bool) -> Found {
        let mut found = vec![false; self.terms.len()];
        let tokens = self.analysis.all_tokens_and_forms(text);
        for token in &tokens {
            let written = &text[token.start..token.end];
            if is_letter_of_identifier(token, &tokens) {
                continue;
            }
            let is_meant = |term: &Term| {
                !token.stop || is_name || term.written == written || written.chars().all(char::is_uppercase)
            };
            let is_it = |term: &Term| term.text == token.term && is_meant(term);
            if let Some(place) = self.terms.iter().position(is_it) {
                found[place] = true;
            }
            // "effect hook" is said by `useEffectHook`.
            for (place, _) in self.joined.iter().filter(|(_, joined)| token.term.contains(joined.as_str())) {
                found[*place..place + 2].fill(true);
            }
        }
        found
    }

    /// The share of the whole weight that the `found` terms have.
    pub(super) fn share(&self, found: &[bool]) -> f64 {
        let held: f64 = self.terms.iter().zip(found).filter(|(_, found)| **found).map(|(term, _)| term.rarity).sum();
        if self.total > 0.0 { held / self.total } else { 0.0 }
    }

    /// A sentence's worth: its own terms, and at a discount those of its heading and title.
    pub(super) fn worth(&self, own: &[bool], around: &[bool]) -> f64 {
        let beside: Found = around.iter().zip(own).map(|(around, own)| *around && !own).collect();
        self.share(own) + CONTEXT_SHARE * self.share(&beside)
    }

    /// Whether `more` has all that `less` has of the terms that tell what is asked about, and others too.
    pub(super) fn goes_beyond(&self, more: &[bool], less: &[bool]) -> bool {
        let telling = || self.terms.iter().zip(more.iter().zip(less)).filter(|(term, _)| term.telling);
        telling().all(|(_, (more, less))| more >= less) && telling().any(|(_, (more, less))| more > less)
    }

    /// Whether a page that holds the `found` terms, of which its own names have the `named` ones, names the subject of
    /// the question and says nothing of a large part of what is asked of it. Another name is no such part, but a
    /// subject too.
    pub(super) fn merely_names(&self, found: &[bool], named: &[bool]) -> bool {
        let misses_name = self.terms.iter().zip(found).any(|(term, found)| term.name && !found);
        !misses_name && !self.goes_beyond(found, named) && self.share(found) <= 1.0 - LARGE_SHARE
    }

    /// The share that a page must hold before it can answer: more where the index and the page know nothing of a name
    /// that is asked about, or of a word that is a large part of the question.
    pub(super) fn least_coverage(&self, found: &[bool], config: &Config) -> f64 {
        let heavy = |term: &Term| term.rarity >= self.total * LARGE_SHARE;
        let unknown =
            |(term, found): (&Term, &bool)| term.telling && term.unheard_of && !found && (term.name || heavy(term));
        if self.terms.iter().zip(found).any(unknown) { config.least_coverage_of_foreign } else { config.least_coverage }
    }
}

/// Whether `token`, one of `tokens`, is a letter or digit inside an identifier: that of "C++" is no "C".
fn is_letter_of_identifier(token: &Token, tokens: &[Token]) -> bool {
    let holds = |other: &Token| other.kind == Kind::Identifier && other.start <= token.start && token.end <= other.end;
    token.term.len() == 1 && tokens.iter().any(holds)
}

/// Whether the word at `start..end` is written as a name is: with a capital that no sentence's beginning explains.
fn is_name(text: &str, start: usize, end: usize) -> bool {
    let word = &text[start..end];
    let before = text[..start].trim_end();
    let opens = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    capitals > 1 || (capitals == 1 && !(opens && word.starts_with(char::is_uppercase)))
}

/// A sentence that may be quoted.
pub(super) struct Quotable {
    pub(super) text: String,
    /// Its section's place in [`Reading::sections`].
    pub(super) section: usize,
    /// Whether it belongs to the page's opening or abstract.
    pub(super) lead: bool,
    /// The terms that it holds.
    pub(super) own: Found,
}

/// A section's heading, and the terms in it.
pub(super) struct ReadSection {
    pub(super) heading: String,
    pub(super) anchor: String,
    pub(super) kind: SectionKind,
    found: Found,
}

/// A page, read for one sub-query.
pub(super) struct Reading {
    /// The terms in its title and aliases.
    pub(super) names: Found,
    pub(super) sections: Vec<ReadSection>,
    pub(super) quotable: Vec<Quotable>,
    /// The terms that stand anywhere in its names, summary, headings and quotable sentences.
    pub(super) found: Found,
}

impl Reading {
    pub(super) fn of(page: &Page, weights: &Weights) -> Reading {
        let read = |section: seealso_pack::Section| {
            let heading = section.heading.unwrap_or_default();
            let found = weights.find(&heading, false);
            ReadSection { heading, anchor: section.anchor, kind: section.kind, found }
        };
        let mut reading = Reading {
            names: weights.find(&format!("{} {}", page.title, page.aliases.join(" ")), true),
            sections: page.sections().into_iter().map(read).collect(),
            quotable: Vec::new(),
            found: Vec::new(),
        };
        let rules = SentenceRules::of(weights.analysis);
        for block in page.blocks() {
            if !matches!(block.kind, BlockKind::TableRow | BlockKind::Code | BlockKind::Heading) {
                reading.take(block.section, block.kind == BlockKind::Quote, &block.text, weights, &rules);
            }
        }
        reading.found = either(&reading.union(), &weights.find(&page.summary, false));
        reading
    }

    fn take(&mut self, section: usize, quote: bool, text: &str, weights: &Weights, rules: &SentenceRules) {
        let Some(kind) = self.sections.get(section).map(|section| section.kind) else { return };
        if matches!(kind, SectionKind::SeeAlso | SectionKind::Sources) {
            return;
        }
        let text = text.trim();
        let text = text.strip_prefix("Abstract:").unwrap_or(text).trim();
        for sentence in rules.sentences(text) {
            if is_of_fit_length(sentence) && !is_lead_in(sentence) {
                let (text, own) = (sentence.to_owned(), weights.find(sentence, false));
                self.quotable.push(Quotable { text, section, lead: quote || kind == SectionKind::Lead, own });
            }
        }
    }

    /// The terms in the heading above a sentence and in the page's names.
    pub(super) fn around(&self, quotable: &Quotable) -> Found {
        either(&self.names, &self.sections[quotable.section].found)
    }

    fn union(&self) -> Found {
        let headings = self.sections.iter().map(|section| &section.found);
        let all = headings.chain(self.quotable.iter().map(|quotable| &quotable.own));
        all.fold(self.names.clone(), |union, found| either(&union, found))
    }
}

fn is_of_fit_length(sentence: &str) -> bool {
    let characters = sentence.chars().count();
    let wide = sentence.chars().filter(|c| *c >= FIRST_WIDE).count();
    characters + wide >= FEWEST_LETTERS && characters <= MOST_CHARACTERS
}

pub(super) fn either(a: &[bool], b: &[bool]) -> Found {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}
