//! A weight as it comes from a file and as it is kept: quantised, repacked group by group while its
//! bytes come, so that at no time more than four rows of it are there twice.

use crate::blocks::{Block, unpack};
use crate::error::{Error, Result, expect_len, zeroed};
use crate::half::{bf16_to_f32, f16_to_f32};
use crate::kind::Kind;
use crate::layout::{BLOCK, LANES, Layout};

/// A matrix of `out_features` rows and `in_features` columns, or a vector (one row).
pub(crate) struct Weight {
    pub(crate) kind: Kind,
    pub(crate) out_features: usize,
    pub(crate) in_features: usize,
    /// The packed groups' layout; none where the values are floats, kept as in the file.
    pub(crate) layout: Option<Layout>,
    /// Groups of four rows; the last one is filled up with rows of zeros.
    data: Vec<u8>,
    row_bytes: usize,
    received: u64,
    /// Rows that don't fill a group yet.
    pending: Vec<u8>,
}

fn row_bytes(kind: Kind, in_features: usize) -> Result<usize> {
    let misfit = Error::Shape { what: "a weight's input", expected: kind.block_len(), got: in_features };
    kind.row_bytes(in_features).filter(|bytes| *bytes > 0).ok_or(misfit)
}

/// The bytes that a weight of `out_features` rows of `in_features` values takes in memory, where it is laid out anew: a
/// little more than in the file.
///
/// # Errors
/// Where rows are not whole blocks of `kind`, or it is larger than memory can be.
pub fn weight_bytes(kind: Kind, out_features: usize, in_features: usize) -> Result<usize> {
    let row_bytes = row_bytes(kind, in_features)?;
    let bytes = match Layout::of(kind) {
        None => out_features.checked_mul(row_bytes),
        Some(layout) => (in_features / BLOCK * layout.block_bytes()).checked_mul(out_features.div_ceil(LANES)),
    };
    let too_large = Error::OutOfMemory { bytes: usize::MAX };
    bytes.filter(|bytes| *bytes <= isize::MAX as usize).ok_or(too_large)
}

impl Weight {
    /// An empty weight with room for all its values.
    pub(crate) fn new(kind: Kind, out_features: usize, in_features: usize) -> Result<Self> {
        let (row_bytes, layout) = (row_bytes(kind, in_features)?, Layout::of(kind));
        if out_features == 0 {
            return Err(Error::Shape { what: "a weight's output", expected: 1, got: 0 });
        }
        let data = zeroed(weight_bytes(kind, out_features, in_features)?)?;
        Ok(Self { kind, out_features, in_features, layout, data, row_bytes, received: 0, pending: Vec::new() })
    }

