//! Says that `tests/gpu.rs` is left out where the cargo feature `webgpu` is off: its compiler would wait half an hour for
//! burn's part of WebGPU.
#![cfg(not(feature = "webgpu"))]

#[test]
fn the_decoder_on_a_gpu() {
    seealso_test_support::skip("tests/gpu.rs needs the cargo feature `webgpu`");
}
