//! Parts of joined words: a page is found by "client" where it says `HttpClient`, by "Antrag" where it says "Wohngeldantrag",
//! and by 茶 where it says 绿茶.
//!
//! They are looked for in names and summaries, when an index is built, and stand there among the terms of the body, where a
//! term counts for less than a whole word of a title does: a page that has the part for its name stays first.

use std::collections::BTreeMap;

use seealso_index::{Analysis, Kind, NewPage};

use super::salient::named;

/// What a part counts in the body: that of a name as much as a word of the summary, that of the summary half as much.
const OF_NAME: u32 = 2;
const OF_SUMMARY: u32 = 1;
/// A number alone tells little from so few digits down.
const FEWEST_DIGITS: usize = 2;
/// Fewer letters before a number say nothing without it: `h2` and `mp3` are no words and a number.
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
/// Letters that the first and the second word of a compound have at least: shorter words stand in others by chance.
const LEAST_FIRST: usize = 3;
const LEAST_SECOND: usize = 4;
/// Longer words, in letters, are not looked at: they are noise.
const LONGEST: usize = 60;

/// The terms that parts of a page's words are, each with what it counts in the body.
pub(super) type Parts = BTreeMap<String, u32>;

/// The parts of the words in names and summary, but for terms that stand there anyway. `is_known` says whether the pack has
/// a term, as both parts of a compound must be.
pub(super) fn parts(page: &NewPage, analysis: Analysis, is_known: &dyn Fn(&str) -> bool) -> Parts {
    let mut found = Parts::new();
    let names = [&page.title].into_iter().chain(&page.aliases).map(|name| (name, OF_NAME));
    for (text, counts) in names.chain([(&page.summary, OF_SUMMARY)]) {
        for token in analysis.tokens(text) {
            let pieces = match token.kind {
                Kind::Pair => characters(&token.term),
                Kind::Word => pieces(&text[token.start..token.end], analysis, is_known),
                _ => Vec::new(),
            };
            for piece in pieces {
                if let Some(term) = only_term(analysis, &piece) {
                    let known = found.entry(term).or_default();
                    *known = counts.max(*known);
                }
            }
        }
    }
    if !found.is_empty() {
        let named = named(page, analysis);
        found.retain(|term, _| !named.contains(term));
    }
    found
}

/// The term of `text` where it is one word that says something.
fn only_term(analysis: Analysis, text: &str) -> Option<String> {
    let mut tokens = analysis.all_tokens(text);
    tokens.pop().filter(|token| tokens.is_empty() && !token.stop).map(|token| token.term)
}

/// The characters of a pair that are words now and then: those of Chinese and syllables of Korean.
fn characters(pair: &str) -> Vec<String> {
    let is_word = |c: &char| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}');
    match pair.chars().count() {
        0 | 1 => Vec::new(),
        _ => pair.chars().filter(is_word).map(String::from).collect(),
    }
}

/// What a word is joined from: by its capitals and digits, or else, in some languages, of two words of the pack.
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

/// The pieces of a word with capitals inside (`HttpClient`, `XMLHttpRequest`), and the letters and digits of one that ends
/// in a number (`Python3`, `IPv6Address`); none where it is of one piece.
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
        // `IPv6` is no "IPv" and a number.
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

/// Compounds of a language, by the words that are known.
struct Compounds<'w> {
    joints: &'w [&'w str],
    is_word: &'w dyn Fn(&str) -> bool,
}

impl Compounds<'_> {
    /// The words that `word` is put together from, and those that these are; none if it is not.
    fn split(&self, word: &str, found: &mut Vec<String>) {
        let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let last = ends.len().saturating_sub(LEAST_SECOND);
        // The longest second word is likeliest meant: a "Krankenversicherung" is first a "Versicherung".
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

    /// The word that `first` is without what joins it to the second.
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
