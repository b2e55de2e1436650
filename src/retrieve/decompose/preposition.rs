//! Rule 4: "A in B", where A and B name pages of different packs.
//!
//! Words that belong to neither name go where the index puts them: "containerize" in "containerize an MCP server in
//! Docker" is Docker's, whichever side of "in" it stands on.

use seealso_index::{Error, NameMatch, PackNo};

use super::Split;
use super::evidence::Evidence;
use super::words::{Break, Words};

const PREPOSITIONS: [&str; 16] = [
    "in", "into", "inside", "within", "on", "onto", "with", "without", "using", "for", "from", "via", "through", "to",
    "by", "as",
];

pub(super) fn split(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let names = evidence.names(&words.text)?;
    for joint in 1..words.len().saturating_sub(1) {
        let word = &words.words[joint];
        let in_name = names.iter().any(|name| name.start < word.start && word.end < name.end);
        if !PREPOSITIONS.contains(&word.lower.as_str()) || word.quoted || in_name {
            continue;
        }
        if let Some(split) = split_at(words, joint, &names, evidence)? {
            return Ok(Some(split));
        }
    }
    Ok(None)
}

/// The split, where names on both sides of `joint` belong to different packs.
fn split_at(words: &Words, joint: usize, names: &[NameMatch], evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let clause = (0..=joint).rev().find(|&at| words.words[at].before >= Break::Colon).unwrap_or(0);
    let (from, at) = (words.words[clause].start, words.words[joint].start);
    let left: Vec<&NameMatch> = names.iter().filter(|name| from <= name.start && name.end <= at).collect();
    let right: Vec<&NameMatch> = names.iter().filter(|name| name.start >= at).collect();
    let text = |name: &NameMatch| &words.text[name.start..name.end];
    for l in &left {
        for r in &right {
            if evidence.are_two_subjects(text(l), text(r))? {
                let packs = (evidence.leaning(text(l))?, evidence.leaning(text(r))?);
                return assign(words, joint, (l, r), packs, evidence).map(Some);
            }
        }
    }
    Ok(None)
}

/// Gives every word to the side whose pack it leans to, and else to the side on which it stands. Words that tell
/// nothing go with both, as context.
fn assign(
    words: &Words,
    joint: usize,
    names: (&NameMatch, &NameMatch),
    packs: (Option<PackNo>, Option<PackNo>),
    evidence: &Evidence<'_>,
) -> Result<Split, Error> {
    let (mut left, mut right, mut shared) = (Vec::new(), Vec::new(), Vec::new());
    for at in words.content(0, words.len()).filter(|&at| at != joint) {
        let word = &words.words[at];
        let inside = |name: &NameMatch| name.start <= word.start && word.end <= name.end;
        let lean = evidence.leaning(words.slice(at, at + 1))?;
        let side = match () {
            _ if inside(names.0) => &mut left,
            _ if inside(names.1) => &mut right,
            _ if word.weak => &mut shared,
            _ if lean.is_some() && lean == packs.0 => &mut left,
            _ if lean.is_some() && lean == packs.1 => &mut right,
            _ if at < joint => &mut left,
            _ => &mut right,
        };
        side.push(at);
    }
    let parts = vec![words.gather(&left), words.gather(&right)];
    Ok(Split { parts, shared: words.gather(&shared), rule: "preposition" })
}
