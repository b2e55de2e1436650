//! Parts of joined words: a page is found by "client" where it has `HttpClient`, by "Antrag" where it has
//! "Wohngeldantrag", and by 茶 where it has 绿茶.
//!
//! Parts are found in names and summaries when an index is built, and are indexed among the terms of the body. There a
//! term counts for less than a word of the title, so that a page whose name is the part comes first.

use std::collections::{BTreeMap, BTreeSet};

use seealso_index::{Analysis, Kind, NewPage};

/// The count of a part of a name, among body terms: it weighs as much as a word of the summary.
const OF_NAME: u32 = 2;
/// The count of a part of the summary.
const OF_SUMMARY: u32 = 1;
/// The fewest digits of a number that is a part: shorter numbers say little.
const FEWEST_DIGITS: usize = 2;
/// The fewest letters before a number that are a part: `h2` and `mp3` are not a word and a number.
const FEWEST_LETTERS: usize = 3;

/// Languages that write compounds as one word, by their English names, and what may stand between the two parts.
#[rustfmt::skip]
const JOINTS: &[(&str, &[&str])] = &[
    ("Danish",    &["", "s", "e", "er"]),
    ("Dutch",     &["", "s", "en", "e", "n", "er"]),
    ("Estonian",  &["", "s"]),
    ("Finnish",   &["", "n"]),
    ("German",    &["", "s", "n", "en", "e", "er", "es", "ens"]),
    ("Hungarian", &[""]),
    ("Norwegian", &["", "s", "e"]),
    ("Swedish",   &["", "s", "e", "o", "a", "u"]),
];
/// The fewest letters of the first word of a compound. Shorter words occur in others by chance.
const LEAST_FIRST: usize = 3;
/// The fewest letters of the second word of a compound.
const LEAST_SECOND: usize = 4;
/// The longest word, in letters, that is divided. Longer ones are noise.
const LONGEST: usize = 60;

/// The terms of the parts of a page's words, each with its count among body terms.
pub(super) type WordParts = BTreeMap<String, u32>;

/// The parts of the words in a page's names and summary, without terms that occur there as words. `is_known` says
/// whether the pack has a term; both parts of a compound must be such terms.
pub(super) fn word_parts(page: &NewPage, analysis: Analysis, is_known: &dyn Fn(&str) -> bool) -> WordParts {
    let mut found = WordParts::new();
    let names = [&page.title].into_iter().chain(&page.aliases).map(|name| (name, OF_NAME));
    for (text, count) in names.chain([(&page.summary, OF_SUMMARY)]) {
        for token in analysis.tokens(text) {
            let pieces = match token.kind {
                Kind::Pair => characters(&token.term),
                Kind::Word => pieces(&text[token.start..token.end], analysis, is_known),
                _ => Vec::new(),
            };
            for piece in pieces {
                if let Some(term) = only_term(analysis, &piece) {
                    let known = found.entry(term).or_default();
                    *known = count.max(*known);
                }
            }
        }
    }
    if !found.is_empty() {
        let metadata = metadata_terms(page, analysis);
        found.retain(|term, _| !metadata.contains(term));
    }
    found
}

/// The terms of the page's title, aliases and summary, which are in the index already.
pub(super) fn metadata_terms(page: &NewPage, analysis: Analysis) -> BTreeSet<String> {
    let texts = [&page.title, &page.summary].into_iter().chain(&page.aliases);
    texts.flat_map(|text| analysis.tokens(text)).map(|token| token.term).collect()
}

/// The term of `text`; none where it is not a single word, or a stop word.
fn only_term(analysis: Analysis, text: &str) -> Option<String> {
    let mut tokens = analysis.all_tokens(text);
    tokens.pop().filter(|token| tokens.is_empty() && !token.stop).map(|token| token.term)
}

/// The characters of a pair that may be words: those of Chinese, and syllables of Korean.
fn characters(pair: &str) -> Vec<String> {
    let is_word = |c: &char| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}');
    match pair.chars().count() {
        0 | 1 => Vec::new(),
        _ => pair.chars().filter(is_word).map(String::from).collect(),
    }
}

