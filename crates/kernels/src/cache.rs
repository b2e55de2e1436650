//! Keys and values of the tokens so far, for every layer, as half floats in memory that is reserved
//! once. A full context's worth is as large as a small model, so half of it is worth the conversion.

use crate::error::{Error, Result, zeroed};
use crate::half::{f16_to_f32, f32_to_f16};

/// Positions whose keys lie together, transposed, so that a vector of scores comes from a vector of
/// keys without a sum across lanes.
pub(crate) const KEYS: usize = 32;

/// Elements of a head come in groups of so many: those of a vector of floats.
pub const HEAD_GROUP: usize = 8;

/// Keys and values of one model's layers.
pub(crate) struct Cache {
    pub(crate) layers: usize,
    pub(crate) kv_heads: usize,
    pub(crate) head_dim: usize,
    /// Positions, as they were asked for.
    pub(crate) capacity: usize,
    /// Positions filled, per layer.
    lengths: Vec<usize>,
    /// `[layer][head][position / 32][feature][position % 32]`
    keys: Vec<u16>,
    /// `[layer][head][position][feature]`
    values: Vec<u16>,
}

impl Cache {
    /// An empty cache with room for `capacity` positions.
    pub(crate) fn new(layers: usize, kv_heads: usize, head_dim: usize, capacity: usize) -> Result<Self> {
        if !head_dim.is_multiple_of(HEAD_GROUP) {
            return Err(Error::Shape { what: "a head", expected: HEAD_GROUP, got: head_dim });
        }
        if layers == 0 || kv_heads == 0 || head_dim == 0 || capacity == 0 {
            return Err(Error::Shape { what: "a cache", expected: 1, got: 0 });
        }
        let too_large = Error::OutOfMemory { bytes: usize::MAX };
        let values = capacity
            .checked_next_multiple_of(KEYS)
            .and_then(|positions| positions.checked_mul(head_dim)?.checked_mul(kv_heads)?.checked_mul(layers))
            .filter(|values| *values <= isize::MAX as usize / 4)
            .ok_or(too_large)?;
        Ok(Self {
            layers,
            kv_heads,
            head_dim,
            capacity,
            lengths: zeroed(layers)?,
            keys: zeroed(values)?,
            values: zeroed(values)?,
        })
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        (self.keys.len() + self.values.len()) * size_of::<u16>()
    }

    /// Positions that every layer has.
    pub(crate) fn len(&self) -> usize {
        self.lengths.iter().copied().min().unwrap_or(0)
    }

    /// Positions that a layer has.
    pub(crate) fn layer_len(&self, layer: usize) -> Result<usize> {
        let bound = self.layers;
        self.lengths.get(layer).copied().ok_or(Error::OutOfRange { what: "the layer", index: layer, bound })
    }

    /// Takes over the first `length` positions of a cache of the same shape.
    pub(crate) fn copy_prefix(&mut self, from: &Self, length: usize) -> Result<()> {
        let shape = |cache: &Self| [cache.layers, cache.kv_heads, cache.head_dim];
        for (expected, got) in shape(self).into_iter().zip(shape(from)) {
            crate::error::expect_len("the other cache", expected, got)?;
        }
        if length > from.len() {
            return Err(Error::OutOfRange { what: "the prefix's end", index: length, bound: from.len() + 1 });
        }
        if length > self.capacity {
            return Err(Error::CacheFull { capacity: self.capacity, needed: length });
        }
        let ours = self.head_values();
        let theirs = from.head_values();
        let (keys, values) = (length.next_multiple_of(KEYS) * self.head_dim, length * self.head_dim);
        for head in 0..self.layers * self.kv_heads {
            let (to, at) = (head * ours, head * theirs);
            self.keys[to..to + keys].copy_from_slice(&from.keys[at..at + keys]);
            self.values[to..to + values].copy_from_slice(&from.values[at..at + values]);
        }
        self.lengths.fill(length);
        Ok(())
    }

    /// Fails unless `rows` positions can be written from `first` on.
    pub(crate) fn expect_room(&self, layer: usize, first: usize, rows: usize) -> Result<()> {
        let filled = self.layer_len(layer)?;
        if first > filled {
            return Err(Error::OutOfRange { what: "the first position", index: first, bound: filled + 1 });
        }
        let needed = first.saturating_add(rows);
        if needed > self.capacity {
            return Err(Error::CacheFull { capacity: self.capacity, needed });
        }
        Ok(())
    }

    /// Writes keys and values, `[rows, kv_heads × head_dim]` each, from position `first` on; what the
    /// layer had after them is forgotten.
    pub(crate) fn append(&mut self, layer: usize, first: usize, keys: &[f32], values: &[f32]) -> Result<()> {
        let width = self.kv_heads * self.head_dim;
        let rows = keys.len() / width;
        self.expect_room(layer, first, rows)?;
        let (dim, per_head) = (self.head_dim, self.head_values());
        for (row, (keys, values)) in keys.chunks_exact(width).zip(values.chunks_exact(width)).enumerate() {
            let position = first + row;
            for (head, (keys, values)) in keys.chunks_exact(dim).zip(values.chunks_exact(dim)).enumerate() {
                let base = (layer * self.kv_heads + head) * per_head;
                let block = &mut self.keys[base + position / KEYS * KEYS * dim..][..KEYS * dim];
                for (keys_of_feature, key) in block.as_chunks_mut::<KEYS>().0.iter_mut().zip(keys) {
                    keys_of_feature[position % KEYS] = f32_to_f16(*key);
                }
                let out = &mut self.values[base + position * dim..][..dim];
                for (out, value) in out.iter_mut().zip(values) {
                    *out = f32_to_f16(*value);
                }
            }
        }
        self.lengths[layer] = first + rows;
        Ok(())
    }

    /// The `block`-th 32 positions' keys of a head, `[feature][32]`. Where positions were not written,
    /// what comes is finite.
    pub(crate) fn keys(&self, layer: usize, head: usize, block: usize) -> &[u16] {
        &self.keys[self.place(layer, head, block)..][..KEYS * self.head_dim]
    }

    /// The same positions' values, `[32][feature]`.
    pub(crate) fn values(&self, layer: usize, head: usize, block: usize) -> &[u16] {
        &self.values[self.place(layer, head, block)..][..KEYS * self.head_dim]
    }

    fn place(&self, layer: usize, head: usize, block: usize) -> usize {
        (layer * self.kv_heads + head) * self.head_values() + block * KEYS * self.head_dim
    }

    fn head_values(&self) -> usize {
        self.capacity.next_multiple_of(KEYS) * self.head_dim
    }
}

/// Half floats to floats; `f32_to_f16` never wrote an infinity or NaN.
pub(crate) fn widen(halves: &[u16], out: &mut [f32]) {
    for (halves, out) in halves.as_chunks::<8>().0.iter().zip(out.as_chunks_mut::<8>().0) {
        for (half, out) in halves.iter().zip(out) {
            *out = f16_to_f32(*half);
        }
    }
}
