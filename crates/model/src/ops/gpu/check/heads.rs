//! What queries, keys and values go through after their products, in plain arithmetic.

use burn_cubecl::cubecl::server::Handle;
use seealso_gguf::RopeLayout;

use super::super::weight_store::interleaved;
use super::super::wgsl::PLACED;
use super::arithmetic::normed;
use super::{CAPACITY, EPSILON, Expected};

/// What queries and keys go through.
#[derive(Clone, Copy)]
pub(super) struct Heads {
    pub(super) bias: bool,
    pub(super) head_norm: bool,
    pub(super) head_dim: usize,
    layout: RopeLayout,
}

impl Heads {
    pub(super) fn of_both_layouts(bias: bool, head_norm: bool, head_dim: usize) -> [Self; 2] {
        [RopeLayout::Halves, RopeLayout::Interleaved].map(|layout| Self { bias, head_norm, head_dim, layout })
    }

    /// The two elements that are turned together.
    fn pair(self, pair: usize) -> [usize; 2] {
        match self.layout {
            RopeLayout::Halves => [pair, pair + self.head_dim / 2],
            RopeLayout::Interleaved => [2 * pair, 2 * pair + 1],
        }
    }

    /// One head of each; `start` is where the biases are.
    pub(super) fn info(self, rows: usize, columns: usize, start: usize, layouts: [[u32; 4]; 3]) -> [[u32; 4]; 7] {
        let pairs = self.head_dim as u32 / 2;
        let norms = start + if self.bias { 3 * self.head_dim } else { 0 };
        let [query, key, value] = layouts;
        [
            // Both say position 1.
            [
                rows as u32,
                columns as u32,
                EPSILON.to_bits(),
                if self.layout == RopeLayout::Halves { 1 } else { PLACED },
            ],
            query,
            key,
            value,
            [pairs, pairs, pairs, pairs],
            [pairs, CAPACITY as u32, 1, interleaved(self.layout)],
            [start as u32, norms as u32, (norms + self.head_dim) as u32, 0],
        ]
    }

    /// The queries, and the cache from position 1 on, of products `all`: `[rows, 3 · head_dim]`.
    pub(super) fn expected(
        self,
        all: &[f32],
        vectors: &[f32],
        turns: &[f32],
        out: Handle,
        cache: Handle,
    ) -> Vec<(Handle, Expected)> {
        let dim = self.head_dim;
        let (mut queries, mut cached) = (Vec::new(), vec![0.0; 2 * CAPACITY * dim]);
        for (row, products) in all.chunks(3 * dim).enumerate() {
            for (which, product) in products.chunks(dim).enumerate() {
                let mut values = product.to_vec();
                if self.bias {
                    values.iter_mut().zip(&vectors[which * dim..]).for_each(|(x, bias)| *x += bias);
                }
                let position = 1 + row;
                if which == 2 {
                    cached[(CAPACITY + position) * dim..][..dim].copy_from_slice(&values);
                    continue;
                }
                if self.head_norm {
                    let start = if self.bias { 3 * dim } else { 0 } + which * dim;
                    values = normed(&values, &vectors[start..start + dim]);
                }
                // Whatever is turned together comes out as neighbours.
                let turns = turns[position * dim..][..dim].chunks(2);
                let turned = turns.enumerate().flat_map(|(pair, turn)| {
                    let [a, b] = self.pair(pair).map(|element| values[element]);
                    [a * turn[0] - b * turn[1], a * turn[1] + b * turn[0]]
                });
                match which {
                    0 => queries.extend(turned),
                    _ => cached[position * dim..][..dim].copy_from_slice(&turned.collect::<Vec<_>>()),
                }
            }
        }
        vec![(out, Expected::Floats(queries)), (cache, Expected::Halves(cached))]
    }
}
