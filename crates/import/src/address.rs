//! Addresses: where a page lies on its site, as a path below the site's folder such as `guide/install.html`.

use serde::{Deserialize, Serialize};

/// What a link leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    /// The page's address, or that of its folder, with a slash at the end; empty for the site's folder itself.
    pub address: String,
    /// The id of a place on the page; empty for the whole page.
    pub fragment: String,
    /// Whether the address is seen from the root of the host, of which the site may be a part.
    pub is_from_root: bool,
}

/// The page that a page names as the one to be found in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Canonical {
    /// The host, in small letters and without `www.`; empty where none is named.
    pub host: String,
    /// The page there.
    pub target: Target,
}

/// What the links of a page are seen from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Base {
    address: String,
    is_from_root: bool,
}

impl Base {
    /// The page at `address`.
    pub(crate) fn of(address: &str) -> Base {
        Base { address: address.to_owned(), is_from_root: false }
    }

    /// The base itself as a place.
    pub(crate) fn target(&self) -> Target {
        let Base { address, is_from_root } = self.clone();
        Target { address, fragment: String::new(), is_from_root }
    }

    /// What the page names in `<base href>`.
    pub(crate) fn named(&self, href: &str) -> Option<Base> {
        let Canonical { target, .. } = resolve_url(self, href)?;
        Some(Base { address: target.address, is_from_root: target.is_from_root })
    }
}

/// What a link leads to that may name a host.
pub(crate) fn resolve_url(base: &Base, href: &str) -> Option<Canonical> {
    let href = href.trim();
    let scheme = |name: &str| href.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name));
    let Some(start) = ["https://", "http://", "//"].into_iter().find_map(scheme) else {
        return Some(Canonical { host: String::new(), target: resolve(base, href)? });
    };
    let rest = &href[start.len()..];
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    Some(Canonical { host, target: resolve(base, &path)? })
}

/// What tells a page from others in an address: no `index.html` or ending, which servers add or take off.
pub(crate) fn page_key(address: &str) -> &str {
    let stem = [".html", ".htm", ".xhtml"].iter().find_map(|ending| address.strip_suffix(ending)).unwrap_or(address);
    let stem = stem.strip_suffix("index").filter(|stem| stem.is_empty() || stem.ends_with('/')).unwrap_or(stem);
    stem.trim_end_matches('/')
}

/// What the link `href` on a page leads to; none where that is no place on the site.
pub(crate) fn resolve(base: &Base, href: &str) -> Option<Target> {
    let Base { address, is_from_root } = base;
    let href = href.trim();
    if has_scheme(href) || href.starts_with("//") || href.chars().any(char::is_control) {
        return None;
    }
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    let path = decode(path.split('?').next().unwrap_or(path));
    if path.is_empty() {
        let (address, fragment) = (address.to_owned(), fragment.to_owned());
        return Some(Target { address, fragment, is_from_root: *is_from_root });
    }
    let is_from_root = *is_from_root || path.starts_with('/');
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
    Some(Target { address, fragment: fragment.to_owned(), is_from_root })
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
            let target = resolve(&Base::of("guide/a.html"), href);
            let found = target.as_ref().map(|target| (target.address.as_str(), target.fragment.as_str()));
            assert_eq!(found, expected, "{href}");
            let is_from_root = target.is_some_and(|target| target.is_from_root);
            assert_eq!(is_from_root, href.starts_with('/') && !href.starts_with("//"), "{href}");
        }
    }

    #[test]
    fn a_base_is_what_links_are_seen_from() {
        let target = |base: &str, href: &str| {
            let base = Base::of("guide/a.html").named(base).unwrap();
            resolve(&base, href).map(|target| (target.address, target.is_from_root))
        };
        for (base, href, expected) in [
            ("../", "b.html", Some(("b.html", false))),
            ("/docs/", "guide/b.html", Some(("docs/guide/b.html", true))),
            ("https://example.org/docs/x.html", "b.html", Some(("docs/b.html", true))),
            ("./", "../../x.html", None),
        ] {
            assert_eq!(target(base, href), expected.map(|(address, root)| (address.to_owned(), root)), "{base} {href}");
        }
    }

    #[test]
    fn addresses_may_name_a_host() {
        let found = |href: &str| {
            let named = resolve_url(&Base::of("guide/a.html"), href).unwrap();
            (named.host, named.target.address)
        };
        for (href, host, address) in [
            ("https://www.Example.org/docs/a.html?x#y", "example.org", "docs/a.html"),
            ("HTTP://example.org", "example.org", ""),
            ("//example.org/b/", "example.org", "b/"),
            ("./", "", "guide/"),
            ("/c.html", "", "c.html"),
        ] {
            assert_eq!(found(href), (host.to_owned(), address.to_owned()), "{href}");
        }
        assert_eq!(resolve_url(&Base::default(), "mailto:a@b.c"), None);
    }

    #[test]
    fn a_page_is_the_same_with_and_without_its_ending() {
        for (address, expected) in [
            ("a/b.html", "a/b"),
            ("a/index.html", "a"),
            ("a/", "a"),
            ("index.html", ""),
            ("a/b", "a/b"),
            ("reindex.htm", "reindex"),
        ] {
            assert_eq!(page_key(address), expected, "{address}");
        }
    }
}
