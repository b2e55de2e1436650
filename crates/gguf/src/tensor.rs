//! A tensor as the header describes it: name, shape, kind, and where its bytes lie.

use crate::{Error, Kind};

/// The longest list of dimensions that the format knows.
pub(crate) const MAX_RANK: usize = 4;

/// No tensor has more elements: 2^40, some hundred times the largest models' largest.
const MAX_ELEMENTS: u64 = 1 << 40;

/// A tensor's description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Its name, such as `blk.0.attn_q.weight`.
    pub name: String,
    /// How its elements are stored.
    pub kind: Kind,
    /// Where its bytes begin, counted from the data's start; a multiple of the file's alignment.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
    dimensions: [u64; MAX_RANK],
    rank: usize,
}

impl Tensor {
    /// Describes a tensor at `offset`, once its shape is found to be sound.
    pub(crate) fn new(name: String, kind: Kind, shape: &[u64], offset: u64) -> Result<Tensor, Error> {
        let bytes = sound_bytes(kind, shape).map_err(|reason| Error::corrupt(format!("tensor `{name}`"), reason))?;
        let mut dimensions = [1; MAX_RANK];
        dimensions[..shape.len()].copy_from_slice(shape);
        Ok(Tensor { name, kind, offset, bytes, dimensions, rank: shape.len() })
    }

    /// The dimensions as in the file: the innermost (a row's length) first, the outermost last.
    pub fn shape(&self) -> &[u64] {
        &self.dimensions[..self.rank]
    }

    /// How many elements there are.
    pub fn elements(&self) -> u64 {
        self.dimensions.iter().product()
    }

    /// The length of a row in elements: for a matrix of weights, its input features.
    pub fn columns(&self) -> u64 {
        self.dimensions[0]
    }

    /// How many rows there are: for a matrix of weights, its output features.
    pub fn rows(&self) -> u64 {
        self.dimensions[1..].iter().product()
    }
}

/// The bytes of a tensor of this shape, or what is wrong with the shape.
fn sound_bytes(kind: Kind, shape: &[u64]) -> Result<u64, String> {
    if shape.is_empty() || shape.len() > MAX_RANK {
        return Err(format!("{} dimensions where 1 to {MAX_RANK} are possible", shape.len()));
    }
    let elements = shape.iter().try_fold(1u64, |product, &dimension| {
        product.checked_mul(dimension).filter(|&elements| elements <= MAX_ELEMENTS)
    });
    let elements = elements.filter(|&elements| elements > 0).ok_or_else(|| format!("its shape is {shape:?}"))?;
    let block = kind.block_elements() as u64;
    if !shape[0].is_multiple_of(block) {
        return Err(format!("rows of {} elements are no whole blocks of {block} ({kind})", shape[0]));
    }
    Ok(elements / block * kind.block_bytes() as u64)
}
