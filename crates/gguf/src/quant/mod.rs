//! How weights are stored: kinds of tensors, the sizes of their blocks, and their values as the format defines them.
//!
//! [`dequantise`] is the reference, written for reading: it follows the block layouts of ggml's `ggml-common.h` field
//! by field, one block at a time. Fast kernels are checked against it.

mod k;
mod legacy;
mod plain;
#[cfg(any(test, feature = "write"))]
pub(crate) mod write;

use std::fmt;

pub use plain::{f16_to_f32, f32_to_f16};

use crate::Error;

/// How a tensor's elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(non_camel_case_types, reason = "the names are the format's")]
pub enum Kind {
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 half precision.
    F16,
    /// The upper half of a single-precision number.
    BF16,
    /// Blocks of 32: a scale, 4-bit codes around 8.
    Q4_0,
    /// Blocks of 32: a scale, a minimum, 4-bit codes.
    Q4_1,
    /// Blocks of 32: a scale, 5-bit codes around 16.
    Q5_0,
    /// Blocks of 32: a scale, a minimum, 5-bit codes.
    Q5_1,
    /// Blocks of 32: a scale, signed 8-bit codes.
    Q8_0,
    /// Blocks of 256 in 8 groups: two scales, 6-bit scales and minima of the groups, 4-bit codes.
    Q4_K,
    /// Blocks of 256 in 8 groups: two scales, 6-bit scales and minima of the groups, 5-bit codes.
    Q5_K,
    /// Blocks of 256 in 16 groups: a scale, 8-bit scales of the groups, 6-bit codes around 32.
    Q6_K,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 11] = [
        Kind::F32,
        Kind::F16,
        Kind::BF16,
        Kind::Q4_0,
        Kind::Q4_1,
        Kind::Q5_0,
        Kind::Q5_1,
        Kind::Q8_0,
        Kind::Q4_K,
        Kind::Q5_K,
        Kind::Q6_K,
    ];

    /// The kind with this code in a file, or the name of what the code means.
    pub(crate) fn from_code(code: u32) -> Result<Kind, String> {
        Kind::ALL.into_iter().find(|kind| kind.code() == code).ok_or_else(|| match other_name(code) {
            Some(name) => format!("quantisation {name}"),
            None => format!("quantisation number {code}"),
        })
    }

    /// The code in a file.
    pub fn code(self) -> u32 {
        match self {
            Kind::F32 => 0,
            Kind::F16 => 1,
            Kind::Q4_0 => 2,
            Kind::Q4_1 => 3,
            Kind::Q5_0 => 6,
            Kind::Q5_1 => 7,
            Kind::Q8_0 => 8,
            Kind::Q4_K => 12,
            Kind::Q5_K => 13,
            Kind::Q6_K => 14,
            Kind::BF16 => 30,
        }
    }

    /// The name, as the format's authors write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::F32 => "F32",
            Kind::F16 => "F16",
            Kind::BF16 => "BF16",
            Kind::Q4_0 => "Q4_0",
            Kind::Q4_1 => "Q4_1",
            Kind::Q5_0 => "Q5_0",
            Kind::Q5_1 => "Q5_1",
            Kind::Q8_0 => "Q8_0",
            Kind::Q4_K => "Q4_K",
            Kind::Q5_K => "Q5_K",
            Kind::Q6_K => "Q6_K",
        }
    }

    /// How many elements a block has. A row is a whole number of blocks.
    pub fn block_elements(self) -> usize {
        match self {
            Kind::F32 | Kind::F16 | Kind::BF16 => 1,
            Kind::Q4_0 | Kind::Q4_1 | Kind::Q5_0 | Kind::Q5_1 | Kind::Q8_0 => 32,
            Kind::Q4_K | Kind::Q5_K | Kind::Q6_K => 256,
        }
    }

    /// How many bytes a block has.
    pub fn block_bytes(self) -> usize {
        match self {
            Kind::F32 => 4,
            Kind::F16 | Kind::BF16 => 2,
            Kind::Q4_0 => 18,
            Kind::Q4_1 => 20,
            Kind::Q5_0 => 22,
            Kind::Q5_1 => 24,
            Kind::Q8_0 => 34,
            Kind::Q4_K => 144,
            Kind::Q5_K => 176,
            Kind::Q6_K => 210,
        }
    }

    /// The bytes of `elements` elements, where these are whole blocks.
    pub fn bytes_of(self, elements: usize) -> Option<usize> {
        let blocks = elements.is_multiple_of(self.block_elements()).then(|| elements / self.block_elements())?;
        blocks.checked_mul(self.block_bytes())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The values of whole blocks: `bytes` as in a file, `out` as many elements as they hold.
///
/// ```
/// use seealso_gguf::{Kind, dequantise};
///
/// let mut out = [0.0; 2];
/// dequantise(Kind::F16, &[0x00, 0x3c, 0x00, 0xc0], &mut out)?;
/// assert_eq!(out, [1.0, -2.0]);
/// # Ok::<(), seealso_gguf::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Argument`] where `bytes` are no whole blocks, or `out` is not as long as what they hold.
pub fn dequantise(kind: Kind, bytes: &[u8], out: &mut [f32]) -> Result<(), Error> {
    if kind.bytes_of(out.len()) != Some(bytes.len()) {
        let reason = format!("{} bytes of {kind} are no {} elements", bytes.len(), out.len());
        return Err(Error::argument(reason));
    }
    let block = match kind {
        Kind::F32 => plain::f32_value,
        Kind::F16 => plain::f16_value,
        Kind::BF16 => plain::bf16_value,
        Kind::Q4_0 => legacy::q4_0,
        Kind::Q4_1 => legacy::q4_1,
        Kind::Q5_0 => legacy::q5_0,
        Kind::Q5_1 => legacy::q5_1,
        Kind::Q8_0 => legacy::q8_0,
        Kind::Q4_K => k::q4_k,
        Kind::Q5_K => k::q5_k,
        Kind::Q6_K => k::q6_k,
    };
    for (bytes, out) in bytes.chunks_exact(kind.block_bytes()).zip(out.chunks_exact_mut(kind.block_elements())) {
        block(bytes, out);
    }
    Ok(())
}

/// Names of kinds that exist and are not read here.
fn other_name(code: u32) -> Option<&'static str> {
    Some(match code {
        9 => "Q8_1",
        10 => "Q2_K",
        11 => "Q3_K",
        15 => "Q8_K",
        16 => "IQ2_XXS",
        17 => "IQ2_XS",
        18 => "IQ3_XXS",
        19 => "IQ1_S",
        20 => "IQ4_NL",
        21 => "IQ3_S",
        22 => "IQ2_S",
        23 => "IQ4_XS",
        24 => "I8",
        25 => "I16",
        26 => "I32",
        27 => "I64",
        28 => "F64",
        29 => "IQ1_M",
        34 => "TQ1_0",
        35 => "TQ2_0",
        39 => "MXFP4",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
