//! The primitive values of the format: those of [`seealso_bytes`], with errors that name the part of the file.

use crate::error::Error;

pub(crate) use seealso_bytes::{put_str, put_varint};

/// A reading position in one part of a file.
pub(crate) type Cursor<'a> = seealso_bytes::Cursor<'a, PartName>;

/// The name of a part of a file, for errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartName(&'static str);

impl From<&'static str> for PartName {
    fn from(name: &'static str) -> PartName {
        PartName(name)
    }
}

impl seealso_bytes::Part for PartName {
    type Error = Error;

    fn corrupt(self, reason: &str) -> Error {
        Error::corrupt(self.0, reason)
    }
}