    /// Bytes that the file has for this weight.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.out_features as u64 * self.row_bytes as u64
    }

    /// Bytes that it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.data.len()
    }

    /// Takes the next bytes of the file, whatever their number.
    pub(crate) fn take(&mut self, id: u32, first_byte: u64, bytes: &[u8]) -> Result<()> {
        let end = first_byte.saturating_add(bytes.len() as u64);
        if first_byte != self.received || end > self.file_bytes() {
            return Err(Error::OutOfOrder { id, expected: self.received, got: end });
        }
        match self.layout {
            None => self.data[first_byte as usize..end as usize].copy_from_slice(bytes),
            Some(layout) => self.repack(layout, bytes)?,
        }
        self.received = end;
        Ok(())
    }

    fn repack(&mut self, layout: Layout, mut bytes: &[u8]) -> Result<()> {
        let group_bytes = LANES * self.row_bytes;
        let total = self.file_bytes();
        let mut at = self.received - self.pending.len() as u64;
        while !bytes.is_empty() {
            let wanted = (total - at).min(group_bytes as u64) as usize;
            if self.pending.is_empty() && bytes.len() >= wanted {
                let (rows, rest) = bytes.split_at(wanted);
                self.pack_group(layout, at, rows);
                bytes = rest;
                at += wanted as u64;
                continue;
            }
            let more = (wanted - self.pending.len()).min(bytes.len());
            let missing = Error::OutOfMemory { bytes: group_bytes };
            self.pending.try_reserve_exact(wanted - self.pending.len()).map_err(|_| missing)?;
            self.pending.extend_from_slice(&bytes[..more]);
            bytes = &bytes[more..];
            if self.pending.len() == wanted {
                let rows = std::mem::take(&mut self.pending);
                self.pack_group(layout, at, &rows);
                at += wanted as u64;
                self.pending = rows;
                self.pending.clear();
            }
        }
        Ok(())
    }

    /// Packs up to four whole rows, whose first byte in the file is `at`.
    fn pack_group(&mut self, layout: Layout, at: u64, rows: &[u8]) {
        let group = (at / self.row_bytes as u64) as usize / LANES;
        let (kind, row_bytes) = (self.kind, self.row_bytes);
        let nothing = Block { codes: [kind.centre(); 32], scale: [0.0; 2], minimum: 0.0 };
        let group_bytes = self.group_bytes(layout);
        let out = &mut self.data[group * group_bytes..][..group_bytes];
        for (index, out) in out.chunks_exact_mut(layout.block_bytes()).enumerate() {
            let blocks = std::array::from_fn(|lane| match rows.get(lane * row_bytes..(lane + 1) * row_bytes) {
                Some(row) => unpack(kind, row, index),
                None => nothing.clone(),
            });
            layout.pack(&blocks, out);
        }
    }

    fn group_bytes(&self, layout: Layout) -> usize {
        self.in_features / BLOCK * layout.block_bytes()
    }

    /// Fails unless every byte came; then gives the scratch back.
    pub(crate) fn finish(&mut self, id: u32) -> Result<()> {
        self.pending = Vec::new();
        self.expect_whole(id)
    }

    /// Fails unless every byte came.
    pub(crate) fn expect_whole(&self, id: u32) -> Result<()> {
        if self.received == self.file_bytes() {
            return Ok(());
        }
        Err(Error::Unfinished { id, got: self.received, expected: self.file_bytes() })
    }

    /// Groups of four rows.
    pub(crate) fn groups(&self) -> usize {
        self.out_features.div_ceil(LANES)
    }

    /// The packed bytes of one group of a quantised weight.
    pub(crate) fn group(&self, layout: Layout, index: usize) -> &[u8] {
        let bytes = self.group_bytes(layout);
        &self.data[index * bytes..][..bytes]
    }

    /// The bytes of one row of a weight of floats.
    pub(crate) fn float_row(&self, index: usize) -> &[u8] {
        &self.data[index * self.row_bytes..][..self.row_bytes]
    }

    /// Writes row `index` as floats; `out` has `in_features` values.
    pub(crate) fn row(&self, index: usize, out: &mut [f32]) {
        let Some(layout) = self.layout else {
            return floats(self.kind, self.float_row(index), out);
        };
        let (group, lane) = (self.group(layout, index / LANES), index % LANES);
        for (block, out) in group.chunks_exact(layout.block_bytes()).zip(out.chunks_exact_mut(BLOCK)) {
            let head = layout.head(block, lane);
            for (feature, out) in out.iter_mut().enumerate() {
                let half = feature / 16;
                *out = head.scale[half] * layout.code(block, lane, feature) as f32 + head.minimum[half];
            }
        }
    }

    /// Fails unless it is a vector of `len` values, or of any kind of floats.
    pub(crate) fn expect_vector(&self, what: &'static str, len: usize) -> Result<()> {
        expect_len(what, len, self.out_features * self.in_features)
    }
}

/// Reads floats of a file.
fn floats(kind: Kind, bytes: &[u8], out: &mut [f32]) {
    match kind {
        Kind::F32 => {
            for (bytes, out) in bytes.as_chunks::<4>().0.iter().zip(out) {
                *out = f32::from_le_bytes(*bytes);
            }
        }
        Kind::F16 => {
            for (bytes, out) in bytes.as_chunks::<2>().0.iter().zip(out) {
                *out = f16_to_f32(u16::from_le_bytes(*bytes));
            }
        }
        _ => {
            for (bytes, out) in bytes.as_chunks::<2>().0.iter().zip(out) {
                *out = bf16_to_f32(u16::from_le_bytes(*bytes));
            }
        }
    }
}
