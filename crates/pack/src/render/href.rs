//! Which `href`s may stand in rendered markdown.

use crate::markdown::starts_with_ignore_case;

/// Nothing that a browser's URL reader would drop or rewrite: it strips white space and controls, and takes `\` for `/`.
fn is_clean(href: &str) -> bool {
    !href.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\' || is_invisible(c))
}

/// Characters that are not seen, or turn the direction of what is.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

pub(super) fn is_http(href: &str) -> bool {
    let rest = ["https://", "http://"].iter().find(|scheme| starts_with_ignore_case(href, scheme));
    rest.is_some_and(|scheme| href.len() > scheme.len()) && is_clean(href)
}

pub(super) fn is_anchor(href: &str) -> bool {
    href.starts_with('#') && is_clean(href)
}

/// A path, of this host: no scheme, no `//host`.
pub(super) fn is_relative(href: &str) -> bool {
    let before_colon = href.split_once(':').map(|(before, _)| before);
    let has_scheme = before_colon.is_some_and(|before| !before.contains(['/', '?', '#']));
    !href.is_empty() && !has_scheme && !href.starts_with("//") && is_clean(href)
}
