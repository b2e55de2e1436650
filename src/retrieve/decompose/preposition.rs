//! Rule 4: "A in B", where A and B name pages of different packs.
//!
//! Words that belong to neither name go where the index puts them: "containerize" in "containerize an MCP server in
//! Docker" belongs to Docker, whichever side of "in" it is on.

use seealso_index::{Error, NameMatch, PackNo, Role};

use super::Split;
use super::evidence::Evidence;
use super::words::{Break, Words};

pub(super) fn split(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let mut names = Vec::new();
    for name in evidence.names(&words.text)? {
        if let Some(pack) = evidence.leading_pack(&words.text[name.start..name.end])? {
            names.push((name, pack));
        }
    }
    for joint in 1..words.len().saturating_sub(1) {
        let word = &words.words[joint];
        let in_name = names.iter().any(|(name, _)| name.start < word.start && word.end < name.end);
        if !words.has(joint, Role::Preposition) || in_name {
            continue;
        }
        if let Some(split) = split_at(words, joint, &names, evidence)? {
            return Ok(Some(split));
        }
    }
    Ok(None)
}

/// A page's name in the question, and its leading pack.
type NameInPack = (NameMatch, PackNo);

/// The split, if the nearest names on both sides of `joint` belong to different packs and meet on no page.
fn split_at(
    words: &Words,
    joint: usize,
    names: &[NameInPack],
    evidence: &Evidence<'_>,
) -> Result<Option<Split>, Error> {
    let clause = (0..=joint).rev().find(|&at| words.words[at].before >= Break::Colon).unwrap_or(0);
    let (from, at) = (words.words[clause].start, words.words[joint].start);
    let left = names.iter().rev().find(|(name, _)| from <= name.start && name.end <= at);
    let right = names.iter().find(|(name, _)| name.start >= at);
    let text = |name: &NameMatch| &words.text[name.start..name.end];
    match left.zip(right) {
        Some((left, right)) if left.1 != right.1 && !evidence.meet(text(&left.0), text(&right.0))? => {
            assign(words, joint, (&left.0, &right.0), (Some(left.1), Some(right.1)), evidence).map(Some)
        }
        _ => Ok(None),
    }
}

/// Assigns every word to the side of its leading pack, or else to the side on which it stands. Words without a subject
/// of their own are added to both, as context.
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
        let lean = evidence.leading_pack(words.slice(at, at + 1))?;
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