/// The parts that a word is joined from, by its capitals and digits; or else, in some languages, by words of the pack.
fn pieces(word: &str, analysis: Analysis, is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
    let humps = humps(word);
    if !humps.is_empty() {
        return humps.into_iter().map(str::to_owned).collect();
    }
    let joints = JOINTS.iter().find(|(language, _)| *language == analysis.name());
    let mut found = Vec::new();
    if let Some((_, joints)) = joints.filter(|_| word.chars().count() <= LONGEST) {
        let is_word = |part: &str| only_term(analysis, part).is_some_and(|term| is_known(&term));
        Compounds { joints, is_word: &is_word }.split(&word.to_lowercase(), &mut found);
    }
    found
}

/// The pieces of a word with capitals inside (`HttpClient`, `XMLHttpRequest`), and the letters and digits of a piece
/// that ends in a number (`Python3`); none where the word is a single piece.
pub(super) fn humps(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut cuts = vec![0];
    for at in 1..chars.len() {
        let piece = chars[at].0 - cuts[cuts.len() - 1];
        // A single letter makes no word: `eBay`, `IPv6`.
        let is_long = piece > chars[at - 1].1.len_utf8() && at + 1 < chars.len();
        if is_long && is_hump(&chars[at - 1..]) {
            cuts.push(chars[at].0);
        }
    }
    cuts.push(word.len());
    let whole: Vec<&str> = cuts.windows(2).map(|cut| &word[cut[0]..cut[1]]).collect();
    let mut found: Vec<&str> = if whole.len() > 1 { whole.clone() } else { Vec::new() };
    for piece in whole {
        let (letters, digits) = piece.split_at(piece.trim_end_matches(char::is_numeric).len());
        let is_numbered = !digits.is_empty() && letters.chars().count() >= FEWEST_LETTERS;
        let is = |what: fn(char) -> bool, from: usize| letters.chars().skip(from).all(what);
        // `IPv6` is not "IPv" and a number.
        if is_numbered && (is(char::is_uppercase, 0) || is(char::is_lowercase, 1)) {
            found.push(letters);
            found.extend(Some(digits).filter(|digits| digits.len() >= FEWEST_DIGITS));
        }
    }
    found
}

/// Whether a piece begins with the second of `chars`.
fn is_hump(chars: &[(usize, char)]) -> bool {
    let (before, here) = (chars[0].1, chars[1].1);
    let after = chars.get(2).map(|(_, c)| *c);
    // The plural of an acronym: "PDFs".
    let is_plural = after == Some('s') && chars.len() == 3;
    let opens_word = after.is_some_and(char::is_lowercase) && !is_plural;
    here.is_uppercase() && (before.is_lowercase() || opens_word)
}

/// The compounds of a language, by the words that are known.
struct Compounds<'w> {
    joints: &'w [&'w str],
    is_word: &'w dyn Fn(&str) -> bool,
}

impl Compounds<'_> {
    /// Adds the words that `word` is a compound of, and the words that these are compounds of.
    fn split(&self, word: &str, found: &mut Vec<String>) {
        let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let last = ends.len().saturating_sub(LEAST_SECOND);
        // The longest second word is most probably meant: a "Krankenversicherung" is a "Versicherung" first.
        for &at in ends.iter().take(last + 1).skip(LEAST_FIRST) {
            let (first, second) = word.split_at(at);
            if !(self.is_word)(second) {
                continue;
            }
            if let Some(first) = self.first(first) {
                for part in [first, second] {
                    found.extend(Some(part.to_owned()).filter(|part| (self.is_word)(part)));
                    self.split(part, found);
                }
                return;
            }
        }
    }

    /// The word that `first` is without the joint to the second word; none where it is no word.
    fn first<'f>(&self, first: &'f str) -> Option<&'f str> {
        let mut bare = self.joints.iter().filter_map(|joint| first.strip_suffix(joint));
        bare.find(|bare| bare.chars().count() >= LEAST_FIRST && ((self.is_word)(bare) || self.is_compound(bare)))
    }

    fn is_compound(&self, word: &str) -> bool {
        let mut found = Vec::new();
        self.split(word, &mut found);
        !found.is_empty()
    }
}

#[cfg(test)]
mod tests;
