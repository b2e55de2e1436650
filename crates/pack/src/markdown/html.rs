//! Finds raw HTML, so that it can be shown as the text it is: where a block of it starts and ends, and tags,
//! comments and the like in running text.

use super::line::is_space;

/// The tags that start a block wherever they stand, each between spaces.
const BLOCK_TAGS: &str = " address article aside base basefont blockquote body caption center col colgroup dd details \
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html \
    iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table \
    tbody td tfoot th thead title tr track ul ";

/// The tags whose block goes on to their end tag.
const RAW_TAGS: [(&str, &str); 4] =
    [("script", "</script>"), ("pre", "</pre>"), ("style", "</style>"), ("textarea", "</textarea>")];

/// A tag longer than this, in bytes, is none: looking for its end must not take long where there is no end.
const MAX_TAG: usize = 1000;

/// What starts HTML that is no tag, and what ends it.
const DECLARATIONS: [(&str, &str); 4] = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")];

/// What ends the HTML block that starts with this line: a line that has it, or a blank line where it is empty.
/// Any tag that fills the line starts a block if `any_tag`.
pub(super) fn block(text: &str, any_tag: bool) -> Option<&'static str> {
    if !text.starts_with('<') {
        return None;
    }
    if let Some((_, end)) = declaration(text) {
        return Some(end);
    }
    let closing = text.starts_with("</");
    let start = 1 + usize::from(closing);
    let name = &text[start..start + count(&text.as_bytes()[start..], |byte| byte.is_ascii_alphanumeric())];
    let after = &text[start + name.len()..];
    let bounded = after.is_empty() || after.starts_with([' ', '\t', '>']);
    let raw = RAW_TAGS.iter().find(|(raw, _)| raw.eq_ignore_ascii_case(name));
    if let Some((_, end)) = raw.filter(|_| bounded && !closing) {
        return Some(end);
    }
    let padded = [" ", &name.to_ascii_lowercase(), " "].concat();
    if (bounded || after.starts_with("/>")) && !name.is_empty() && BLOCK_TAGS.contains(&padded) {
        return Some("");
    }
    let whole = || tag(text.as_bytes()).is_some_and(|end| text[end..].trim_ascii().is_empty());
    (any_tag && raw.is_none() && whole()).then_some("")
}

/// The start and end marks of a comment or the like that `text` starts with.
fn declaration(text: &str) -> Option<(&'static str, &'static str)> {
    let found = DECLARATIONS.into_iter().find(|(start, _)| text.starts_with(start))?;
    let named = found.0 != "<!" || text.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic);
    named.then_some(found)
}

/// Finds raw HTML in running text; remembers which end marks no more of the text has, so that many starts
/// without an end cost no more than one.
#[derive(Default)]
pub(super) struct Finder {
    missing: [bool; DECLARATIONS.len()],
}

impl Finder {
    /// The end of the tag, comment or the like that starts at `at` with `<`.
    pub(super) fn end(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        let Some((start, end)) = declaration(rest) else { return tag(rest.as_bytes()).map(|length| at + length) };
        let missing = &mut self.missing[DECLARATIONS.iter().position(|known| known.0 == start)?];
        if *missing {
            return None;
        }
        // `<!-->` and `<!--->` are whole comments.
        let from = if start == "<!--" { 2 } else { start.len() };
        let found = rest.get(from..).and_then(|inner| inner.find(end));
        *missing = found.is_none();
        found.map(|length| at + from + length + end.len())
    }
}

/// The length of the opening or closing tag that `bytes` starts with.
fn tag(bytes: &[u8]) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(MAX_TAG)];
    let closing = bytes.get(1) == Some(&b'/');
    let mut at = 1 + usize::from(closing);
    if !bytes.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    at += count(&bytes[at..], |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    loop {
        let spaces = count(&bytes[at..], is_space);
        at += spaces;
        match bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'/' if !closing && bytes.get(at + 1) == Some(&b'>') => return Some(at + 2),
            _ if closing || spaces == 0 => return None,
            _ => at = attribute(bytes, at)?,
        }
    }
}

/// The end of the attribute that starts at `at`; white space behind a name without a value is left.
fn attribute(bytes: &[u8], at: usize) -> Option<usize> {
    if !(bytes[at].is_ascii_alphabetic() || matches!(bytes[at], b'_' | b':')) {
        return None;
    }
    let named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-');
    let end = at + count(&bytes[at..], named);
    let equals = end + count(&bytes[end..], is_space);
    if bytes.get(equals) != Some(&b'=') {
        return Some(end);
    }
    let value = equals + 1 + count(&bytes[equals + 1..], is_space);
    match *bytes.get(value)? {
        quote @ (b'"' | b'\'') => {
            let length = count(&bytes[value + 1..], |byte| byte != quote);
            (value + 1 + length < bytes.len()).then_some(value + length + 2)
        }
        _ => {
            let plain = |byte: u8| !is_space(byte) && !matches!(byte, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`');
            let length = count(&bytes[value..], plain);
            (length > 0).then_some(value + length)
        }
    }
}

/// How many bytes at the start of `bytes` are `wanted`.
fn count(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| wanted(byte)).count()
}
