//! Known answers of the kernels that a model uses.
//!
//! In a browser a kernel that the GPU's driver refuses, or compiles wrongly, shows in nothing but its results: burn
//! only logs the refusal, and the outputs keep what was in memory. So every kernel that was started is started once
//! more on small random numbers, and its results are compared with what they must be.

use burn::tensor::Device;
use burn_cubecl::cubecl::bytes::Bytes;
use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::server::Handle;
use seealso_gguf::{Kind, dequantise, f16_to_f32, f32_to_f16};

use super::home::cube_device;
use super::launch::{Launch, programs};
use super::layout::Repacker;
use super::shader::{Cut, Program};
use super::tile::TILE;
use crate::network::{Network, Rows};
use crate::ops::WeightShape;
use crate::{Decoder, Error};

/// Tries a decoder on this GPU: passes of many tokens and of one, and then the known answers of all their kernels.
/// The decoder's cache is empty before and after.
///
/// # Errors
///
/// The first kernel whose results are wrong, or that could not be run.
pub async fn prove(device: &Device, decoder: &mut Decoder) -> Result<(), Error> {
    let many = vec![0; decoder.context().min(8)];
    decoder.forward(0, &many, Rows::All).await?;
    decoder.forward(0, &many[..1], Rows::Last).await?;
    check(device).await.map_err(|cause| Error::Device { doing: "trying the GPU", cause })
}

/// Checks every kernel that this process has started so far.
///
/// # Errors
///
/// The first kernel whose results are wrong, or that could not be run.
pub async fn check(device: &Device) -> Result<(), String> {
    let mut checking = Checking { client: cube_device(device)?.client(), state: 1 };
    let mut programs = programs();
    // Those that only long contexts and kept beginnings need.
    let long = programs.iter().filter_map(|program| match *program {
        Program::Attend { head_dim, parts: false } => Some(Program::Attend { head_dim, parts: true }),
        _ => None,
    });
    programs.extend(long.chain([Program::CopyCache]).collect::<Vec<_>>());
    for program in programs {
        for (results, expected) in checking.run(program)? {
            let bytes = checking.client.read_async(vec![results]).await;
            let bytes = bytes.map_err(|error| format!("kernel {program:?}: {error}"))?;
            let got = bytes.first().map(|bytes| read(bytes, &expected)).unwrap_or_default();
            let error = difference(&got, &expected);
            if error.is_nan() || error > TOLERANCE {
                return Err(format!(
                    "this GPU computes wrongly: kernel {program:?} is off by {error:.4}; use another device"
                ));
            }
        }
    }
    Ok(())
}

/// The most that a kernel may be off, relative to its results' size: half floats in the cache are off by 0.0005.
const TOLERANCE: f64 = 0.004;

/// What a buffer must hold.
enum Expected {
    Floats(Vec<f32>),
    Halves(Vec<f32>),
}

impl Expected {
    fn values(&self) -> &[f32] {
        match self {
            Self::Floats(values) | Self::Halves(values) => values,
        }
    }
}

fn read(bytes: &[u8], expected: &Expected) -> Vec<f32> {
    match expected {
        Expected::Floats(_) => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        Expected::Halves(_) => bytes.as_chunks().0.iter().map(|bytes| f16_to_f32(u16::from_le_bytes(*bytes))).collect(),
    }
}

/// The root of the mean square of the difference, against that of what was expected.
fn difference(got: &[f32], expected: &Expected) -> f64 {
    let expected = expected.values();
    if got.len() < expected.len() {
        return f64::INFINITY;
    }
    let square = |values: &mut dyn Iterator<Item = f32>| values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>();
    let off = square(&mut got.iter().zip(expected).map(|(a, b)| a - b));
    (off / square(&mut expected.iter().copied())).sqrt()
}

/// A matrix of random weights: its buffer, its layout, and its values.
struct Matrix {
    buffer: Handle,
    layout: [u32; 4],
    values: Vec<f32>,
}

struct Checking {
    client: Client,
    /// Of the random numbers.
    state: u64,
}

