//! WGSL that reads a weight's blocks in registers: see [`super::layout`] for how they lie.
//!
//! For a weight named `w` there are `w_parameters(block, at) -> vec4f` (scale and minimum of the block's first half,
//! then of its second), `w_codes(block, part, at) -> mat4x4f` (16 codes of a half), and `w_dot(block, at, x0 … x7,
//! sums)`, the block's product with 32 activations, whose sums by half are given too. `at` are the weight's
//! [`Layout::words`].
//!
//! Codes of up to seven bits are cut out of a word by masks alone, so that the second of four comes 256 times too
//! large, the third 256² times, and so on: [`packed`] says of which kinds. Their activations come divided by that.
//!
//! [`Layout::words`]: super::layout::Layout::words

use seealso_gguf::Kind;

/// Whether a word's four codes come multiplied by 1, 256, 256², 256³.
pub(super) fn packed(kind: Kind) -> bool {
    !matches!(kind, Kind::F32 | Kind::F16 | Kind::BF16 | Kind::Q8_0)
}

/// What four codes are multiplied by to be what they mean.
pub(super) fn unit(kind: Kind) -> &'static str {
    if packed(kind) { "UNPACK" } else { "vec4f(1.0)" }
}

/// The functions of a weight's kind for the binding `w`.
pub(super) fn functions(w: &str, kind: Kind) -> String {
    let parameters = parameters(kind).replace('$', w);
    let (load, part) = codes(kind);
    let (load, part) = (load.replace('$', w), part.replace('$', w));
    let (first_half, second_half) = (part.replace("part", "0u"), part.replace("part", "1u"));
    let sum = match minimum(kind) {
        true => "p.x * first + p.z * second + p.y * sums.x + p.w * sums.y",
        false if matches!(kind, Kind::F32 | Kind::F16 | Kind::BF16) => "first + second",
        false => "p.x * (first + second)",
    };
    format!(
        "fn {w}_word(at: u32) -> u32 {{ return {w}[at >> 2u][at & 3u]; }}
fn {w}_short(base: u32, index: u32) -> u32 {{ return ({w}_word(base + (index >> 1u)) >> ((index & 1u) * 16u)) & 0xffffu; }}
fn {w}_parameters(block: u32, at: vec4<u32>) -> vec4f {{ {parameters} }}
fn {w}_codes(block: u32, part: u32, at: vec4<u32>) -> mat4x4f {{ {load} return {part}; }}
fn {w}_dot(block: u32, at: vec4<u32>, x0: vec4f, x1: vec4f, x2: vec4f, x3: vec4f, x4: vec4f, x5: vec4f, x6: vec4f, \
         x7: vec4f, sums: vec2f) -> f32 {{
  let p = {w}_parameters(block, at);
  {load}
  let a = {first_half};
  let b = {second_half};
  let first = dot(a[0], x0) + dot(a[1], x1) + dot(a[2], x2) + dot(a[3], x3);
  let second = dot(b[0], x4) + dot(b[1], x5) + dot(b[2], x6) + dot(b[3], x7);
  return {sum};
}}
"
    )
}

/// Whether values are more than scale times code.
fn minimum(kind: Kind) -> bool {
    !matches!(kind, Kind::F32 | Kind::F16 | Kind::BF16 | Kind::Q8_0)
}

