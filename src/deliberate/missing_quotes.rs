//! `missing_quotes`: the quoted sentences that a written answer leaves out. They are appended to it, so that it never
//! says less than the quoted answer that it replaces.
//!
//! A written sentence states a quoted one if it contains every word of it that is no stop word, in any inflection, and
//! nine tenths of all its words. A single sentence must contain both, because words that are scattered over a text may
//! say something else. A written text contains quoted code if it has all its lines.

use std::collections::BTreeSet;

use seealso_index::Analysis;

use crate::answer::{Answer, CitedSentence, Form};
use crate::deliberate::overlap::WordSet;
use crate::deliberate::verify::VerifiedText;
use crate::retrieve::assemble::Manifest;

/// The words of a sentence as written, and its terms.
struct SentenceWords {
    words: WordSet,
    terms: BTreeSet<String>,
}

impl SentenceWords {
    fn of(manifest: &Manifest, text: &str) -> SentenceWords {
        let analysis = manifest.pages.first().map_or(Analysis::English, |page| page.analysis);
        let terms = analysis.tokens(text).into_iter().map(|token| token.term).collect();
        SentenceWords { words: WordSet::of(text), terms }
    }

    /// Whether a sentence with these words states everything that `other` states.
    fn states(&self, other: &SentenceWords) -> bool {
        self.words.contains_all(&other.words) && other.terms.is_subset(&self.terms)
    }
}

/// The quoted sentences that no supported sentence of `verified` states, in order; for the parts in `lacking`, on which
/// the text has nothing, all of them.
pub(crate) fn missing_quotes<'a>(
    answer: &'a Answer,
    manifest: &Manifest,
    verified: &VerifiedText,
    lacking: &[usize],
) -> Vec<&'a CitedSentence> {
    let written: Vec<SentenceWords> =
        verified.supported().iter().map(|sentence| SentenceWords::of(manifest, &sentence.claim.text)).collect();
    let lines: BTreeSet<&str> = verified.text.lines().map(str::trim).collect();
    let is_missing = |quote: &&CitedSentence| {
        if lacking.contains(&quote.sub_query) {
            return true;
        }
        if quote.form == Form::Code {
            return !quote.text.lines().all(|line| lines.contains(line.trim()));
        }
        let words = SentenceWords::of(manifest, &quote.text);
        !written.iter().any(|sentence| sentence.states(&words))
    };
    answer.sentences.iter().filter(is_missing).collect()
}