const EPSILON: f32 = 1e-5;
const OUTPUTS: usize = 70;
const CAPACITY: usize = 16;

impl Checking {
    /// The next random number, between -1 and 1 (Knuth's MMIX generator).
    fn random(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn randoms(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.random()).collect()
    }

    fn create(&self, bytes: Vec<u8>) -> Handle {
        self.client.create(Bytes::from_bytes_vec(bytes))
    }

    fn floats(&self, values: &[f32]) -> Handle {
        let mut bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        self.create(bytes)
    }

    fn halves(&self, values: &[f32]) -> Handle {
        self.create(values.iter().flat_map(|value| f32_to_f16(*value).to_le_bytes()).collect())
    }

    /// Outputs that are wrong unless they are written.
    fn unset(&self, count: usize) -> Handle {
        self.floats(&vec![f32::NAN; count])
    }

    fn matrix(&mut self, kind: Kind, rows: usize, columns: usize) -> Result<Matrix, String> {
        let blocks = rows * columns / kind.block_elements();
        let mut bytes = Vec::with_capacity(blocks * kind.block_bytes());
        for _ in 0..blocks {
            let start = bytes.len();
            bytes.extend((0..kind.block_bytes()).map(|_| self.state_byte()));
            let half = f32_to_f16(self.random() / 8.0).to_le_bytes();
            match kind {
                Kind::F32 => bytes[start..].copy_from_slice(&self.random().to_le_bytes()),
                Kind::BF16 => bytes[start..].copy_from_slice(&self.random().to_le_bytes()[2..]),
                Kind::Q6_K => bytes[start + 208..].copy_from_slice(&half),
                Kind::F16 | Kind::Q4_0 | Kind::Q5_0 | Kind::Q8_0 => bytes[start..start + 2].copy_from_slice(&half),
                _ => {
                    bytes[start..start + 2].copy_from_slice(&half);
                    bytes[start + 2..start + 4].copy_from_slice(&half);
                }
            }
        }
        let mut values = vec![0.0; rows * columns];
        dequantise(kind, &bytes, &mut values).map_err(|error| error.to_string())?;
        let mut repacker = Repacker::new(WeightShape { kind, rows, columns });
        let mut words = vec![0; repacker.layout().bytes()];
        repacker.take(&bytes, &mut |place, bytes| words[place].copy_from_slice(&bytes));
        repacker.end(&mut |place, bytes| words[place].copy_from_slice(&bytes))?;
        Ok(Matrix { buffer: self.create(words), layout: repacker.layout().words(), values })
    }

    fn state_byte(&mut self) -> u8 {
        self.random();
        (self.state >> 56) as u8
    }

    /// Starts a kernel on small numbers; gives the buffers that it writes to and what must be in them.
    fn run(&mut self, program: Program) -> Result<Vec<(Handle, Expected)>, String> {
        match program {
            Program::Embed { table } => self.embed(program, table),
            Program::ProjectAdd { weight, even, tiles } => self.one_weight(program, weight, even, tiles, true),
            Program::Logits { weight, even, tiles } => self.one_weight(program, weight, even, tiles, false),
            Program::GateUp { gate, up, even, tiles } => self.gate_up(program, [gate, up], even, tiles),
            Program::Qkv { query, key, value, bias, head_norm, even, cut } => {
                let head_dim = if head_norm { 2 * cut.all() as usize } else { 64 };
                self.qkv(program, [query, key, value], even, Heads { bias, head_norm, head_dim }, Some(cut))
            }
            Program::QkvTiles { query, key, value, even } => {
                let heads = Heads { bias: false, head_norm: false, head_dim: 64 };
                self.qkv(program, [query, key, value], even, heads, None)
            }
            Program::Turn { bias, head_norm } => self.turn(program, Heads { bias, head_norm, head_dim: 64 }),
            Program::Attend { head_dim, parts } => Ok(self.attend(program, head_dim as usize, parts)),
            // It is checked together with attention in parts.
            Program::Join { .. } => Ok(Vec::new()),
            Program::CopyCache => Ok(self.copy_cache(program)),
        }
    }

