//! Drafts of faithful sentences, with an error planted in every second one.

use seealso::{Evidence, Manifest, claims};
use seealso_cli::hash;

use crate::random::Random;
use crate::swap::{ErrorKind, NamePool, swap};

/// A sentence of a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DraftSentence {
    /// The sentence as the page has it.
    pub(super) faithful: String,
    /// The kind of the planted error, and the sentence with it; none where no error was planted.
    pub(super) error: Option<(ErrorKind, String)>,
}

impl DraftSentence {
    /// The sentence as the draft has it.
    pub(super) fn text(&self) -> &str {
        self.error.as_ref().map_or(&self.faithful, |(_, text)| text)
    }
}

/// The most sentences of a draft.
const SENTENCES: usize = 8;
/// The length of a sentence in characters: shorter ones say too little, longer ones are often no sentences.
const CHARS: std::ops::RangeInclusive<usize> = 40..=300;

/// The label of a page's first paragraph, which drafts leave out.
const LABEL: &str = "Abstract: ";

/// Sentences of a source that make one claim each, spread over its page.
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

/// Whether it is a whole sentence, and one claim.
fn is_whole(text: &str) -> bool {
    let one = claims(text);
    let even = |mark: char| text.matches(mark).count().is_multiple_of(2);
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '`');
    let ends = text.ends_with('.') && CHARS.contains(&text.chars().count());
    begins && ends && even('`') && even('"') && one.len() == 1 && one[0].text == text
}

/// Plants an error in every second sentence, where one can be; the kinds take turns.
pub(super) fn plant(sentences: &[String], page: &str, names: &NamePool, seed: u64, draft: usize) -> Vec<DraftSentence> {
    let mut turn = draft;
    let planted = sentences.iter().enumerate().map(|(at, faithful)| {
        let has_turn = at % 2 == draft % 2;
        let error = if has_turn { error(faithful, page, names, seed, &mut turn) } else { None };
        DraftSentence { faithful: faithful.clone(), error }
    });
    planted.collect()
}

/// The first error that can be planted in the sentence, beginning with the kind whose turn it is.
fn error(faithful: &str, page: &str, names: &NamePool, seed: u64, turn: &mut usize) -> Option<(ErrorKind, String)> {
    let found = (0..ErrorKind::ALL.len()).find_map(|step| {
        let kind = ErrorKind::ALL[(*turn + step) % ErrorKind::ALL.len()];
        let random = &mut Random::new(hash(format!("{seed} {} {faithful}", kind.name()).as_bytes()));
        Some((kind, swap(kind, faithful, page, names, random)?))
    })?;
    *turn = ErrorKind::ALL.iter().position(|kind| *kind == found.0).map_or(*turn, |at| at + 1);
    Some(found)
}

/// The draft, with the citation before each full stop.
pub(super) fn draft(planted: &[DraftSentence], source: usize) -> String {
    let sentences: Vec<String> = planted.iter().map(|one| cited(one.text(), source)).collect();
    sentences.join(" ")
}

/// The draft with every two sentences joined into one.
pub(super) fn joined(planted: &[DraftSentence], source: usize) -> String {
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
        let planted = plant(&sentences, &sentences.join(" "), &NamePool::of(std::iter::empty()), 1, 0);
        let kinds: Vec<Option<&str>> =
            planted.iter().map(|one| one.error.as_ref().map(|(kind, _)| kind.name())).collect();
        assert_eq!(kinds, [Some("number"), None, Some("date"), None]);
        assert_eq!(draft(&planted[1..2], 3), "Tea is hot [3].");
        assert!(joined(&planted, 3).contains("; also, Tea is hot [3]. "), "{}", joined(&planted, 3));
    }
}
