//! A file read as it comes: the header first, and then the tensors' bytes, in the order in which they lie.
//!
//! Nothing of the data is kept here: who wants the weights takes them from [`Stream`] or [`Reader`] piece by piece, so
//! that no second copy ever exists.

use crate::tensor::Tensor;
use crate::{Error, Header, HeaderProgress, Stream};

/// What [`Reader`] hands a file's parts to.
pub trait TensorSink {
    /// What it fails with; faults of the file become one of these.
    type Error: From<Error>;

    /// Takes the header, once, before any weights: the place to reserve memory, or to refuse.
    ///
    /// # Errors
    ///
    /// Whatever makes the reading end.
    fn begin(&mut self, header: &Header) -> Result<(), Self::Error>;

    /// Takes bytes of the tensor at index `tensor` of the header, those from `offset` on. A tensor's bytes come in
    /// order and without gaps; one tensor is whole before the next begins.
    ///
    /// # Errors
    ///
    /// Whatever makes the reading end.
    fn bytes(&mut self, tensor: usize, offset: u64, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// Reads a whole file as it comes, in pieces of any size.
#[derive(Debug, Default)]
pub struct Reader {
    state: State,
}

#[derive(Debug)]
enum State {
    /// The header's bytes so far, and how many there must be before it makes sense to try again.
    Header { bytes: Vec<u8>, at_least: usize },
    /// The header, and the stream of what comes after it.
    Data { header: Box<Header>, stream: Stream },
}

impl Default for State {
    fn default() -> State {
        State::Header { bytes: Vec::new(), at_least: 24 }
    }
}

impl Reader {
    /// A reader at a file's start.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Takes the file's next bytes, and hands on to `sink` what is in them.
    ///
    /// # Errors
    ///
    /// The file's faults, and the sink's. After one, the reader is of no more use.
    pub fn feed<S: TensorSink>(&mut self, bytes: &[u8], sink: &mut S) -> Result<(), S::Error> {
        let mut rest = bytes;
        while let State::Header { bytes: seen, at_least } = &mut self.state {
            let taken = rest.len().min(at_least.saturating_sub(seen.len()));
            seen.extend_from_slice(&rest[..taken]);
            rest = &rest[taken..];
            if seen.len() < *at_least {
                return Ok(());
            }
            match Header::parse(seen)? {
                // An eighth more each time, so that a header is read a few dozen times at the worst.
                HeaderProgress::NeedMore { at_least: more } => *at_least = more.max(seen.len() + seen.len() / 8),
                HeaderProgress::Done(header, used) => self.state = start(header, &seen[used..], sink)?,
            }
        }
        let State::Data { stream, .. } = &mut self.state else { return Ok(()) };
        stream.feed(rest, &mut |tensor, offset, bytes| sink.bytes(tensor, offset, bytes))
    }

    /// The header, once it is whole.
    pub fn header(&self) -> Option<&Header> {
        match &self.state {
            State::Header { .. } => None,
            State::Data { header, .. } => Some(header),
        }
    }

    /// Ends the file, hands on what may still wait here of a small one, and gives the header back.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] where bytes are missing, and the sink's errors.
    pub fn finish<S: TensorSink>(mut self, sink: &mut S) -> Result<Header, S::Error> {
        if let State::Header { bytes, .. } = &self.state {
            self.state = match Header::parse(bytes)? {
                HeaderProgress::Done(header, used) => start(header, &bytes[used..], sink)?,
                HeaderProgress::NeedMore { at_least } => return Err(cut_header(bytes, at_least).into()),
            };
        }
        let State::Data { header, stream } = self.state else { return Err(cut_header(&[], 24).into()) };
        stream.finish()?;
        Ok(*header)
    }
}

/// Goes from the header to the data, whose first bytes are given.
fn start<S: TensorSink>(header: Header, data: &[u8], sink: &mut S) -> Result<State, S::Error> {
    let mut stream = Stream::new(&header);
    sink.begin(&header)?;
    stream.feed(data, &mut |tensor, offset, bytes| sink.bytes(tensor, offset, bytes))?;
    Ok(State::Data { header: Box::new(header), stream })
}

fn cut_header(bytes: &[u8], at_least: usize) -> Error {
    Error::Truncated { part: "header".into(), needed: at_least as u64, got: bytes.len() as u64 }
}

/// Reads a file that lies in memory, handing each tensor's bytes to `sink` whole: a shorthand for tests and tools.
///
/// # Errors
///
/// The file's faults, and the sink's.
pub fn read_all<E: From<Error>>(
    file: &[u8],
    sink: &mut impl FnMut(&Tensor, &[u8]) -> Result<(), E>,
) -> Result<Header, E> {
    let (header, used) = match Header::parse(file)? {
        HeaderProgress::Done(header, used) => (header, used),
        HeaderProgress::NeedMore { at_least } => return Err(cut_header(file, at_least).into()),
    };
    header.check_length(file.len() as u64)?;
    let mut stream = Stream::new(&header);
    stream.feed(&file[used..], &mut |tensor, _, bytes: &[u8]| sink(&header.tensors[tensor], bytes))?;
    Ok(header)
}
