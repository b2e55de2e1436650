//! Wikilinks and bare URLs in running text, which the markdown parser hands over as plain text.

use crate::seek::holds;

/// A piece of running text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text.
    Text(&'a str),
    /// A wikilink: slug and label.
    Wiki(&'a str, &'a str),
    /// What is to stand here in place of its wikilink, `![[slug]]`: slug and label.
    Embed(&'a str, &'a str),
    /// A URL that stands in the text by itself.
    Url(&'a str),
}

/// Splits running text at its wikilinks and bare URLs. `source` is the markdown it was read from: where that has
/// an escaped bracket, no wikilinks are meant.
pub(crate) fn pieces<'a>(text: &'a str, source: &str) -> Vec<Piece<'a>> {
    let escaped = holds(source, "\\[");
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(step) = text[at..].find(['[', 'h', 'H']) {
        at += step;
        let rest = &text[at..];
        let bounded = !text[..at].ends_with(|c: char| c.is_alphanumeric());
        let piece = if !escaped && rest.starts_with("[[") {
            wikilink(rest)
        } else if bounded {
            bare_url(rest).map(|url| (Piece::Url(url), url.len()))
        } else {
            None
        };
        let Some((mut piece, mut len)) = piece else {
            at += 1;
            continue;
        };
        if let Piece::Wiki(slug, label) = piece
            && at > start
            && text[..at].ends_with('!')
        {
            piece = Piece::Embed(slug, label);
            at -= 1;
            len += 1;
        }
        if start < at {
            found.push(Piece::Text(&text[start..at]));
        }
        found.push(piece);
        at += len;
        start = at;
    }
    if start < text.len() {
        found.push(Piece::Text(&text[start..]));
    }
    found
}

/// Reads `[[slug]]` or `[[slug|label]]` at the start of `text`; also gives its length.
fn wikilink(text: &str) -> Option<(Piece<'_>, usize)> {
    let inner = &text[2..];
    let end = inner.find(['[', ']', '\n'])?;
    if !inner[end..].starts_with("]]") {
        return None;
    }
    let (slug, label) = inner[..end].split_once('|').unwrap_or((&inner[..end], ""));
    let slug = slug.trim_end_matches('\\').trim();
    let label = if label.trim().is_empty() { slug } else { label.trim() };
    (!slug.is_empty()).then_some((Piece::Wiki(slug, label), end + 4))
}

/// Reads an http(s) URL at the start of `text`, without the punctuation that ends the sentence around it.
fn bare_url(text: &str) -> Option<&str> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| starts_with_ignore_case(text, scheme))?;
    let stop = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '[' | ']');
    let mut url = &text[..text.find(stop).unwrap_or(text.len())];
    let mut unopened = url.matches(')').count().saturating_sub(url.matches('(').count());
    while let Some(last) = url.chars().next_back() {
        if last == ')' && unopened > 0 {
            unopened -= 1;
        } else if !matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_') {
            break;
        }
        url = &url[..url.len() - last.len_utf8()];
    }
    (url.len() > scheme.len()).then_some(url)
}

/// Whether `text` starts with `prefix`, ASCII letters of either case being the same.
pub(crate) fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
