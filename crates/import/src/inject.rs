//! Puts the element into a page's HTML, and takes it out again. All other bytes stay as they are.

use std::borrow::Cow;
use std::ops::Range;

use crate::address::{Base, Target};
use crate::html_scan::{HtmlScan, scan};

/// What stands before and after the lines in a page.
const START: &[u8] = b"<!-- put here by seealso site: start -->";
const END: &[u8] = b"<!-- put here by seealso site: end -->";

/// What earlier versions put there.
const OLD_START: &[u8] = b"<!-- seealso: start -->";
const OLD_END: &[u8] = b"<!-- seealso: end -->";

/// How the lines between the marks begin, and what else stands in them: a block without is not what was put there.
const FIRST: &[u8] = b"\n<script type=\"module\" src=\"";
const OTHERS: [&[u8]; 2] = [b"see-also.js\"></script>", b"<see-also packs=\""];

/// The two lines that show the element on a page from which the packs root is at `root`, such as `../seealso/`. With
/// `only_packs` it keeps to the packs in that folder of the root.
pub fn lines(root: &str, only_packs: Option<&str>) -> String {
    let only = only_packs.map(|only| format!(" only-packs=\"{}\"", only.replace('&', "&amp;"))).unwrap_or_default();
    format!("<script type=\"module\" src=\"{root}see-also.js\"></script>\n<see-also packs=\"{root}\"{only}></see-also>")
}

/// Why a page can't show the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPlace {
    /// Its encoding is not one of those in which the lines can be written.
    Encoding,
    /// It shows frames in the place of a body, or ends within a script, a comment or the like.
    Body,
    /// Its `<base href>` lies outside of the site, so that the packs can't be named from there.
    Base,
}

/// The page at `address` with the [`lines`] before the end of its body; what was put there before is replaced. The packs root
/// is the folder `folder` of the site, which lies in the folder `prefix` of its host.
///
/// # Errors
/// [`NoPlace`] where the page can't show the element.
pub fn inject(
    html: &[u8],
    address: &str,
    prefix: &str,
    folder: &str,
    only_packs: Option<&str>,
) -> Result<Vec<u8>, NoPlace> {
    if html.starts_with(b"\xff\xfe") || html.starts_with(b"\xfe\xff") || html.contains(&0) {
        return Err(NoPlace::Encoding);
    }
    let bare = remove(html);
    let HtmlScan { end, base, .. } = scan(&bare);
    let at = end.ok_or(NoPlace::Body)?;
    let root = root_from(address, base.as_deref(), prefix, folder).ok_or(NoPlace::Base)?;
    let block = [START, b"\n", lines(&root, only_packs).as_bytes(), b"\n", END, b"\n"].concat();
    Ok([&bare[..at], &block, &bare[at..]].concat())
}

/// The site's folder `folder`, as seen from the page at `address`, whose links are seen from `base`.
fn root_from(address: &str, base: Option<&str>, prefix: &str, folder: &str) -> Option<String> {
    let own = Base::of(address);
    let base = base.map_or(Some(own.clone()), |href| own.named(href))?;
    let Target { address, is_from_root, .. } = base.target();
    let address = if is_from_root { address.strip_prefix(prefix)? } else { &address };
    Some(format!("{}{folder}/", "../".repeat(address.matches('/').count())))
}

/// The page without the lines.
pub fn remove(html: &[u8]) -> Cow<'_, [u8]> {
    let has = |mark: &[u8]| memchr::memmem::find(html, mark).is_some();
    let mut bare = Cow::Borrowed(html);
    // What is left may be such lines again, where one stood in another.
    while has(START) || has(OLD_START) {
        let blocks = blocks(&bare, &scan(&bare).comments);
        if blocks.is_empty() {
            break;
        }
        bare = Cow::Owned(without(&bare, &blocks));
    }
    bare
}

