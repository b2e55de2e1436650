//! The alignment of a claim with a passage, word by word.

use std::ops::Range;

use seealso_index::Analysis;

use super::{Evidence, Passage};

/// The share of a common word without a subject of its own, relative to a content word.
const WEAK_SHARE: f64 = 0.4;
/// The share of a number or a name, relative to another word.
const NAME_SHARE: f64 = 1.5;
/// The share of a word that only the heading or the page's title contains.
const CONTEXT_SHARE: f64 = 0.7;
/// The share of a word if the passage has only one with the same stem.
const SAME_STEM_SHARE: f64 = 0.7;
/// Words with this many initial letters in common have the same stem.
const STEM_LETTERS: usize = 5;

/// A word of a claim.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// The number of its term, if a page contains it.
    pub(super) term: Option<usize>,
    text: String,
    range: Range<usize>,
    /// Its weight.
    pub(super) weight: f64,
}

/// The words of `claim`, without repetitions; `known` gives a term's number and rarity.
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

/// Whether a word is a number, or is capitalised like a name.
fn is_number_or_name(claim: &str, range: &Range<usize>) -> bool {
    let word = &claim[range.clone()];
    let opens = claim[..range.start].trim().is_empty();
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    word.chars().any(char::is_numeric) || capitals > 1 || (capitals == 1 && !opens)
}

/// A passage aligned with a claim.
#[derive(Debug, Clone)]
pub(crate) struct AlignedPassage<'e> {
    /// The passage.
    pub(crate) passage: &'e Passage,
    /// The share of the claim's weight that it covers.
    pub(crate) score: f64,
    /// Its index among all passages.
    pub(crate) place: usize,
    words: Vec<MatchedWord>,
}

/// A word of the claim, and how far the passage matches it, from 0 to 1.
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

    /// The score of the claim's words outside `range`.
    pub(crate) fn score_without(&self, range: &Range<usize>) -> f64 {
        share(self.words.iter().filter(|word| word.range.end <= range.start || word.range.start >= range.end))
    }

    /// The coverage that it adds to `covered`, as a share of the claim's weight.
    pub(super) fn added_coverage(&self, covered: &[f64]) -> f64 {
        let total: f64 = self.words.iter().map(|word| word.weight).sum();
        let more = |(at, word): (usize, &MatchedWord)| {
            (word.held - covered.get(at).copied().unwrap_or(0.0)).max(0.0) * word.weight
        };
        if total > 0.0 { self.words.iter().enumerate().map(more).sum::<f64>() / total } else { 0.0 }
    }

    /// Adds its coverage to `covered`.
    pub(super) fn add_coverage(&self, covered: &mut Vec<f64>) {
        covered.resize(covered.len().max(self.words.len()), 0.0);
        covered.iter_mut().zip(&self.words).for_each(|(covered, word)| *covered = covered.max(word.held));
    }
}

fn share<'w>(words: impl Iterator<Item = &'w MatchedWord> + Clone) -> f64 {
    let total: f64 = words.clone().map(|word| word.weight).sum();
    if total > 0.0 { words.map(|word| word.weight * word.held).sum::<f64>() / total } else { 0.0 }
}

/// Whether two terms share most of their initial letters: `graduate` and `graduation`, whatever the stemmer leaves.
pub(super) fn same_stem(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b && a.is_alphabetic()).count();
    common >= STEM_LETTERS && common * 5 >= a.chars().count().max(b.chars().count()) * 3
}

/// The common beginning of all terms with the same stem as `term`.
pub(super) fn stem(term: &str) -> &str {
    term.char_indices().nth(STEM_LETTERS).map_or(term, |(at, _)| &term[..at])
}

/// A claim's best passages, and the evidence that the checks query beyond them.
#[derive(Debug)]
pub(crate) struct Alignment<'e> {
    /// The passages, the best first.
    pub(crate) passages: Vec<AlignedPassage<'e>>,
    /// The share of the claim's weight that they cover together.
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
