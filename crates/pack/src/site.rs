//! Packs whose pages lie on a site: which page of the site a file of the pack stands for.
//!
//! Such a pack says in its manifest where the site is (`site: ../`, relative to the packs root, or a web address). The
//! name of a page's file is the page's address on the site with `.md` behind it: `guide/install.html.md`. Where a page
//! of the site is divided into several, `~~` and the id of the place that a part begins with stand before `.md`:
//! `guide/install.html~~linux.md`; of several parts that are opened at one place, `~~` and a number tell one from the others:
//! `guide/install.html~~linux~~2.md`. Bytes that a path of a pack may not have are written as `~` and two hex digits. A name
//! that is too long for file systems goes on in a folder: `~/` in it stands for nothing.

use std::fmt::Write as _;

/// What stands between an address and the id of a place there, and behind that before a number.
const PLACE: &str = "~~";

/// A name goes on in a folder after so many bytes: file systems take names of 255.
const NAME_BYTES: usize = 180;

/// The file of the page at `address`, or of the part of it that begins at the id `fragment`. With `spell_capitals` the
/// fragment's capital letters are written as bytes are: for file systems on which `A` and `a` are the same.
pub fn site_file(address: &str, fragment: &str, spell_capitals: bool) -> String {
    named_file(address, fragment, spell_capitals, "")
}

/// The file of one of several parts of the page at `address` that are opened at the id `fragment`; the page's top where that is
/// empty. No other part there has its `number`.
pub fn numbered_site_file(address: &str, fragment: &str, number: usize) -> String {
    named_file(address, fragment, true, &format!("{PLACE}{number}"))
}

fn named_file(address: &str, fragment: &str, spell_capitals: bool, number: &str) -> String {
    let mut file = String::with_capacity(address.len() + fragment.len() + number.len() + 8);
    escape(&mut file, address, is_unfit);
    if !(fragment.is_empty() && number.is_empty()) {
        file.push_str(PLACE);
        escape(&mut file, fragment, |c| c == '/' || is_unfit(c) || spell_capitals && c.is_ascii_uppercase());
        file.push_str(number);
    }
    file.push_str(".md");
    file
}

/// The address on its site of the page that `file` stands for, and the id of the place where it begins; empty for the
/// page's top.
pub fn site_place(file: &str) -> (String, String) {
    let stem = file.strip_suffix(".md").unwrap_or(file);
    let (address, fragment) = stem.split_once(PLACE).unwrap_or((stem, ""));
    let fragment = fragment.split_once(PLACE).map_or(fragment, |(fragment, _)| fragment);
    (unescape(address), unescape(fragment))
}

/// What the files of all parts of one page of a site begin with; of any other page its whole file.
pub fn page_of_site(file: &str) -> &str {
    file.split_once(PLACE).map_or_else(|| file.strip_suffix(".md").unwrap_or(file), |(address, _)| address)
}

/// Names of files and folders with pages that say what changed from version to version, without signs and numbers.
const CHANGES: [&str; 6] = ["changelog", "changes", "release", "releasenotes", "releases", "whatsnew"];

/// Whether the page of `file` says by its name, or by that of a folder, that it is about changes from version to version:
/// `release-15-6.html`, `whatsnew/2.4.html`.
pub fn is_about_changes(file: &str) -> bool {
    page_of_site(file).split('/').any(|step| {
        let stem = step.split('.').next().unwrap_or_default();
        let letters: String = stem.chars().filter(|c| c.is_alphanumeric()).collect();
        let name = letters.trim_end_matches(|c: char| c.is_ascii_digit());
        CHANGES.iter().any(|known| name.eq_ignore_ascii_case(known))
    })
}

/// The URL of the page that `file` stands for, on the site that lies at `site`; relative to the packs root where `site`
/// is. None where the pack lies on no site, or where `site` is no place that a link may lead to.
pub fn site_url(site: &str, file: &str) -> Option<String> {
    if site.is_empty() || !is_site(site) {
        return None;
    }
    let (address, fragment) = site_place(file);
    let mut url = site.to_owned();
    if !url.ends_with('/') {
        url.push('/');
    }
    encode(&mut url, &address, b"-_.~!$&'()*+,;=@/");
    if !fragment.is_empty() {
        url.push('#');
        // An id is found as it is written, so what is percent-encoded in it stays so.
        encode(&mut url, &fragment, b"-_.~!$&'()*+,;=@/:?%");
    }
    Some(url)
}

/// Whether a site may lie at `site`: at a web address, or at a path.
pub fn is_site(site: &str) -> bool {
    let is_web = site.starts_with("https://") || site.starts_with("http://");
    let is_path =
        !(site.starts_with("//") || site.contains([':', '\\', '?', '#']) || site.chars().any(char::is_control));
    is_web || is_path
}

/// Whether a letter may not stand in the name of a file, or has a meaning here or in URLs.
fn is_unfit(c: char) -> bool {
    matches!(c, '\\' | ':' | '?' | '#' | '%' | '~' | '*' | '"' | '<' | '>' | '|') || c.is_control()
}