    fn embed(&mut self, program: Program, table: Kind) -> Result<Vec<(Handle, Expected)>, String> {
        let matrix = self.matrix(table, 5, 256)?;
        let out = self.unset(512);
        let tokens = self.create([4_u32, 0].iter().flat_map(|token| token.to_le_bytes()).collect());
        let launch = Launch::new(program).reads(matrix.buffer).reads(tokens).writes(out.clone());
        launch.start(&self.client, (1, 2, 1), &[[2, 256, 0, 5], matrix.layout]);
        let expected = [&matrix.values[4 * 256..], &matrix.values[..256]].concat();
        Ok(vec![(out, Expected::Floats(expected))])
    }

    fn one_weight(
        &mut self,
        program: Program,
        weight: Kind,
        even: bool,
        tiles: bool,
        add: bool,
    ) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, columns) = sizes(even, tiles);
        let matrix = self.matrix(weight, OUTPUTS, columns)?;
        let (x, norm) = (self.randoms(rows * columns), self.randoms(columns));
        let residual = self.randoms(rows * OUTPUTS);
        let normed = if add { x.clone() } else { normed(&x, &norm) };
        let mut expected = multiply(&normed, &matrix.values, columns);
        let mut launch = Launch::new(program).reads(self.floats(&x)).reads(matrix.buffer);
        let out = if add {
            expected.iter_mut().zip(&residual).for_each(|(y, x)| *y += x);
            self.floats(&residual)
        } else {
            launch = launch.reads(self.floats(&norm));
            self.unset(rows * OUTPUTS)
        };
        let info = [
            [rows as u32, columns as u32, EPSILON.to_bits(), OUTPUTS as u32],
            matrix.layout,
            [0, OUTPUTS as u32, 0, 0],
        ];
        let info = if add { &info[..2] } else { &info[..] };
        launch.writes(out.clone()).start(&self.client, grid(rows, OUTPUTS, tiles, 1), info);
        Ok(vec![(out, Expected::Floats(expected))])
    }

    fn gate_up(
        &mut self,
        program: Program,
        kinds: [Kind; 2],
        even: bool,
        tiles: bool,
    ) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, columns) = sizes(even, tiles);
        let [gate, up] = [self.matrix(kinds[0], OUTPUTS, columns)?, self.matrix(kinds[1], OUTPUTS, columns)?];
        let (x, norm) = (self.randoms(rows * columns), self.randoms(columns));
        let inputs = normed(&x, &norm);
        let gates = multiply(&inputs, &gate.values, columns);
        let others = multiply(&inputs, &up.values, columns);
        let expected = gates.iter().zip(&others).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect();
        let out = self.unset(rows * OUTPUTS);
        let info = [[rows as u32, columns as u32, EPSILON.to_bits(), OUTPUTS as u32], gate.layout, up.layout];
        Launch::new(program)
            .reads(self.floats(&x))
            .reads(gate.buffer)
            .reads(up.buffer)
            .reads(self.floats(&norm))
            .writes(out.clone())
            .start(&self.client, grid(rows, OUTPUTS, tiles, 2), &info);
        Ok(vec![(out, Expected::Floats(expected))])
    }

    /// One head of queries and one of keys and values; with a cut also what [`Self::turn`] checks.
    fn qkv(
        &mut self,
        program: Program,
        kinds: [Kind; 3],
        even: bool,
        heads: Heads,
        cut: Option<Cut>,
    ) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, columns) = sizes(even, cut.is_none());
        let dim = heads.head_dim;
        let mut matrices = Vec::new();
        for kind in kinds {
            matrices.push(self.matrix(kind, dim, columns)?);
        }
        let (x, norm) = (self.randoms(rows * columns), self.randoms(columns));
        let inputs = normed(&x, &norm);
        let products: Vec<Vec<f32>> =
            matrices.iter().map(|matrix| multiply(&inputs, &matrix.values, columns)).collect();
        let all: Vec<f32> =
            (0..rows).flat_map(|row| products.iter().flat_map(move |each| each[row * dim..][..dim].to_vec())).collect();
        let vectors = self.vectors(heads);
        let start = columns.next_multiple_of(4);
        let mut packed = norm;
        packed.resize(start, 0.0);
        packed.extend(&vectors);
        let layouts = [matrices[0].layout, matrices[1].layout, matrices[2].layout];
        let info = heads.info(rows, columns, start, layouts);
        let mut launch = Launch::new(program).reads(self.floats(&x));
        for matrix in matrices {
            launch = launch.reads(matrix.buffer);
        }
        launch = launch.reads(self.floats(&packed));
        let Some(cut) = cut else {
            let out = self.unset(rows * 3 * dim);
            launch.writes(out.clone()).start(&self.client, ((3 * dim).div_ceil(TILE), rows.div_ceil(TILE), 1), &info);
            return Ok(vec![(out, Expected::Floats(all))]);
        };
        let turns = self.randoms(CAPACITY * dim);
        let (out, cache) = (self.unset(rows * dim), self.halves(&vec![0.0; 2 * CAPACITY * dim]));
        let units = 3 * dim / 2;
        launch.reads(self.floats(&turns)).writes(out.clone()).writes(cache.clone()).start(
            &self.client,
            (units.div_ceil(cut.all() as usize), rows, 1),
            &info,
        );
        Ok(heads.expected(&all, &vectors, &turns, out, cache))
    }

    fn turn(&mut self, program: Program, heads: Heads) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, dim) = (9, heads.head_dim);
        let (all, turns, vectors) = (self.randoms(rows * 3 * dim), self.randoms(CAPACITY * dim), self.vectors(heads));
        let (out, cache) = (self.unset(rows * dim), self.halves(&vec![0.0; 2 * CAPACITY * dim]));
        let mut launch = Launch::new(program)
            .reads(self.floats(&all))
            .reads(self.floats(&turns))
            .writes(out.clone())
            .writes(cache.clone());
        if heads.bias || heads.head_norm {
            launch = launch.reads(self.floats(&vectors));
        }
        launch.start(&self.client, (3, rows, 1), &heads.info(rows, dim, 0, [[0; 4]; 3]));
        Ok(heads.expected(&all, &vectors, &turns, out, cache))
    }

    /// Biases and norms of heads, as far as there are any.
    fn vectors(&mut self, heads: Heads) -> Vec<f32> {
        let count = if heads.bias { 3 } else { 0 } + if heads.head_norm { 2 } else { 0 };
        self.randoms(count * heads.head_dim)
    }

    /// Two heads of queries, one of keys and values, two rows behind eleven positions.
    fn attend(&mut self, program: Program, dim: usize, parts: bool) -> Vec<(Handle, Expected)> {
        let (rows, heads, position) = (2, 2, 11);
        let q = self.randoms(rows * heads * dim);
        let cache: Vec<f32> = self.randoms(2 * CAPACITY * dim).iter().map(|x| f16_to_f32(f32_to_f16(*x))).collect();
        let mut expected = Vec::new();
        for (index, q) in q.chunks(dim).enumerate() {
            let scale = (dim as f32).sqrt();
            let seen = position + index / heads + 1;
            let weights: Vec<f32> = cache.chunks(dim).take(seen).map(|key| (dot(q, key) / scale).exp()).collect();
            let sum: f32 = weights.iter().sum();
            let values = &cache[CAPACITY * dim..];
            expected.extend((0..dim).map(|element| {
                weights.iter().zip(values.chunks(dim)).map(|(weight, value)| weight * value[element]).sum::<f32>() / sum
            }));
        }
        let out = self.unset(expected.len());
        let (span, count) = if parts { (5, 3) } else { (CAPACITY, 1) };
        let info = [[rows as u32, heads as u32, position as u32, 2], [CAPACITY as u32, 1, span as u32, count as u32]];
        let sums = if parts { self.unset(rows * heads * count * (dim + 2)) } else { out.clone() };
        Launch::new(program).reads(self.floats(&q)).reads(self.halves(&cache)).writes(sums.clone()).start(
            &self.client,
            (heads, rows, count),
            &info,
        );
        if parts {
            let join = Launch::new(Program::Join { head_dim: dim as u32 }).reads(sums).writes(out.clone());
            join.start(&self.client, (heads, rows, 1), &info);
        }
        vec![(out, Expected::Floats(expected))]
    }

    fn copy_cache(&mut self, program: Program) -> Vec<(Handle, Expected)> {
        // Two planes of eight words, of which six go to planes of ten.
        let source = self.randoms(16);
        let out = self.floats(&[0.0; 20]);
        let launch = Launch::new(program).reads(self.floats(&source)).writes(out.clone());
        launch.start(&self.client, (1, 2, 1), &[[6, 8, 10, 0]]);
        let mut expected = vec![0.0; 20];
        expected[..6].copy_from_slice(&source[..6]);
        expected[10..16].copy_from_slice(&source[8..14]);
        vec![(out, Expected::Floats(expected))]
    }
}

