//! The text of an HTML file, whatever its encoding.
//!
//! A file says its encoding by a byte order mark or, in its first bytes, by a `meta` element or an XML declaration. A
//! file that says nothing, or something wrong, is taken for UTF-8 where it is valid UTF-8, and else for windows-1252.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How many bytes are searched for a declaration. The HTML standard asks for 1024 of its authors; many pages need more.
const HEAD_BYTES: usize = 4096;

/// Decodes the bytes of an HTML file. Bytes that are no text become U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let encoding = declared(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let encoding = encoding.unwrap_or_else(|| if is_mostly_utf8(bytes) { UTF_8 } else { WINDOWS_1252 });
    encoding.decode_without_bom_handling(bytes).0
}

/// The encoding that the head of a file declares.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let lower = head.to_ascii_lowercase();
    let name = [&b"charset="[..], b"encoding="].iter().find_map(|key| value_after(&lower, key))?;
    // What can be read byte by byte is not UTF-16, so a file that says so is wrong (HTML standard, 13.2.3.2).
    Encoding::for_label(name).map(|found| if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found })
}

fn value_after<'h>(head: &'h [u8], key: &[u8]) -> Option<&'h [u8]> {
    let at = head.windows(key.len()).position(|window| window == key)? + key.len();
    let value = head[at..].trim_ascii_start();
    let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
    let end = value.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"-_:.".contains(byte)));
    Some(&value[..end.unwrap_or(value.len())])
}

/// Whether few places are no UTF-8: a page with a damaged byte is still UTF-8.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > bad * 4
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn files_are_decoded_by_what_they_declare_and_what_they_hold() {
        for (bytes, expected) in [
            (&b"plain"[..], "plain"),
            (b"\xef\xbb\xbfmark", "mark"),
            (b"\xff\xfea\x00\xe9\x00", "a\u{e9}"),
            ("Stra\u{df}e \u{65e5}\u{672c}".as_bytes(), "Stra\u{df}e \u{65e5}\u{672c}"),
            (b"Stra\xdfe", "Stra\u{df}e"),
            (b"<meta charset=\"iso-8859-2\">\xb1", "<meta charset=\"iso-8859-2\">\u{105}"),
            (
                b"<META content='text/html; charset=Shift_JIS'>\x93\xfa",
                "<META content='text/html; charset=Shift_JIS'>\u{65e5}",
            ),
            (b"<?xml encoding='euc-jp'?>\xc6\xfc", "<?xml encoding='euc-jp'?>\u{65e5}"),
            (b"<meta charset=utf-16>\xe9", "<meta charset=utf-16>\u{fffd}"),
            (b"<meta charset=none>\xe9", "<meta charset=none>\u{e9}"),
            ("\u{e4}\u{f6}\u{fc}\u{df}\u{e4}".as_bytes(), "\u{e4}\u{f6}\u{fc}\u{df}\u{e4}"),
            (b"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xff", "\u{e4}\u{f6}\u{fc}\u{df}\u{e4}\u{fffd}"),
            (b"", ""),
        ] {
            assert_eq!(decode(bytes), expected);
        }
    }
}
