//! `claims`: splits a draft, as a model writes it, into the sentences that make a claim.
//!
//! `lines` separates prose from Markdown structure. Headings, code, questions, announcements and abstentions make no
//! claim (`non_claims`, `abstention`). A citation mark belongs to the sentence before it, whether it stands before or
//! after the full stop (`citation_marks`). Every claim carries its range in the draft, so that it can be removed.

use std::ops::Range;

use seealso_index::Analysis;

use crate::answer::sentences::{SentenceRules, may_end_sentence};
use crate::deliberate::language::language;

mod non_claims;
mod lines;
mod citation_marks;
pub(crate) mod strip_markdown;
mod abstention;
pub(crate) mod finite_verbs;

pub(crate) use abstention::is_abstention;
use citation_marks::{Mark, marks};
use lines::{Unit, units};

/// A sentence that makes a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Plain text in one line, without citation marks and a list's marker.
    pub text: String,
    /// The numbers of the sources that it cites, in order.
    pub citations: Vec<usize>,
    /// Its range in the draft, in bytes: the whole sentence with its citation marks and the white space up to the next
    /// sentence. If it is the only sentence of a list item or a paragraph, the range includes the item's marker and the
    /// line end, so that removing it leaves clean text.
    pub range: Range<usize>,
}

/// A longer sentence is split into several claims, each judged by itself: checks and models read no more at once.
const MOST_BYTES: usize = 2_000;

/// The claims of `text`, in order.
pub fn claims(text: &str) -> Vec<Claim> {
    classified_sentences(text).into_iter().filter(|(_, claims)| *claims).map(|(claim, _)| claim).collect()
}

/// The sentences of `text` that make no claim, in order: headings, questions, announcements and abstentions.
pub(crate) fn non_claims(text: &str) -> Vec<Claim> {
    classified_sentences(text).into_iter().filter(|(_, claims)| !claims).map(|(sentence, _)| sentence).collect()
}

/// Marks that may follow the end of a sentence.
const CLOSING_MARKS: [char; 10] = ['"', '\'', ')', ']', '}', '”', '’', '»', '」', '*'];

/// `text`, whose end was cut off, up to its last complete sentence: half a sentence may state what the whole would not.
/// A code block that is not closed is removed entirely.
pub(crate) fn without_unfinished(text: &str) -> &str {
    let text = text.trim_end();
    if let Some(last) = strip_markdown::blocks(text).pop().filter(|block| block.range.end == text.len()) {
        let closed = last.code.end < last.range.end;
        return if closed { text } else { text[..last.range.start].trim_end() };
    }
    match classified_sentences(text).pop() {
        Some((last, _)) if !last.text.trim_end_matches(CLOSING_MARKS).ends_with(may_end_sentence) => {
            text[..last.range.start].trim_end()
        }
        _ => text,
    }
}

/// Every sentence and heading of `text`, in order, and whether it makes a claim.
fn classified_sentences(text: &str) -> Vec<(Claim, bool)> {
    let shadow = strip_markdown::without_code(text);
    let (marks, blocks) = (marks(&shadow), strip_markdown::blocks(text));
    let mut found = Vec::new();
    for mut unit in units(&shadow) {
        // A code block after a paragraph is not part of the paragraph.
        let code = blocks.iter().map(|block| block.range.start).find(|start| *start > unit.range.start);
        unit.range.end = unit.range.end.min(code.unwrap_or(unit.range.end));
        add_sentences(text, &shadow, &unit, &marks, &mut found);
    }
    found
}

fn add_sentences(text: &str, shadow: &str, unit: &Unit, marks: &[Mark], found: &mut Vec<(Claim, bool)>) {
    let content = unit.content.clone();
    let inside = |mark: &&Mark| content.contains(&mark.range.start);
    let marks: Vec<&Mark> = marks.iter().filter(inside).collect();
    let cut_at = if unit.row || unit.heading {
        Vec::new()
    } else {
        starts(&strip_markdown::for_sentence_split(shadow, &content, &marks))
    };
    let starts = std::iter::once(0).chain(cut_at.into_iter().skip(1));
    let starts: Vec<usize> = starts.map(|start| content.start + start).collect();
    let starts = with_length_cuts(text, starts, content.end);
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(content.end);
        let range = if starts.len() == 1 { unit.range.clone() } else { start..end };
        let of_sentence: Vec<&Mark> =
            marks.iter().copied().filter(|mark| (start..end).contains(&mark.range.start)).collect();
        let plain = strip_markdown::plain(text, start..end, &of_sentence, unit.row);
        let claims = !unit.heading && !non_claims::claims_nothing(&plain);
        found.push((Claim { text: plain, citations: numbers(&of_sentence), range }, claims));
    }
}

/// `starts`, and the split points of sentences of more than [`MOST_BYTES`]: after a comma in the second half of the
/// allowed length, or else before a word.
fn with_length_cuts(text: &str, starts: Vec<usize>, end: usize) -> Vec<usize> {
    let mut cut = Vec::with_capacity(starts.len());
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(end);
        let mut from = start;
        cut.push(from);
        while end - from > MOST_BYTES {
            let reach = text.floor_char_boundary(from + MOST_BYTES);
            let behind = |place: Option<(usize, &str)>| place.map(|(at, mark)| from + at + mark.len());
            let clause = behind(text[from..reach].rmatch_indices([',', ';', '，', '；', '、']).next());
            let clause = clause.filter(|clause| *clause > from + MOST_BYTES / 2);
            let word = behind(text[from..reach].rmatch_indices(char::is_whitespace).next());
            from = clause.or(word).unwrap_or(reach);
            cut.push(from);
        }
    }
    cut
}

/// Where the sentences of `prose` begin, by the rules of the language that its words indicate, or else of English.
fn starts(prose: &str) -> Vec<usize> {
    let analysis = Analysis::of_language(language(prose).unwrap_or("en"));
    SentenceRules::of(analysis).bounds(prose).into_iter().map(|range| range.start).collect()
}

/// The source numbers in the marks, without repetitions.
fn numbers(marks: &[&Mark]) -> Vec<usize> {
    let mut numbers = Vec::new();
    for &number in marks.iter().flat_map(|mark| &mark.numbers) {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// The citation marks of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Citations;

impl Citations {
    /// `text` without citations of sources that were not `given`, and the numbers that were removed, in order.
    pub(crate) fn keep(text: &str, given: impl Fn(usize) -> bool) -> (String, Vec<usize>) {
        Citations::keep_by(text, &given)
    }

    /// One function for all callers, which takes less room in a wasm.
    fn keep_by(text: &str, given: &dyn Fn(usize) -> bool) -> (String, Vec<usize>) {
        let (mut kept, mut unknown, mut from) = (String::with_capacity(text.len()), Vec::new(), 0);
        for mark in marks(&strip_markdown::without_code(text)) {
            let (known, others): (Vec<usize>, Vec<usize>) = mark.numbers.iter().partition(|number| given(**number));
            if others.is_empty() {
                continue;
            }
            kept += &text[from..mark.range.start];
            from = mark.range.end;
            unknown.extend(others);
            if !known.is_empty() {
                let known: Vec<String> = known.iter().map(usize::to_string).collect();
                kept += &format!("[{}]", known.join(", "));
            } else if kept.is_empty() || kept.ends_with('\n') {
                from += text[from..].len() - text[from..].trim_start_matches(' ').len();
            } else {
                kept.truncate(kept.trim_end_matches(' ').len());
            }
        }
        kept += &text[from..];
        (kept, unknown)
    }
}

#[cfg(test)]
mod tests;
