//! Every kernel that models may need.

use seealso_gguf::Kind;

use super::super::attend_tile::fits;
use super::super::even;
use super::super::product::Cut;
use super::super::program::{ProductPlan, Program};
use super::super::tile::{Number, Tile};

/// Elements of a head in the models that are known.
const HEADS: [u32; 2] = [64, 128];

/// The kernels of models with matrices of these kinds, whose tiles are of `number` or of floats.
pub(super) fn programs(kinds: &[Kind], number: Number) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut ways = Vec::new();
    let numbers = if number == Number::Half { vec![Number::Float, number] } else { vec![number] };
    for number in numbers {
        ways.extend([false, true].map(|is_wide| ProductPlan::Tiles(Tile { number, is_wide })));
    }
    // A few blocks of a row or many, few rows or many.
    ways.extend(
        [(16, 8), (16, 32), (1 << 20, 8), (1 << 20, 16), (1 << 20, 32)]
            .map(|(units, blocks)| ProductPlan::Rows(Cut::of(units, blocks))),
    );
    for &kind in kinds {
        programs.push(Program::Embed { table: kind });
        // Rows of blocks are whole blocks.
        let evens: &[bool] = if even(kind.block_elements()) { &[true] } else { &[true, false] };
        for &even in evens {
            for &way in &ways {
                programs.extend(products(kind, even, way));
            }
        }
    }
    for (bias, head_norm) in [(false, false), (true, false), (false, true)] {
        programs.push(Program::Turn { bias, head_norm });
    }
    for head_dim in HEADS {
        programs.extend([false, true].map(|parts| Program::Attend { head_dim, parts }));
        programs.push(Program::AttendTiles { head_dim });
    }
    programs.extend([Program::Adapt, Program::CopyCache, Program::Likeliest]);
    let mut distinct = Vec::new();
    programs.retain(|program| {
        let is_new = !distinct.contains(program);
        distinct.push(*program);
        is_new
    });
    programs
}

/// What a model with this kernel needs at longer prompts and contexts.
pub(super) fn later(program: Program) -> Vec<Program> {
    let wide = |tile: Tile| Tile { is_wide: true, ..tile };
    match program {
        Program::Attend { head_dim, parts: false } => {
            let mut later = vec![Program::Attend { head_dim, parts: true }];
            later.extend(fits(head_dim as usize).then_some(Program::AttendTiles { head_dim }));
            later
        }
        Program::QkvTiles { query, key, value, even, tile } => {
            vec![Program::QkvTiles { query, key, value, even, tile: wide(tile) }]
        }
        Program::ProjectAdd { weight, even, way: ProductPlan::Tiles(tile) } => {
            vec![Program::ProjectAdd { weight, even, way: ProductPlan::Tiles(wide(tile)) }]
        }
        Program::GateUp { gate, up, even, way: ProductPlan::Tiles(tile) } => {
            vec![Program::GateUp { gate, up, even, way: ProductPlan::Tiles(wide(tile)) }]
        }
        // Logits are of one row, or of a few.
        _ => Vec::new(),
    }
}

fn products(kind: Kind, even: bool, way: ProductPlan) -> Vec<Program> {
    let mut programs = vec![
        Program::ProjectAdd { weight: kind, even, way },
        Program::GateUp { gate: kind, up: kind, even, way },
        Program::Logits { weight: kind, even, way },
    ];
    match way {
        ProductPlan::Tiles(tile) => {
            programs.push(Program::QkvTiles { query: kind, key: kind, value: kind, even, tile });
        }
        ProductPlan::Rows(cut) => {
            let (query, key, value) = (kind, kind, kind);
            for (bias, head_norm) in [(false, false), (true, false), (false, true)] {
                let cut = if head_norm { Cut::together(64) } else { cut };
                let program = Program::Qkv { query, key, value, bias, head_norm, even, cut };
                programs.push(program);
            }
        }
    }
    programs
}
