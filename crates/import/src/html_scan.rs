//! What of an HTML file is comments, and where its body ends, found without building its tree: the bytes between stay as they
//! are.

use std::ops::Range;

use memchr::memmem::find;

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct HtmlScan {
    /// The comments, in order.
    pub(crate) comments: Vec<Range<usize>>,
    /// Where what comes last in the body may be put; none where there is no such place.
    pub(crate) end: Option<usize>,
    /// The first `<base href>`.
    pub(crate) base: Option<String>,
}

/// Elements whose content is text up to their end tag (HTML standard, 13.2.6.2), where scripts run.
const TEXT_ELEMENTS: [&[u8]; 9] =
    [b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes", b"noscript"];

/// Scans the bytes of a file, of any encoding in which tags are ASCII.
pub(crate) fn scan(html: &[u8]) -> HtmlScan {
    let mut found = HtmlScan::default();
    let (mut body_end, mut html_end, mut has_frames, mut at) = (None, None, false, 0);
    while let Some(open) = memchr::memchr(b'<', &html[at..]).map(|offset| at + offset) {
        let rest = &html[open..];
        if rest.starts_with(b"<!--") {
            let Some(length) = comment_length(rest) else { return found };
            found.comments.push(open..open + length);
            at = open + length;
            continue;
        }
        let is_end = rest.get(1) == Some(&b'/');
        let name = tag_name(&rest[1 + usize::from(is_end)..]);
        if name.is_empty() {
            at = open + 1;
            continue;
        }
        let Some(length) = tag_length(rest) else { return found };
        at = open + length;
        match (is_end, name.as_slice()) {
            (true, b"body") => body_end = Some(open),
            (true, b"html") => html_end = Some(open),
            (true, _) => {}
            (false, b"plaintext") => return found,
            (false, b"frameset") => has_frames = true,
            (false, b"base") => found.base = found.base.or_else(|| attribute(&html[open..at], b"href")),
            (false, name) if TEXT_ELEMENTS.contains(&name) => {
                let Some(length) = text_length(&html[at..], name) else { return found };
                at += length;
            }
            (false, _) => {}
        }
    }
    if !has_frames {
        found.end = body_end.or(html_end).or(Some(html.len()));
    }
    found
}

/// The length of the comment that `html` begins with; none where it does not end.
fn comment_length(html: &[u8]) -> Option<usize> {
    if html.starts_with(b"<!-->") || html.starts_with(b"<!--->") {
        return find(html, b">").map(|at| at + 1);
    }
    let ends = [&b"-->"[..], b"--!>"].into_iter().filter_map(|end| find(&html[4..], end).map(|at| 4 + at + end.len()));
    ends.min()
}

/// The name at the start, in small letters; empty where there is none.
fn tag_name(html: &[u8]) -> Vec<u8> {
    if !html.first().is_some_and(u8::is_ascii_alphabetic) {
        return Vec::new();
    }
    let name = html.iter().take_while(|byte| !(byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')));
    name.map(u8::to_ascii_lowercase).collect()
}

/// The length of the tag that `html` begins with; none where it does not end.
fn tag_length(html: &[u8]) -> Option<usize> {
    let (mut quote, mut before) = (None, b'<');
    for (at, &byte) in html.iter().enumerate().skip(1) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return Some(at + 1),
            // A quotation mark opens a value behind an equals sign alone.
            (None, b'"' | b'\'') if before == b'=' => quote = Some(byte),
            (None, _) => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    None
}

/// How long the text of an element is; none where it does not end.
fn text_length(html: &[u8], name: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let close = at + find(&html[at..], b"</")?;
        if tag_name(&html[close + 2..]) == name {
            return Some(close);
        }
        at = close + 2;
    }
}

/// The value of an attribute of the tag `tag`.
fn attribute(tag: &[u8], name: &[u8]) -> Option<String> {
    let dom = crate::dom::Dom::parse(&String::from_utf8_lossy(tag)).ok()?;
    let name = std::str::from_utf8(name).ok()?;
    dom.descendants(crate::dom::Dom::ROOT).find_map(|id| dom.filled(id, name).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_the_end_of_the_body_are_found() {
        for (html, comments, end, base) in [
            ("<!-- a --><p>b<!--c--></p>", &["<!-- a -->", "<!--c-->"][..], Some(26), None),
            ("<!--><p><!---><b>", &["<!-->", "<!--->"], Some(17), None),
            ("<script>'<!-- a -->'</script>", &[], Some(29), None),
            ("<base><base href=\"x&amp;y\"><BASE href=z></body>", &[], Some(40), Some("x&y")),
            ("<p title=\"a > b\">c</body></html>", &[], Some(18), None),
            ("<p title=it's>c</body>", &[], Some(15), None),
            ("1 < 2</body>", &[], Some(5), None),
            ("<!-- a", &[], None, None),
            ("<style></script>", &[], None, None),
            ("", &[], Some(0), None),
        ] {
            let found = scan(html.as_bytes());
            let texts: Vec<&str> = found.comments.iter().map(|comment| &html[comment.clone()]).collect();
            assert_eq!((texts.as_slice(), found.end, found.base.as_deref()), (comments, end, base), "{html}");
        }
    }
}
