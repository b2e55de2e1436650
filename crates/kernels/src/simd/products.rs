//! The tile in vectors: four output rows, one to a lane, by one or four rows of activations.
//!
//! The weights' codes are unsigned and below 128, so that they can be the first operand of a product
//! of bytes; signed codes ([`Packing::Eight`]), and all where the target has no such product, are
//! widened to 16 bits. Per block the sums are integers; scales come after. Each function is small,
//! and called once for a panel and a group, or several groups where the panel is of one row, so that a browser's
//! optimising compiler takes it up soon.

use super::ops::{self, V};
use crate::half::REBIAS;
use crate::layout::{BLOCK, Layout, Packing, STEPS};
use crate::panel::{PANEL, Panel, SIDES, Widths};
use crate::tile::Sums;

const FOUR: u8 = 4;
const FIVE: u8 = 5;
const SIX: u8 = 6;
const EIGHT: u8 = 8;

/// Which widths of activations the tiles of `layout` read.
pub(crate) fn widths(layout: Layout) -> Widths {
    let narrow = ops::BYTE_PRODUCTS && layout.packing != Packing::Eight;
    Widths { narrow, wide: !narrow }
}

/// The products of one group of output rows with one panel.
///
/// The machine must have the vectors ([`super::available`]), and the panel the widths that
/// [`widths`] names.
pub(crate) fn tile(layout: Layout, group: &[u8], panel: &Panel<'_>) -> Sums {
    let operands = operands(layout, [group], panel);
    // SAFETY: the slices have the lengths that the kernel's shape says, as just checked.
    let [sums] = unsafe {
        match panel.tall == 1 {
            true => run::<1, 1>(layout, &operands),
            false => run::<4, 1>(layout, &operands),
        }
    };
    sums
}

/// The products of `GROUPS` groups, of the same number of blocks, with one row of activations: as [`tile`] gives them,
/// to the bit.
///
/// A single row's products wait for the weights to come from memory. Groups that lie apart are streams apart, which the
/// machine fetches ahead of time side by side. Block by block each group has its turn alone, so that its sums stay in
/// registers.
pub(crate) fn abreast<const GROUPS: usize>(
    layout: Layout,
    groups: [&[u8]; GROUPS],
    panel: &Panel<'_>,
) -> [Sums; GROUPS] {
    assert!(panel.tall == 1);
    let operands = operands(layout, groups, panel);
    // SAFETY: as in `tile`.
    unsafe { run::<1, GROUPS>(layout, &operands) }
}

/// The operands, whose lengths are checked.
fn operands<const GROUPS: usize>(layout: Layout, groups: [&[u8]; GROUPS], panel: &Panel<'_>) -> Operands<GROUPS> {
    let wide = widths(layout).wide;
    let blocks = groups[0].len() / layout.block_bytes();
    let codes = if wide { panel.wide.len() } else { panel.narrow.len() };
    assert!(groups.iter().all(|group| group.len() == blocks * layout.block_bytes()));
    assert!(codes == blocks * BLOCK * panel.tall && panel.sides.len() == blocks * SIDES * panel.tall);
    assert!(panel.tall == 1 || panel.tall == PANEL);
    Operands {
        blocks,
        weights: groups.map(<[u8]>::as_ptr),
        codes: if wide { panel.wide.as_ptr().cast() } else { panel.narrow.as_ptr().cast() },
        sides: panel.sides.as_ptr().cast(),
        factors: [REBIAS * layout.unit, -f32::from(layout.centre)],
    }
}

/// A tile's operands, of lengths that [`operands`] checked.
struct Operands<const GROUPS: usize> {
    blocks: usize,
    weights: [*const u8; GROUPS],
    codes: *const u8,
    sides: *const u8,
    /// What scales and minima are multiplied with, and what symmetric codes are about, negated.
    factors: [f32; 2],
}

/// `TALL` is the panel's height.
unsafe fn run<const TALL: usize, const GROUPS: usize>(layout: Layout, operands: &Operands<GROUPS>) -> [Sums; GROUPS] {
    let wide = widths(layout).wide;
    macro_rules! kernel {
        ($packing:ident, $affine:literal) => {
            // SAFETY: as the caller promises.
            unsafe {
                match wide && ($packing == EIGHT || !ops::BYTE_PRODUCTS) {
                    false => by_bytes::<$packing, $affine, TALL, GROUPS>(operands),
                    true => by_words::<$packing, $affine, TALL, GROUPS>(operands),
                }
            }
        };
    }
    match (layout.packing, layout.affine) {
        (Packing::Four, false) => kernel!(FOUR, false),
        (Packing::Four, true) => kernel!(FOUR, true),
        (Packing::Five, false) => kernel!(FIVE, false),
        (Packing::Five, true) => kernel!(FIVE, true),
        (Packing::Six, _) => kernel!(SIX, false),
        (Packing::Eight, _) => kernel!(EIGHT, false),
    }
}

