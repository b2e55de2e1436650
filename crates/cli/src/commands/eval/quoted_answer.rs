//! A quoted answer as it is measured: its text, its passages, and how far its pages covered the question.

use seealso::{Answer, Manifest, passage_text};

use super::retrieval_case::Asked;

/// What was quoted for one question.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Quoted {
    /// The length of its text, in characters.
    pub(super) characters: usize,
    /// Whether it says all that it must, within so many characters; none where nothing is required.
    pub(super) says: Option<Says>,
    /// For each passage, whether it says something that the answer must.
    pub(super) telling: Vec<bool>,
    /// The place of the first section that is gold among the cited ones, from 1.
    pub(super) first_section: Option<usize>,
    /// The largest share of a part's weight that a page holds, 0 to 1.
    pub(super) coverage: f64,
}

/// The lengths of an answer's beginnings, in characters, whose texts are looked at.
pub(super) const LENGTHS: [usize; 3] = [300, 600, 1200];

/// Whether each of the beginnings says all that an answer must, and whether the whole does.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Says {
    pub(super) within: [bool; LENGTHS.len()],
    pub(super) whole: bool,
}

impl Quoted {
    pub(super) fn of(asked: &Asked, answer: &Answer, manifest: &Manifest) -> Quoted {
        let passages: Vec<String> = answer.passages().map(passage_text).collect();
        let text = passages.join(" ");
        let says = || Says {
            within: LENGTHS.map(|length| asked.needs.are_all_within(length, &text)),
            whole: asked.needs.are_all_within(usize::MAX, &text),
        };
        Quoted {
            characters: text.chars().count(),
            says: (!asked.needs.is_empty()).then(says),
            telling: passages.iter().map(|passage| asked.needs.is_any_held_by(passage)).collect(),
            first_section: first_section(asked, answer, manifest),
            coverage: answer.sub_queries.iter().map(|part| part.coverage).fold(0.0, f64::max),
        }
    }
}

/// The place of the first gold section among those that the answer cites, each counted once, in its order.
fn first_section(asked: &Asked, answer: &Answer, manifest: &Manifest) -> Option<usize> {
    let mut cited: Vec<(usize, &str)> = Vec::new();
    for sentence in &answer.sentences {
        let section = (sentence.source, sentence.anchor.as_str());
        if !cited.contains(&section) {
            cited.push(section);
        }
    }
    let page = |source: usize| manifest.pages.get(source.checked_sub(1)?);
    let is_gold =
        |&(source, anchor): &(usize, &str)| page(source).is_some_and(|page| asked.is_gold_section(page, anchor));
    cited.iter().position(is_gold).map(|at| at + 1)
}
