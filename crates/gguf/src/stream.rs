//! The tensors' bytes, handed out in the order in which they lie in the file.

use crate::{Error, Header};

/// Hands out the tensors' bytes, from what comes after the header.
#[derive(Debug, Clone)]
pub struct Stream {
    /// Begin and end of each tensor, from the data's start, in that order; and its index in the header.
    spans: Vec<(u64, u64, usize)>,
    /// The first of `spans` that is not over.
    next: usize,
    /// How many bytes of the data have come.
    position: u64,
    data_start: u64,
}

impl Stream {
    /// A stream at the start of the data that `header` describes.
    pub fn new(header: &Header) -> Stream {
        let span = |index: usize| {
            let tensor = &header.tensors[index];
            (tensor.offset, tensor.offset + tensor.bytes, index)
        };
        Stream { spans: header.file_order().map(span).collect(), next: 0, position: 0, data_start: header.data_start }
    }

    /// Takes the next bytes, and calls `sink` with a tensor's index, an offset within it, and its bytes from there
    /// on, once for each tensor that has a part in `bytes`. What is no tensor's is skipped.
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn feed<E>(
        &mut self,
        bytes: &[u8],
        sink: &mut impl FnMut(usize, u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.position;
        let end = start.saturating_add(bytes.len() as u64);
        while let Some(&(first, last, tensor)) = self.spans.get(self.next) {
            let (from, to) = (first.max(self.position), last.min(end));
            if from < to {
                sink(tensor, from - first, &bytes[(from - start) as usize..(to - start) as usize])?;
                self.position = to;
            }
            if last > end {
                break;
            }
            self.next += 1;
        }
        self.position = end;
        Ok(())
    }

    /// Whether all tensors are whole.
    pub fn is_done(&self) -> bool {
        self.next == self.spans.len()
    }

    /// Ends the data.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] where a tensor is not whole.
    pub fn finish(&self) -> Result<(), Error> {
        match self.spans.last() {
            Some(&(_, last, _)) if !self.is_done() => Err(Error::Truncated {
                part: "data".into(),
                needed: self.data_start + last,
                got: self.data_start + self.position,
            }),
            _ => Ok(()),
        }
    }
}
