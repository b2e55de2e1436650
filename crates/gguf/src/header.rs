//! A model file's header: its layout, its checks, and where the data lies after it.
//!
//! The layout is that of <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3, little endian:
//! magic, version, counts, metadata, descriptions of tensors, padding, data.
//!
//! Memory: a [`Header`] takes at most 16 times the bytes that it was read from, and at most some 200 MiB, whatever those
//! bytes say.

use crate::Error;
use crate::bytes::{Cursor, Stop};
use crate::fields::{read_name, read_tensor, read_value};
use crate::metadata::Metadata;
use crate::tensor::Tensor;

/// What a file begins with.
pub(crate) const MAGIC: &[u8; 4] = b"GGUF";

/// No header is longer: ten times that of a vocabulary of 256,000 tokens with its merges.
pub const MAX_HEADER_BYTES: u64 = 128 << 20;

/// Data is aligned to this where the metadata says nothing.
pub(crate) const DEFAULT_ALIGNMENT: u64 = 32;

/// The key of the alignment.
pub(crate) const ALIGNMENT_KEY: &str = "general.alignment";

/// Tensors, and values, of a header: a hundred times those of the largest models.
const MAX_ENTRIES: u64 = 1 << 17;

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
pub enum HeaderProgress {
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
    /// [`Reader`](crate::Reader) do so.
    ///
    /// # Errors
    ///
    /// Where the bytes are no GGUF file, or one that contradicts itself or is not supported.
    pub fn parse(bytes: &[u8]) -> Result<HeaderProgress, Error> {
        let mut cursor = Cursor::new(bytes);
        match read_header(&mut cursor) {
            Ok(header) => {
                let end = header.data_start as usize;
                Ok(if end > bytes.len() {
                    HeaderProgress::NeedMore { at_least: end }
                } else {
                    HeaderProgress::Done(header, end)
                })
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

fn need(at_least: u64, given: usize) -> Result<HeaderProgress, Error> {
    if at_least > MAX_HEADER_BYTES {
        let reason = format!("it would be at least {at_least} bytes long, {MAX_HEADER_BYTES} are the most");
        return Err(Error::corrupt("header", reason));
    }
    Ok(HeaderProgress::NeedMore { at_least: (at_least as usize).max(given + 1) })
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

/// Refuses a part of a model that llama.cpp divided: each part has a header of its own, and none has all tensors. Files
/// that were cut anywhere are read one after another, and need no header but the first's.
fn refuse_shard(metadata: &Metadata) -> Result<(), Error> {
    match metadata.unsigned("split.count") {
        Some(count) if count > 1 => {
            let what = format!("a model in {count} files with a header each");
            Err(Error::unsupported(what, "whole ones; join them with llama-gguf-split --merge"))
        }
        _ => Ok(()),
    }
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
    for (what, count) in [("tensors", tensor_count), ("values", value_count)] {
        if count > MAX_ENTRIES {
            return Err(Error::corrupt("header", format!("{count} {what}, where {MAX_ENTRIES} are the most")).into());
        }
    }
    // The shortest description of a tensor and the shortest value: names of one byte, one dimension, one byte.
    cursor.expect_room(tensor_count.saturating_mul(33).saturating_add(value_count.saturating_mul(14)))?;
    let mut metadata = Metadata::default();
    for _ in 0..value_count {
        let key = read_name(cursor)?;
        let value = read_value(cursor, &key).map_err(|stop| stop.within(&key))?;
        if !metadata.insert(key.clone(), value) {
            return Err(Error::corrupt("metadata", format!("`{key}` stands there twice")).into());
        }
    }
    cursor.expect_room(tensor_count.saturating_mul(33))?;
    let mut tensors = Vec::new();
    for _ in 0..tensor_count {
        tensors.push(read_tensor(cursor)?);
    }
    refuse_shard(&metadata)?;
    Ok(Header::new(version, metadata, tensors, cursor.position())?)
}
