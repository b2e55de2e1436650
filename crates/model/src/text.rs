//! Bytes to text as they come: a character is given out only when it is whole.

/// Takes bytes in any pieces and gives whole characters; what is no UTF-8 becomes U+FFFD.
#[derive(Debug, Clone, Default)]
pub(crate) struct Utf8Stream {
    /// The beginning of a character: at most three bytes.
    begun: Vec<u8>,
}

impl Utf8Stream {
    /// Takes more bytes; gives the characters that are whole.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.begun.extend_from_slice(bytes);
        let mut text = String::new();
        let mut cut = self.begun.len();
        let mut chunks = self.begun.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let broken = chunk.invalid();
            // At the very end it may be a character that goes on.
            if chunks.peek().is_none() && may_go_on(broken) {
                cut -= broken.len();
            } else if !broken.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.begun.drain(..cut);
        text
    }

    /// What is left when no more bytes come.
    pub(crate) fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.begun).into_owned();
        self.begun.clear();
        text
    }
}

/// Whether a character could begin with these bytes, and need more.
fn may_go_on(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_whole_characters_whatever_the_pieces() {
        let text = "aé日🙂z";
        for size in 1..=4 {
            let mut stream = Utf8Stream::default();
            let parts: Vec<String> = text.as_bytes().chunks(size).map(|piece| stream.push(piece)).collect();
            assert_eq!(parts.concat() + &stream.finish(), text, "pieces of {size}");
            assert!(!parts.concat().contains('\u{fffd}'));
        }
    }

    #[test]
    fn marks_what_is_broken() {
        let mut stream = Utf8Stream::default();
        assert_eq!(stream.push(b"a\xffb\xe6"), "a\u{fffd}b");
        assert_eq!(stream.push(b"x"), "\u{fffd}x");
        assert_eq!(stream.push("é".as_bytes()), "é");
        assert_eq!(stream.push(b"\xf0\x9f"), "");
        assert_eq!(stream.finish(), "\u{fffd}");
        assert_eq!(stream.finish(), "");
    }
}
