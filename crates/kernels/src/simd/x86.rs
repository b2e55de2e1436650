//! The vector operations that the kernels are written in, as processors with AVX2 have them.
//!
//! All are 16 bytes wide, as in wasm, so that one text of the kernels serves both. Callers have
//! made sure of AVX2 and FMA.

use core::arch::x86_64 as arch;

/// A vector of 16 bytes.
pub(crate) type V = arch::__m128i;

/// Whether products of bytes exist.
pub(crate) const BYTE_PRODUCTS: bool = true;

/// Loads 16 bytes.
///
/// # Safety
/// They can be read at `at`, which needs no alignment; so it is with all loads and stores here.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn load(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    unsafe { arch::_mm_loadu_si128(at.cast()) }
}

/// Stores 16 bytes.
///
/// # Safety
/// They can be written at `at`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn store(at: *mut f32, value: V) {
    // SAFETY: as the caller promises.
    unsafe { arch::_mm_storeu_si128(at.cast(), value) }
}

/// Loads 4 bytes into every lane.
///
/// # Safety
/// They can be read at `at`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn splat32(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    arch::_mm_set1_epi32(unsafe { at.cast::<i32>().read_unaligned() })
}

/// Loads 8 bytes into both halves.
///
/// # Safety
/// They can be read at `at`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn splat64(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    arch::_mm_set1_epi64x(unsafe { at.cast::<i64>().read_unaligned() })
}

/// Loads four 16-bit integers into 32-bit lanes, with their signs.
///
/// # Safety
/// They can be read at `at`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) unsafe fn load_i16x4(at: *const u8) -> V {
    // SAFETY: as the caller promises.
    arch::_mm_cvtepi16_epi32(unsafe { arch::_mm_loadl_epi64(at.cast()) })
}

/// Defines operations that are one expression of the processor's own.
macro_rules! operations {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) = $body:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = "avx2,fma")]
            pub(crate) fn $name($($argument: $type),*) -> V {
                $body
            }
        )*
    };
}

operations! {
    /// Sixteen equal bytes.
    fn bytes(value: u8) = arch::_mm_set1_epi8(value.cast_signed());
    /// Four equal integers.
    fn words(value: i32) = arch::_mm_set1_epi32(value);
    /// Four equal floats.
    fn floats(value: f32) = arch::_mm_castps_si128(arch::_mm_set1_ps(value));
    fn and(a: V, b: V) = arch::_mm_and_si128(a, b);
    fn or(a: V, b: V) = arch::_mm_or_si128(a, b);
    /// Shifts 16-bit lanes left.
    fn left16(a: V, by: u32) = arch::_mm_sll_epi16(a, arch::_mm_cvtsi32_si128(by.cast_signed()));
    /// Shifts 16-bit lanes right, filling with zeros.
    fn right16(a: V, by: u32) = arch::_mm_srl_epi16(a, arch::_mm_cvtsi32_si128(by.cast_signed()));
    /// Shifts 32-bit lanes left.
    fn left32(a: V, by: u32) = arch::_mm_sll_epi32(a, arch::_mm_cvtsi32_si128(by.cast_signed()));
    /// Products of unsigned bytes with signed bytes, neighbours added: eight 16-bit sums. With
    /// unsigned bytes up to 127 nothing saturates.
    fn byte_products(codes: V, signed: V) = arch::_mm_maddubs_epi16(codes, signed);
    fn add16(a: V, b: V) = arch::_mm_add_epi16(a, b);
    fn add32(a: V, b: V) = arch::_mm_add_epi32(a, b);
    /// Neighbouring signed 16-bit lanes added.
    fn pair_sums16(a: V) = arch::_mm_madd_epi16(a, arch::_mm_set1_epi16(1));
    /// Neighbouring 32-bit lanes added: those of `a`, then those of `b`.
    fn pair_sums32(a: V, b: V) = arch::_mm_hadd_epi32(a, b);
    /// Products of signed 16-bit lanes, neighbours added.
    fn products16(a: V, b: V) = arch::_mm_madd_epi16(a, b);
    /// The first eight bytes, unsigned, as 16-bit lanes.
    fn low_unsigned(a: V) = arch::_mm_cvtepu8_epi16(a);
    /// The last eight bytes, unsigned, as 16-bit lanes.
    fn high_unsigned(a: V) = arch::_mm_cvtepu8_epi16(arch::_mm_srli_si128::<8>(a));
    /// The first eight bytes, signed, as 16-bit lanes.
    fn low_signed(a: V) = arch::_mm_cvtepi8_epi16(a);
    /// The last eight bytes, signed, as 16-bit lanes.
    fn high_signed(a: V) = arch::_mm_cvtepi8_epi16(arch::_mm_srli_si128::<8>(a));
    /// Signed 32-bit lanes as 16-bit ones, those of `a` first; what doesn't fit becomes the nearest that does.
    fn narrow32(a: V, b: V) = arch::_mm_packs_epi32(a, b);
    /// Signed 16-bit lanes as bytes, likewise.
    fn narrow16(a: V, b: V) = arch::_mm_packs_epi16(a, b);
    /// Integers to floats.
    fn to_floats(a: V) = arch::_mm_castps_si128(arch::_mm_cvtepi32_ps(a));
    fn mul(a: V, b: V) = arch::_mm_castps_si128(arch::_mm_mul_ps(arch::_mm_castsi128_ps(a), arch::_mm_castsi128_ps(b)));
    fn add(a: V, b: V) = arch::_mm_castps_si128(arch::_mm_add_ps(arch::_mm_castsi128_ps(a), arch::_mm_castsi128_ps(b)));
    /// `a × b + c`, rounded once.
    fn multiply_add(a: V, b: V, c: V) = arch::_mm_castps_si128(arch::_mm_fmadd_ps(
        arch::_mm_castsi128_ps(a),
        arch::_mm_castsi128_ps(b),
        arch::_mm_castsi128_ps(c),
    ));
    /// The larger of each two floats; of a NaN and a number, either.
    fn larger(a: V, b: V) = arch::_mm_castps_si128(arch::_mm_max_ps(arch::_mm_castsi128_ps(a), arch::_mm_castsi128_ps(b)));
}
