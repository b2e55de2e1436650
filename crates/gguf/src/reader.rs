//! The file's header, read as it comes, and then the tensors' bytes, handed out in the order in which they lie.
//!
//! The layout is that of <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3, little endian:
//! magic, version, counts, metadata, descriptions of tensors, padding, data. Nothing of the data is kept here: who
//! wants the weights takes them from [`Stream`] or [`Reader`] piece by piece, so that no second copy ever exists.
//!
//! Memory: a [`Header`] takes at most 16 times the bytes that it was read from, whatever those bytes say.

use crate::bytes::{Cursor, Stop};
use crate::metadata::{Array, Metadata, Texts, Value};
use crate::tensor::{MAX_RANK, Tensor};
use crate::{Error, Kind};

/// What a file begins with.
pub(crate) const MAGIC: &[u8; 4] = b"GGUF";

/// No header is longer: ten times that of a vocabulary of 256,000 tokens with its merges.
pub const MAX_HEADER_BYTES: u64 = 128 << 20;

/// Data is aligned to this where the metadata says nothing.
pub(crate) const DEFAULT_ALIGNMENT: u64 = 32;

/// The key of the alignment.
pub(crate) const ALIGNMENT_KEY: &str = "general.alignment";

/// Keys and names are no longer than this.
const MAX_NAME_BYTES: usize = 65_535;

/// Lists of lists go no deeper.
const MAX_NESTING: usize = 4;

/// A model file's header: all but the weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The format's version: 2 or 3.
    pub version: u32,
    /// The metadata.
    pub metadata: Metadata,
    /// The tensors' descriptions, in the header's order.
    pub tensors: Vec<Tensor>,
    /// Every tensor begins at a multiple of this, a power of two.
    pub alignment: u64,
    /// Where the data begins, in bytes from the file's start.
    pub data_start: u64,
    /// Indices into `tensors`, by name.
    by_name: Vec<u32>,
    /// Indices into `tensors`, by offset.
    by_offset: Vec<u32>,
}

/// How far a header could be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// More bytes are needed.
    NeedMore {
        /// So many bytes from the file's start, at least: always more than were given.
        at_least: usize,
    },
    /// The header is whole. The number is its bytes, padding before the data included.
    Done(Header, usize),
}

impl Header {
    /// Reads a header from `bytes`, which begin as the file does and may end anywhere.
    ///
    /// To read a download as it comes, call this again with more bytes, at least as many as it asked for; or let
    /// [`Reader`] do so.
    ///
    /// # Errors
    ///
    /// Where the bytes are no GGUF file, or one that contradicts itself or is not supported.
    pub fn parse(bytes: &[u8]) -> Result<Parsed, Error> {
        let mut cursor = Cursor::new(bytes);
        match read_header(&mut cursor) {
            Ok(header) => {
                let end = header.data_start as usize;
                Ok(if end > bytes.len() { Parsed::NeedMore { at_least: end } } else { Parsed::Done(header, end) })
            }
            Err(Stop::NeedMore(at_least)) => need(at_least, bytes.len()),
            Err(Stop::Fault(error)) => Err(error),
        }
    }

    /// The tensor of this name, with its index.
    pub fn tensor(&self, name: &str) -> Option<(usize, &Tensor)> {
        let found = self.by_name.binary_search_by(|&index| self.tensors[index as usize].name.as_str().cmp(name));
        found.ok().map(|at| self.by_name[at] as usize).map(|index| (index, &self.tensors[index]))
    }

    /// The tensors' indices in the order in which their bytes lie in the file.
    pub fn file_order(&self) -> impl Iterator<Item = usize> {
        self.by_offset.iter().map(|&index| index as usize)
    }

    /// Where the last tensor ends, in bytes from the file's start: a shorter file is cut.
    pub fn file_bytes(&self) -> u64 {
        let data = self.by_offset.last().map_or(0, |&last| {
            let tensor = &self.tensors[last as usize];
            tensor.offset + tensor.bytes
        });
        self.data_start + data
    }

    /// The bytes of all tensors together.
    pub fn tensor_bytes(&self) -> u64 {
        self.tensors.iter().map(|tensor| tensor.bytes).sum()
    }

    /// Checks a file's length, known beforehand, against what the header announces.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] where the file is too short.
    pub fn check_length(&self, file_bytes: u64) -> Result<(), Error> {
        if file_bytes < self.file_bytes() {
            return Err(Error::Truncated { part: "data".into(), needed: self.file_bytes(), got: file_bytes });
        }
        Ok(())
    }

