//! The kernels' WGSL.
//!
//! Sizes and places come in a uniform, so a model needs few pipelines: one for each operation and each combination of
//! kinds. Storage is declared writable throughout where buffers share memory, since a buffer may not be bound for
//! reading and for writing at once.

use std::fmt::Write as _;

use seealso_gguf::Kind;

use super::dequantise::COMMON;
use super::tile::Tile;
use super::{adapt, attend, attend_tile, choose, product, query, tile};

/// How a product with a few rows of activations is cut: `lanes` threads share a row's columns and compute `units` units,
/// a workgroup `groups · units`. A unit is two outputs that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cut {
    /// Threads that share a row's columns, a power of two.
    pub lanes: u32,
    /// Such threads of a workgroup.
    pub groups: u32,
    /// Units that they compute together.
    pub units: u32,
}

impl Cut {
    /// The cut of a product with so many units and blocks of a row. The more units a thread computes, the fewer times the
    /// activations are loaded; but a GPU wants many workgroups, and each thread a few blocks to wait for at a time.
    pub(super) fn of(units: usize, blocks: usize) -> Self {
        let lanes = blocks.next_power_of_two().clamp(8, 32) as u32;
        let groups = THREADS / lanes;
        let workgroups = |each: u32| units / (groups * each) as usize;
        let each = [4, 2].into_iter().find(|each| workgroups(*each) >= ENOUGH);
        Self { lanes, groups, units: each.unwrap_or(1) }
    }

    /// The cut of units that one workgroup must compute together.
    pub(super) fn together(units: usize) -> Self {
        let units = units as u32;
        // Eight lanes of sixteen groups, at the most.
        let each = (1..=units).find(|each| units.is_multiple_of(*each) && units / each <= 16).unwrap_or(units);
        let groups = units / each;
        let lanes = if groups <= 8 { 16 } else { 8 };
        Self { lanes, groups, units: each }
    }

    /// Units of a workgroup.
    pub(super) const fn all(self) -> u32 {
        self.groups * self.units
    }

    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        self.groups * self.lanes
    }
}

/// Workgroups that are enough for a large GPU, about.
const ENOUGH: usize = 512;

/// How a product is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ProductPlan {
    /// Row by row of activations, for a few of them.
    Rows(Cut),
    /// By tiles of many rows.
    Tiles(Tile),
}

/// What a tile multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Number {
    Float,
    /// Half floats, which take half the workgroup's memory; sums are floats all the same. For GPUs that have
    /// `shader-f16`.
    Half,
}

/// A kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Program {
    /// Rows of the embedding.
    Embed { table: Kind },
    /// Norm, queries, keys, values, biases, norms of heads, rotation, cache.
    Qkv { query: Kind, key: Kind, value: Kind, bias: bool, head_norm: bool, even: bool, cut: Cut },
    /// Attention over the cache, or over parts of it, which are then to be joined.
    Attend { head_dim: u32, parts: bool },
    /// Attention of many rows over the cache.
    AttendTiles { head_dim: u32 },
    /// Joins attention's parts.
    Join { head_dim: u32 },
    /// Norm, queries, keys and values of many rows.
    QkvTiles { query: Kind, key: Kind, value: Kind, even: bool, tile: Tile },
    /// After that: biases, norms of heads, rotation, cache.
    Turn { bias: bool, head_norm: bool },
    /// A product that is added to what is there.
    ProjectAdd { weight: Kind, even: bool, way: ProductPlan },
    /// Norm, two products, silu of the first times the second.
    GateUp { gate: Kind, up: Kind, even: bool, way: ProductPlan },
    /// A bottleneck before a layer.
    Adapt,
    /// Norm, product.
    Logits { weight: Kind, even: bool, way: ProductPlan },
    /// The likeliest token of each of several parts of the vocabulary.
    Likeliest,
    /// The likeliest of those.
    Choose,
    /// The first positions of one cache to another.
    CopyCache,
}

/// Threads of the kernels that have no cut.
pub(super) const THREADS: u32 = 64;

