//! The units that chunks are put together from: paragraphs, lists, code blocks and tables, each with the headings right
//! before it. A unit that is too long for a chunk is cut into several.
//!
//! Lines alone tell where a unit ends: a blank line, the start of a section, of a code block or of a table. A code block
//! is whole, whatever blank lines it holds.

use std::ops::Range;

use crate::outline::Outline;

/// A part of the text that a chunk takes whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Its bytes in the text.
    pub(crate) range: Range<usize>,
    /// The characters before it, and before its end.
    pub(crate) chars: Range<usize>,
    /// The code block or table that it ends with, in bytes; empty for other text.
    pub(crate) solid: Range<usize>,
    /// Whether it begins with a heading.
    pub(crate) opens_section: bool,
    /// The section of its text, as an index.
    pub(crate) section: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heading,
    Text,
    Table,
    Code,
}

/// Lines that belong together.
struct Piece {
    range: Range<usize>,
    kind: Kind,
}

/// The units of a text, none of more than `longest` characters; what is cut has parts of about `target`.
pub(crate) fn units(outline: &Outline, longest: usize, target: usize) -> Vec<Unit> {
    let text = outline.text.as_str();
    let mut found = Vec::new();
    let mut chars = CharCount { text, at: 0, count: 0 };
    // Where the headings before the next piece start.
    let mut headings: Option<usize> = None;
    let pieces = pieces(outline);
    let last = pieces.len().saturating_sub(1);
    for (number, piece) in pieces.into_iter().enumerate() {
        if piece.kind == Kind::Heading && number < last {
            headings.get_or_insert(piece.range.start);
            continue;
        }
        let opens_section = headings.is_some() || piece.kind == Kind::Heading;
        let section = outline.section_at(piece.range.start);
        let start = headings.take().unwrap_or(piece.range.start);
        let is_solid = matches!(piece.kind, Kind::Table | Kind::Code);
        let parts = cut(text, start..piece.range.end, longest, target);
        for (number, range) in parts.into_iter().enumerate() {
            let solid = if is_solid { range.start.max(piece.range.start)..range.end } else { range.end..range.end };
            let chars = chars.before(range.start)..chars.before(range.end);
            found.push(Unit { range, chars, solid, opens_section: opens_section && number == 0, section });
        }
    }
    found
}

/// The pieces of the text, in order; blank lines between them are in none.
fn pieces(outline: &Outline) -> Vec<Piece> {
    let text = outline.text.as_str();
    let mut starts = outline.starts().filter(|(_, has_heading)| *has_heading).map(|(start, _)| start).peekable();
    let mut found: Vec<Piece> = Vec::new();
    let (mut at, mut is_open, mut fence) = (0, false, None);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let is_heading = starts.next_if(|start| *start < range.end).is_some();
        if is_heading {
            // No heading stands in code: what looked like its opening line was none.
            fence = None;
        }
        let was_code = fence.is_some();
        fence = Fence::after(line, fence);
        let kind = match () {
            () if is_heading => Kind::Heading,
            () if was_code || fence.is_some() => Kind::Code,
            () if line.trim_start().starts_with('|') => Kind::Table,
            () => Kind::Text,
        };
        if line.trim().is_empty() && kind != Kind::Code {
            is_open = false;
            continue;
        }
        let opens_fence = kind == Kind::Code && !was_code;
        match found.last_mut().filter(|piece| is_open && !opens_fence && continues(piece, kind, line)) {
            Some(piece) => piece.range.end = range.end,
            None => found.push(Piece { range, kind }),
        }
        is_open = true;
    }
    found
}

/// Whether a line of that kind belongs to the piece before it, with no blank line between.
fn continues(piece: &Piece, kind: Kind, line: &str) -> bool {
    match piece.kind {
        // The line of signs below a heading.
        Kind::Heading => kind == Kind::Text && line.trim().trim_matches(['=', '-']).is_empty(),
        other => other == kind,
    }
}

/// The fence that a code block was opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    sign: char,
    length: usize,
}

impl Fence {
    /// The fence that is open after `line`, where `open` was before it.
    fn after(line: &str, open: Option<Fence>) -> Option<Fence> {
        let line = line.trim();
        let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let length = sign.map_or(0, |sign| line.chars().take_while(|c| *c == sign).count());
        let rest = &line[length..];
        match open {
            // A closing fence is as long as the opening one, and alone in its line.
            Some(fence) if Some(fence.sign) == sign && length >= fence.length && rest.is_empty() => None,
            Some(fence) => Some(fence),
            None => sign
                .filter(|sign| length >= 3 && !(*sign == '`' && rest.contains('`')))
                .map(|sign| Fence { sign, length }),
        }
    }
}

