//! Puts the element into a page's HTML, and takes it out again. All other bytes stay as they are.

use std::borrow::Cow;

/// What stands before and after the lines in a page.
const START: &[u8] = b"<!-- seealso: start -->";
const END: &[u8] = b"<!-- seealso: end -->";

/// The two lines that show the element on a page from which the packs root is at `root`, such as `../seealso/`. With
/// `only_packs` it keeps to the packs in that folder of the root.
pub fn lines(root: &str, only_packs: Option<&str>) -> String {
    let only = only_packs.map(|only| format!(" only-packs=\"{}\"", only.replace('&', "&amp;"))).unwrap_or_default();
    format!("<script type=\"module\" src=\"{root}see-also.js\"></script>\n<see-also packs=\"{root}\"{only}></see-also>")
}

/// The page with the [`lines`] before the end of its body; what was put there before is replaced. None for bytes whose
/// encoding is not one of those in which the lines can be written.
pub fn inject(html: &[u8], root: &str, only_packs: Option<&str>) -> Option<Vec<u8>> {
    if html.starts_with(b"\xff\xfe") || html.starts_with(b"\xfe\xff") || html.contains(&0) {
        return None;
    }
    let bare = remove(html);
    let at = last_tag(&bare, b"</body").or_else(|| last_tag(&bare, b"</html")).unwrap_or(bare.len());
    let block = [START, b"\n", lines(root, only_packs).as_bytes(), b"\n", END, b"\n"].concat();
    Some([&bare[..at], &block, &bare[at..]].concat())
}

/// The page without the lines.
pub fn remove(html: &[u8]) -> Cow<'_, [u8]> {
    if find(html, START).is_none() {
        return Cow::Borrowed(html);
    }
    let mut out = Vec::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = find(rest, START) {
        let Some(length) = find(&rest[start..], END) else { break };
        out.extend_from_slice(&rest[..start]);
        rest = &rest[start + length + END.len()..];
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, wanted)
}

/// The place of the last tag of that name, in letters of any case.
fn last_tag(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).rposition(|window| window.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_in_once_and_come_out_again() {
        for (html, expected) in [
            ("<html><body><p>a</body></html>", "<html><body><p>a{}</body></html>"),
            ("<BODY>a</BODY>\n", "<BODY>a{}</BODY>\n"),
            ("<p>a", "<p>a{}"),
            ("<html>a</html>", "<html>a{}</html>"),
        ] {
            let block = "<!-- seealso: start -->\n<script type=\"module\" src=\"../s/see-also.js\"></script>\n\
                         <see-also packs=\"../s/\"></see-also>\n<!-- seealso: end -->\n";
            let once = inject(html.as_bytes(), "../s/", None).unwrap();
            assert_eq!(String::from_utf8_lossy(&once), expected.replace("{}", block));
            assert_eq!(inject(&once, "../s/", None).unwrap(), once);
            assert_eq!(remove(&once).as_ref(), html.as_bytes());
            let other = inject(&once, "s/", Some("versions/a&b")).unwrap();
            assert!(
                String::from_utf8_lossy(&other).contains("<see-also packs=\"s/\" only-packs=\"versions/a&amp;b\">")
            );
            assert_eq!(remove(&other).as_ref(), html.as_bytes());
        }
        assert_eq!(inject(b"\xff\xfe<\0p\0", "s/", None), None);
        assert_eq!(remove(b"a<!-- seealso: start -->b").as_ref(), b"a<!-- seealso: start -->b");
    }
}
