//! What can go wrong: a wrong handle, shape, order or place; never a panic.

use std::fmt;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call was refused. Nothing was changed, except where a variant says so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// ggml's number of a tensor kind that has no kernel here.
    UnknownKind {
        /// The number.
        number: u32,
    },
    /// No weight has this handle, or it was freed.
    UnknownWeight {
        /// The handle.
        id: u32,
    },
    /// No cache has this handle, or it was freed.
    UnknownCache {
        /// The handle.
        id: u32,
    },
    /// A weight was used before its last byte came.
    Unfinished {
        /// The handle.
        id: u32,
        /// Bytes that came.
        got: u64,
        /// Bytes that it has.
        expected: u64,
    },
    /// Bytes of a weight came out of order, or too many of them.
    OutOfOrder {
        /// The handle.
        id: u32,
        /// The offset that must come next; the weight's length where it is whole.
        expected: u64,
        /// The offset of the end of what was given.
        got: u64,
    },
    /// A length doesn't fit the other operands.
    Shape {
        /// Which operand.
        what: &'static str,
        /// The length that fits, or its divisor.
        expected: usize,
        /// The length given.
        got: usize,
    },
    /// An index is not below its bound.
    OutOfRange {
        /// Which index.
        what: &'static str,
        /// The index.
        index: usize,
        /// The bound.
        bound: usize,
    },
    /// The cache has no room for these positions.
    CacheFull {
        /// Positions that it holds.
        capacity: usize,
        /// Positions that would be needed.
        needed: usize,
    },
    /// An operand holds what is no finite number. What the call writes is then of no use.
    NotFinite {
        /// Which operand.
        what: &'static str,
    },
    /// So much memory cannot be had.
    OutOfMemory {
        /// Bytes asked for.
        bytes: usize,
    },
}

impl Error {
    /// A negative number for each variant: what the side module returns over its C boundary.
    pub const fn code(&self) -> i32 {
        match self {
            Self::UnknownKind { .. } => -1,
            Self::UnknownWeight { .. } => -2,
            Self::UnknownCache { .. } => -3,
            Self::Unfinished { .. } => -4,
            Self::OutOfOrder { .. } => -5,
            Self::Shape { .. } => -6,
            Self::OutOfRange { .. } => -7,
            Self::CacheFull { .. } => -8,
            Self::OutOfMemory { .. } => -9,
            Self::NotFinite { .. } => -10,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKind { number } => {
                write!(f, "tensor kind {number} has no kernel; use a model in a kind that is listed in `Kind`")
            }
            Self::UnknownWeight { id } => write!(f, "there is no weight {id}; begin it first"),
            Self::UnknownCache { id } => write!(f, "there is no cache {id}; begin it first"),
            Self::Unfinished { id, got, expected } => {
                write!(f, "weight {id} has {got} of its {expected} bytes; give it the rest before using it")
            }
            Self::OutOfOrder { id, expected, got } => {
                write!(f, "bytes of weight {id} end at {got}, but those from {expected} on must come next")
            }
            Self::Shape { what, expected, got } => write!(f, "{what} has length {got}, which does not fit {expected}"),
            Self::OutOfRange { what, index, bound } => write!(f, "{what} {index} is not below {bound}"),
            Self::CacheFull { capacity, needed } => {
                write!(f, "the cache holds {capacity} positions and {needed} are needed; shorten the prompt")
            }
            Self::NotFinite { what } => {
                write!(
                    f,
                    "{what} hold what is no finite number; the model's file is broken, or its kind of numbers too small"
                )
            }
            Self::OutOfMemory { bytes } => write!(f, "{bytes} bytes of memory cannot be had; use a smaller model"),
        }
    }
}

impl std::error::Error for Error {}

/// Fails where `got` differs from `expected`.
pub(crate) fn expect_len(what: &'static str, expected: usize, got: usize) -> Result<()> {
    if expected == got { Ok(()) } else { Err(Error::Shape { what, expected, got }) }
}

/// A vector of `len` default values, or an error where memory is short.
pub(crate) fn zeroed<T: Copy + Default>(len: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    resize(&mut values, len)?;
    Ok(values)
}

/// Gives `values` the length `len`, reallocating exactly, or an error where memory is short.
/// Values that were there stay; what they are is up to the caller.
pub(crate) fn resize<T: Copy + Default>(values: &mut Vec<T>, len: usize) -> Result<()> {
    let more = len.saturating_sub(values.len());
    values.try_reserve_exact(more).map_err(|_| Error::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) })?;
    values.resize(len, T::default());
    Ok(())
}
