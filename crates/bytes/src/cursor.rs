//! Reading primitive values of bytes that nobody has checked.

/// What is read, such as a file, and the errors of reading it.
pub trait Part: Copy {
    /// The error of the format.
    type Error;

    /// The error that something is wrong with this part.
    fn corrupt(self, reason: &str) -> Self::Error;
}

/// A reading position in a part.
#[derive(Debug, Clone)]
pub struct Cursor<'a, P> {
    bytes: &'a [u8],
    /// At most the length of `bytes`.
    at: usize,
    part: P,
}

impl<'a, P: Part> Cursor<'a, P> {
    /// A cursor at the beginning of the bytes of a part.
    pub fn new(bytes: &'a [u8], part: impl Into<P>) -> Self {
        Cursor { bytes, at: 0, part: part.into() }
    }

    /// A cursor that starts `at` bytes into the part.
    ///
    /// # Errors
    /// A place past the end.
    pub fn starting(bytes: &'a [u8], at: u64, part: impl Into<P>) -> Result<Self, P::Error> {
        let part = part.into();
        let at = usize::try_from(at).ok().filter(|&at| at <= bytes.len());
        let at = at.ok_or_else(|| part.corrupt("an offset points past the end"))?;
        Ok(Cursor { bytes, at, part })
    }

    /// The error that something is wrong with the part.
    pub fn corrupt(&self, reason: &str) -> P::Error {
        self.part.corrupt(reason)
    }

    /// How many bytes follow.
    pub fn rest(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next byte.
    ///
    /// # Errors
    /// None follows.
    pub fn byte(&mut self) -> Result<u8, P::Error> {
        Ok(self.take(1)?[0])
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// Fewer follow.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], P::Error> {
        if count > self.rest() {
            return Err(self.corrupt("it ends inside an entry"));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// Fewer follow.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], P::Error> {
        Ok(self.take(N)?.try_into().expect("so many bytes were taken"))
    }

    /// A varint.
    ///
    /// # Errors
    /// A number of more than 64 bits, or one that is cut short.
    pub fn varint(&mut self) -> Result<u64, P::Error> {
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

    /// A varint of 32 bits.
    ///
    /// # Errors
    /// As [`Cursor::varint`], and a larger number.
    pub fn number(&mut self) -> Result<u32, P::Error> {
        u32::try_from(self.varint()?).map_err(|_| self.corrupt("a number is larger than 32 bits"))
    }

    /// A count of entries that take at least one byte each, so that a false count can't claim memory.
    ///
    /// # Errors
    /// As [`Cursor::number`], and a count of more than follows.
    pub fn count(&mut self) -> Result<usize, P::Error> {
        self.count_of(1)
    }

    /// A count of entries that take at least `least` bytes each.
    ///
    /// # Errors
    /// As [`Cursor::count`].
    pub fn count_of(&mut self, least: usize) -> Result<usize, P::Error> {
        let count = self.number()? as usize;
        if count > self.rest() / least {
            return Err(self.corrupt("a count is larger than what follows"));
        }
        Ok(count)
    }

    /// A count, and as many entries, each read by `read`.
    ///
    /// # Errors
    /// As [`Cursor::count`], and those of `read`.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T, P::Error>) -> Result<Vec<T>, P::Error> {
        let mut entries = Vec::new();
        for _ in 0..self.count()? {
            entries.push(read(self)?);
        }
        Ok(entries)
    }

    /// A text.
    ///
    /// # Errors
    /// A text that is cut short, or is not UTF-8.
    pub fn text(&mut self) -> Result<&'a str, P::Error> {
        let length = self.count()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| self.corrupt("a text is not UTF-8"))
    }

    /// A text of its own.
    ///
    /// # Errors
    /// As [`Cursor::text`].
    pub fn owned_text(&mut self) -> Result<String, P::Error> {
        self.text().map(str::to_owned)
    }

    /// Checks that nothing follows.
    ///
    /// # Errors
    /// Something does.
    pub fn end(&self) -> Result<(), P::Error> {
        if self.rest() == 0 { Ok(()) } else { Err(self.corrupt("something follows its last entry")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{put_str, put_varint};

    #[derive(Debug, Clone, Copy)]
    struct Sample;

    impl Part for Sample {
        type Error = String;

        fn corrupt(self, reason: &str) -> String {
            reason.to_owned()
        }
    }

    fn cursor(bytes: &[u8]) -> Cursor<'_, Sample> {
        Cursor::new(bytes, Sample)
    }

    #[test]
    fn values_come_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!(cursor(&out).varint(), Ok(value));
        }
        let mut out = vec![2];
        ["tea", "grün"].iter().for_each(|text| put_str(&mut out, text));
        let mut list = cursor(&out);
        assert_eq!(list.list(Cursor::owned_text), Ok(vec!["tea".to_owned(), "grün".to_owned()]));
        assert_eq!(list.end(), Ok(()));
        assert_eq!(Cursor::<Sample>::starting(&[1, 2], 1, Sample).unwrap().array(), Ok([2]));
    }

    #[test]
    fn hostile_values_are_errors() {
        let check = |bytes: &[u8], read: fn(&mut Cursor<'_, Sample>) -> Result<(), String>, expected: &str| {
            assert_eq!(read(&mut cursor(bytes)), Err(expected.to_owned()), "{bytes:?}");
        };
        for bytes in [&[][..], &[0x80]] {
            check(bytes, |cursor| cursor.varint().map(drop), "it ends inside an entry");
        }
        for bytes in [&[0xff; 12][..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]] {
            check(bytes, |cursor| cursor.varint().map(drop), "a number is longer than 64 bits");
        }
        check(&[0xff, 0xff, 0xff, 0xff, 0x1f], |cursor| cursor.number().map(drop), "a number is larger than 32 bits");
        check(&[200, 1, b'a'], |cursor| cursor.text().map(drop), "a count is larger than what follows");
        check(&[9, 0, 0], |cursor| cursor.count().map(drop), "a count is larger than what follows");
        check(&[2, 0, 0, 0], |cursor| cursor.count_of(2).map(drop), "a count is larger than what follows");
        check(&[2, 0xff, 0xfe], |cursor| cursor.text().map(drop), "a text is not UTF-8");
        check(&[2, 0], |cursor| cursor.array::<3>().map(drop), "it ends inside an entry");
        check(&[2], |cursor| cursor.end(), "something follows its last entry");
        assert_eq!(Cursor::<Sample>::starting(&[1], 2, Sample).unwrap_err(), "an offset points past the end");
    }
}
