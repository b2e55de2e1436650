//! A decoder's operations on a GPU: burn's CubeCL backend keeps buffers and queue, hand-written WGSL computes.
//!
//! Weights stay quantised ([`layout`]) and are dequantised in registers. A layer is five kernels, whatever its kinds:
//!
//! | operation | kernels | what one does |
//! |---|---|---|
//! | `adapt` | 1 | a bottleneck before all that, where tokens are read through adapters; else none |
//! | `qkv` | 1 | norm, three products, biases, norms of heads, rotation, keys and values to the cache |
//! | `attend` | 1 | scores, softmax and weighted sum of a head; 2 where one row looks back at many |
//! | `project_add` | 1 | product, added in place |
//! | `gate_up` | 1 | norm, two products, silu and product |
//! | `project_add` | 1 | |
//!
//! A token so costs two kernels and five a layer; many tokens at once cost one more a layer, where the first operation
//! is cut in two, and multiply by tiles: of half floats where the GPU has them (`shader-f16`) and was found to do them
//! right, for there the arithmetic is what takes the time. A single token is a matter of the weights' bytes, so it is
//! computed in floats everywhere. Nothing is read back but the logits.
//!
//! [`open`] the GPU, give a [`GpuStore`] to the loader, and [`prove`] the decoder before it is trusted: a browser's
//! drivers differ, and burn there notes a kernel that was refused in the log alone.

mod adapt;
mod attend;
mod attend_tile;
mod check;
mod choose;
mod dequantise;
mod device;
mod weight_store;
mod launch;
mod layout;
pub mod measure;
pub mod overrides;
mod product;
mod product_tile;
mod program;
mod query;
mod record;
mod tile;
pub mod timing;
mod turns;
mod wgsl;
mod wide;

use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::tensor::{DType, Device, Int, Shape, Tensor};
use burn_cubecl::CubeBackend;
use burn_cubecl::cubecl::server::Handle;
use burn_cubecl::kernel::into_contiguous;
use burn_cubecl::tensor::CubeTensor;

pub use check::{KernelCheck, check, compare, prove};
pub use device::{open, opened};
pub use launch::{Counts, do_with_half_floats, do_without_half_floats, take_counts};
use launch::{Launch, fail, number};
use layout::{BLOCK, Layout};
pub use product::Cut;
use program::{ProductPlan, Program};
use tile::{Number, Tile};
pub use weight_store::GpuStore;
use wgsl::{PLACED, THREADS};

use super::{Attention, Cache, DecoderOps, Drawing, FeedForward, Head, Optional, Position, Weight, WeightShape};
use crate::sample::RECENT;

type Floats = FloatTensor<CubeBackend>;
type Ints = IntTensor<CubeBackend>;

/// A matrix of activations as kernels take it, and its rows and columns.
fn matrix(x: Floats) -> (CubeTensor, usize, usize) {
    let x = into_contiguous(x);
    let (rows, columns) = (x.meta.shape()[0], x.meta.shape()[1]);
    (x, rows, columns)
}

/// A matrix on the device of `like`, to be written.
fn empty(like: &CubeTensor, rows: usize, columns: usize) -> CubeTensor {
    let buffer = like.client.empty(rows * columns * 4);
    let shape = Shape::from([rows, columns]);
    CubeTensor::new_contiguous(like.client.clone(), like.device.clone(), shape, buffer, DType::F32)
}

fn buffer(tensor: &CubeTensor) -> Handle {
    tensor.handle.clone()
}

fn layout(weight: &Weight<CubeBackend>) -> [u32; 4] {
    Layout::of(weight.shape).words()
}

/// Whether a row of activations is whole blocks.
fn even(columns: usize) -> bool {
    columns.is_multiple_of(BLOCK)
}

/// Whether so many rows are multiplied by tiles: where weights would otherwise be read many times.
fn by_tiles(rows: usize) -> bool {
    rows > 4
}

/// Whether products of many rows are of half floats on this GPU.
#[must_use]
pub fn has_half_floats(device: &Device) -> bool {
    device::cube_device(device).is_ok_and(|device| number(&device.client()) == Number::Half)
}

