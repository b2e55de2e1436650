//! WGSL that reads a weight's blocks in registers: see [`super::layout`] for how they lie.
//!
//! For a weight named `w` there are `w_parameters(block, at) -> vec4f` (scale and minimum of the block's first half,
//! then of its second), `w_codes(block, half, at) -> mat4x4f` (16 codes), and `w_dot(block, at, x0 … x7, sums)`, the
//! block's product with 32 activations, whose sums by half are given too. `at` are the weight's [`Layout::words`].
//!
//! [`Layout::words`]: super::layout::Layout::words

use seealso_gguf::Kind;

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
fn half_float(bits: u32) -> f32 { return unpack2x16float(bits).x; }
fn four_bits(word: u32, shift: u32) -> vec4f {
  return vec4f((vec4<u32>(word) >> (vec4<u32>(0u, 8u, 16u, 24u) + shift)) & vec4<u32>(15u));
}
fn fifth_bits(word: u32, first: u32) -> vec4f {
  return vec4f(((vec4<u32>(word) >> (vec4<u32>(0u, 1u, 2u, 3u) + first)) & vec4<u32>(1u)) << vec4<u32>(4u));
}
fn sixth_bits(word: u32, first: u32) -> vec4f {
  return vec4f(((vec4<u32>(word) >> (vec4<u32>(0u, 2u, 4u, 6u) + 2u * first)) & vec4<u32>(3u)) << vec4<u32>(4u));
}
fn signed_bytes(word: u32) -> vec4f {
  return vec4f(bitcast<vec4<i32>>(vec4<u32>(word) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u));
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
        Kind::Q8_0 => "let d = half_float($_short(at.y, block)); return vec4f(d, 0.0, d, 0.0);",
        Kind::Q4_1 | Kind::Q5_1 => "let d = unpack2x16float($_word(at.y + block)); return vec4f(d, d);",
        Kind::Q4_K | Kind::Q5_K => {
            "let group = $_short(at.y, block);
  let pair = unpack2x16float($_word(at.z + (block >> 3u)));
  let d = pair * vec2f(f32(group & 255u), -f32(group >> 8u));
  return vec4f(d, d);"
        }
        Kind::Q6_K => {
            "let groups = signed_bytes($_short(at.y, block)).xy;
  let d = half_float($_short(at.z, block >> 3u)) * groups;
  return vec4f(d.x, -32.0 * d.x, d.y, -32.0 * d.y);"
        }
    }
}

/// What is loaded of a block, and the 16 codes of its half `part`.
fn codes(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Q4_0 | Kind::Q4_1 | Kind::Q4_K => (
            "let q = $[block];",
            "mat4x4f(four_bits(q.x, 4u * part), four_bits(q.y, 4u * part), four_bits(q.z, 4u * part), \
             four_bits(q.w, 4u * part))",
        ),
        Kind::Q5_0 | Kind::Q5_1 | Kind::Q5_K => (
            "let q = $[block]; let h = $_word(at.x + block);",
            "mat4x4f(four_bits(q.x, 4u * part) + fifth_bits(h, 16u * part),
    four_bits(q.y, 4u * part) + fifth_bits(h, 16u * part + 4u),
    four_bits(q.z, 4u * part) + fifth_bits(h, 16u * part + 8u),
    four_bits(q.w, 4u * part) + fifth_bits(h, 16u * part + 12u))",
        ),
        Kind::Q6_K => (
            "let q = $[block]; let h = vec2<u32>($_word(at.x + 2u * block), $_word(at.x + 2u * block + 1u));",
            "mat4x4f(four_bits(q.x, 4u * part) + sixth_bits(h[part], 0u), four_bits(q.y, 4u * part) + \
             sixth_bits(h[part], 4u),
    four_bits(q.z, 4u * part) + sixth_bits(h[part], 8u), four_bits(q.w, 4u * part) + sixth_bits(h[part], 12u))",
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
