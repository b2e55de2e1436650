//! The lines of a draft: which of them are prose, and which belong to the same unit.

use std::ops::Range;

/// A paragraph, an item of a list or a row of a table.
pub(super) struct Unit {
    /// The whole unit: marker, line end, and for a paragraph the blank lines after it.
    pub(super) range: Range<usize>,
    /// The text without the marker.
    pub(super) content: Range<usize>,
    /// Whether it is a table row. A row is one claim, whatever its cells contain.
    pub(super) row: bool,
    /// Whether it is a heading that is not a sentence, or the head of a table.
    pub(super) heading: bool,
}

/// What a line is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Blank,
    /// A rule. Text that is underlined by it remains a claim, because a model may mean a rule between two paragraphs.
    Rule,
    /// A heading that is not a sentence, with the length of its marker.
    Heading(usize),
    /// The line below a table's head.
    TableRule,
    Row,
    /// A list item, with the length of its marker.
    Item(usize),
    Text,
}

/// The units of `text`, in order. Code must have been blanked out before.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    // Whether the next line of text continues the last unit.
    let mut open = false;
    let mut blank = true;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let trimmed = start + line.trim_end().len();
        let new =
            |from: usize, row| Unit { range: start..end, content: from.min(trimmed)..trimmed, row, heading: false };
        let kind = kind(line);
        match kind {
            Kind::Text if open => {
                if let Some(unit) = found.last_mut() {
                    (unit.range.end, unit.content.end) = (end, trimmed);
                }
            }
            Kind::Text => found.push(new(start + indent(line), false)),
            Kind::Item(marker) => found.push(new(start + marker, false)),
            Kind::Heading(marker) => found.push(Unit { heading: true, ..new(start + marker, false) }),
            Kind::Row => found.push(new(start, true)),
            // The line above was read as a row or as prose; it is the head of a table.
            Kind::TableRule if !blank => found.iter_mut().last().into_iter().for_each(|unit| {
                unit.heading |= unit.row || text[unit.content.clone()].contains('|');
            }),
            Kind::Blank => extend(&mut found, start, end, text),
            Kind::Rule | Kind::TableRule => {}
        }
        blank = kind == Kind::Blank;
        open = matches!(kind, Kind::Text | Kind::Item(_));
    }
    found.retain(|unit| !unit.content.is_empty());
    found
}

/// A paragraph includes the blank lines after it. An item and a row do not, because the list continues without them.
fn extend(found: &mut [Unit], start: usize, end: usize, text: &str) {
    if let Some(unit) = found.last_mut() {
        let is_item = unit.range.start + indent(&text[unit.range.start..]) < unit.content.start;
        if unit.range.end == start && !is_item && !unit.row {
            unit.range.end = end;
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn kind(line: &str) -> Kind {
    let bare = line.trim();
    let only = |signs: &[char]| bare.chars().all(|c| signs.contains(&c) || c == ' ');
    if bare.is_empty() {
        return Kind::Blank;
    }
    if bare.starts_with('#') && bare.trim_start_matches('#').chars().next().is_none_or(char::is_whitespace) {
        // A heading that is a sentence makes a claim.
        let sign = bare.len() - bare.trim_start_matches('#').len();
        let length = indent(line) + sign + indent(&bare[sign..]);
        return if bare.ends_with(['.', '!', '。']) { Kind::Item(length) } else { Kind::Heading(length) };
    }
    if bare.contains('|') && bare.contains("--") && only(&['|', '-', ':']) {
        return Kind::TableRule;
    }
    let underlines = bare.len() >= 2 && (only(&['=']) || only(&['-']));
    if underlines || bare.len() >= 3 && (only(&['*']) || only(&['_'])) {
        return Kind::Rule;
    }
    if bare.starts_with('|') {
        return Kind::Row;
    }
    match marker(line) {
        0 => Kind::Text,
        length => Kind::Item(length),
    }
}

/// The length of a list's or a quotation's marker with the space around it, or of all markers if they are nested; 0 if
/// there is none.
fn marker(line: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = line[at..].trim_start_matches([' ', '\t']);
        let from = line.len() - rest.len();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = match rest.chars().next() {
            Some('>') => rest.bytes().take_while(|&byte| byte == b'>').count(),
            Some(sign @ ('-' | '*' | '+' | '•' | '·' | '–')) => sign.len_utf8(),
            _ if (1..=9).contains(&digits) && rest[digits..].starts_with(['.', ')']) => digits + 1,
            _ => return at,
        };
        let after = &rest[length..];
        // A marker must be followed by a space.
        if !rest.starts_with('>') && !after.starts_with([' ', '\t', '\n']) && !after.is_empty() {
            return at;
        }
        at = from + length + indent(after);
    }
}
