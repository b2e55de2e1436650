//! `claims`: a draft, as a model writes it, cut into the sentences that claim something.
//!
//! Markdown is told from prose first (`lines`): headings, code, questions and announcements claim nothing (`empty`, `silence`).
//! Citation marks belong to the sentence before them, whether they stand before or behind its full stop (`marks`).
//! What is found is where it stands in the draft, so that it can be cut out.

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
pub(crate) use non_claims::is_unspaced;

/// A sentence that claims something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Plain text in one line, without citation marks and a list's marker.
    pub text: String,
    /// The sources that it cites, in order.
    pub citations: Vec<usize>,
    /// Where it stands in the draft, in bytes: the whole sentence with its citation marks and the white space up to
    /// the next one. Where it is all that a list item or a paragraph says, the item's marker and line end too, so that
    /// clean text is left where it is cut out.
    pub range: Range<usize>,
}

/// A sentence longer than this is several claims, each of which is judged: gates and models read no more at once.
const MOST_BYTES: usize = 2_000;

/// The claims of `text`, in order.
pub fn claims(text: &str) -> Vec<Claim> {
    classified_sentences(text).into_iter().filter(|(_, claims)| *claims).map(|(claim, _)| claim).collect()
}

/// What `text` says without claiming anything, in order: headings, questions, announcements, and that a source is silent.
pub(crate) fn non_claims(text: &str) -> Vec<Claim> {
    classified_sentences(text).into_iter().filter(|(_, claims)| !claims).map(|(sentence, _)| sentence).collect()
}

/// Marks that may stand behind the end of a sentence.
const CLOSING_MARKS: [char; 10] = ['"', '\'', ')', ']', '}', '”', '’', '»', '」', '*'];

/// `text`, whose end was cut off, up to its last whole sentence: half of one may say what the whole would not. Of a block of
/// code that is not closed, nothing is left.
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

/// Every sentence and heading of `text`, in order, and whether it claims something.
fn classified_sentences(text: &str) -> Vec<(Claim, bool)> {
    let shadow = strip_markdown::without_code(text);
    let (marks, blocks) = (marks(&shadow), strip_markdown::blocks(text));
    let mut found = Vec::new();
    for mut unit in units(&shadow) {
        // A block of code behind a paragraph is no part of it.
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

/// `starts`, and where a sentence of more than [`MOST_BYTES`] is cut: behind a comma in the latter half of what may stand together,
/// or before a word, where it has any.
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

/// Where the sentences of `prose` begin, by the rules of the language that its words tell, or of English.
fn starts(prose: &str) -> Vec<usize> {
    let analysis = Analysis::of_language(language(prose).unwrap_or("en"));
    SentenceRules::of(analysis).bounds(prose).into_iter().map(|range| range.start).collect()
}

/// The numbers that the marks name, each once.
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
    /// `text` without the citations of what was not `given`, and the numbers that were taken out, in order.
    pub(crate) fn keep(text: &str, given: impl Fn(usize) -> bool) -> (String, Vec<usize>) {
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