    /// Orders the tensors, and refuses those that share a name or bytes.
    fn new(version: u32, metadata: Metadata, tensors: Vec<Tensor>, end: u64) -> Result<Header, Error> {
        let alignment = alignment(&metadata)?;
        let mut by_name: Vec<u32> = (0..tensors.len() as u32).collect();
        by_name.sort_unstable_by(|&a, &b| tensors[a as usize].name.cmp(&tensors[b as usize].name));
        for pair in by_name.windows(2) {
            if tensors[pair[0] as usize].name == tensors[pair[1] as usize].name {
                return Err(Error::corrupt("tensors", format!("two are named `{}`", tensors[pair[0] as usize].name)));
            }
        }
        let mut by_offset = by_name.clone();
        by_offset.sort_unstable_by_key(|&index| tensors[index as usize].offset);
        check_places(&tensors, &by_offset, alignment)?;
        let data_start = end.next_multiple_of(alignment);
        Ok(Header { version, metadata, tensors, alignment, data_start, by_name, by_offset })
    }
}

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
                Parsed::NeedMore { at_least: more } => *at_least = more.max(seen.len() + seen.len() / 8),
                Parsed::Done(header, used) => self.state = start(header, &seen[used..], sink)?,
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
                Parsed::Done(header, used) => start(header, &bytes[used..], sink)?,
                Parsed::NeedMore { at_least } => return Err(cut_header(bytes, at_least).into()),
            };
        }
        let State::Data { header, stream } = self.state else { return Err(cut_header(&[], 24).into()) };
        stream.finish()?;
        Ok(*header)
    }
}

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

fn need(at_least: u64, given: usize) -> Result<Parsed, Error> {
    if at_least > MAX_HEADER_BYTES {
        let reason = format!("it would be at least {at_least} bytes long, {MAX_HEADER_BYTES} are the most");
        return Err(Error::corrupt("header", reason));
    }
    Ok(Parsed::NeedMore { at_least: (at_least as usize).max(given + 1) })
}

fn alignment(metadata: &Metadata) -> Result<u64, Error> {
    let alignment = match metadata.get(ALIGNMENT_KEY) {
        None => DEFAULT_ALIGNMENT,
        Some(_) => metadata.need_unsigned(ALIGNMENT_KEY)?,
    };
    if !alignment.is_power_of_two() || alignment > 1 << 20 {
        return Err(Error::corrupt("metadata", format!("an alignment of {alignment}")));
    }
    Ok(alignment)
}

/// Checks that tensors begin where they may and share no bytes; then all their ends can be added without overflow.
fn check_places(tensors: &[Tensor], by_offset: &[u32], alignment: u64) -> Result<(), Error> {
    let mut taken = 0;
    for &index in by_offset {
        let tensor = &tensors[index as usize];
        let fault = |reason: String| Err(Error::corrupt(format!("tensor `{}`", tensor.name), reason));
        if !tensor.offset.is_multiple_of(alignment) {
            return fault(format!("it begins at {}, no multiple of {alignment}", tensor.offset));
        }
        if tensor.offset < taken {
            return fault(format!("it begins at {}, before the last one ends at {taken}", tensor.offset));
        }
        // Far above any file, far below an overflow.
        if tensor.offset > 1 << 56 {
            return fault(format!("it begins at {}, beyond any file", tensor.offset));
        }
        taken = tensor.offset + tensor.bytes;
    }
    Ok(())
}

fn read_header(cursor: &mut Cursor<'_>) -> Result<Header, Stop> {
    let magic = cursor.peek(MAGIC.len());
    if !MAGIC.starts_with(magic) {
        let found = String::from_utf8_lossy(cursor.peek(24)).into_owned();
        return Err(Error::NotGguf { found }.into());
    }
    cursor.take(MAGIC.len() as u64)?;
    let version = cursor.u32()?;
    if !matches!(version, 2 | 3) {
        return Err(Error::Version { found: version }.into());
    }
    let (tensor_count, value_count) = (cursor.u64()?, cursor.u64()?);
    // The shortest description of a tensor and the shortest value: names of one byte, one dimension, one byte.
    cursor.expect_room(tensor_count.saturating_mul(33).saturating_add(value_count.saturating_mul(14)))?;
    let mut metadata = Metadata::default();
    for _ in 0..value_count {
        let key = read_name(cursor)?;
        let value = read_value(cursor).map_err(|stop| stop.within(&key))?;
        if !metadata.insert(key.clone(), value) {
            return Err(Error::corrupt("metadata", format!("`{key}` stands there twice")).into());
        }
    }
    cursor.expect_room(tensor_count.saturating_mul(33))?;
    let mut tensors = Vec::new();
    for _ in 0..tensor_count {
        tensors.push(read_tensor(cursor)?);
    }
    Ok(Header::new(version, metadata, tensors, cursor.position())?)
}

fn read_name(cursor: &mut Cursor<'_>) -> Result<String, Stop> {
    let name = cursor.text()?;
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(Error::corrupt("header", format!("a name of {} bytes", name.len())).into());
    }
    Ok(name.to_owned())
}

