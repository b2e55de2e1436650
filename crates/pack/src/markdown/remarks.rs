//! What a page's source holds and no reader is to see: comments, remarks, scripts, and the tags of site builders.
//!
//! Prose names the same marks. So a mark in the middle of a line hides nothing beyond its paragraph, and paragraphs are
//! never joined: but for `<!--`, only a mark that starts a line may hide empty lines and what stands behind them.

use super::html;
use super::pieces::starts_with_ignore_case;
use crate::seek::find;

/// Where a remark may start, and how far it may reach.
#[derive(Clone, Copy)]
enum Reach {
    /// From anywhere over any lines.
    Everywhere,
    /// From a line's start over any lines, from elsewhere up to its paragraph's end.
    Blocks,
    /// Up to its paragraph's end.
    Paragraph,
}

/// What each kind of them starts and ends with; the first that fits a place counts.
const REMARKS: [(&str, &str, Reach); 19] = [
    ("<!--", "-->", Reach::Everywhere),
    ("<?", "?>", Reach::Blocks),
    ("<![CDATA[", "]]>", Reach::Blocks),
    ("<!doctype ", ">", Reach::Paragraph),
    ("<script", "</script>", Reach::Blocks),
    ("<style", "</style>", Reach::Blocks),
    ("<svg", "</svg>", Reach::Blocks),
    ("%%\n", "%%", Reach::Blocks),
    ("%%", "%%", Reach::Blocks),
    ("{/*", "*/}", Reach::Blocks),
    ("{::comment}", "{:/comment}", Reach::Blocks),
    ("{{/*", "*/}}", Reach::Blocks),
    ("{% comment", "endcomment %}", Reach::Blocks),
    ("{%- comment", "endcomment -%}", Reach::Blocks),
    ("{%", "%}", Reach::Paragraph),
    ("{{< comment", "/comment >}}", Reach::Blocks),
    ("{{<", ">}}", Reach::Paragraph),
    ("{{%", "%}}", Reach::Paragraph),
    ("{{", "}}", Reach::Paragraph),
];

/// The starts that stand at a line's start alone: within a line they are text.
const ALONE: [&str; 3] = ["<?", "%%\n", "{{"];

/// The kind of the remark that may start at `at`, as its place in the table.
fn kind(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let kind = REMARKS.iter().position(|(start, ..)| starts_with_ignore_case(rest, start))?;
    let start = REMARKS[kind].0;
    let next = rest.as_bytes().get(start.len()).copied().unwrap_or(b'\n');
    let opens = match start {
        "%%" => {
            next != b'%'
                && (starts_line(text, at) || text[..at].ends_with([' ', '\t', '>']) && !next.is_ascii_whitespace())
        }
        "<script" | "<style" | "<svg" => {
            !next.is_ascii_alphanumeric() && next != b'-' && html::length(rest.as_bytes()).is_some()
        }
        "{%" => is_named(&rest[2..]) || starts_line(text, at),
        _ => !ALONE.contains(&start) || starts_line(text, at),
    };
    opens.then_some(kind)
}

/// Whether a tag of a site builder goes on with a name, as `{% name … %}` does.
fn is_named(text: &str) -> bool {
    text.trim_start_matches(['-', '+', ' ']).starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether nothing but white space, or marks of quotes, stands before `at` on its line.
fn starts_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', '>']);
    before.is_empty() || before.ends_with('\n')
}

/// Whether nothing but white space stands behind `at` on its line.
fn ends_line(text: &str, at: usize) -> bool {
    let behind = text[at..].trim_start_matches([' ', '\t', '\r']);
    behind.is_empty() || behind.starts_with('\n')
}

/// Where the first end of a remark of that kind stands, from `from` on.
fn first_end(text: &str, from: usize, kind: usize) -> Option<usize> {
    let end = REMARKS[kind].1;
    let mut at = from;
    loop {
        at += find(text.get(at..)?, end)?;
        let fits = match REMARKS[kind].0 {
            "%%\n" => at_edge(text, at),
            "%%" => closes(text, at),
            _ => true,
        };
        if fits {
            return Some(at);
        }
        at += end.len();
    }
}

/// Whether the `%%` at `at` may end a remark: it stands behind a word, or at one of its line's ends.
fn closes(text: &str, at: usize) -> bool {
    let next = text.as_bytes().get(at + 2).copied().unwrap_or(b'\n');
    let behind_word = !text[..at].ends_with([' ', '\t']);
    !next.is_ascii_alphanumeric() && next != b'%' && (behind_word || at_edge(text, at))
}

/// Whether the `%%` at `at` starts or ends its line.
fn at_edge(text: &str, at: usize) -> bool {
    starts_line(text, at) || ends_line(text, at + 2)
}

