//! Safetensors files, read as they come: each tensor is in memory once, as single-precision numbers.
//!
//! The layout is that of <https://huggingface.co/docs/safetensors>: the header's length in 8 bytes, little endian; the
//! header, in JSON; the tensors' bytes without gaps. The header is read and checked by the format's own crate, whose
//! reader of tensors wants the whole file in memory: that part is here.
//!
//! A hostile file gives an error. Memory is reserved for a tensor only when the [`Sink`], which knows the shapes that it
//! expects, has asked for it.

pub use ::safetensors::Dtype;
use ::safetensors::tensor::Metadata;
use seealso_gguf::{Kind, dequantise};

use super::{corrupt, misfit};
use crate::Error;

/// No header is longer: an encoder of a hundred layers has one of 200 kB.
pub const MAX_HEADER_BYTES: u64 = 16 << 20;

/// Bytes of the header's length.
const LENGTH_BYTES: usize = 8;

/// A tensor as the header describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// How its elements are stored.
    pub dtype: Dtype,
    /// Its dimensions, the outermost first.
    pub shape: Vec<usize>,
    /// Its bytes in the file.
    pub bytes: usize,
}

impl TensorInfo {
    /// The kind of its elements, where they are read here.
    fn element(&self) -> Option<Element> {
        match self.dtype {
            Dtype::F32 => Some(Element::Float(Kind::F32)),
            Dtype::F16 => Some(Element::Float(Kind::F16)),
            Dtype::BF16 => Some(Element::Float(Kind::BF16)),
            Dtype::I8 => Some(Element::Int8),
            _ => None,
        }
    }
}

/// How an element is stored.
#[derive(Debug, Clone, Copy)]
enum Element {
    Float(Kind),
    /// A whole number from -128 to 127: what it is to be multiplied by is another tensor's business.
    Int8,
}

impl Element {
    fn bytes(self) -> usize {
        match self {
            Element::Float(kind) => kind.block_bytes(),
            Element::Int8 => 1,
        }
    }
}

/// What [`Reader`] hands a file's parts to.
pub trait Sink {
    /// All that the file holds, in the order in which it will come. Whatever can't be run is best refused here.
    ///
    /// # Errors
    ///
    /// The sink's own.
    fn begin(&mut self, tensors: &[TensorInfo]) -> Result<(), Error>;

    /// Whether this tensor is wanted; where not, its bytes are passed over.
    fn wants(&mut self, tensor: &TensorInfo) -> bool;

    /// A tensor that is wanted: its elements, row by row.
    ///
    /// # Errors
    ///
    /// The sink's own.
    fn tensor(&mut self, tensor: &TensorInfo, values: Vec<f32>) -> Result<(), Error>;
}

/// Takes a file piece by piece. After an error, it is done with.
#[derive(Debug, Default)]
pub struct Reader {
    /// The length and the header, as far as they have come.
    header: Vec<u8>,
    /// The tensors in the order of their bytes, once the header is there.
    tensors: Option<Vec<TensorInfo>>,
    /// The tensor whose bytes come next.
    current: usize,
    /// Bytes of it that have come.
    done: usize,
    /// Its elements, where it is wanted.
    filling: Option<PartialTensor>,
    /// Bytes taken in all.
    taken: u64,
}

/// A tensor's elements on their way.
#[derive(Debug)]
struct PartialTensor {
    element: Element,
    values: Vec<f32>,
    /// The first bytes of an element that a piece cut.
    cut: Vec<u8>,
}

