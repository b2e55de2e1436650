//! The tensor kinds that a GGUF file may hold and that the engine computes with, and the shape of
//! their blocks. The layouts are those of ggml (`ggml-common.h`, `ggml-quants.c`).

use crate::error::{Error, Result};

/// How a tensor's values are written in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Kind {
    /// 32-bit floats.
    F32 = 0,
    /// IEEE half floats.
    F16 = 1,
    /// 4-bit codes, one scale per 32, symmetric about 8.
    Q4_0 = 2,
    /// 4-bit codes, scale and minimum per 32.
    Q4_1 = 3,
    /// 5-bit codes, one scale per 32, symmetric about 16.
    Q5_0 = 6,
    /// 5-bit codes, scale and minimum per 32.
    Q5_1 = 7,
    /// Signed 8-bit codes, one scale per 32.
    Q8_0 = 8,
    /// 4-bit codes, 6-bit scales and minima per 32 in super-blocks of 256.
    Q4K = 12,
    /// 5-bit codes, 6-bit scales and minima per 32 in super-blocks of 256.
    Q5K = 13,
    /// 6-bit codes symmetric about 32, 8-bit scales per 16 in super-blocks of 256.
    Q6K = 14,
    /// The upper half of 32-bit floats.
    BF16 = 30,
}

impl Kind {
    /// Every kind, in the order of ggml's numbers.
    pub const ALL: [Self; 11] = [
        Self::F32,
        Self::F16,
        Self::Q4_0,
        Self::Q4_1,
        Self::Q5_0,
        Self::Q5_1,
        Self::Q8_0,
        Self::Q4K,
        Self::Q5K,
        Self::Q6K,
        Self::BF16,
    ];

    /// The kind of ggml's number for it (`enum ggml_type`).
    ///
    /// # Errors
    /// Where the engine has no kernel for that number.
    pub fn from_ggml(number: u32) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number).ok_or(Error::UnknownKind { number })
    }

    /// Values per block.
    pub const fn block_len(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::BF16 => 1,
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q5_1 | Self::Q8_0 => 32,
            Self::Q4K | Self::Q5K | Self::Q6K => 256,
        }
    }

    /// Bytes per block.
    pub const fn block_bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
            Self::Q4_0 => 18,
            Self::Q4_1 => 20,
            Self::Q5_0 => 22,
            Self::Q5_1 => 24,
            Self::Q8_0 => 34,
            Self::Q4K => 144,
            Self::Q5K => 176,
            Self::Q6K => 210,
        }
    }

    /// Bytes of a row of `in_features` values, or nothing where they don't fill whole blocks.
    pub const fn row_bytes(self, in_features: usize) -> Option<usize> {
        if !in_features.is_multiple_of(self.block_len()) {
            return None;
        }
        (in_features / self.block_len()).checked_mul(self.block_bytes())
    }
}
