//! HTML in a page: its text is read as the page's, its tags are left out. A name in angle brackets that looks like no
//! tag of the page is text: most such names lack their backticks.

use super::line::is_space;
use super::token::Kind;

/// The tags that start and end a block, each between spaces.
const BLOCK_TAGS: &str = " address article aside base basefont blockquote body caption center col colgroup dd details \
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html \
    iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table \
    tbody td tfoot th thead title tr track ul ";

/// What starts code without fences, and what ends it.
const CODE: [(&str, &str); 3] =
    [("<pre", "</pre>"), ("{% highlight", "endhighlight %}"), ("{{< highlight", "/highlight >}}")];

/// A tag longer than this, in bytes, is none: looking for its end must not take long where there is no end. An opening
/// tag's closing one is looked for no farther.
const MAX_TAG: usize = 1000;

/// What ends the block of code that starts with this line.
pub(super) fn code(text: &str) -> Option<&'static str> {
    let (_, end) = CODE.into_iter().find(|(start, _)| {
        text.strip_prefix(start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })?;
    Some(end)
}

/// Whether this line starts a block of HTML: with a tag of one, or, if `any_tag`, with one that fills the line.
pub(super) fn starts_block(text: &str, any_tag: bool) -> bool {
    let whole = || length(text.as_bytes()).is_some_and(|end| text[end..].trim_ascii().is_empty());
    text.starts_with('<') && (is_of_block(text) || (any_tag && whole()))
}

/// Whether this line ends with a tag of a block.
pub(super) fn ends_block(text: &str) -> bool {
    text.trim_ascii_end().ends_with('>') && text.rfind('<').is_some_and(|at| is_of_block(&text[at..]))
}

/// Whether `text` starts with the tag of a block, whole or not.
fn is_of_block(text: &str) -> bool {
    let name = name(text);
    let after = &text[name.as_ptr() as usize - text.as_ptr() as usize + name.len()..];
    let bounded = after.is_empty() || after.starts_with([' ', '\t', '\n', '>']) || after.starts_with("/>");
    bounded && !name.is_empty() && BLOCK_TAGS.contains(&[" ", &name.to_ascii_lowercase(), " "].concat())
}

/// The name in the tag that `text` starts with.
fn name(text: &str) -> &str {
    let text = &text[1..];
    let text = text.strip_prefix('/').unwrap_or(text);
    &text[..count(text.as_bytes(), |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))]
}

/// The end of the tag that starts at `at`, and what it is: hidden, a break of the line, or text.
pub(super) fn tag(text: &str, at: usize) -> Option<(usize, Kind)> {
    let end = at + length(&text.as_bytes()[at..])?;
    let (rest, name) = (&text[at..], name(&text[at..]));
    let window = &text[end..text.floor_char_boundary(end + MAX_TAG)];
    let opens_line = text[..at].is_empty() || text[..at].ends_with('\n');
    let fills_line = opens_line && (window.is_empty() || window.starts_with(['\n', '<']));
    let bare = end - at == name.len() + 2;
    let closed =
        || window.as_bytes().windows(2).enumerate().any(|(at, two)| two == b"</" && window[at + 2..].starts_with(name));
    let breaks = is_of_block(rest);
    let kind = match name {
        "br" => Kind::HardBreak,
        "wbr" => Kind::Hidden,
        _ if bare && !(fills_line || opens_line && breaks || closed()) => Kind::Text,
        _ if breaks => Kind::SoftBreak,
        _ => Kind::Hidden,
    };
    Some((end, kind))
}

/// The length of the opening or closing tag that `bytes` starts with.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(MAX_TAG)];
    let closing = bytes.get(1) == Some(&b'/');
    let mut at = 1 + usize::from(closing);
    if !bytes.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    at += count(&bytes[at..], |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
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
    if bytes[at] == b'{' {
        return braces(bytes, at);
    }
    if !(bytes[at].is_ascii_alphabetic() || matches!(bytes[at], b'_' | b':' | b'@')) {
        return None;
    }
    let named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-');
    let end = at + 1 + count(&bytes[at + 1..], named);
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
        b'{' => braces(bytes, value),
        _ => {
            let plain = |byte: u8| !is_space(byte) && !matches!(byte, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`');
            let length = count(&bytes[value..], plain);
            (length > 0).then_some(value + length)
        }
    }
}

/// The end of the JavaScript in braces that starts at `at`.
fn braces(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (end, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(end + 1),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// How many bytes at the start of `bytes` are `wanted`.
fn count(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| wanted(byte)).count()
}
