//! Copies of a draft with Markdown stripped: without code, prepared for splitting into sentences, and as plain text.

use std::ops::Range;

use super::citation_marks::Mark;

/// Fenced blocks with these info words hold prose, not code.
const PROSE_FENCES: [&str; 5] = ["markdown", "md", "text", "txt", "plaintext"];

/// The role of a line with respect to code blocks.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    /// Not code, including lines between fences that hold prose.
    Prose,
    /// A line between two fences.
    Code,
    /// The fence that opens a code block or a prose block.
    Opening { prose: bool },
    /// The fence that closes it.
    Closing { prose: bool },
}

/// The lines of `text`, each with its role. A fence that is never closed extends to the end.
fn lines(text: &str) -> Vec<(Range<usize>, Line)> {
    let mut fence: Option<(char, usize, bool)> = None;
    let mut at = 0;
    let kind = |line: &str| {
        let bare = line.trim();
        let sign = bare.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let length = sign.map_or(0, |sign| bare.len() - bare.trim_start_matches(sign).len());
        match (fence, sign) {
            (Some((open, least, prose)), Some(sign)) if sign == open && length >= least && length == bare.len() => {
                fence = None;
                Line::Closing { prose }
            }
            (Some((_, _, prose)), _) => {
                if prose {
                    Line::Prose
                } else {
                    Line::Code
                }
            }
            (None, Some(sign)) if length >= 3 && !bare[length..].contains(sign) => {
                let word = bare[length..].trim().to_ascii_lowercase();
                let prose = PROSE_FENCES.contains(&word.as_str());
                fence = Some((sign, length, prose));
                Line::Opening { prose }
            }
            (None, _) => Line::Prose,
        }
    };
    let kinds: Vec<Line> = text.split_inclusive('\n').map(kind).collect();
    let place = |(line, kind): (&str, Line)| {
        at += line.len();
        (at - line.len()..at, kind)
    };
    text.split_inclusive('\n').zip(kinds).map(place).collect()
}

/// `text` with code blanked out at the same byte length: blocks become spaces, spans become letters.
pub(crate) fn without_code(text: &str) -> String {
    let mut shadow = text.as_bytes().to_vec();
    for (line, _) in lines(text).into_iter().filter(|(_, kind)| *kind != Line::Prose) {
        shadow[line].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    without_spans(&mut shadow);
    String::from_utf8_lossy(&shadow).into_owned()
}

/// `text` without the fences around prose, which a model sometimes puts around a whole answer.
pub(crate) fn without_prose_fences(text: &str) -> String {
    let fences = |kind: Line| matches!(kind, Line::Opening { prose: true } | Line::Closing { prose: true });
    lines(text).into_iter().filter(|(_, kind)| !fences(*kind)).map(|(line, _)| &text[line]).collect()
}

/// A code block: its range with the fences, and the range between them.
pub(crate) struct Block {
    pub(crate) range: Range<usize>,
    pub(crate) code: Range<usize>,
}

/// The code blocks of `text`, in order.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for (line, kind) in lines(text) {
        match (kind, found.last_mut()) {
            (Line::Opening { prose: false }, _) => {
                found.push(Block { range: line.clone(), code: line.end..line.end });
            }
            (Line::Code, Some(block)) => (block.range.end, block.code.end) = (line.end, line.end),
            (Line::Closing { prose: false }, Some(block)) => block.range.end = line.end,
            _ => {}
        }
    }
    found
}

/// Blanks out the text between two equally long runs of backticks in one paragraph.
fn without_spans(text: &mut [u8]) {
    let runs = runs(text);
    let mut at = 0;
    while let Some(open) = runs.get(at) {
        let paragraph =
            text[open.end..].windows(2).position(|two| two == b"\n\n").map_or(text.len(), |to| open.end + to);
        let later = runs[at + 1..].iter().take_while(|run| run.start < paragraph);
        match later.enumerate().find(|(_, run)| run.len() == open.len()) {
            Some((step, close)) => {
                text[open.start..close.end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b'X');
                at += step + 2;
            }
            None => at += 1,
        }
    }
}

fn runs(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'`') {
        match found.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// The `content` of a unit at the same byte length, prepared for splitting into sentences: citation marks and emphasis
/// become spaces, and full stops inside a quotation are masked so that they end no sentence.
pub(super) fn for_sentence_split(shadow: &str, content: &Range<usize>, marks: &[&Mark]) -> String {
    let mut prose = shadow[content.clone()].as_bytes().to_vec();
    for mark in marks {
        let end = mark.range.end.min(content.end) - content.start;
        prose[mark.range.start - content.start..end].fill(b' ');
    }
    prose.iter_mut().filter(|byte| matches!(byte, b'*' | b'\n')).for_each(|byte| *byte = b' ');
    let prose = String::from_utf8_lossy(&prose).into_owned();
    let mut shielded = prose.clone().into_bytes();
    for quote in quotations(&prose) {
        let inner = quote.start..prose[quote.clone()].trim_end_matches(['.', '!', '?']).len() + quote.start;
        shielded[inner].iter_mut().filter(|byte| matches!(byte, b'.' | b'!' | b'?')).for_each(|byte| *byte = b',');
    }
    String::from_utf8_lossy(&shielded).into_owned()
}

/// A longer range is more likely two stray marks than one quotation.
const MOST_QUOTED: usize = 400;

/// The ranges between quotation marks, without the marks.
pub(crate) fn quotations(text: &str) -> Vec<Range<usize>> {
    const PAIRS: [(&str, &str); 7] =
        [("“", "”"), ("\"", "\""), ("„", "“"), ("«", "»"), ("「", "」"), ("``", "''"), ("``", "``")];
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let opening = PAIRS.iter().filter(|(open, _)| rest.starts_with(open));
        let closed = opening.filter_map(|(open, close)| {
            let inner = &rest[open.len()..];
            let inner = &inner[..inner.floor_char_boundary(MOST_QUOTED)];
            inner.find(close).map(|length| (open.len(), length, close.len()))
        });
        match closed.min_by_key(|(_, length, _)| *length) {
            Some((open, length, close)) => {
                found.push(at + open..at + open + length);
                at += open + length + close;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// The text at `range` as plain text in one line, without `marks` and emphasis, and with links replaced by their
/// labels.
pub(super) fn plain(text: &str, range: Range<usize>, marks: &[&Mark], row: bool) -> String {
    let (mut bare, mut from) = (String::with_capacity(range.len()), range.start);
    for mark in marks {
        bare += text[from..mark.range.start.max(from)].trim_end_matches(' ');
        from = mark.range.end.min(range.end);
    }
    bare += &text[from.min(range.end)..range.end];
    let bare = without_emphasis(&labels(&bare));
    if row {
        let cells = bare.trim().trim_matches('|').split('|').map(one_line);
        return cells.collect::<Vec<_>>().join(" | ");
    }
    one_line(&bare)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces links and images by their labels.
fn labels(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once("](") {
        let (Some(open), Some(close)) = (before.rfind('['), after.find(')')) else { break };
        plain += before[..open].trim_end_matches('!');
        plain += &before[open + 1..];
        rest = &after[close + 1..];
    }
    plain + rest
}

fn without_emphasis(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut code = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        code ^= c == '`';
        let before = plain.chars().next_back();
        let after = chars.peek().copied();
        let spaced = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let lone = spaced(before) && spaced(after);
        let inside_word = before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        let is_emphasis = !code && (c == '*' && !lone || c == '_' && !lone && !inside_word);
        if !is_emphasis {
            plain.push(c);
        }
    }
    plain
}
