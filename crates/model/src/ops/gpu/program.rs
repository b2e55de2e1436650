//! The kernels, each a program in WGSL. The text of each stands with its operation; what several share is in
//! [`wgsl`](super::wgsl).
//!
//! Sizes and places come in a uniform, so a model needs few pipelines: one for each operation and each combination of
//! kinds.

use seealso_gguf::Kind;

use super::dequantise::COMMON;
use super::product::Cut;
use super::tile::{Number, Tile};
use super::wgsl::THREADS;
use super::{adapt, attend, attend_tile, choose, product, product_tile, query};

/// How a product is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ProductPlan {
    /// Row by row of activations, for a few of them.
    Rows(Cut),
    /// By tiles of many rows.
    Tiles(Tile),
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
            Self::QkvTiles { query, key, value, even, tile } => product_tile::qkv([query, key, value], even, tile),
            Self::Turn { bias, head_norm } => query::turn(bias, head_norm),
            Self::ProjectAdd { weight, even, way: ProductPlan::Rows(cut) } => product::project_add(weight, even, cut),
            Self::ProjectAdd { weight, even, way: ProductPlan::Tiles(tile) } => {
                product_tile::project_add(weight, even, tile)
            }
            Self::GateUp { gate, up, even, way: ProductPlan::Rows(cut) } => product::gate_up(gate, up, even, cut),
            Self::GateUp { gate, up, even, way: ProductPlan::Tiles(tile) } => {
                product_tile::gate_up(gate, up, even, tile)
            }
            Self::Logits { weight, even, way: ProductPlan::Rows(cut) } => product::logits(weight, even, cut),
            Self::Logits { weight, even, way: ProductPlan::Tiles(tile) } => product_tile::logits(weight, even, tile),
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