/// The bytes without these parts.
fn without(html: &[u8], parts: &[Range<usize>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(html.len());
    let mut kept = 0;
    for part in parts {
        out.extend_from_slice(&html[kept..part.start]);
        kept = part.end;
    }
    out.extend_from_slice(&html[kept..]);
    out
}

/// Where the lines stand, with their marks and the line's end behind them.
fn blocks(html: &[u8], comments: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    for pair in comments.windows(2) {
        let [start, end] = [&pair[0], &pair[1]];
        let marks = (&html[start.clone()], &html[end.clone()]);
        let between = &html[start.end..end.start];
        let is_own = (marks == (START, END) || marks == (OLD_START, OLD_END))
            && between.starts_with(FIRST)
            && OTHERS.iter().all(|part| memchr::memmem::find(between, part).is_some());
        if is_own {
            let is_line = html.get(end.end) == Some(&b'\n');
            blocks.push(start.start..end.end + usize::from(is_line));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "<!-- put here by seealso site: start -->\n\
        <script type=\"module\" src=\"../seealso/see-also.js\"></script>\n<see-also packs=\"../seealso/\"></see-also>\n\
        <!-- put here by seealso site: end -->\n";

    fn injected(html: &str) -> Result<String, NoPlace> {
        inject(html.as_bytes(), "a/b.html", "", "seealso", None).map(|html| String::from_utf8(html).unwrap())
    }

    #[test]
    fn lines_go_in_once_and_come_out_again() {
        for (html, expected) in [
            ("<html><body><p>a</body></html>", "<html><body><p>a{}</body></html>"),
            ("<BODY>a</BODY>\n", "<BODY>a{}</BODY>\n"),
            ("<p>a", "<p>a{}"),
            ("<html>a</html>", "<html>a{}</html>"),
            // What only looks like the end of a body.
            ("<body>a</body><!-- </body> -->", "<body>a{}</body><!-- </body> -->"),
            ("<body><script>x = '</body>'</script>b", "<body><script>x = '</body>'</script>b{}"),
            (
                "<style>/* </body> */</style><p title='</body>'>a</body>",
                "<style>/* </body> */</style><p title='</body>'>a{}</body>",
            ),
            ("<textarea></body></textarea></BODY >", "<textarea></body></textarea>{}</BODY >"),
            ("<title></body></title>a</html>", "<title></body></title>a{}</html>"),
            ("<p>a</bodywork>", "<p>a</bodywork>{}"),
            ("a < b and c</body>", "a < b and c{}</body>"),
        ] {
            let once = injected(html).unwrap();
            assert_eq!(once, expected.replace("{}", BLOCK), "{html}");
            assert_eq!(injected(&once).unwrap(), once);
            assert_eq!(remove(once.as_bytes()).as_ref(), html.as_bytes());
            let other = inject(once.as_bytes(), "a.html", "", "seealso", Some("versions/a&b")).unwrap();
            assert!(
                String::from_utf8_lossy(&other)
                    .contains("<see-also packs=\"seealso/\" only-packs=\"versions/a&amp;b\">")
            );
            assert_eq!(remove(&other).as_ref(), html.as_bytes());
        }
    }

    #[test]
    fn where_there_is_no_place_nothing_is_put() {
        for (html, expected) in [
            (
                "<html><frameset cols='1,1'><frame src=a.html><noframes><body>x</body></noframes></frameset></html>",
                NoPlace::Body,
            ),
            ("<p>a<script>var x = 1;", NoPlace::Body),
            ("<p>a<!-- never closed", NoPlace::Body),
            ("<p>a<textarea>b", NoPlace::Body),
            ("<plaintext>a</body>", NoPlace::Body),
            ("<p>a<b title='never closed>", NoPlace::Body),
            ("<\0p\0", NoPlace::Encoding),
            ("<base href='../../'><p>a", NoPlace::Base),
            ("<base href='/shop/'><p>a", NoPlace::Base),
        ] {
            let found = inject(html.as_bytes(), "a/b.html", "docs/", "seealso", None);
            assert_eq!(found, Err(expected), "{html}");
        }
        assert_eq!(inject(b"\xff\xfe<\0p\0", "a.html", "", "seealso", None), Err(NoPlace::Encoding));
    }

    #[test]
    fn the_packs_are_named_from_where_links_are_seen_from() {
        for (address, base, expected) in [
            ("a.html", None, Some("seealso/")),
            ("b/c/a.html", None, Some("../../seealso/")),
            ("b/c/a.html", Some("../"), Some("../seealso/")),
            ("b/c/a.html", Some("/docs/"), Some("seealso/")),
            ("b/c/a.html", Some("https://example.org/docs/b/"), Some("../seealso/")),
            ("b/c/a.html", Some("/"), None),
            ("a.html", Some("x/y.html"), Some("../seealso/")),
        ] {
            assert_eq!(root_from(address, base, "docs/", "seealso").as_deref(), expected, "{address} {base:?}");
        }
    }

    #[test]
    fn what_others_wrote_stays() {
        let old = BLOCK
            .replace("put here by seealso site: start", "seealso: start")
            .replace("put here by seealso site: end", "seealso: end");
        assert_eq!(remove(format!("<p>a{old}</body>").as_bytes()).as_ref(), b"<p>a</body>");
        for html in [
            "a<!-- seealso: start -->b",
            "a<!-- seealso: start -->\nMy own notes.\n<!-- seealso: end -->b",
            "a<!-- put here by seealso site: start -->\n<script src=x.js></script>\n<!-- put here by seealso site: end -->b",
            &format!("<textarea>{BLOCK}</textarea>"),
            &format!("<script>const block = `{BLOCK}`;</script>"),
        ] {
            assert_eq!(String::from_utf8_lossy(&remove(html.as_bytes())), html);
        }
    }
}
