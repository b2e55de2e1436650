//! Each kernel on small random numbers, and what it must give.

use burn_cubecl::cubecl::server::Handle;
use seealso_gguf::{Kind, f16_to_f32, f32_to_f16};

use super::super::attend::part_floats;
use super::super::attend_tile::ROWS;
use super::super::choose::{HEAD, tokens_words};
use super::super::launch::Launch;
use super::super::program::{ProductPlan, Program};
use super::super::wgsl::PLACED;
use super::arithmetic::{dot, multiply, normed};
use super::heads::Heads;
use super::{CAPACITY, EPSILON, Expected, KernelRunner};
use crate::sample::{GumbelSampling, RECENT};

/// Outputs of a product.
const OUTPUTS: usize = 70;

impl KernelRunner {
    /// Starts a kernel on small numbers; gives the buffers that it writes to and what must be in them.
    pub(super) fn run(&mut self, program: Program) -> Result<Vec<(Handle, Expected)>, String> {
        match program {
            Program::Embed { table } => self.embed(program, table),
            Program::ProjectAdd { weight, even, way } => self.one_weight(program, weight, even, way, true),
            Program::Logits { weight, even, way } => self.one_weight(program, weight, even, way, false),
            Program::GateUp { gate, up, even, way } => self.gate_up(program, [gate, up], even, way),
            Program::Qkv { query, key, value, bias, head_norm, even, cut } => {
                let head_dim = if head_norm { 2 * cut.all() as usize } else { 64 };
                let mut both = Vec::new();
                for heads in Heads::of_both_layouts(bias, head_norm, head_dim) {
                    both.extend(self.qkv(program, [query, key, value], even, heads, ProductPlan::Rows(cut))?);
                }
                Ok(both)
            }
            Program::QkvTiles { query, key, value, even, tile } => {
                let [heads, _] = Heads::of_both_layouts(false, false, 64);
                self.qkv(program, [query, key, value], even, heads, ProductPlan::Tiles(tile))
            }
            Program::Turn { bias, head_norm } => {
                let both = Heads::of_both_layouts(bias, head_norm, 64);
                Ok(both.into_iter().flat_map(|heads| self.turn(program, heads)).collect())
            }
            Program::Attend { head_dim, parts } => Ok(self.attend(program, head_dim as usize, (2, 11), parts)),
            Program::AttendTiles { head_dim } => Ok(self.attend(program, head_dim as usize, (7, 5), false)),
            // They are checked together with what comes before them.
            Program::Join { .. } | Program::Choose => Ok(Vec::new()),
            Program::Likeliest => Ok(self.likeliest(program)),
            Program::Adapt => Ok(self.adapt(program)),
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
        way: ProductPlan,
        add: bool,
    ) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, columns) = sizes(even, matches!(way, ProductPlan::Tiles(_)));
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
        launch.writes(out.clone()).start(&self.client, grid(rows, OUTPUTS, way, 1), info);
        Ok(vec![(out, Expected::Floats(expected))])
    }

    fn gate_up(
        &mut self,
        program: Program,
        kinds: [Kind; 2],
        even: bool,
        way: ProductPlan,
    ) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, columns) = sizes(even, matches!(way, ProductPlan::Tiles(_)));
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
            .start(&self.client, grid(rows, OUTPUTS, way, 2), &info);
        Ok(vec![(out, Expected::Floats(expected))])
    }

    /// One head of queries and one of keys and values; without tiles also what [`Self::turn`] checks.
    fn qkv(
        &mut self,
        program: Program,
        kinds: [Kind; 3],
        even: bool,
        heads: Heads,
        way: ProductPlan,
    ) -> Result<Vec<(Handle, Expected)>, String> {
        let (rows, columns) = sizes(even, matches!(way, ProductPlan::Tiles(_)));
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
        if let ProductPlan::Tiles(_) = way {
            let out = self.unset(rows * 3 * dim);
            launch.writes(out.clone()).start(&self.client, grid(rows, 3 * dim, way, 1), &info);
            return Ok(vec![(out, Expected::Floats(all))]);
        }
        let turns = self.randoms(CAPACITY * dim);
        let (out, cache) = (self.unset(rows * dim), self.halves(&vec![0.0; 2 * CAPACITY * dim]));
        launch.reads(self.turns(&turns)).writes(out.clone()).writes(cache.clone()).start(
            &self.client,
            grid(rows, 3 * dim, way, 1),
            &info,
        );
        Ok(heads.expected(&all, &vectors, &turns, out, cache))
    }

    fn turn(&mut self, program: Program, heads: Heads) -> Vec<(Handle, Expected)> {
        let (rows, dim) = (9, heads.head_dim);
        let (all, turns, vectors) = (self.randoms(rows * 3 * dim), self.randoms(CAPACITY * dim), self.vectors(heads));
        let (out, cache) = (self.unset(rows * dim), self.halves(&vec![0.0; 2 * CAPACITY * dim]));
        let mut launch = Launch::new(program)
            .reads(self.floats(&all))
            .reads(self.turns(&turns))
            .writes(out.clone())
            .writes(cache.clone());
        if heads.bias || heads.head_norm {
            launch = launch.reads(self.floats(&vectors));
        }
        launch.start(&self.client, (3, rows, 1), &heads.info(rows, dim, 0, [[0; 4]; 3]));
        heads.expected(&all, &vectors, &turns, out, cache)
    }

    /// Turns behind the device's own count of positions, which stands at 1.
    fn turns(&self, turns: &[f32]) -> Handle {
        self.floats(&[&[f32::from_bits(1), 1.0], turns].concat())
    }

    /// Biases and norms of heads, as far as there are any.
    fn vectors(&mut self, heads: Heads) -> Vec<f32> {
        let count = if heads.bias { 3 } else { 0 } + if heads.head_norm { 2 } else { 0 };
        self.randoms(count * heads.head_dim)
    }

    /// Two heads of queries, one of keys and values, some rows behind some positions.
    fn attend(
        &mut self,
        program: Program,
        dim: usize,
        (rows, position): (usize, usize),
        parts: bool,
    ) -> Vec<(Handle, Expected)> {
        let heads = 2;
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
        // Parts are looked at where the device's own count stands.
        let first = if parts { PLACED } else { position as u32 };
        let place = self.create((position as u32).to_le_bytes().to_vec());
        let info = [[rows as u32, heads as u32, first, 2], [CAPACITY as u32, 1, span as u32, count as u32]];
        let sums = if parts { self.unset(rows * heads * count * part_floats(dim)) } else { out.clone() };
        let mut launch = Launch::new(program).reads(self.floats(&q)).reads(self.halves(&cache));
        let is_tile = matches!(program, Program::AttendTiles { .. });
        if !is_tile {
            launch = launch.reads(place);
        }
        let workgroups = (heads, if is_tile { rows.div_ceil(ROWS) } else { rows }, count);
        launch.writes(sums.clone()).start(&self.client, workgroups, &info);
        if parts {
            let join = Launch::new(Program::Join { head_dim: dim as u32 }).reads(sums).writes(out.clone());
            join.start(&self.client, (heads, rows, 1), &info);
        }
        vec![(out, Expected::Floats(expected))]
    }

    /// Two rows, and three units that see them scaled.
    fn adapt(&mut self, program: Program) -> Vec<(Handle, Expected)> {
        let (columns, units) = (70, 3);
        let (x, adapter) = (self.randoms(2 * columns), self.randoms((2 * units + 1) * columns));
        let (weights, biases) = adapter.split_at(2 * units * columns);
        let (down, up) = weights.split_at(units * columns);
        let sums = multiply(&normed(&x, &vec![1.0; columns]), down, columns);
        let mut expected = x.clone();
        for (row, sums) in expected.chunks_mut(columns).zip(sums.chunks(units)) {
            for ((sum, bias), up) in sums.iter().zip(biases).zip(up.chunks(columns)) {
                row.iter_mut().zip(up).for_each(|(x, up)| *x += (sum + bias).tanh() * up);
            }
        }
        let out = self.floats(&x);
        let launch = Launch::new(program).reads(self.floats(&adapter)).writes(out.clone());
        launch.start(&self.client, (2, 1, 1), &[[2, columns as u32, EPSILON.to_bits(), units as u32]]);
        vec![(out, Expected::Floats(expected))]
    }

    /// Of three parts, two of which have something; by chance and without.
    fn likeliest(&mut self, program: Program) -> Vec<(Handle, Expected)> {
        // Recent tokens have high logits; some of them have the mark of another token.
        let so_far: Vec<u32> =
            (0..RECENT as u32 + 9).map(|at| at * 3 % 50 + if at % 5 == 0 { 2048 } else { 0 }).collect();
        let (last, before) = so_far.split_last().expect("it has tokens");
        let mut results = Vec::new();
        for (temperature, penalty) in [(0.0, 1.0), (0.0, 3.0), (0.7, 1.0), (0.7, 1.5)] {
            let chance = GumbelSampling { temperature, seed: 3, penalty };
            let logits = self.randoms(OUTPUTS);
            let best = chance.draw(&logits, &so_far).unwrap_or(0) as f32;
            let words = tokens_words(before, *last, chance);
            let tokens = self.create(words.into_iter().flat_map(u32::to_le_bytes).collect());
            let (parts, place) =
                (self.unset(2 * 3), self.create([before.len() as u32, 0].map(u32::to_le_bytes).concat()));
            let info = [[OUTPUTS as u32, 3, RECENT as u32, 0]];
            let launch = Launch::new(program).reads(self.floats(&logits)).reads(tokens.clone()).reads(place.clone());
            launch.writes(parts.clone()).start(&self.client, (3, 1, 1), &info);
            let launch = Launch::new(Program::Choose).reads(parts).writes(tokens.clone()).writes(place.clone());
            launch.start(&self.client, (1, 1, 1), &info);
            for word in [0, HEAD + before.len() % RECENT] {
                let start = 4 * word as u64;
                let token = tokens.clone().offset_start(start).offset_end(tokens.size_in_used() - start - 4);
                results.push((token, Expected::Tokens(vec![best])));
            }
            let count = so_far.len() as f32;
            results.push((place.clone().offset_start(4), Expected::Floats(vec![count])));
            results.push((place, Expected::Tokens(vec![count])));
        }
        results
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

/// Rows and columns of activations.
fn sizes(even: bool, tiles: bool) -> (usize, usize) {
    (if tiles { 9 } else { 2 }, if even { 256 } else { 41 })
}

/// Workgroups of a product; `weights` is 2 where a unit or a tile has rows of two.
fn grid(rows: usize, outputs: usize, way: ProductPlan, weights: usize) -> (usize, usize, usize) {
    match way {
        ProductPlan::Tiles(tile) => ((weights * outputs).div_ceil(tile.lines()), rows.div_ceil(tile.lines()), 1),
        ProductPlan::Rows(cut) => (outputs.div_ceil(2 / weights).div_ceil(cut.all() as usize), rows, 1),
    }
}