/// How a product with so many rows is computed on the GPU of `like`: `units` pairs of lines of weights, `blocks` of a row.
fn way(rows: usize, like: &CubeTensor, units: usize, blocks: usize) -> ProductPlan {
    match by_tiles(rows) {
        true => ProductPlan::Tiles(Tile::of(number(&like.client), rows, 2 * units)),
        false => ProductPlan::Rows(overrides::forced_cut().unwrap_or_else(|| Cut::of(units, blocks))),
    }
}

/// Workgroups for some rows, and units of which each does some.
fn workgroups(rows: usize, units: usize, way: ProductPlan) -> (usize, usize, usize) {
    match way {
        ProductPlan::Tiles(tile) => ((2 * units).div_ceil(tile.lines()), rows.div_ceil(tile.lines()), 1),
        ProductPlan::Rows(cut) => (units.div_ceil(cut.all() as usize), rows, 1),
    }
}

/// How queries, keys and values are cut. A head that is normed is computed by one workgroup.
fn qkv_cut(head_norm: bool, pairs: usize, units: usize, blocks: usize) -> Cut {
    match head_norm {
        true => Cut::together(pairs),
        false => overrides::forced_cut().unwrap_or_else(|| Cut::of(units, blocks)),
    }
}

/// A weight's buffers: each with its shape and the number of rows before it.
fn parts(weight: &Weight<CubeBackend>) -> Vec<(Handle, WeightShape, usize)> {
    let later: usize = weight.more.iter().map(|part| part.shape.rows).sum();
    let first = WeightShape { rows: weight.shape.rows - later, ..weight.shape };
    let mut parts = vec![(buffer(&weight.data), first, 0)];
    for part in &weight.more {
        let before = parts.iter().map(|(_, shape, _)| shape.rows).sum();
        let tensor = Tensor::<1, Int>::from_dispatch(part.data.clone()).try_into_primitive::<CubeBackend>();
        match tensor {
            Ok(tensor) => parts.push((tensor.handle, part.shape, before)),
            Err(_) => fail("a part of a weight is on another device"),
        }
    }
    parts
}

/// The buffer of a weight that is not cut.
fn whole(weight: &Weight<CubeBackend>) -> Handle {
    if !weight.more.is_empty() {
        fail("a matrix of the model's blocks is larger than what this GPU binds at once");
    }
    buffer(&weight.data)
}

/// What a shader is told of where a pass begins.
fn first(position: Position) -> u32 {
    match position {
        Position::At(position) => position as u32,
        Position::Placed(_) => PLACED,
    }
}

/// Positions of a part of attention, where one row looks at many.
const ATTENDED: usize = attend::SPAN as usize;

impl DecoderOps for CubeBackend {
    fn embed(table: Weight<Self>, tokens: Ints) -> Floats {
        let (count, columns) = (tokens.meta.shape()[0], table.shape.columns);
        let out = empty(&tokens, count, columns);
        for (table, shape, before) in parts(&table) {
            let layout = Layout::of(shape).words();
            let workgroups = (2 * layout[3] as usize).div_ceil(THREADS as usize);
            let info = [[count as u32, columns as u32, before as u32, shape.rows as u32], layout];
            Launch::new(Program::Embed { table: shape.kind })
                .reads(table)
                .reads(buffer(&tokens))
                .writes(buffer(&out))
                .start(&out.client, (workgroups, count, 1), &info);
        }
        out
    }