/// Counts characters for places asked in rising order.
struct CharCount<'t> {
    text: &'t str,
    at: usize,
    count: usize,
}

impl CharCount<'_> {
    /// The characters before a place.
    fn before(&mut self, at: usize) -> usize {
        if at > self.at {
            self.count += self.text[self.at..at].chars().count();
            self.at = at;
        }
        self.count
    }
}

/// The range whole, or cut into parts of about `target` characters where it has more than `longest`. Blank parts are
/// left out.
fn cut(text: &str, range: Range<usize>, longest: usize, target: usize) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut most) = (Vec::new(), range.start, longest);
    loop {
        let rest = &text[start..range.end];
        let Some((end, _)) = rest.char_indices().nth(most) else { break };
        most = target;
        let end = rest.char_indices().nth(target).map_or(end, |(end, _)| end);
        let end = start + best_cut(&rest[..end]);
        parts.push(start..end);
        start = end;
    }
    parts.push(start..range.end);
    parts.retain(|part| !text[part.clone()].trim().is_empty());
    parts
}

/// Where to cut a text that goes on: behind the last line, sentence or word that ends in its second half, else at its
/// end.
fn best_cut(text: &str) -> usize {
    let half = text.ceil_char_boundary(text.len() / 2);
    let behind = |ends: &dyn Fn(char, char) -> bool| {
        let pairs = text[half..].char_indices().zip(text[half..].chars().skip(1));
        pairs.filter(|((_, c), next)| ends(*c, *next)).last().map(|((at, c), _)| half + at + c.len_utf8())
    };
    let line = text[half..].rfind('\n').map(|at| half + at + 1);
    line.or_else(|| behind(&|c, next| matches!(c, '.' | '!' | '?') && next == ' ' || matches!(c, '。' | '！' | '？')))
        .or_else(|| text[half..].rfind(char::is_whitespace).map(|at| text.ceil_char_boundary(half + at + 1)))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use seealso_pack::Page;

    fn check(body: &str, longest: usize, expected: &[(&str, bool)]) {
        let page = Page { file: "a.md".into(), title: "A".into(), body: body.into(), ..Page::default() };
        let outline = Outline::of(&page);
        let units = units(&outline, longest, longest / 2);
        let found: Vec<(&str, bool)> =
            units.iter().map(|unit| (&outline.text[unit.range.clone()], !unit.solid.is_empty())).collect();
        assert_eq!(found, expected, "{body:?}");
    }

    #[test]
    fn units_end_at_blank_lines() {
        check("one\ntwo\n\n\n  \nthree", 99, &[("one\ntwo\n", false), ("three", false)]);
        check("- a\n- b\n\n- c\n", 99, &[("- a\n- b\n", false), ("- c\n", false)]);
        check("", 99, &[]);
        check(" \n\n", 99, &[]);
    }

    #[test]
    fn headings_stay_with_what_follows() {
        check("# A\n\n## B\n\nb\n\nc\n", 99, &[("# A\n\n## B\n\nb\n", false), ("c\n", false)]);
        check("B\n---\nb\n", 99, &[("B\n---\nb\n", false)]);
        check("a\n# B\n", 99, &[("a\n", false), ("# B\n", false)]);
    }

    #[test]
    fn code_and_tables_are_whole() {
        check("a:\n```\nx\n\n# y\n```\nb\n", 99, &[("a:\n", false), ("```\nx\n\n# y\n```\n", true), ("b\n", false)]);
        check("~~~~ sh\n~~~\n\n~~~~\n", 99, &[("~~~~ sh\n~~~\n\n~~~~\n", true)]);
        check("```a```\nb\n", 99, &[("```a```\nb\n", false)]);
        check("```\nopen\n\nend", 99, &[("```\nopen\n\nend", true)]);
        check("```\na\n```\n```\nb\n```\n", 99, &[("```\na\n```\n", true), ("```\nb\n```\n", true)]);
        check("| a |\n|---|\n| b |\nc\n", 99, &[("| a |\n|---|\n| b |\n", true), ("c\n", false)]);
    }

    #[test]
    fn what_is_too_long_is_cut() {
        check("One two. Three four five.", 20, &[("One two.", false), (" Three ", false), ("four five.", false)]);
        check("aaaa\nbbbb\ncccc\n", 12, &[("aaaa\n", false), ("bbbb\n", false), ("cccc\n", false)]);
        check("éééééééééé", 8, &[("éééé", false), ("éééé", false), ("éé", false)]);
    }
}
