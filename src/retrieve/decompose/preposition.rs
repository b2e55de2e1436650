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
        if let Some(parts) = parts_at(words, joint, &names, evidence)? {
            return Ok(Some(Split { parts, shared: String::new(), rule: "preposition" }));
        }
    }
    Ok(None)
}

/// The two sub-queries, where names on both sides of `joint` belong to different packs.
fn parts_at(
    words: &Words,
    joint: usize,
    names: &[NameMatch],
    evidence: &Evidence<'_>,
) -> Result<Option<Vec<String>>, Error> {
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

/// Gives every word to the side whose pack it leans to, and else to the side on which it stands.
fn assign(
    words: &Words,
    joint: usize,
    names: (&NameMatch, &NameMatch),
    packs: (Option<PackNo>, Option<PackNo>),
    evidence: &Evidence<'_>,
) -> Result<Vec<String>, Error> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for at in words.content(0, words.len()).filter(|&at| at != joint) {
        let word = &words.words[at];
        let inside = |name: &NameMatch| name.start <= word.start && word.end <= name.end;
        let lean = evidence.leaning(words.slice(at, at + 1))?;
        let to_left = match () {
            _ if inside(names.0) => true,
            _ if inside(names.1) => false,
            _ if lean.is_some() && lean == packs.0 => true,
            _ if lean.is_some() && lean == packs.1 => false,
            _ => at < joint,
        };
        let side = if to_left { &mut left } else { &mut right };
        side.push(words.slice(at, at + 1));
    }
    Ok(vec![left.join(" "), right.join(" ")])
}
