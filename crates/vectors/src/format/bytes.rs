//! Reading and writing the primitive values of the format.
//!
//! A [`Cursor`] never reads past its slice and never allocates more than the slice holds. Its errors name the file.

use crate::error::Error;
use crate::int8::{Int8Ref, Int8Table};

/// The largest scale of a vector: that of a vector of length 127, where all vectors have the length 1.
const MAX_SCALE: f32 = 1.0;

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

/// Appends `text` less the bytes that it shares with the text `before` it.
pub(crate) fn put_text_after(out: &mut Vec<u8>, before: &str, text: &str) {
    let mut shared = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    while !text.is_char_boundary(shared) {
        shared -= 1;
    }
    put_varint(out, shared as u64);
    put_str(out, &text[shared..]);
}

/// Appends a vector.
pub(crate) fn put_vector(out: &mut Vec<u8>, vector: Int8Ref<'_>) {
    out.extend(vector.scale.to_le_bytes());
    out.extend(vector.values.iter().map(|&value| value as u8));
}

/// How many bytes a vector takes.
pub(crate) fn vector_bytes(dimensions: usize) -> usize {
    size_of::<f32>() + dimensions
}

/// A reading position in a file.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    file: &'a str,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of the file of that name.
    pub(crate) fn new(bytes: &'a [u8], file: &'a str) -> Self {
        Cursor { bytes, at: 0, file }
    }

    /// An error that says what is wrong with the file.
    pub(crate) fn corrupt(&self, reason: impl Into<String>) -> Error {
        Error::corrupt(self.file, reason)
    }

    pub(crate) fn rest(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        if count > self.rest() {
            return Err(self.corrupt("it ends inside an entry"));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        Ok(self.take(N)?.try_into().expect("so many bytes were taken"))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
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
        Err(self.corrupt("a number is longer than 64 bits"))
    }

    pub(crate) fn number(&mut self) -> Result<u32, Error> {
        u32::try_from(self.varint()?).map_err(|_| self.corrupt("a number is larger than 32 bits"))
    }

    /// A count of entries that take at least `least` bytes each, so that a false count can't claim memory.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize, Error> {
        let count = self.number()? as usize;
        if count > self.rest() / least {
            return Err(self.corrupt("a count is larger than what follows"));
        }
        Ok(count)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Error> {
        let length = self.count(1)?;
        std::str::from_utf8(self.take(length)?).map_err(|_| self.corrupt("a text is not UTF-8"))
    }

    /// The text after `before`, of which it may share a beginning.
    pub(crate) fn text_after(&mut self, before: &str) -> Result<String, Error> {
        let shared = self.number()? as usize;
        let kept = before.get(..shared).ok_or_else(|| self.corrupt("a text shares more than the one before has"))?;
        Ok(format!("{kept}{}", self.text()?))
    }

    /// Appends the next vector to `table`.
    pub(crate) fn vector(&mut self, table: &mut Int8Table) -> Result<(), Error> {
        let scale = f32::from_le_bytes(self.array()?);
        let values = self.take(table.dimensions())?;
        if !(scale > 0.0 && scale <= MAX_SCALE) || values.contains(&0x80) {
            return Err(self.corrupt("a vector's scale or a number of it is out of bounds"));
        }
        let values: Vec<i8> = values.iter().map(|&value| value as i8).collect();
        table.push(Int8Ref { scale, values: &values });
        Ok(())
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest() == 0 { Ok(()) } else { Err(self.corrupt("something follows its last entry")) }
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
    fn texts_share_whole_characters() {
        let check = |before: &str, text: &str, bytes: &[u8]| {
            let mut out = Vec::new();
            put_text_after(&mut out, before, text);
            assert_eq!(out, bytes, "{before} {text}");
            assert_eq!(Cursor::new(&out, "test").text_after(before).as_deref(), Ok(text));
        };
        check("", "ab", &[0, 2, b'a', b'b']);
        check("ab", "ab", &[2, 0]);
        check("concepts/tea.md", "concepts/tee.md", b"\x0b\x04e.md");
        // ü and ö share their first byte.
        check("fü", "fö", &[1, 2, 0xc3, 0xb6]);
        check("abc", "ab", &[2, 0]);
    }

    #[test]
    fn hostile_values_are_errors() {
        let refused = |bytes: &[u8], read: fn(&mut Cursor<'_>) -> Result<(), Error>| {
            let error = read(&mut Cursor::new(bytes, "0001.idx")).unwrap_err().to_string();
            assert!(error.contains("damaged in the file 0001.idx"), "{error}");
        };
        for bytes in [&[][..], &[0x80], &[0xff; 12], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]] {
            refused(bytes, |cursor| cursor.varint().map(drop));
        }
        refused(&[200, 1, b'a'], |cursor| cursor.text().map(drop));
        refused(&[2, 0xff, 0xfe], |cursor| cursor.text().map(drop));
        refused(&[3, 1, b'a'], |cursor| cursor.text_after("ab").map(drop));
        refused(&[1, 1, b'a'], |cursor| cursor.text_after("ü").map(drop));
        refused(&[9, 0, 0], |cursor| cursor.count(1).map(drop));
        let vector = |scale: f32, value: u8| [&scale.to_le_bytes()[..], &[value]].concat();
        for bytes in [vector(f32::NAN, 1), vector(-0.1, 1), vector(0.0, 1), vector(1.1, 1), vector(0.1, 0x80)] {
            refused(&bytes, |cursor| cursor.vector(&mut Int8Table::new(1)));
        }
        let mut table = Int8Table::new(1);
        Cursor::new(&vector(0.1, 0x81), "").vector(&mut table).unwrap();
        assert_eq!(table.get(0).unwrap().values, [-127]);
    }
}
