//! Vectors of 16 bytes: one set of operations, and the kernels that are written in them once for
//! every target that has them.
//!
//! Targets without vectors get the plain kernels under the same names.

#![allow(unsafe_code, reason = "loads by address, and kernels that the machine must have")]

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "wasm.rs"]
mod ops;
#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod ops;

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod attention;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod products;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod quantise;

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use attention::{by_halves, four_by_eight, largest};
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use products::{abreast, tile, widths};
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use quantise::quantise_block;

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
mod absent;
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(crate) use absent::{abreast, by_halves, four_by_eight, largest, quantise_block, tile, widths};

/// Whether this machine runs the vector kernels of this build.
pub(crate) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    cfg!(all(target_arch = "wasm32", target_feature = "simd128"))
}
