//! A cursor over the bytes that have come so far: what it can't read yet, it asks for.

use crate::Error;

/// Why reading stopped.
pub(crate) enum Stop {
    /// So many bytes from the start are needed, at least.
    NeedMore(u64),
    /// No further bytes would help.
    Fault(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Fault(error)
    }
}

impl Stop {
    /// Names the metadata key that a fault lies under.
    pub(crate) fn within(self, key: &str) -> Stop {
        match self {
            Stop::Fault(Error::Corrupt { part, reason }) if part == "metadata" => {
                Stop::Fault(Error::corrupt(format!("metadata under `{key}`"), reason))
            }
            other => other,
        }
    }
}

/// Reads little-endian values one after another.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// Never beyond the end of `bytes`.
    position: usize,
    /// See [`Cursor::count_numbers`].
    numbers: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, position: 0, numbers: 0 }
    }

    /// How many bytes have been read.
    pub(crate) fn position(&self) -> u64 {
        self.position as u64
    }

    /// Counts numbers that are about to be read into lists; gives how many there were in all.
    pub(crate) fn count_numbers(&mut self, count: u64) -> u64 {
        self.numbers = self.numbers.saturating_add(count);
        self.numbers
    }

    /// The next bytes, `count` or what there is, left where they are.
    pub(crate) fn peek(&self, count: usize) -> &'a [u8] {
        let rest = &self.bytes[self.position..];
        &rest[..count.min(rest.len())]
    }

    /// Fails unless `count` more bytes are there.
    pub(crate) fn expect_room(&self, count: u64) -> Result<(), Stop> {
        match self.position().saturating_add(count) {
            end if end > self.bytes.len() as u64 => Err(Stop::NeedMore(end)),
            _ => Ok(()),
        }
    }

    pub(crate) fn take(&mut self, count: u64) -> Result<&'a [u8], Stop> {
        self.expect_room(count)?;
        let taken = &self.bytes[self.position..self.position + count as usize];
        self.position += count as usize;
        Ok(taken)
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        Ok(self.take(N as u64)?.try_into().expect("as many bytes as asked for"))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Stop> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Stop> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// The bytes of a text, with their number before them.
    pub(crate) fn text_bytes(&mut self) -> Result<&'a [u8], Stop> {
        let length = self.u64()?;
        self.take(length)
    }

    /// A text that must be UTF-8.
    pub(crate) fn text(&mut self) -> Result<&'a str, Stop> {
        let start = self.position;
        std::str::from_utf8(self.text_bytes()?)
            .map_err(|_| Error::corrupt("header", format!("the text at byte {start} is no UTF-8")).into())
    }
}