/// Functions that all kinds use.
pub(super) const COMMON: &str = "
const UNPACK = vec4f(1.0, 0.00390625, 0.0000152587890625, 0.000000059604644775390625);
fn half_float(bits: u32) -> f32 { return unpack2x16float(bits).x; }
fn masked(word: u32, masks: vec4<i32>) -> vec4f { return vec4f(vec4<i32>(bitcast<i32>(word)) & masks); }
fn nibbles(word: u32) -> vec4f { return masked(word, vec4<i32>(0xf, 0xf00, 0xf0000, 0xf000000)); }
fn four_bits(q: vec4<u32>) -> mat4x4f { return mat4x4f(nibbles(q.x), nibbles(q.y), nibbles(q.z), nibbles(q.w)); }
fn bytes(word: u32) -> vec4f { return masked(word, vec4<i32>(0x7f, 0x7f00, 0x7f0000, 0x7f000000)); }
fn five_bits(q: vec4<u32>, high: u32) -> mat4x4f {
  let low = q & vec4<u32>(0x0f0f0f0fu);
  return mat4x4f(bytes(low.x | ((high << 4u) & 0x10101010u)), bytes(low.y | ((high << 3u) & 0x10101010u)),
    bytes(low.z | ((high << 2u) & 0x10101010u)), bytes(low.w | ((high << 1u) & 0x10101010u)));
}
fn six_bits(q: vec4<u32>, high: u32) -> mat4x4f {
  let low = q & vec4<u32>(0x0f0f0f0fu);
  return mat4x4f(bytes(low.x | ((high << 4u) & 0x30303030u)), bytes(low.y | ((high << 2u) & 0x30303030u)),
    bytes(low.z | (high & 0x30303030u)), bytes(low.w | ((high >> 2u) & 0x30303030u)));
}
// Each times 2^24.
fn signed_bytes(word: u32) -> vec4f {
  let top = vec4<i32>(bitcast<i32>(word << 24u), bitcast<i32>(word << 16u), bitcast<i32>(word << 8u), bitcast<i32>(word));
  return vec4f(top & vec4<i32>(-16777216));
}
fn eight_bits(q: vec4<u32>) -> mat4x4f {
  return mat4x4f(signed_bytes(q.x), signed_bytes(q.y), signed_bytes(q.z), signed_bytes(q.w));
}
fn two_halves(a: u32, b: u32) -> vec4f { return vec4f(unpack2x16float(a), unpack2x16float(b)); }
fn half_floats(a: vec4<u32>, b: vec4<u32>) -> mat4x4f {
  return mat4x4f(two_halves(a.x, a.y), two_halves(a.z, a.w), two_halves(b.x, b.y), two_halves(b.z, b.w));
}
fn two_uppers(a: u32, b: u32) -> vec4f {
  return bitcast<vec4f>(vec4<u32>(a << 16u, a & 0xffff0000u, b << 16u, b & 0xffff0000u));
}
fn upper_floats(a: vec4<u32>, b: vec4<u32>) -> mat4x4f {
  return mat4x4f(two_uppers(a.x, a.y), two_uppers(a.z, a.w), two_uppers(b.x, b.y), two_uppers(b.z, b.w));
}
";

fn parameters(kind: Kind) -> &'static str {
    match kind {
        Kind::F32 | Kind::F16 | Kind::BF16 => "return vec4f(1.0, 0.0, 1.0, 0.0);",
        Kind::Q4_0 => "let d = half_float($_short(at.y, block)); return vec4f(d, -8.0 * d, d, -8.0 * d);",
        Kind::Q5_0 => "let d = half_float($_short(at.y, block)); return vec4f(d, -16.0 * d, d, -16.0 * d);",
        Kind::Q8_0 => {
            "let d = half_float($_short(at.y, block)) * 0.000000059604644775390625; return vec4f(d, 0.0, d, 0.0);"
        }
        Kind::Q4_1 | Kind::Q5_1 => "let d = unpack2x16float($_word(at.y + block)); return vec4f(d, d);",
        Kind::Q4_K | Kind::Q5_K => {
            "let group = $_short(at.y, block);
  let pair = unpack2x16float($_word(at.z + (block >> 3u)));
  let d = pair * vec2f(f32(group & 255u), -f32(group >> 8u));
  return vec4f(d, d);"
        }
        Kind::Q6_K => {
            "let pair = bitcast<i32>($_short(at.y, block));
  let groups = vec2f(vec2<i32>((pair << 24u) >> 24u, (pair << 16u) >> 24u));
  let d = half_float($_short(at.z, block >> 3u)) * groups;
  return vec4f(d.x, -32.0 * d.x, d.y, -32.0 * d.y);"
        }
    }
}

/// What is loaded of a block, and the 16 codes of its half `part`.
fn codes(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Q4_0 | Kind::Q4_1 | Kind::Q4_K => ("let q = $[block];", "four_bits(q >> vec4<u32>(4u * part))"),
        Kind::Q5_0 | Kind::Q5_1 | Kind::Q5_K => (
            "let q = $[block]; let h = $_word(at.x + block);",
            "five_bits(q >> vec4<u32>(4u * part), h >> (4u * part))",
        ),
        Kind::Q6_K => (
            "let q = $[block]; let h = vec2<u32>($_word(at.x + 2u * block), $_word(at.x + 2u * block + 1u));",
            "six_bits(q >> vec4<u32>(4u * part), h[part])",
        ),
        Kind::Q8_0 => ("", "eight_bits($[2u * block + part])"),
        Kind::F16 => ("", "half_floats($[4u * block + 2u * part], $[4u * block + 2u * part + 1u])"),
        Kind::BF16 => ("", "upper_floats($[4u * block + 2u * part], $[4u * block + 2u * part + 1u])"),
        Kind::F32 => (
            "let k = 8u * block;",
            "mat4x4f(bitcast<vec4f>($[k + 4u * part]), bitcast<vec4f>($[k + 4u * part + 1u]),
    bitcast<vec4f>($[k + 4u * part + 2u]), bitcast<vec4f>($[k + 4u * part + 3u]))",
        ),
    }
}
