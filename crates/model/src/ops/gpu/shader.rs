//! The kernels' WGSL.
//!
//! Sizes and places come in a uniform, so a model needs few pipelines: one for each operation and each combination of
//! kinds. Storage is declared writable throughout where buffers share memory, since a buffer may not be bound for
//! reading and for writing at once.

use std::fmt::Write as _;

use seealso_gguf::Kind;

use super::dequantise::COMMON;
use super::{adapt, attend, product, query, tile};

/// Threads that share a row's columns in a product with a few rows of activations.
pub(super) const LANES: u32 = 8;

/// How a product is cut: a thread computes `units` units, a workgroup `groups · units`. A unit is two outputs that
/// belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cut {
    pub(super) groups: u32,
    pub(super) units: u32,
}

impl Cut {
    pub(super) const PLAIN: Self = Self { groups: 8, units: 4 };

    /// Units of a workgroup.
    pub(super) const fn all(self) -> u32 {
        self.groups * self.units
    }

    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        self.groups * LANES
    }
}

/// How a product is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// Row by row of activations, for a few of them.
    Rows,
    /// By tiles of many rows.
    Tiles(Number),
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
    /// Joins attention's parts.
    Join { head_dim: u32 },
    /// Norm, queries, keys and values of many rows.
    QkvTiles { query: Kind, key: Kind, value: Kind, even: bool, number: Number },
    /// After that: biases, norms of heads, rotation, cache.
    Turn { bias: bool, head_norm: bool },
    /// A product that is added to what is there.
    ProjectAdd { weight: Kind, even: bool, way: Way },
    /// Norm, two products, silu of the first times the second.
    GateUp { gate: Kind, up: Kind, even: bool, way: Way },
    /// A bottleneck before a layer.
    Adapt,
    /// Norm, product.
    Logits { weight: Kind, even: bool, way: Way },
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
            Self::ProjectAdd { .. } | Self::GateUp { .. } | Self::Logits { .. } => Cut::PLAIN.threads(),
            Self::Attend { head_dim, .. } | Self::Join { head_dim } => attend::threads(head_dim),
            Self::Embed { .. } | Self::CopyCache | Self::QkvTiles { .. } | Self::Turn { .. } | Self::Adapt => THREADS,
        }
    }

    pub(super) fn source(self) -> String {
        let body = match self {
            Self::Embed { table } => product::embed(table),
            Self::Qkv { query: q, key, value, bias, head_norm, even, cut } => {
                query::qkv([q, key, value], bias, head_norm, even, cut)
            }
            Self::Attend { head_dim, parts } => attend::attend(head_dim, parts),
            Self::Join { head_dim } => attend::join(head_dim),
            Self::QkvTiles { query, key, value, even, number } => tile::qkv([query, key, value], even, number),
            Self::Turn { bias, head_norm } => query::turn(bias, head_norm),
            Self::ProjectAdd { weight, even, way: Way::Rows } => product::project_add(weight, even),
            Self::ProjectAdd { weight, even, way: Way::Tiles(number) } => tile::project_add(weight, even, number),
            Self::GateUp { gate, up, even, way: Way::Rows } => product::gate_up(gate, up, even),
            Self::GateUp { gate, up, even, way: Way::Tiles(number) } => tile::gate_up(gate, up, even, number),
            Self::Logits { weight, even, way: Way::Rows } => product::logits(weight, even),
            Self::Logits { weight, even, way: Way::Tiles(number) } => tile::logits(weight, even, number),
            Self::Adapt => adapt::adapt(),
            Self::CopyCache => attend::copy_cache(),
        };
        let enable = if self.needs_halves() { "enable f16;\n" } else { "" };
        format!("{enable}{COMMON}{body}")
    }

    /// Whether it computes with half floats, which not every GPU does.
    pub(super) fn needs_halves(self) -> bool {
        match self {
            Self::QkvTiles { number, .. } => number == Number::Half,
            Self::ProjectAdd { way, .. } | Self::GateUp { way, .. } | Self::Logits { way, .. } => {
                way == Way::Tiles(Number::Half)
            }
            Self::Embed { .. }
            | Self::Qkv { .. }
            | Self::Attend { .. }
            | Self::Join { .. }
            | Self::Turn { .. }
            | Self::Adapt
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
