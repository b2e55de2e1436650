//! A claim laid beside a passage, word by word.

use std::ops::Range;

use seealso_index::Analysis;

use super::{Evidence, Passage};

/// What a common word that tells nothing of a subject counts against one that does.
const WEAK_SHARE: f64 = 0.4;
/// What a number or a name counts against another word.
const NAME_SHARE: f64 = 1.5;
/// What a word counts that only the heading or the page's title holds.
const CONTEXT_SHARE: f64 = 0.7;
/// What a word counts where the passage has one that only begins like it.
const SAME_STEM_SHARE: f64 = 0.7;
/// Words that have so many letters in common at their beginning are kindred.
const STEM_LETTERS: usize = 5;

/// A word of a claim.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// The number of its term, where any page has it.
    pub(super) term: Option<usize>,
    text: String,
    range: Range<usize>,
    /// What it counts.
    pub(super) weight: f64,
}

/// The words of `claim` that count, each once; `known` gives a term's number and rarity.
pub(super) fn words(claim: &str, analysis: Analysis, known: impl Fn(&str) -> (Option<usize>, f64)) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for token in analysis.tokens(claim) {
        if words.iter().any(|word| word.text == token.term) {
            continue;
        }
        let range = token.start..token.end;
        let (term, rarity) = known(&token.term);
        let share = match () {
            () if is_number_or_name(claim, &range) => NAME_SHARE,
            () if token.weak => WEAK_SHARE,
            () => 1.0,
        };
        words.push(Word { term, text: token.term, range, weight: rarity * share });
    }
    words
}

/// Whether a word is a number, or written as a name is.
fn is_number_or_name(claim: &str, range: &Range<usize>) -> bool {
    let word = &claim[range.clone()];
    let opens = claim[..range.start].trim().is_empty();
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    word.chars().any(char::is_numeric) || capitals > 1 || (capitals == 1 && !opens)
}

/// A passage beside a claim.
#[derive(Debug, Clone)]
pub(crate) struct AlignedPassage<'e> {
    /// The passage.
    pub(crate) passage: &'e Passage,
    /// The share of the claim's weight that it holds.
    pub(crate) score: f64,
    /// Its place among all passages.
    pub(crate) place: usize,
    words: Vec<MatchedWord>,
}

/// A word of the claim, and how far the passage has it: 0 to 1.
#[derive(Debug, Clone)]
struct MatchedWord {
    range: Range<usize>,
    weight: f64,
    held: f64,
}

impl<'e> AlignedPassage<'e> {
    pub(super) fn new(
        place: usize,
        passage: &'e Passage,
        words: &[Word],
        analysis: Analysis,
        in_text: impl Fn(Option<usize>) -> bool,
        in_context: impl Fn(Option<usize>) -> bool,
    ) -> AlignedPassage<'e> {
        let terms: Vec<String> = analysis.tokens(&passage.text).into_iter().map(|token| token.term).collect();
        let held = |word: &Word| match () {
            () if in_text(word.term) => 1.0,
            () if in_context(word.term) => CONTEXT_SHARE,
            () if terms.iter().any(|term| same_stem(term, &word.text)) => SAME_STEM_SHARE,
            () => 0.0,
        };
        let found = |word: &Word| MatchedWord { range: word.range.clone(), weight: word.weight, held: held(word) };
        let words: Vec<MatchedWord> = words.iter().map(found).collect();
        AlignedPassage { passage, score: share(words.iter()), place, words }
    }

    /// How well the claim's other words fit, those in `range` of it left out.
    pub(crate) fn score_without(&self, range: &Range<usize>) -> f64 {
        share(self.words.iter().filter(|word| word.range.end <= range.start || word.range.start >= range.end))
    }

    /// What it holds beyond what is `covered` already, as a share of the claim's weight.
    pub(super) fn added_coverage(&self, covered: &[f64]) -> f64 {
        let total: f64 = self.words.iter().map(|word| word.weight).sum();
        let more = |(at, word): (usize, &MatchedWord)| {
            (word.held - covered.get(at).copied().unwrap_or(0.0)).max(0.0) * word.weight
        };
        if total > 0.0 { self.words.iter().enumerate().map(more).sum::<f64>() / total } else { 0.0 }
    }

    /// Adds what it holds to what is `covered`.
    pub(super) fn add_coverage(&self, covered: &mut Vec<f64>) {
        covered.resize(covered.len().max(self.words.len()), 0.0);
        covered.iter_mut().zip(&self.words).for_each(|(covered, word)| *covered = covered.max(word.held));
    }
}

fn share<'w>(words: impl Iterator<Item = &'w MatchedWord> + Clone) -> f64 {
    let total: f64 = words.clone().map(|word| word.weight).sum();
    if total > 0.0 { words.map(|word| word.weight * word.held).sum::<f64>() / total } else { 0.0 }
}

/// Whether two terms begin alike and have letters alone: `graduate` and `graduation`, whatever the stemmer leaves.
pub(super) fn same_stem(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b && a.is_alphabetic()).count();
    common >= STEM_LETTERS && common * 5 >= a.chars().count().max(b.chars().count()) * 3
}

/// What all that is kindred to `term` begins with.
pub(super) fn stem(term: &str) -> &str {
    term.char_indices().nth(STEM_LETTERS).map_or(term, |(at, _)| &term[..at])
}

/// A claim beside its best passages, and what else of the pages the gates ask for.
#[derive(Debug)]
pub(crate) struct Alignment<'e> {
    /// The passages, the best first.
    pub(crate) passages: Vec<AlignedPassage<'e>>,
    /// The share of the claim's weight that they hold together.
    pub(crate) covered: f64,
    pub(crate) evidence: &'e Evidence<'e>,
}

impl<'e> Alignment<'e> {
    pub(super) fn new(passages: Vec<AlignedPassage<'e>>, evidence: &'e Evidence<'e>) -> Self {
        let mut covered: Vec<f64> = Vec::new();
        passages.iter().for_each(|aligned| aligned.add_coverage(&mut covered));
        let weights = passages.first().map(|aligned| aligned.words.as_slice()).unwrap_or_default();
        let total: f64 = weights.iter().map(|word| word.weight).sum();
        let held: f64 = weights.iter().zip(&covered).map(|(word, covered)| word.weight * covered).sum();
        Alignment { passages, covered: if total > 0.0 { held / total } else { 0.0 }, evidence }
    }
}