    fn qkv(x: Floats, weights: Attention<Self>, cache: Cache<Self>, position: Position) -> Floats {
        let (x, rows, columns) = matrix(x);
        let (query, key, value) = (&weights.query, &weights.key, &weights.value);
        let pairs = cache.shape.head_dim / 2;
        let bias = matches!(weights.query_bias, Optional::Present(_));
        let head_norm = matches!(weights.query_norm, Optional::Present(_));
        let Optional::Present(turns) = &weights.rope_factors else {
            fail("a layer that its store did not prepare");
            return empty(&x, rows, query.shape.rows);
        };
        let units = [query, key, value].map(|weight| weight.shape.rows / 2);
        let out = empty(&x, rows, query.shape.rows);
        let biases = columns.next_multiple_of(4);
        let norms = if bias { biases + 2 * units.iter().sum::<usize>() } else { biases };
        let info = [
            [rows as u32, columns as u32, weights.epsilon.to_bits(), first(position)],
            layout(query),
            layout(key),
            layout(value),
            [units[0] as u32, units[1] as u32, units[2] as u32, weights.rope.dimensions as u32 / 2],
            [
                pairs as u32,
                cache.shape.capacity as u32,
                cache.shape.kv_heads as u32,
                weight_store::interleaved(weights.rope.layout),
            ],
            [biases as u32, norms as u32, (norms + 2 * pairs) as u32, 0],
        ];
        let kinds = [query, key, value].map(|weight| weight.shape.kind);
        let start = |program| {
            let launch = Launch::new(program).reads(buffer(&x)).weight(whole(query)).weight(whole(key));
            launch.weight(whole(value)).reads(buffer(&weights.norm.data))
        };
        let all: usize = units.iter().sum();
        let even = even(columns);
        let [query, key, value] = kinds;
        let blocks = columns.div_ceil(BLOCK);
        if by_tiles(rows) {
            let tile = Tile::of(number(&x.client), rows, 2 * all);
            let products = empty(&x, rows, 2 * all);
            start(Program::QkvTiles { query, key, value, even, tile }).writes(buffer(&products)).start(
                &out.client,
                workgroups(rows, all, ProductPlan::Tiles(tile)),
                &info,
            );
            let mut turn = Launch::new(Program::Turn { bias, head_norm })
                .reads(buffer(&products))
                .reads(buffer(&turns.data))
                .writes(buffer(&out))
                .writes(buffer(&cache.data));
            if bias || head_norm {
                turn = turn.reads(buffer(&weights.norm.data));
            }
            turn.start(&out.client, (all / pairs, rows, 1), &info);
        } else {
            let cut = qkv_cut(head_norm, pairs, all, blocks);
            start(Program::Qkv { query, key, value, bias, head_norm, even, cut })
                .reads(buffer(&turns.data))
                .writes(buffer(&out))
                .writes(buffer(&cache.data))
                .start(&out.client, (all.div_ceil(cut.all() as usize), rows, 1), &info);
        }
        out
    }

    fn attend(q: Floats, cache: Cache<Self>, position: Position) -> Floats {
        let (q, rows, columns) = matrix(q);
        let shape = cache.shape;
        let heads = columns / shape.head_dim;
        let out = empty(&q, rows, columns);
        let head_dim = shape.head_dim as u32;
        let length = match position {
            Position::At(position) => position + rows,
            Position::Placed(most) => most,
        };
        let parts = if by_tiles(rows) { 1 } else { length.div_ceil(ATTENDED) };
        let seen: usize = (0..rows).map(|row| length - row).sum();
        let info = [
            [rows as u32, heads as u32, first(position), (heads / shape.kv_heads) as u32],
            [shape.capacity as u32, shape.kv_heads as u32, ATTENDED as u32, parts as u32],
        ];
        if rows >= attend_tile::ROWS && attend_tile::fits(shape.head_dim) {
            Launch::new(Program::AttendTiles { head_dim })
                .reads(buffer(&q))
                .reads(buffer(&cache.data))
                .writes(buffer(&out))
                .cache_bytes(4 * shape.kv_heads * shape.head_dim * seen)
                .start(&out.client, (heads, rows.div_ceil(attend_tile::ROWS), 1), &info);
            return out;
        }
        let sums = match parts {
            1 => out.clone(),
            _ => empty(&q, rows * heads * parts, attend::part_floats(shape.head_dim)),
        };
        Launch::new(Program::Attend { head_dim, parts: parts > 1 })
            .reads(buffer(&q))
            .reads(buffer(&cache.data))
            .reads(buffer(&cache.place))
            .writes(buffer(&sums))
            .cache_bytes(4 * shape.kv_heads * shape.head_dim * seen)
            .start(&out.client, (heads, rows, parts), &info);
        if parts > 1 {
            Launch::new(Program::Join { head_dim }).reads(buffer(&sums)).writes(buffer(&out)).start(
                &out.client,
                (heads, rows, 1),
                &info,
            );
        }
        out
    }

