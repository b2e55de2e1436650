//! Reading and writing the primitive values of the format.
//!
//! Numbers are LEB128 varints (7 bits a byte, low bits first); strings are a varint length and UTF-8.
//! A [`Cursor`] never reads past its slice and never allocates more than the slice holds.

use crate::error::Error;

/// Appends `value` as a varint.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8 & 0x7f) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends `text` with its length in bytes.
pub(crate) fn put_str(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A reading position in one part of a file.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    part: &'static str,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], part: &'static str) -> Self {
        Cursor { bytes, at: 0, part }
    }

    /// A cursor that starts `at` bytes into the part.
    pub(crate) fn starting(bytes: &'a [u8], at: u64, part: &'static str) -> Result<Self, Error> {
        let at = usize::try_from(at).ok().filter(|&at| at <= bytes.len());
        let at = at.ok_or_else(|| Error::corrupt(part, "an offset points past the end"))?;
        Ok(Cursor { bytes, at, part })
    }

    pub(crate) fn rest(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        if count > self.rest() {
            return Err(Error::corrupt(self.part, "it ends inside an entry"));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn varint(&mut self) -> Result<u64, Error> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Error::corrupt(self.part, "a number is longer than 64 bits"))
    }

    pub(crate) fn number(&mut self) -> Result<u32, Error> {
        u32::try_from(self.varint()?).map_err(|_| Error::corrupt(self.part, "a number is larger than 32 bits"))
    }

    /// A count of entries that take at least one byte each, so that a false count can't claim memory.
    pub(crate) fn count(&mut self) -> Result<usize, Error> {
        let count = self.number()? as usize;
        if count > self.rest() {
            return Err(Error::corrupt(self.part, "a count is larger than what follows"));
        }
        Ok(count)
    }

    /// A count, and as many entries, each read by `read`.
    pub(crate) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let mut entries = Vec::new();
        for _ in 0..self.count()? {
            entries.push(read(self)?);
        }
        Ok(entries)
    }

    pub(crate) fn owned_text(&mut self) -> Result<String, Error> {
        self.text().map(str::to_owned)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Error> {
        let length = self.count()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| Error::corrupt(self.part, "a text is not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!(Cursor::new(&out, "test").varint(), Ok(value));
        }
    }

    #[test]
    fn hostile_numbers_are_errors() {
        for bytes in [&[][..], &[0x80], &[0xff; 12], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]] {
            assert!(Cursor::new(bytes, "test").varint().is_err(), "{bytes:?}");
        }
        assert!(Cursor::new(&[200, 1, b'a'], "test").text().is_err());
        assert!(Cursor::new(&[2, 0xff, 0xfe], "test").text().is_err());
    }
}