/// Bytes of scales and minima, as in [`Layout::head_bytes`].
const fn head_bytes(packing: u8, affine: bool) -> usize {
    if affine || packing == SIX { 16 } else { 8 }
}

/// Where codes begin, as in [`Layout::codes_at`].
const fn codes_at(packing: u8, affine: bool) -> usize {
    head_bytes(packing, affine)
        + match packing {
            FIVE => 16,
            SIX => 32,
            _ => 0,
        }
}

const fn block_bytes(packing: u8, affine: bool) -> usize {
    codes_at(packing, affine) + if packing == EIGHT { 128 } else { 64 }
}

/// How many vectors of nibbles (two steps each) 16-bit sums can take: a lane gets two products of
/// up to 127 × the largest code per step.
const fn steps_until_full(packing: u8) -> usize {
    match packing {
        FOUR => 4,
        FIVE => 2,
        _ => 1,
    }
}

/// Four half floats as floats, with all of the layout's factors.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn halves(at: *const u8, unit: V) -> V {
    // SAFETY: as the caller promises.
    let bits = ops::left32(unsafe { ops::load_i16x4(at) }, 13);
    ops::mul(ops::and(bits, ops::words(0x8fff_ffff_u32.cast_signed())), unit)
}

/// The unsigned codes of steps `2 q` and `2 q + 1` of a block.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn codes<const PACKING: u8, const AFFINE: bool>(block: *const u8, q: usize) -> [V; 2] {
    // SAFETY: as the caller promises, for all loads here.
    let both = unsafe { ops::load(block.add(codes_at(PACKING, AFFINE) + 16 * q)) };
    let nibbles = [ops::and(both, ops::bytes(15)), ops::and(ops::right16(both, 4), ops::bytes(15))];
    let head = head_bytes(PACKING, AFFINE);
    match PACKING {
        FIVE => {
            // SAFETY: as above.
            let bits = unsafe { ops::load(block.add(head)) };
            [
                ops::or(nibbles[0], ops::and(move_bit(bits, 2 * q as i32), ops::bytes(0x10))),
                ops::or(nibbles[1], ops::and(move_bit(bits, 2 * q as i32 + 1), ops::bytes(0x10))),
            ]
        }
        SIX => {
            // SAFETY: as above.
            let bits = unsafe { ops::load(block.add(head + 16 * (q / 2))) };
            let first = 4 * (q % 2) as i32;
            [
                ops::or(nibbles[0], ops::and(move_bit(bits, first), ops::bytes(0x30))),
                ops::or(nibbles[1], ops::and(move_bit(bits, first + 2), ops::bytes(0x30))),
            ]
        }
        _ => nibbles,
    }
}

/// Moves bit `from` of each byte to bit 4; what comes along from neighbours is masked off after.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn move_bit(bits: V, from: i32) -> V {
    match from {
        0..4 => ops::left16(bits, (4 - from).cast_unsigned()),
        4 => bits,
        _ => ops::right16(bits, (from - 4).cast_unsigned()),
    }
}

/// Adds a block's share to the sums, given its integer sums: of the whole, or of both halves.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn scale<const PACKING: u8, const AFFINE: bool, const TALL: usize>(
    [unit, centre]: [f32; 2],
    block: *const u8,
    sides: *const u8,
    dots: &[[V; TALL]; 2],
    sums: &mut [V; TALL],
) {
    let (unit, centre) = (ops::floats(unit), ops::floats(centre));
    // SAFETY: as the caller promises, for all loads here.
    unsafe {
        let first = halves(block, unit);
        let second = if AFFINE || PACKING == SIX { halves(block.add(8), unit) } else { first };
        let minimum = if AFFINE { second } else { ops::mul(first, centre) };
        let side = |kind: usize, row: usize| ops::splat32(sides.add((kind * TALL + row) * 4));
        for row in 0..TALL {
            let own = side(0, row);
            let mut sum = ops::add(sums[row], ops::mul(ops::mul(first, own), ops::to_floats(dots[0][row])));
            if PACKING == SIX {
                sum = ops::add(sum, ops::mul(ops::mul(second, own), ops::to_floats(dots[1][row])));
                sum = ops::add(sum, ops::mul(minimum, side(2, row)));
                sum = ops::add(sum, ops::mul(ops::mul(second, centre), side(3, row)));
            } else if PACKING != EIGHT {
                sum = ops::add(sum, ops::mul(minimum, side(1, row)));
            }
            sums[row] = sum;
        }
    }
}

/// The sums as plain values.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn out<const TALL: usize>(sums: &[V; TALL]) -> Sums {
    let mut out = Sums::default();
    for (out, sum) in out.iter_mut().zip(sums) {
        // SAFETY: an array of four floats is sixteen bytes.
        unsafe { ops::store(out.as_mut_ptr(), *sum) };
    }
    out
}

