//! Addresses: where a page lies on its site, as a path below the site's folder such as `guide/install.html`.

use serde::{Deserialize, Serialize};

/// What a link leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    /// The page's address, or that of its folder, with a slash at the end; empty for the site's folder itself.
    pub address: String,
    /// The id of a place on the page; empty for the whole page.
    pub fragment: String,
}

/// What the link `href` on the page at `address` leads to; none where that is no place on the site.
pub(crate) fn resolve(address: &str, href: &str) -> Option<Target> {
    let href = href.trim();
    if has_scheme(href) || href.starts_with("//") || href.chars().any(char::is_control) {
        return None;
    }
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    let path = decode(path.split('?').next().unwrap_or(path));
    if path.is_empty() {
        return Some(Target { address: address.to_owned(), fragment: fragment.to_owned() });
    }
    let folder = if path.starts_with('/') { "" } else { address.rfind('/').map_or("", |slash| &address[..slash]) };
    let is_folder = path.ends_with('/') || path.ends_with("/.") || path.ends_with("..") || path == ".";
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(path.split('/')) {
        match step {
            "" | "." => {}
            // A site may lie below others: what leads out of it leads to none of its pages.
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    let mut address = steps.join("/");
    if is_folder && !address.is_empty() {
        address.push('/');
    }
    Some(Target { address, fragment: fragment.to_owned() })
}

/// Whether a link names a scheme, as `https:` and `mailto:` do.
pub(crate) fn has_scheme(href: &str) -> bool {
    href.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Decodes `%XX`; where that gives no text, the path stays as it is.
pub(crate) fn decode(path: &str) -> String {
    seealso_pack::percent_decode(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_places_of_the_site() {
        for (href, expected) in [
            ("b.html", Some(("guide/b.html", ""))),
            ("b.html#x%20y", Some(("guide/b.html", "x%20y"))),
            ("#x", Some(("guide/a.html", "x"))),
            ("../c/", Some(("c/", ""))),
            ("..", Some(("", ""))),
            ("./", Some(("guide/", ""))),
            ("/d.html?q=1#z", Some(("d.html", "z"))),
            ("%C3%A4.html", Some(("guide/\u{e4}.html", ""))),
            ("../../out.html", None),
            ("https://example.org/", None),
            ("//example.org/", None),
            ("mailto:a@b.c", None),
            ("javascript:void(0)", None),
            ("", Some(("guide/a.html", ""))),
        ] {
            let target = resolve("guide/a.html", href);
            let found = target.as_ref().map(|target| (target.address.as_str(), target.fragment.as_str()));
            assert_eq!(found, expected, "{href}");
        }
    }
}