/// What queries and keys go through.
#[derive(Clone, Copy)]
struct Heads {
    bias: bool,
    head_norm: bool,
    head_dim: usize,
}

impl Heads {
    /// One head of each; `start` is where the biases are.
    fn info(self, rows: usize, columns: usize, start: usize, layouts: [[u32; 4]; 3]) -> [[u32; 4]; 7] {
        let pairs = self.head_dim as u32 / 2;
        let norms = start + if self.bias { 3 * self.head_dim } else { 0 };
        let [query, key, value] = layouts;
        [
            [rows as u32, columns as u32, EPSILON.to_bits(), 1],
            query,
            key,
            value,
            [pairs, pairs, pairs, pairs],
            [pairs, CAPACITY as u32, 1, 0],
            [start as u32, norms as u32, (norms + self.head_dim) as u32, 0],
        ]
    }

    /// The queries, and the cache from position 1 on, of products `all`: `[rows, 3 · head_dim]`.
    fn expected(
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
                // Halves are turned together; they come out as neighbours.
                let turns = turns[position * dim..][..dim].chunks(2);
                let turned = turns.enumerate().flat_map(|(pair, turn)| {
                    let (a, b) = (values[pair], values[pair + dim / 2]);
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

/// Rows and columns of activations.
fn sizes(even: bool, tiles: bool) -> (usize, usize) {
    (if tiles { 9 } else { 2 }, if even { 256 } else { 41 })
}

/// Workgroups of a product; `weights` is 2 where a unit or a tile has rows of two.
fn grid(rows: usize, outputs: usize, tiles: bool, weights: usize) -> (usize, usize, usize) {
    match tiles {
        true => (outputs.div_ceil(TILE / weights), rows.div_ceil(TILE), 1),
        false => (outputs.div_ceil(2 * Cut::PLAIN.all() as usize / weights), rows, 1),
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Rows of activations after an RMS norm.
fn normed(x: &[f32], weight: &[f32]) -> Vec<f32> {
    let row = |row: &[f32]| {
        let scale = 1.0 / (dot(row, row) / row.len() as f32 + EPSILON).sqrt();
        row.iter().zip(weight).map(|(x, weight)| x * scale * weight).collect::<Vec<_>>()
    };
    x.chunks(weight.len()).flat_map(row).collect()
}

/// Rows of activations times a matrix's rows.
fn multiply(x: &[f32], matrix: &[f32], columns: usize) -> Vec<f32> {
    x.chunks(columns).flat_map(|row| matrix.chunks(columns).map(move |weights| dot(row, weights))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_written_is_no_small_difference() {
        let expected = Expected::Floats(vec![1.0, -2.0]);
        assert!(difference(&[1.0, -2.0], &expected) <= TOLERANCE);
        assert!(difference(&[1.0, f32::NAN], &expected).is_nan());
        assert!(difference(&[0.0, 0.0], &expected) > TOLERANCE);
        assert!(difference(&[1.0], &expected) > TOLERANCE);
    }
}