    fn project_add(x: Floats, weight: Weight<Self>, residual: Floats) -> Floats {
        let (x, rows, columns) = matrix(x);
        let residual = into_contiguous(residual);
        let out = if residual.handle.can_mut() { residual } else { residual.copy() };
        let outputs = weight.shape.rows;
        let way = way(rows, &x, outputs.div_ceil(2), columns.div_ceil(BLOCK));
        let program = Program::ProjectAdd { weight: weight.shape.kind, even: even(columns), way };
        let info = [[rows as u32, columns as u32, 0, outputs as u32], layout(&weight)];
        Launch::new(program).reads(buffer(&x)).weight(whole(&weight)).writes(buffer(&out)).start(
            &out.client,
            workgroups(rows, outputs.div_ceil(2), way),
            &info,
        );
        out
    }

    fn gate_up(x: Floats, weights: FeedForward<Self>) -> Floats {
        let (x, rows, columns) = matrix(x);
        let (gate, up) = (&weights.gate, &weights.up);
        let outputs = gate.shape.rows;
        let out = empty(&x, rows, outputs);
        let way = way(rows, &x, outputs, columns.div_ceil(BLOCK));
        let program = Program::GateUp { gate: gate.shape.kind, up: up.shape.kind, even: even(columns), way };
        let info = [[rows as u32, columns as u32, weights.epsilon.to_bits(), outputs as u32], layout(gate), layout(up)];
        Launch::new(program)
            .reads(buffer(&x))
            .weight(whole(gate))
            .weight(whole(up))
            .reads(buffer(&weights.norm.data))
            .writes(buffer(&out))
            .start(&out.client, workgroups(rows, outputs, way), &info);
        out
    }

    fn adapt(x: Floats, adapter: Floats, epsilon: f32) -> Floats {
        let (adapter, all, _) = matrix(adapter);
        let x = into_contiguous(x);
        let out = if x.handle.can_mut() { x } else { x.copy() };
        let (rows, columns) = (out.meta.shape()[0], out.meta.shape()[1]);
        let info = [[rows as u32, columns as u32, epsilon.to_bits(), all as u32 / 2]];
        Launch::new(Program::Adapt).reads(buffer(&adapter)).writes(buffer(&out)).start(
            &out.client,
            (rows, 1, 1),
            &info,
        );
        out
    }

    fn logits(x: Floats, head: Head<Self>) -> Floats {
        let (x, rows, columns) = matrix(x);
        let outputs = head.output.shape.rows;
        let out = empty(&x, rows, outputs);
        for (weight, shape, before) in parts(&head.output) {
            let info = [
                [rows as u32, columns as u32, head.epsilon.to_bits(), shape.rows as u32],
                Layout::of(shape).words(),
                [before as u32, outputs as u32, 0, 0],
            ];
            let way = way(rows, &x, shape.rows.div_ceil(2), columns.div_ceil(BLOCK));
            Launch::new(Program::Logits { weight: shape.kind, even: even(columns), way })
                .reads(buffer(&x))
                .weight(weight)
                .reads(buffer(&head.norm.data))
                .writes(buffer(&out))
                .start(&out.client, workgroups(rows, shape.rows.div_ceil(2), way), &info);
        }
        out
    }
    fn draw(logits: Floats, drawing: Drawing<Self>) -> Ints {
        let (logits, _, count) = matrix(logits);
        let client = &logits.client;
        let parts = client.empty(choose::PARTS * 8);
        let info = [[count as u32, choose::PARTS as u32, RECENT as u32, 0]];
        let launch = Launch::new(Program::Likeliest).reads(buffer(&logits)).reads(buffer(&drawing.tokens));
        launch.reads(buffer(&drawing.place)).writes(parts.clone()).start(client, (choose::PARTS, 1, 1), &info);
        let launch = Launch::new(Program::Choose).reads(parts).writes(buffer(&drawing.tokens));
        launch.writes(buffer(&drawing.place)).start(client, (1, 1, 1), &info);
        drawing.next
    }
}