impl Reader {
    /// A reader at a file's start.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// Bytes that are no such file, or contradict themselves; the sink's errors.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut impl Sink) -> Result<(), Error> {
        self.taken += bytes.len() as u64;
        if self.tensors.is_none() {
            bytes = self.feed_header(bytes, sink)?;
        }
        while !bytes.is_empty() {
            let Some(left) = self.current_tensor().map(|tensor| tensor.bytes - self.done) else {
                return Err(corrupt("data", "it goes on after the last tensor"));
            };
            let (now, rest) = bytes.split_at(left.min(bytes.len()));
            if let Some(filling) = &mut self.filling {
                filling.take(now)?;
            }
            (self.done, bytes) = (self.done + now.len(), rest);
            self.pass_complete(sink)?;
        }
        Ok(())
    }

    /// Bytes of the whole file; 0 until the header is there.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        let Some(tensors) = &self.tensors else { return 0 };
        let bytes = tensors.iter().map(|tensor| tensor.bytes as u64);
        bytes.fold(self.header.len() as u64, u64::saturating_add)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// A file that was cut.
    pub fn finish(self) -> Result<(), Error> {
        let truncated = |part: &str, needed| {
            Error::File(seealso_gguf::Error::Truncated { part: part.to_owned(), needed, got: self.taken })
        };
        match &self.tensors {
            None => Err(truncated("header", self.header_end()?.unwrap_or(LENGTH_BYTES) as u64)),
            Some(tensors) if self.current < tensors.len() => {
                Err(truncated(&format!("tensor `{}`", tensors[self.current].name), self.file_bytes()))
            }
            Some(_) => Ok(()),
        }
    }

    fn current_tensor(&self) -> Option<&TensorInfo> {
        self.tensors.as_ref()?.get(self.current)
    }

    /// Where the header ends, once its length is there.
    fn header_end(&self) -> Result<Option<usize>, Error> {
        let Some(length) = self.header.first_chunk::<LENGTH_BYTES>() else { return Ok(None) };
        let length = u64::from_le_bytes(*length);
        if length > MAX_HEADER_BYTES {
            return Err(corrupt("header", format!("its length is {length}, more than {MAX_HEADER_BYTES}")));
        }
        Ok(Some(LENGTH_BYTES + length as usize))
    }

    /// Takes what belongs to the header; gives what is behind it.
    fn feed_header<'b>(&mut self, mut bytes: &'b [u8], sink: &mut impl Sink) -> Result<&'b [u8], Error> {
        loop {
            let end = self.header_end()?;
            let missing = end.unwrap_or(LENGTH_BYTES) - self.header.len();
            if end.is_some() && missing == 0 {
                break;
            }
            if bytes.is_empty() {
                return Ok(bytes);
            }
            let (now, rest) = bytes.split_at(missing.min(bytes.len()));
            self.header.extend_from_slice(now);
            bytes = rest;
        }
        let tensors = parse_header(&self.header[LENGTH_BYTES..])?;
        sink.begin(&tensors)?;
        self.tensors = Some(tensors);
        self.open(sink)?;
        self.pass_complete(sink)?;
        Ok(bytes)
    }

    /// Makes room for the current tensor, where there is one that is wanted.
    fn open(&mut self, sink: &mut impl Sink) -> Result<(), Error> {
        self.done = 0;
        self.filling = match self.current_tensor() {
            Some(tensor) if sink.wants(tensor) => Some(PartialTensor::new(tensor)?),
            _ => None,
        };
        Ok(())
    }

    /// Hands out the current tensor where all of it has come, and those of no bytes behind it.
    fn pass_complete(&mut self, sink: &mut impl Sink) -> Result<(), Error> {
        while let Some(tensor) = self.current_tensor().filter(|tensor| tensor.bytes == self.done) {
            let tensor = tensor.clone();
            if let Some(filling) = self.filling.take() {
                sink.tensor(&tensor, filling.values)?;
            }
            self.current += 1;
            self.open(sink)?;
        }
        Ok(())
    }
}

impl PartialTensor {
    fn new(tensor: &TensorInfo) -> Result<Self, Error> {
        let Some(element) = tensor.element() else {
            let cause = format!("its elements are {:?}; F32, F16, BF16 and I8 are read", tensor.dtype);
            return Err(misfit(&tensor.name, cause));
        };
        let mut values = Vec::new();
        let room = values.try_reserve_exact(tensor.bytes / element.bytes());
        room.map_err(|_| misfit(&tensor.name, format!("there is no memory for its {} bytes", tensor.bytes)))?;
        Ok(Self { element, values, cut: Vec::new() })
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let size = self.element.bytes();
        if !self.cut.is_empty() {
            let (now, rest) = bytes.split_at((size - self.cut.len()).min(bytes.len()));
            self.cut.extend_from_slice(now);
            bytes = rest;
            if self.cut.len() < size {
                return Ok(());
            }
            let whole = std::mem::take(&mut self.cut);
            self.convert(&whole)?;
        }
        let (whole, cut) = bytes.split_at(bytes.len() / size * size);
        self.cut.extend_from_slice(cut);
        self.convert(whole)
    }

    fn convert(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let start = self.values.len();
        match self.element {
            Element::Float(kind) => {
                self.values.resize(start + bytes.len() / kind.block_bytes(), 0.0);
                Ok(dequantise(kind, bytes, &mut self.values[start..])?)
            }
            Element::Int8 => {
                self.values.extend(bytes.iter().map(|&byte| f32::from(byte.cast_signed())));
                Ok(())
            }
        }
    }
}

/// The tensors in the order of their bytes, which lie without gaps from the header's end on.
fn parse_header(header: &[u8]) -> Result<Vec<TensorInfo>, Error> {
    let metadata: Metadata = serde_json::from_slice(header).map_err(|error| corrupt("header", error.to_string()))?;
    let infos = metadata.offset_keys().into_iter().filter_map(|name| {
        let info = metadata.info(&name)?;
        let bytes = info.data_offsets.1 - info.data_offsets.0;
        Some(TensorInfo { dtype: info.dtype, shape: info.shape.clone(), bytes, name })
    });
    Ok(infos.collect())
}
