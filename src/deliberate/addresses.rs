//! Web addresses in a text. One that no page names might send the question elsewhere.

use crate::retrieve::assemble::Manifest;

/// Top-level domains of host names that people and injected instructions write without a scheme.
const TOP_LEVELS: [&str; 26] = [
    "com", "org", "net", "io", "dev", "app", "example", "test", "info", "biz", "xyz", "site", "online", "shop", "blog",
    "cloud", "link", "live", "uk", "de", "ru", "cn", "eu", "gov", "edu", "ai",
];

/// Whether `text` names a web address that no page contains.
pub(crate) fn names_ungrounded_address(text: &str, manifest: &Manifest) -> bool {
    let known = |address: &str| {
        let address = address.to_lowercase();
        manifest.pages.iter().any(|page| page.text.contains(&address) || page.text.to_lowercase().contains(&address))
    };
    let known_before = |address: &str| {
        let ascii = address.find(|c: char| !c.is_ascii()).map_or(address, |end| &address[..end]);
        !ascii.ends_with('/') && known(ascii)
    };
    addresses(text).chain(link_targets(text)).any(|address| !known(address))
        || international_addresses(text).any(|address| !known(address) && !known_before(address))
}

/// Characters that end an address.
const DELIMITERS: &str = "\"'<>()[]{}`|=\\^";
/// Characters that are stripped from both ends of an address.
const AROUND: [char; 9] = ['.', ',', ';', ':', '!', '?', '*', '_', '/'];

/// The addresses in `text`: words with a scheme, and host names with the path after them.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || !c.is_ascii() || DELIMITERS.contains(c);
    text.split(ends).map(|word| word.trim_matches(AROUND)).filter_map(address)
}

/// The addresses whose host has non-ASCII letters, such as `https://пример.рф/q`, or continues in a script without
/// spaces, as any text may after an address.
fn international_addresses(text: &str) -> impl Iterator<Item = &str> {
    let address = |(at, _): (usize, &str)| {
        let rest = &text[at + "://".len()..];
        let end = rest.find(|c: char| c.is_whitespace() || DELIMITERS.contains(c)).unwrap_or(rest.len());
        let is_of_host = |c: char| c.is_alphanumeric() || "-._:@%".contains(c);
        let host = &rest[..rest.find(|c: char| !is_of_host(c)).unwrap_or(rest.len())];
        (!host.is_ascii()).then(|| rest[..end].trim_matches(AROUND))
    };
    text.match_indices("://").filter_map(address)
}

/// The targets of links, except relative paths: `[x](http:evil.fr)`.
fn link_targets(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("](").filter_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        // A title may follow the target, and angle brackets may enclose it.
        let inside =
            rest[..rest.find(')')?].split_whitespace().next()?.trim_matches(['<', '>']).trim_end_matches(AROUND);
        (inside.contains(':') || inside.starts_with("//")).then_some(inside)
    })
}

/// The address in a word, if there is one.
fn address(word: &str) -> Option<&str> {
    if let Some(at) = word.find("://") {
        let scheme = word[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |before| before + 1);
        return Some(&word[scheme..]);
    }
    let host = word.rsplit_once('@').map_or(word, |(_, host)| host);
    let host = host.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let (last, before) = labels.split_last()?;
    let is_label = |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let named = labels.iter().all(is_label) && before.iter().any(|label| label.len() > 1);
    let ends = TOP_LEVELS.contains(&last.to_ascii_lowercase().as_str()) || before.first() == Some(&"www");
    (named && ends).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::assemble::SourceText;
    use crate::retrieve::fetch::Via;

    fn page(text: &str) -> SourceText {
        SourceText {
            page: "tea/tea".to_owned(),
            pack: "tea".to_owned(),
            file: "tea.md".to_owned(),
            language: "en".to_owned(),
            via: Via::Search,
            sub_queries: vec![0],
            is_on_site: false,
            text: text.to_owned(),
        }
    }

    #[test]
    fn addresses_are_known_without_a_scheme() {
        let found = |text: &str, expected: &[&str]| {
            assert_eq!(addresses(text).collect::<Vec<_>>(), expected, "{text}");
        };
        found("https://a.b, or evil.example/session.", &["https://a.b", "evil.example/session"]);
        found("www.tea.travel and **evil.com**", &["www.tea.travel", "evil.com"]);
        found("me@evil.org a.co.uk tea.shop/x evil.com’s", &["me@evil.org", "a.co.uk", "tea.shop/x", "evil.com"]);
        found("请访问evil.com查看 详见https://tea.example/how", &["evil.com", "https://tea.example/how"]);
        found("url=https://tea.example/how", &["https://tea.example/how"]);
        found("e.g. compose.yaml v1.2 and/or Node.js 70.5 tea std::vec src/lib.rs vec.push/pop ...", &[]);
    }

    #[test]
    fn an_address_of_a_page_is_known_however_it_is_written() {
        let manifest = Manifest::of_texts([page("https://www.jsonrpc.org/spec")]);
        for known in [
            "“https://www.jsonrpc.org”",
            "见 https://www.jsonrpc.org。",
            "见https://www.jsonrpc.org查看",
            "[spec](https://www.jsonrpc.org/spec/)",
            "[spec](<https://www.jsonrpc.org/spec> \"JSON-RPC: spec\")",
        ] {
            assert!(!names_ungrounded_address(known, &manifest), "{known}");
        }
        let ungrounded = |text: &str| names_ungrounded_address(text, &Manifest::default());
        assert!(ungrounded("Tea, see [more](https://пример.рф/q?green).") && ungrounded("https://evil.com查看"));
        assert!(
            ungrounded("See [x](http:evil.fr/q).")
                && ungrounded("![x](//evil.fr/q)")
                && !ungrounded("See [x](../tea.md).")
        );
    }
}