fn escape(out: &mut String, text: &str, is_escaped: impl Fn(char) -> bool) {
    for c in text.chars() {
        if c != '/' && out.len() - out.rfind('/').map_or(0, |slash| slash + 1) > NAME_BYTES {
            out.push_str("~/");
        }
        if is_escaped(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "~{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
}

fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let digit = |at: usize| tail.get(at).and_then(|&digit| char::from(digit).to_digit(16));
        match (byte, digit(0), digit(1)) {
            (b'~', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            (b'~', ..) if tail.first() == Some(&b'/') => rest = &tail[1..],
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Adds `text` to a URL, each byte but letters, digits and those that are `kept` as `%` and two hex digits.
fn encode(url: &mut String, text: &str, kept: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push('%');
            url.push(char::from(DIGITS[usize::from(byte >> 4)]));
            url.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::is_safe_path;

    #[test]
    fn pages_about_changes_are_known_by_their_names() {
        for (file, expected) in [
            ("about/release-notes.html~~version-12.md", true),
            ("release-15-6.html.md", true),
            ("whatsnew/2.4.html~~other.md", true),
            ("CHANGELOG.html.md", true),
            ("docs/Changes_1.html.md", true),
            ("guide/release-process.html.md", false),
            ("guide/exchanges.html~~changes.md", false),
            ("api/v2/changed.html.md", false),
        ] {
            assert_eq!(is_about_changes(file), expected, "{file}");
        }
    }

    #[test]
    fn a_page_of_a_site_is_known_by_its_file() {
        for (address, fragment, file, url) in [
            ("guide/install.html", "", "guide/install.html.md", "../guide/install.html"),
            ("guide/install.html", "linux", "guide/install.html~~linux.md", "../guide/install.html#linux"),
            ("a.html", "impl-From%3CT%3E", "a.html~~impl-From~253CT~253E.md", "../a.html#impl-From%3CT%3E"),
            ("a.html", "std::vec", "a.html~~std~3A~3Avec.md", "../a.html#std::vec"),
            ("a.html", "a/b", "a.html~~a~2Fb.md", "../a.html#a/b"),
            ("~me/50 %.html", "", "~7Eme/50 ~25.html.md", "../~me/50%20%25.html"),
            (
                "grün/日本.html",
                "größe",
                "grün/日本.html~~größe.md",
                "../gr%C3%BCn/%E6%97%A5%E6%9C%AC.html#gr%C3%B6%C3%9Fe",
            ),
        ] {
            assert_eq!(site_file(address, fragment, false), file);
            assert!(is_safe_path(file), "{file}");
            assert_eq!(site_place(file), (address.to_owned(), fragment.to_owned()));
            assert_eq!(page_of_site(file), page_of_site(&site_file(address, "", false)));
            assert_eq!(site_url("../", file).as_deref(), Some(url));
        }
        assert_eq!(site_file("a.html", "Set", true), "a.html~~~53et.md");
        assert_eq!(site_place("a.html~~~53et.md"), ("a.html".to_owned(), "Set".to_owned()));
    }

    #[test]
    fn parts_that_are_opened_at_one_place_have_files_of_their_own() {
        for (fragment, number, file, url) in [
            ("linux", 2, "a.html~~linux~~2.md", "../a.html#linux"),
            ("Set", 12, "a.html~~~53et~~12.md", "../a.html#Set"),
            ("a~", 3, "a.html~~a~7E~~3.md", "../a.html#a~"),
            ("", 7, "a.html~~~~7.md", "../a.html"),
        ] {
            assert_eq!(numbered_site_file("a.html", fragment, number), file);
            assert!(is_safe_path(file), "{file}");
            assert_eq!(site_place(file), ("a.html".to_owned(), fragment.to_owned()));
            assert_eq!(site_url("../", file).as_deref(), Some(url));
            assert_eq!(page_of_site(file), "a.html");
        }
    }

    #[test]
    fn long_names_go_on_in_folders() {
        let address = format!("{}/{}.html", "ä".repeat(120), "b".repeat(245));
        for fragment in [String::new(), "c/".repeat(60), "~".repeat(120)] {
            let file = site_file(&address, &fragment, false);
            assert!(file.split('/').all(|step| step.len() <= 200), "{file}");
            assert!(is_safe_path(&file), "{file}");
            assert_eq!(site_place(&file), (address.clone(), fragment));
            assert_eq!(page_of_site(&file), page_of_site(&site_file(&address, "", false)));
        }
    }

    #[test]
    fn links_lead_to_sites_alone() {
        for (site, expected) in [
            ("../", Some("../a.html")),
            ("..", Some("../a.html")),
            ("https://example.org/docs", Some("https://example.org/docs/a.html")),
            ("", None),
            ("javascript:alert(1)//", None),
            ("//example.org/", None),
            ("data:text/html,", None),
            ("..\\", None),
        ] {
            assert_eq!(site_url(site, "a.html.md").as_deref(), expected, "{site}");
        }
        assert_eq!(site_url("../", "javascript~3Aalert(1).md").as_deref(), Some("../javascript%3Aalert(1)"));
    }
}
