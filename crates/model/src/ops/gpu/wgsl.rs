//! WGSL that several kernels share: their buffers, how activations are loaded, and where a pass stands.
//!
//! Storage is declared writable throughout where buffers share memory, since a buffer may not be bound for reading and
//! for writing at once.

use std::fmt::Write as _;

/// Threads of the kernels that have no cut.
pub(super) const THREADS: u32 = 64;

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
