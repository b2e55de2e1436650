//! Code in Markdown text: spans between runs of backticks, and blocks between fences. Reasoning is not code: a lone
//! backtick before it and one after it make no span.

use crate::reasoning::marks::{Effect, MarkMatch, match_mark};

/// The end of the code that begins with the run of backticks or tildes at `at`, or of the run if it begins none; `None`
/// if that depends on what comes next. The text begins at `from`.
pub(super) fn code(text: &[u8], from: usize, at: usize, last: bool) -> Option<usize> {
    let (kind, opening) = (text[at], run(text, at));
    let after = at + opening;
    // After an opening fence of backticks, its line has no more backticks.
    let line = text[after..].iter().position(|&byte| byte == b'\n' || kind == b'`' && byte == b'`');
    let is_fence = opening >= 3 && begins_line(&text[from..at]) && line.is_none_or(|end| text[after + end] == b'\n');
    match kind {
        b'`' if is_fence && line.is_none() && !last => None,
        _ if is_fence => Some(end_of_block(text, after, kind, opening)),
        b'`' => end_of_span(text, after, opening, last),
        _ => Some(after),
    }
}

/// The end of a block after its opening fence; the end of the text if no fence closes it.
fn end_of_block(text: &[u8], mut at: usize, kind: u8, opening: usize) -> usize {
    while let Some(end) = text[at..].iter().position(|&byte| byte == b'\n') {
        at += end + 1;
        let fence = at + text[at..].iter().take_while(|byte| is_margin(**byte)).count();
        let closing = if text.get(fence) == Some(&kind) { run(text, fence) } else { 0 };
        let rest = text[fence + closing..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        if closing >= opening && rest.is_none_or(|byte| *byte == b'\n') {
            return fence + closing;
        }
    }
    text.len()
}

/// The end of a span after its opening run; the end of the run if its paragraph ends without another such run, or
/// contains reasoning before it.
fn end_of_span(text: &[u8], after: usize, opening: usize, last: bool) -> Option<usize> {
    let mut at = after;
    while at < text.len() {
        let blank = text[at..].iter().skip(1).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        match text[at] {
            b'`' => {
                let closing = run(text, at);
                at += closing;
                if closing == opening && (last || at < text.len()) {
                    let is_code = !holds_reasoning(&text[after..at - closing]);
                    return Some(if is_code { at } else { after });
                }
            }
            b'\n' if blank == Some(&b'\n') => return Some(after),
            _ => at += 1,
        }
    }
    last.then_some(after)
}

/// Whether a part of `span` is reasoning between both its marks. A span that is nothing else is text about the marks.
fn holds_reasoning(span: &[u8]) -> bool {
    let span = span.trim_ascii();
    let marks = (0..span.len()).filter_map(|at| match match_mark(&span[at..]) {
        Some(MarkMatch::Mark(bytes, effect)) => Some((at, at + bytes, effect)),
        _ => None,
    });
    let mut marks = marks.skip_while(|&(_, _, effect)| effect != Effect::Open);
    let Some((start, ..)) = marks.next() else { return false };
    let closing = marks.filter(|&(_, _, effect)| effect == Effect::Close);
    closing.last().is_some_and(|(_, end, _)| start > 0 || end < span.len())
}

/// The length of the run of the byte at `at`.
fn run(text: &[u8], at: usize) -> usize {
    text[at..].iter().take_while(|byte| **byte == text[at]).count()
}

/// Whether the byte may precede a fence: indentation, and marks of quotations.
fn is_margin(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>')
}

fn begins_line(before: &[u8]) -> bool {
    before.iter().rev().find(|byte| !is_margin(**byte)).is_none_or(|byte| *byte == b'\n')
}
