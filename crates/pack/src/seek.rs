//! Searching a text for a short string. The standard library's search is made for long ones and is 2 KB of code in the
//! browser, so nothing that runs there uses it: no string is the pattern of `find`, `contains`, `split`, `replace` or
//! `trim_matches`. Characters may be.

/// Where `what`, which is not empty, first stands in `text`, in bytes.
pub fn find(text: &str, what: &str) -> Option<usize> {
    text.as_bytes().windows(what.len()).position(|window| window == what.as_bytes())
}

/// Where `what`, which is not empty, last stands in `text`, in bytes.
pub fn find_last(text: &str, what: &str) -> Option<usize> {
    text.as_bytes().windows(what.len()).rposition(|window| window == what.as_bytes())
}

/// Whether `what`, which is not empty, stands in `text`.
pub(crate) fn holds(text: &str, what: &str) -> bool {
    find(text, what).is_some()
}

/// `text` before and behind the first `what`.
pub(crate) fn parted<'a>(text: &'a str, what: &str) -> Option<(&'a str, &'a str)> {
    find(text, what).map(|at| (&text[..at], &text[at + what.len()..]))
}

/// `text` with `with` in place of each `what`.
pub fn replace(text: &str, what: &str, with: &str) -> String {
    let (mut replaced, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = parted(rest, what) {
        replaced.push_str(before);
        replaced.push_str(with);
        rest = behind;
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_searched_as_by_the_standard_library() {
        for text in ["", "a", "](", "a](b](c", "]]]]", "é\r\nü\r\n", "\r\r\n\n", "- — -", "ab"] {
            for what in ["](", "]]", "\r\n", "ab", "abc", "—", "é"] {
                assert_eq!(find(text, what), text.find(what), "{what:?} in {text:?}");
                assert_eq!(find_last(text, what), text.rfind(what), "last {what:?} in {text:?}");
                assert_eq!(holds(text, what), text.contains(what), "{what:?} in {text:?}");
                assert_eq!(parted(text, what), text.split_once(what), "{what:?} in {text:?}");
                assert_eq!(replace(text, what, "·"), text.replace(what, "·"), "{what:?} in {text:?}");
            }
        }
    }
}
