//! The key that a node requires. It is kept in memory alone, and never shown.

use std::fmt;

use crate::error::Error;

/// An API key.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Makes a key; white space around it is not part of it.
    ///
    /// # Errors
    /// [`Error::Key`] where it is empty, or could not stand in a header.
    pub fn new(text: &str) -> Result<Key, Error> {
        let text = text.trim();
        match text {
            "" => Err(Error::Key("it is empty")),
            _ if !text.chars().all(|c| c.is_ascii_graphic()) => {
                Err(Error::Key("it holds a space, a line's end or a letter beyond ASCII"))
            }
            _ => Ok(Key(text.to_owned())),
        }
    }

    /// The value of the `Authorization` header.
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// `text` without the key, as written or as escaped in JSON: some servers repeat it in their errors.
    pub(crate) fn hide(&self, text: &str) -> String {
        let escaped = self.0.replace('\\', "\\\\").replace('"', "\\\"");
        text.replace(&escaped, "…").replace(&self.0, "…")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_what_a_header_can_hold() {
        assert_eq!(Key::new(" sk-1\n").unwrap().bearer(), "Bearer sk-1");
        for wrong in ["", " ", "two words", "line\r\nX-Evil: 1", "schlüssel"] {
            assert!(Key::new(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::new("sk-1").unwrap();
        assert_eq!(format!("{key:?}"), "Key(…)");
        assert_eq!(key.hide("Incorrect API key provided: sk-1."), "Incorrect API key provided: ….");
        assert_eq!(Key::new(r#"a"b\"#).unwrap().hide(r#"{"key":"a\"b\\"} a"b\"#), r#"{"key":"…"} …"#);
    }
}