fn read_tensor(cursor: &mut Cursor<'_>) -> Result<Tensor, Stop> {
    let name = read_name(cursor)?;
    let rank = cursor.u32()? as usize;
    if rank > MAX_RANK {
        return Err(Error::corrupt(format!("tensor `{name}`"), format!("{rank} dimensions")).into());
    }
    let mut shape = [0; MAX_RANK];
    for dimension in &mut shape[..rank] {
        *dimension = cursor.u64()?;
    }
    let code = cursor.u32()?;
    let kind = Kind::from_code(code).map_err(|what| {
        Error::unsupported(format!("{what} for its tensor `{name}`"), Kind::ALL.map(Kind::name).join(", "))
    })?;
    let offset = cursor.u64()?;
    Ok(Tensor::new(name, kind, &shape[..rank], offset)?)
}

fn read_value(cursor: &mut Cursor<'_>) -> Result<Value, Stop> {
    Ok(match cursor.u32()? {
        code @ (0 | 2 | 4 | 10) => Value::Unsigned(read_unsigned(cursor, code)?),
        code @ (1 | 3 | 5 | 11) => Value::Signed(read_signed(cursor, code)?),
        code @ (6 | 12) => Value::Float(read_float(cursor, code)?),
        7 => Value::Bool(read_bool(cursor)?),
        8 => Value::Text(cursor.text()?.to_owned()),
        9 => Value::Array(read_array(cursor, 1)?),
        code => return Err(Error::corrupt("metadata", format!("a value of type {code}")).into()),
    })
}

fn read_unsigned(cursor: &mut Cursor<'_>, code: u32) -> Result<u64, Stop> {
    Ok(match code {
        0 => u64::from(cursor.bytes::<1>()?[0]),
        2 => u64::from(u16::from_le_bytes(cursor.bytes()?)),
        4 => u64::from(cursor.u32()?),
        _ => cursor.u64()?,
    })
}

fn read_signed(cursor: &mut Cursor<'_>, code: u32) -> Result<i64, Stop> {
    Ok(match code {
        1 => i64::from(i8::from_le_bytes(cursor.bytes()?)),
        3 => i64::from(i16::from_le_bytes(cursor.bytes()?)),
        5 => i64::from(i32::from_le_bytes(cursor.bytes()?)),
        _ => i64::from_le_bytes(cursor.bytes()?),
    })
}

fn read_float(cursor: &mut Cursor<'_>, code: u32) -> Result<f64, Stop> {
    Ok(if code == 6 { f64::from(f32::from_le_bytes(cursor.bytes()?)) } else { f64::from_le_bytes(cursor.bytes()?) })
}

fn read_bool(cursor: &mut Cursor<'_>) -> Result<bool, Stop> {
    match cursor.bytes::<1>()?[0] {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Error::corrupt("metadata", format!("{other} as a truth value")).into()),
    }
}

/// The fewest bytes of a value of this type; for numbers, its size.
fn least_bytes(code: u32) -> Option<u64> {
    Some(match code {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        8 | 10..=12 => 8,
        9 => 12,
        _ => return None,
    })
}

fn read_array(cursor: &mut Cursor<'_>, depth: usize) -> Result<Array, Stop> {
    let (code, count) = (cursor.u32()?, cursor.u64()?);
    let least = least_bytes(code)
        .ok_or_else(|| Stop::from(Error::corrupt("metadata", format!("a list of values of type {code}"))))?;
    // Before anything is reserved: so many bytes must be there for what follows.
    cursor.expect_room(count.saturating_mul(least))?;
    Ok(match code {
        0 | 2 | 4 | 10 => Array::Unsigned(list(count, || read_unsigned(cursor, code))?),
        1 | 3 | 5 | 11 => Array::Signed(list(count, || read_signed(cursor, code))?),
        6 | 12 => Array::Float(list(count, || read_float(cursor, code))?),
        7 => Array::Bool(list(count, || read_bool(cursor))?),
        8 => Array::Text(read_texts(cursor, count)?),
        _ if depth == MAX_NESTING => return Err(Error::corrupt("metadata", "lists within lists within lists").into()),
        _ => {
            let mut lists = Vec::new();
            for _ in 0..count {
                lists.push(read_array(cursor, depth + 1)?);
            }
            Array::Nested(lists)
        }
    })
}

/// A list of numbers, all of whose bytes are there: reserved at once, it takes eight times these at most.
fn list<T>(count: u64, mut read: impl FnMut() -> Result<T, Stop>) -> Result<Vec<T>, Stop> {
    let mut list = Vec::with_capacity(count as usize);
    for _ in 0..count {
        list.push(read()?);
    }
    Ok(list)
}

fn read_texts(cursor: &mut Cursor<'_>, count: u64) -> Result<Texts, Stop> {
    let mut texts = Texts::default();
    for done in 0..count {
        cursor.expect_room((count - done).saturating_mul(8))?;
        texts.push(cursor.text()?);
    }
    Ok(texts)
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
        Parsed::Done(header, used) => (header, used),
        Parsed::NeedMore { at_least } => return Err(cut_header(file, at_least).into()),
    };
    header.check_length(file.len() as u64)?;
    let mut stream = Stream::new(&header);
    stream.feed(&file[used..], &mut |tensor, _, bytes: &[u8]| sink(&header.tensors[tensor], bytes))?;
    Ok(header)
}
