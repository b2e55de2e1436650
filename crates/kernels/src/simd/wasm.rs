//! The vector operations that the kernels are written in, as wasm has them.

use core::arch::wasm32 as arch;
use core::arch::wasm32::v128;

/// A vector of 16 bytes.
pub(crate) type V = v128;

/// Whether products of bytes exist: a relaxed instruction, used only where its result is fixed.
pub(crate) const BYTE_PRODUCTS: bool = cfg!(target_feature = "relaxed-simd");

/// Loads 16 bytes.
///
/// # Safety
/// They can be read at `at`, which needs no alignment; so it is with all loads and stores here.
#[inline(always)]
pub(crate) unsafe fn load(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    unsafe { arch::v128_load(at.cast()) }
}

/// Stores 16 bytes.
///
/// # Safety
/// They can be written at `at`.
#[inline(always)]
pub(crate) unsafe fn store(at: *mut f32, value: V) {
    // SAFETY: as the caller promises.
    unsafe { arch::v128_store(at.cast(), value) }
}

/// Loads 4 bytes into every lane.
///
/// # Safety
/// They can be read at `at`.
#[inline(always)]
pub(crate) unsafe fn splat32(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    unsafe { arch::v128_load32_splat(at.cast()) }
}

/// Loads 8 bytes into both halves.
///
/// # Safety
/// They can be read at `at`.
#[inline(always)]
pub(crate) unsafe fn splat64(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    unsafe { arch::v128_load64_splat(at.cast()) }
}

/// Loads four 16-bit integers into 32-bit lanes, with their signs.
///
/// # Safety
/// They can be read at `at`.
#[inline(always)]
pub(crate) unsafe fn load_i16x4(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    unsafe { arch::i32x4_load_extend_i16x4(at.cast()) }
}

/// Sixteen equal bytes.
#[inline(always)]
pub(crate) fn bytes(value: u8) -> V {
    arch::u8x16_splat(value)
}

/// Four equal integers.
#[inline(always)]
pub(crate) fn words(value: i32) -> V {
    arch::i32x4_splat(value)
}

/// Four equal floats.
#[inline(always)]
pub(crate) fn floats(value: f32) -> V {
    arch::f32x4_splat(value)
}

#[inline(always)]
pub(crate) fn and(a: V, b: V) -> V {
    arch::v128_and(a, b)
}

#[inline(always)]
pub(crate) fn or(a: V, b: V) -> V {
    arch::v128_or(a, b)
}

/// Shifts 16-bit lanes left.
#[inline(always)]
pub(crate) fn left16(a: V, by: u32) -> V {
    arch::u16x8_shl(a, by)
}

/// Shifts 16-bit lanes right, filling with zeros.
#[inline(always)]
pub(crate) fn right16(a: V, by: u32) -> V {
    arch::u16x8_shr(a, by)
}

/// Shifts 32-bit lanes left.
#[inline(always)]
pub(crate) fn left32(a: V, by: u32) -> V {
    arch::u32x4_shl(a, by)
}

/// Products of unsigned bytes up to 127 with signed bytes, neighbours added: eight 16-bit sums.
///
/// Within that range no implementation may saturate, nor does the signedness of the first
/// operand's bytes matter, so the relaxed instruction has one result only.
#[cfg(target_feature = "relaxed-simd")]
#[inline(always)]
pub(crate) fn byte_products(codes: V, signed: V) -> V {
    arch::i16x8_relaxed_dot_i8x16_i7x16(signed, codes)
}

/// The same from exact instructions; slower, so that no kernel uses it ([`BYTE_PRODUCTS`]).
#[cfg(not(target_feature = "relaxed-simd"))]
#[inline(always)]
pub(crate) fn byte_products(codes: V, signed: V) -> V {
    let low = arch::i32x4_dot_i16x8(arch::u16x8_extend_low_u8x16(codes), arch::i16x8_extend_low_i8x16(signed));
    let high = arch::i32x4_dot_i16x8(arch::u16x8_extend_high_u8x16(codes), arch::i16x8_extend_high_i8x16(signed));
    arch::i16x8_narrow_i32x4(low, high)
}

#[inline(always)]
pub(crate) fn add16(a: V, b: V) -> V {
    arch::i16x8_add(a, b)
}

#[inline(always)]
pub(crate) fn add32(a: V, b: V) -> V {
    arch::i32x4_add(a, b)
}

/// Neighbouring signed 16-bit lanes added.
#[inline(always)]
pub(crate) fn pair_sums16(a: V) -> V {
    arch::i32x4_extadd_pairwise_i16x8(a)
}

/// Neighbouring 32-bit lanes added: those of `a`, then those of `b`.
#[inline(always)]
pub(crate) fn pair_sums32(a: V, b: V) -> V {
    let even = arch::i32x4_shuffle::<0, 2, 4, 6>(a, b);
    let odd = arch::i32x4_shuffle::<1, 3, 5, 7>(a, b);
    arch::i32x4_add(even, odd)
}

/// Products of signed 16-bit lanes, neighbours added.
#[inline(always)]
pub(crate) fn products16(a: V, b: V) -> V {
    arch::i32x4_dot_i16x8(a, b)
}

/// The first eight bytes, unsigned, as 16-bit lanes.
#[inline(always)]
pub(crate) fn low_unsigned(a: V) -> V {
    arch::u16x8_extend_low_u8x16(a)
}

/// The last eight bytes, unsigned, as 16-bit lanes.
#[inline(always)]
pub(crate) fn high_unsigned(a: V) -> V {
    arch::u16x8_extend_high_u8x16(a)
}

/// The first eight bytes, signed, as 16-bit lanes.
#[inline(always)]
pub(crate) fn low_signed(a: V) -> V {
    arch::i16x8_extend_low_i8x16(a)
}

/// The last eight bytes, signed, as 16-bit lanes.
#[inline(always)]
pub(crate) fn high_signed(a: V) -> V {
    arch::i16x8_extend_high_i8x16(a)
}

/// Signed 32-bit lanes as 16-bit ones, those of `a` first; what doesn't fit becomes the nearest that does.
#[inline(always)]
pub(crate) fn narrow32(a: V, b: V) -> V {
    arch::i16x8_narrow_i32x4(a, b)
}

/// Signed 16-bit lanes as bytes, likewise.
#[inline(always)]
pub(crate) fn narrow16(a: V, b: V) -> V {
    arch::i8x16_narrow_i16x8(a, b)
}

/// Integers to floats.
#[inline(always)]
pub(crate) fn to_floats(a: V) -> V {
    arch::f32x4_convert_i32x4(a)
}

#[inline(always)]
pub(crate) fn mul(a: V, b: V) -> V {
    arch::f32x4_mul(a, b)
}

#[inline(always)]
pub(crate) fn add(a: V, b: V) -> V {
    arch::f32x4_add(a, b)
}

/// `a × b + c`, rounded once or twice.
#[inline(always)]
pub(crate) fn multiply_add(a: V, b: V, c: V) -> V {
    #[cfg(target_feature = "relaxed-simd")]
    return arch::f32x4_relaxed_madd(a, b, c);
    #[cfg(not(target_feature = "relaxed-simd"))]
    arch::f32x4_add(arch::f32x4_mul(a, b), c)
}

/// The larger of each two floats; of a NaN and a number, either.
#[inline(always)]
pub(crate) fn larger(a: V, b: V) -> V {
    arch::f32x4_pmax(a, b)
}
