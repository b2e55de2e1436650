//! The files of an index: their kinds and their bytes. Their names are those of [`seealso_bytes`].
//!
//! ```text
//! file    := 0 raw | 1 length:varint deflated        length: of the raw bytes; deflated: RFC 1951
//! ```

use seealso_bytes::{Hash, file_name};

use crate::error::Error;
use crate::format::bytes::{Cursor, put_varint};

/// The most bytes that a file of an index may have, unpacked.
pub(crate) const RAW_MAX_BYTES: usize = 64 << 20;
/// The most that a file may grow when it is unpacked, as a factor, so that a small file can't fill the memory. A file
/// that would grow more is not deflated.
pub(crate) const MOST_GROWTH: usize = 64;

/// A file of an index, other than its root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    /// A shard of the term dictionary with the short postings lists, by its number.
    Terms(u32),
    /// A block of a long postings list, by its hash.
    Postings(Hash),
    /// The list of text blocks.
    Directory,
    /// A block of titles and summaries, by its number.
    Texts(u32),
}

/// A file that a call needs and that was not supplied yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedFile {
    /// Which file it is.
    pub file: File,
    /// The hash that its bytes must have.
    pub hash: Hash,
}

impl WantedFile {
    /// The file's name in the index folder.
    pub fn name(&self) -> String {
        file_name(&self.hash)
    }
}

/// The form of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form<'a> {
    /// The bytes themselves.
    Raw(&'a [u8]),
    /// Deflated bytes (RFC 1951), and how many bytes they unpack to.
    Deflated(&'a [u8], usize),
}

impl<'a> Form<'a> {
    /// Reads the form of a file's bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the form is unknown, or would unpack to an absurd size.
    pub fn of(bytes: &'a [u8]) -> Result<Form<'a>, Error> {
        let corrupt = |reason: &str| Error::corrupt("file form", reason);
        let mut cursor = Cursor::new(bytes, "file form");
        match cursor.byte()? {
            0 => Ok(Form::Raw(&bytes[1..])),
            1 => {
                let length = usize::try_from(cursor.varint()?).unwrap_or(usize::MAX);
                let packed = cursor.take(cursor.rest())?;
                match length <= RAW_MAX_BYTES && length <= packed.len().saturating_mul(MOST_GROWTH) {
                    true => Ok(Form::Deflated(packed, length)),
                    false => Err(corrupt("it would unpack to an absurd size")),
                }
            }
            _ => Err(corrupt("it is unknown")),
        }
    }

    /// The raw bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where they can't be unpacked to what the file announces.
    pub fn unpack(self) -> Result<Vec<u8>, Error> {
        match self {
            Form::Raw(bytes) => Ok(bytes.to_vec()),
            Form::Deflated(packed, length) => {
                let raw = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, length).ok();
                raw.filter(|raw| raw.len() == length)
                    .ok_or_else(|| Error::corrupt("file form", "it does not unpack to what it announces"))
            }
        }
    }
}

/// A file is deflated where it shrinks to less than this share of its size.
const WORTH: f64 = 0.97;

/// The bytes of a file with the content `raw`, deflated where that saves enough.
pub(crate) fn packed(raw: &[u8]) -> Vec<u8> {
    let deflated = miniz_oxide::deflate::compress_to_vec(raw, 9);
    if (deflated.len() as f64) < raw.len() as f64 * WORTH && raw.len() <= deflated.len() * MOST_GROWTH {
        let mut file = vec![1];
        put_varint(&mut file, raw.len() as u64);
        file.extend(deflated);
        return file;
    }
    [&[0], raw].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_in_both_forms() {
        let counted: String = (0..900).map(|number| format!("{number} ")).collect();
        for (raw, form) in [(&b"short"[..], 0), (b"", 0), (counted.as_bytes(), 1), (&[b'a'; 300], 1)] {
            let file = packed(raw);
            assert_eq!(Form::of(&file).unwrap().unpack().unwrap(), raw);
            assert_eq!(file[0], form, "{} bytes", raw.len());
        }
        assert_eq!(packed(&[b'a'; 30_000])[0], 0, "it would grow too much when unpacked");
    }

    #[test]
    fn absurd_files_are_errors() {
        assert!(Form::of(&[]).is_err());
        assert!(Form::of(&[7, 1, 2]).is_err());
        assert!(Form::of(&[1, 0xff, 0xff, 0xff, 0x0f, 3, 0]).is_err(), "larger than allowed");
        assert!(Form::of(&[1, 129, 1, 3, 0]).is_err(), "more than 64 times its size");
        assert!(Form::of(&[1, 128, 1, 3, 0]).unwrap().unpack().is_err(), "an empty stream that announces 128 bytes");
        assert!(Form::of(&[1, 5, 0xff, 0xff]).unwrap().unpack().is_err());
    }
}
