//! Drafts of faithful sentences, with errors planted in every second of them.

use seealso::{Evidence, Manifest, claims};
use seealso_cli::hash;

use crate::swap::{Kind, Names, Random, swap};

/// A sentence of a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planted {
    /// As the page has it.
    pub(super) faithful: String,
    /// The error in it, and what it says then; none where it is left as it is.
    pub(super) error: Option<(Kind, String)>,
}

impl Planted {
    /// The sentence as the draft has it.
    pub(super) fn text(&self) -> &str {
        self.error.as_ref().map_or(&self.faithful, |(_, text)| text)
    }
}

/// So many sentences a draft has at most.
const SENTENCES: usize = 8;
/// Shorter ones say too little, longer ones are no sentences.
const CHARS: std::ops::RangeInclusive<usize> = 40..=300;

/// The label of a page's first paragraph, which no draft repeats.
const LABEL: &str = "Abstract: ";

/// Sentences of a source that claim one thing each, from all over its page.
pub(super) fn sentences(manifest: &Manifest, source: usize) -> Vec<String> {
    let evidence = Evidence::of(manifest);
    let mut all: Vec<String> = Vec::new();
    for passage in evidence.passages().filter(|passage| passage.source == source) {
        let text = passage.text.strip_prefix(LABEL).unwrap_or(&passage.text);
        if is_whole(text) && !all.iter().any(|other| other == text) {
            all.push(text.to_owned());
        }
    }
    let step = all.len().div_ceil(SENTENCES).max(1);
    all.into_iter().step_by(step).take(SENTENCES).collect()
}

/// Whether it is a sentence from beginning to end, and one claim.
fn is_whole(text: &str) -> bool {
    let one = claims(text);
    let even = |mark: char| text.matches(mark).count().is_multiple_of(2);
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '`');
    let ends = text.ends_with('.') && CHARS.contains(&text.chars().count());
    begins && ends && even('`') && even('"') && one.len() == 1 && one[0].text == text
}

/// Plants an error in every second of `sentences`, where one can be; the kinds take turns.
pub(super) fn plant(sentences: &[String], page: &str, names: &Names, seed: u64, draft: usize) -> Vec<Planted> {
    let mut turn = draft;
    let planted = sentences.iter().enumerate().map(|(at, faithful)| {
        let wanted = at % 2 == draft % 2;
        let error = if wanted { error(faithful, page, names, seed, &mut turn) } else { None };
        Planted { faithful: faithful.clone(), error }
    });
    planted.collect()
}

/// The first error that the sentence can have, beginning with the kind whose turn it is.
fn error(faithful: &str, page: &str, names: &Names, seed: u64, turn: &mut usize) -> Option<(Kind, String)> {
    let found = (0..Kind::ALL.len()).find_map(|step| {
        let kind = Kind::ALL[(*turn + step) % Kind::ALL.len()];
        let random = &mut Random::new(hash(format!("{seed} {} {faithful}", kind.name()).as_bytes()));
        Some((kind, swap(kind, faithful, page, names, random)?))
    })?;
    *turn = Kind::ALL.iter().position(|kind| *kind == found.0).map_or(*turn, |at| at + 1);
    Some(found)
}

/// The draft, with the citation before each full stop.
pub(super) fn draft(planted: &[Planted], source: usize) -> String {
    let sentences: Vec<String> = planted.iter().map(|one| cited(one.text(), source)).collect();
    sentences.join(" ")
}

/// The draft with every two sentences joined into one.
pub(super) fn joined(planted: &[Planted], source: usize) -> String {
    let pairs = planted.chunks(2).map(|pair| {
        let texts: Vec<&str> = pair.iter().map(|one| one.text().trim_end_matches('.')).collect();
        cited(&format!("{}.", texts.join("; also, ")), source)
    });
    pairs.collect::<Vec<_>>().join(" ")
}

fn cited(sentence: &str, source: usize) -> String {
    format!("{} [{source}].", sentence.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_sentence_gets_an_error_of_the_next_kind() {
        let sentences =
            ["Tea has two leaves.", "Tea is hot.", "Tea was sold in 1980 alone.", "It is old."].map(str::to_owned);
        let planted = plant(&sentences, &sentences.join(" "), &Names::of(std::iter::empty()), 1, 0);
        let kinds: Vec<Option<&str>> =
            planted.iter().map(|one| one.error.as_ref().map(|(kind, _)| kind.name())).collect();
        assert_eq!(kinds, [Some("number"), None, Some("date"), None]);
        assert_eq!(draft(&planted[1..2], 3), "Tea is hot [3].");
        assert!(joined(&planted, 3).contains("; also, Tea is hot [3]. "), "{}", joined(&planted, 3));
    }
}