/// The tile by products of bytes.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn by_bytes<const PACKING: u8, const AFFINE: bool, const TALL: usize, const GROUPS: usize>(
    operands: &Operands<GROUPS>,
) -> [Sums; GROUPS] {
    let halves = if PACKING == SIX { 2 } else { 1 };
    let full = steps_until_full(PACKING);
    let mut sums = [[ops::floats(0.0); TALL]; GROUPS];
    let (mut at, mut x, mut sides) = (operands.weights, operands.codes, operands.sides);
    for _ in 0..operands.blocks {
        // SAFETY: all loads are within the blocks and their activations, whose number `operands` checked.
        unsafe {
            for (block, sums) in at.iter_mut().zip(&mut sums) {
                let mut dots = [[ops::words(0); TALL]; 2];
                for (half, dots) in dots.iter_mut().enumerate().take(halves) {
                    let vectors = 4 / halves;
                    for start in (half * vectors..(half + 1) * vectors).step_by(full) {
                        let mut words = [ops::words(0); TALL];
                        for q in start..start + full {
                            let codes = codes::<PACKING, AFFINE>(*block, q);
                            for (index, codes) in codes.into_iter().enumerate() {
                                for (row, words) in words.iter_mut().enumerate() {
                                    let x = ops::splat32(x.add(((2 * q + index) * TALL + row) * 4));
                                    *words = ops::add16(*words, ops::byte_products(codes, x));
                                }
                            }
                        }
                        for (dot, words) in dots.iter_mut().zip(words) {
                            *dot = ops::add32(*dot, ops::pair_sums16(words));
                        }
                    }
                }
                scale::<PACKING, AFFINE, TALL>(operands.factors, *block, sides, &dots, sums);
                *block = block.add(block_bytes(PACKING, AFFINE));
            }
            x = x.add(BLOCK * TALL);
            sides = sides.add(SIDES * TALL * 4);
        }
    }
    sums.map(|sums| out(&sums))
}

/// The tile by products of 16-bit integers.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn by_words<const PACKING: u8, const AFFINE: bool, const TALL: usize, const GROUPS: usize>(
    operands: &Operands<GROUPS>,
) -> [Sums; GROUPS] {
    let halves = if PACKING == SIX { 2 } else { 1 };
    let mut sums = [[ops::floats(0.0); TALL]; GROUPS];
    let (mut at, mut x, mut sides) = (operands.weights, operands.codes, operands.sides);
    for _ in 0..operands.blocks {
        // SAFETY: all loads are within the blocks and their activations, whose number `operands` checked.
        unsafe {
            for (block, sums) in at.iter_mut().zip(&mut sums) {
                let mut dots = [[ops::words(0); TALL]; 2];
                for (half, dots) in dots.iter_mut().enumerate().take(halves) {
                    let vectors = 4 / halves;
                    let mut low = [ops::words(0); TALL];
                    let mut high = [ops::words(0); TALL];
                    for q in half * vectors..(half + 1) * vectors {
                        let codes = wide_codes::<PACKING, AFFINE>(*block, q);
                        for (index, [first, second]) in codes.into_iter().enumerate() {
                            for row in 0..TALL {
                                let x = ops::splat64(x.add(((2 * q + index) * TALL + row) * 8));
                                low[row] = ops::add32(low[row], ops::products16(first, x));
                                high[row] = ops::add32(high[row], ops::products16(second, x));
                            }
                        }
                    }
                    for row in 0..TALL {
                        dots[row] = ops::pair_sums32(low[row], high[row]);
                    }
                }
                scale::<PACKING, AFFINE, TALL>(operands.factors, *block, sides, &dots, sums);
                *block = block.add(block_bytes(PACKING, AFFINE));
            }
            x = x.add(BLOCK * TALL * 2);
            sides = sides.add(SIDES * TALL * 4);
        }
    }
    sums.map(|sums| out(&sums))
}

/// The codes of steps `2 q` and `2 q + 1`, each as rows 0 and 1, and rows 2 and 3.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn wide_codes<const PACKING: u8, const AFFINE: bool>(block: *const u8, q: usize) -> [[V; 2]; 2] {
    if PACKING == EIGHT {
        // SAFETY: as the caller promises.
        let at = |step: usize| unsafe { ops::load(block.add(codes_at(PACKING, AFFINE) + 16 * step)) };
        return [2 * q, 2 * q + 1].map(|step| [ops::low_signed(at(step)), ops::high_signed(at(step))]);
    }
    // SAFETY: as the caller promises.
    let [first, second] = unsafe { codes::<PACKING, AFFINE>(block, q) };
    [[ops::low_unsigned(first), ops::high_unsigned(first)], [ops::low_unsigned(second), ops::high_unsigned(second)]]
}

const _: () = assert!(STEPS == 8 && BLOCK == 32, "the kernels are written for eight steps of four");