impl Program {
    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        match self {
            Self::Qkv { cut, .. } => cut.threads(),
            Self::ProjectAdd { way, .. } | Self::GateUp { way, .. } | Self::Logits { way, .. } => match way {
                ProductPlan::Rows(cut) => cut.threads(),
                ProductPlan::Tiles(tile) => tile.threads(),
            },
            Self::QkvTiles { tile, .. } => tile.threads(),
            Self::AttendTiles { .. } => attend_tile::THREADS,
            Self::Attend { head_dim, .. } | Self::Join { head_dim } => attend::threads(head_dim),
            Self::Embed { .. } | Self::CopyCache | Self::Turn { .. } | Self::Adapt | Self::Likeliest | Self::Choose => {
                THREADS
            }
        }
    }

    pub(super) fn source(self) -> String {
        let body = match self {
            Self::Embed { table } => product::embed(table),
            Self::Qkv { query: q, key, value, bias, head_norm, even, cut } => {
                query::qkv([q, key, value], bias, head_norm, even, cut)
            }
            Self::Attend { head_dim, parts } => attend::attend(head_dim, parts),
            Self::AttendTiles { head_dim } => attend_tile::attend(head_dim),
            Self::Join { head_dim } => attend::join(head_dim),
            Self::QkvTiles { query, key, value, even, tile } => tile::qkv([query, key, value], even, tile),
            Self::Turn { bias, head_norm } => query::turn(bias, head_norm),
            Self::ProjectAdd { weight, even, way: ProductPlan::Rows(cut) } => product::project_add(weight, even, cut),
            Self::ProjectAdd { weight, even, way: ProductPlan::Tiles(tile) } => tile::project_add(weight, even, tile),
            Self::GateUp { gate, up, even, way: ProductPlan::Rows(cut) } => product::gate_up(gate, up, even, cut),
            Self::GateUp { gate, up, even, way: ProductPlan::Tiles(tile) } => tile::gate_up(gate, up, even, tile),
            Self::Logits { weight, even, way: ProductPlan::Rows(cut) } => product::logits(weight, even, cut),
            Self::Logits { weight, even, way: ProductPlan::Tiles(tile) } => tile::logits(weight, even, tile),
            Self::Adapt => adapt::adapt(),
            Self::Likeliest => choose::likeliest(),
            Self::Choose => choose::choose(),
            Self::CopyCache => attend::copy_cache(),
        };
        let enable = if self.needs_halves() { "enable f16;\n" } else { "" };
        format!("{enable}{COMMON}{body}")
    }

    /// Whether it computes with half floats, which not every GPU does.
    pub(super) fn needs_halves(self) -> bool {
        match self {
            Self::QkvTiles { tile, .. } => tile.number == Number::Half,
            Self::ProjectAdd { way, .. } | Self::GateUp { way, .. } | Self::Logits { way, .. } => {
                matches!(way, ProductPlan::Tiles(tile) if tile.number == Number::Half)
            }
            Self::Embed { .. }
            | Self::Qkv { .. }
            | Self::Attend { .. }
            | Self::AttendTiles { .. }
            | Self::Join { .. }
            | Self::Turn { .. }
            | Self::Adapt
            | Self::Likeliest
            | Self::Choose
            | Self::CopyCache => false,
        }
    }
}

/// Declares the buffers in order, and the uniform of `info` vectors after them.
pub(super) fn bindings(buffers: &[(&str, &str)], info: usize) -> String {
    let mut text = String::new();
    for (index, (name, of)) in buffers.iter().enumerate() {
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "@group(0) @binding({index}) var<storage, read_write> {name}: array<{of}>;");
    }
    let _ = writeln!(text, "@group(0) @binding({}) var<uniform> info: array<vec4<u32>, {info}>;", buffers.len());
    text
}

/// In the place of a position: where the device's own count stands.
pub(super) const PLACED: u32 = u32::MAX;

/// The position that `word` of the uniform says, or `place` where it says [`PLACED`].
pub(super) fn position(word: &str, place: &str) -> String {
    format!("select({word}, {place}, {word} == {PLACED}u)")
}

pub(super) const WORDS: &str = "vec4<u32>";

/// The type of a row's elements: by fours where rows are whole blocks.
pub(super) fn element(even: bool) -> &'static str {
    if even { "vec4f" } else { "f32" }
}

/// How four activations, or four weights of a norm, are loaded. `info[0]`: rows, columns, …
pub(super) fn loads(name: &str, even: bool) -> String {
    match even {
        true => {
            format!("fn {name}_four(row: u32, i: u32) -> vec4f {{ return {name}[row * (info[0].y >> 2u) + i]; }}\n")
        }
        false => format!(
            "fn {name}_one(row: u32, k: u32) -> f32 {{
  if (k < info[0].y) {{ return {name}[row * info[0].y + k]; }}
  return 0.0;
}}
fn {name}_four(row: u32, i: u32) -> vec4f {{
  return vec4f({name}_one(row, 4u * i), {name}_one(row, 4u * i + 1u), {name}_one(row, 4u * i + 2u), \
             {name}_one(row, 4u * i + 3u));
}}\n"
        ),
    }
}