/// Where the first empty line behind `from` starts; the marks of quotes are empty too.
fn first_empty_line(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(step) = text[at..].find('\n') {
        at += step + 1;
        let line = text[at..].split('\n').next().unwrap_or("");
        if line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'>')) {
            return Some(at);
        }
    }
    None
}

/// A place found last, as the number of bytes behind it, which is 0 where there was none.
#[derive(Default, Clone, Copy)]
struct Found(Option<usize>);

impl Found {
    /// The first place from `from` on. Only what stands behind the place found last is searched, so `from` must not
    /// go back.
    fn first(&mut self, text: &str, from: usize, search: impl Fn(&str, usize) -> Option<usize>) -> Option<usize> {
        let known = self.0.map(|behind| text.len() - behind.min(text.len())).filter(|&place| place >= from);
        let place = known.unwrap_or_else(|| search(text, from).unwrap_or(text.len()));
        self.0 = Some(text.len() - place);
        (place < text.len()).then_some(place)
    }
}

/// Finds remarks, place after place in one text or in what is left of it; keeps in mind the ends that it found, so
/// that many starts without an end cost no more than one.
#[derive(Default)]
pub(super) struct Finder {
    ends: [Found; REMARKS.len()],
    empty_line: Found,
}

impl Finder {
    /// The end of the remark that starts at `at`. One that `text` starts with may take all of it.
    pub(super) fn end(&mut self, text: &str, at: usize) -> Option<usize> {
        self.closed(text, at).or_else(|| (at == 0 && hides_rest(text)).then_some(text.len()))
    }

    /// The end of the remark that starts at `at` and is closed.
    fn closed(&mut self, text: &str, at: usize) -> Option<usize> {
        let kind = kind(text, at)?;
        let (start, end, reach) = REMARKS[kind];
        // `<!-->` and `<!--->` are whole comments.
        let from = at + if start == "<!--" { 2 } else { start.len() };
        let place = self.ends[kind].first(text, from, |text, from| first_end(text, from, kind))?;
        let crosses = self.empty_line.first(text, at, first_empty_line).is_some_and(|empty| empty < place);
        let may_cross = match reach {
            Reach::Everywhere => true,
            Reach::Blocks => starts_line(text, at),
            Reach::Paragraph => false,
        };
        let whole_lines = matches!(start, "<?" | "{{") || start == "{%" && !is_named(&text[from..]);
        let fits = (!crosses || may_cross)
            && (!whole_lines || ends_line(text, place + end.len()))
            && (start != "%%" || is_pair(text, from, place, crosses));
        fits.then_some(place + end.len())
    }

    /// The end of the remark that is open where the first `length` bytes of `text`, its first line, end. Where `first`,
    /// the line may start one that is never closed.
    pub(super) fn left_open(&mut self, text: &str, length: usize, first: bool) -> Option<usize> {
        let line = &text[..length];
        if first && hides_rest(line) && self.closed(text, 0).is_none() {
            return Some(text.len());
        }
        let marks = |byte: &u8| matches!(byte, b'\\' | b'`' | b'<' | b'%' | b'{');
        let mut at = 0;
        while let Some(step) = line.as_bytes().get(at..).and_then(|rest| rest.iter().position(marks)) {
            at += step;
            at = match line.as_bytes()[at] {
                b'\\' => at + 2,
                b'`' => at + code(&line[at..]),
                _ => match self.closed(text, at) {
                    Some(end) if end > length && (at == 0 || line[at..].starts_with("<!--")) => return Some(end),
                    Some(end) => end,
                    None => at + 1,
                },
            };
        }
        None
    }

    /// Whether the first `length` bytes of `text`, its first line, hold nothing but a remark, or start one that goes on
    /// behind them.
    pub(super) fn fills(&mut self, text: &str, length: usize) -> bool {
        match self.closed(text, 0) {
            Some(end) => end >= length || ends_line(text, end),
            None => hides_rest(&text[..length]),
        }
    }
}

/// Whether the `%%` before `from` and that at `end` enclose a remark. Where it starts with a space or holds an empty
/// line, only one at its line's start or end closes it, and a text behind a space reaches no farther than an empty line.
fn is_pair(text: &str, from: usize, end: usize, crosses: bool) -> bool {
    let spaced = text[from..].starts_with([' ', '\t']) && !ends_line(text, from);
    !(crosses && spaced) && (!(crosses || spaced) || at_edge(text, end))
}

/// Whether what starts `text` hides all that follows where it is never closed: a comment, or `%%` on a line of its own.
fn hides_rest(text: &str) -> bool {
    text.starts_with("<!--") || text.starts_with("%%") && ends_line(text, 2)
}

/// The length of the code span that `text` starts with, or of its backticks where no others close it.
fn code(text: &str) -> usize {
    let ticks = super::line::run(text, b'`').min(64);
    find(&text[ticks..], &text[..ticks]).map_or(ticks, |length| ticks + length + ticks)
}
