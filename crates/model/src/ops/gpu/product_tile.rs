//! WGSL of products with many rows of activations: tiles in workgroup memory, weights dequantised once a tile.
//!
//! A workgroup computes 32 outputs of 32 rows: block by block of 32 columns, it brings the weights' and the
//! activations' blocks to workgroup memory as floats, and each of its 64 threads adds to four outputs of four rows.
//! The sum of squares that a norm needs comes from the same activations on their way, so that a norm costs no kernel.
//!
//! Where the GPU has half floats, the tiles are of those, and so are the products of 16 columns; all sums beyond are
//! floats. Activations may be larger than a half float can be, so each 16 of them come divided by their largest.

use std::fmt::Write as _;

use seealso_gguf::Kind;

use super::dequantise::{functions, unit};
use super::tile::{Number, Tile, Tiles};
use super::wgsl::{WORDS, bindings, element, loads};

impl Tiles<'_> {
    fn text(&self) -> String {
        if self.tile.is_wide {
            return self.wide();
        }
        let scale = if self.norm {
            "let own = 2u * (d + 8u * j);
    y *= inverseSqrt((squares[own] + squares[own + 1u]) / f32(info[0].y) + bitcast<f32>(info[0].z));"
        } else {
            ""
        };
        let mut ends = String::new();
        for j in 0..4 {
            let _ = writeln!(
                ends,
                "  {{ let j = {j}u; let row = first_row + d + 8u * j; var y = sum{j};
    {scale}
    if (row < info[0].x) {{ {} }} }}",
                self.end
            );
        }
        format!(
            "var<workgroup> weights: array<{four}, 288>;
var<workgroup> activations: array<{four}, 288>;
var<workgroup> sizes: array<f32, 64>;
var<workgroup> squares: array<f32, 64>;
fn weight_half(first: u32, line: u32, b: u32, part: u32) -> mat4x4f {{ {weights} }}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let first = workgroup.x * {outputs};
  let first_row = workgroup.y * 32u;
  let line = thread >> 1u;
  let part = thread & 1u;
  let c = thread & 7u;
  let d = thread >> 3u;
  let live = first_row + line < info[0].x;
  var square = 0.0;
  var sum0 = vec4f(0.0);
  var sum1 = vec4f(0.0);
  var sum2 = vec4f(0.0);
  var sum3 = vec4f(0.0);
  for (var b = 0u; b < {blocks}; b++) {{
    let w = weight_half(first, line, b, part);
{bring}    workgroupBarrier();
{multiply}    workgroupBarrier();
  }}
  squares[thread] = square;
  workgroupBarrier();
{ends}}}
",
            weights = self.weights,
            outputs = self.outputs,
            blocks = self.blocks,
            four = self.four(),
            bring = self.bring(),
            multiply = self.multiply(),
        )
    }

    /// WGSL that brings half a block of weights and one of activations to the workgroup's memory.
    fn bring(&self) -> String {
        let four = self.four();
        let mut text = String::new();
        for i in 0..4 {
            let _ = writeln!(text, "    weights[line * 9u + 4u * part + {i}u] = {four}(w[{i}]);");
        }
        for i in 0..4 {
            let _ = writeln!(text, "    var a{i} = vec4f(0.0);");
            let _ = writeln!(text, "    if (live) {{ a{i} = x_four(first_row + line, 8u * b + 4u * part + {i}u); }}");
            if self.norm {
                let _ = writeln!(text, "    square += dot(a{i}, a{i});");
                let _ = writeln!(text, "    a{i} *= vectors_four(0u, 8u * b + 4u * part + {i}u);");
            }
        }
        if self.tile.number == Number::Half {
            text.push_str(
                "    let largest = max(max(abs(a0), abs(a1)), max(abs(a2), abs(a3)));
    let size = max(max(max(largest.x, largest.y), max(largest.z, largest.w)), 1e-30);
    sizes[thread] = size;
    a0 /= size; a1 /= size; a2 /= size; a3 /= size;
",
            );
        }
        for i in 0..4 {
            let _ = writeln!(text, "    activations[line * 9u + 4u * part + {i}u] = {four}(a{i});");
        }
        text
    }

    /// WGSL that adds the block's products to `sum0` … `sum3`, each with the four lines of a row.
    fn multiply(&self) -> String {
        let four = self.four();
        let [mut starts, mut adds, mut ends] = [const { String::new() }; 3];
        for j in 0..4 {
            let row = format!("(d + {}u)", 8 * j);
            let _ = writeln!(starts, "      var part{j} = {four}(0.0);");
            let _ = writeln!(
                adds,
                "        let x{j} = activations[{row} * 9u + k];
        part{j} += {four}(dot(w0, x{j}), dot(w1, x{j}), dot(w2, x{j}), dot(w3, x{j}));"
            );
            let _ = match self.tile.number {
                Number::Float => writeln!(ends, "      sum{j} += part{j};"),
                Number::Half => writeln!(ends, "      sum{j} += vec4f(part{j}) * sizes[2u * {row} + side];"),
            };
        }
        format!(
            "    for (var side = 0u; side < 2u; side++) {{
{starts}      for (var k = 4u * side; k < 4u * side + 4u; k++) {{
        let w0 = weights[c * 9u + k];
        let w1 = weights[(c + 8u) * 9u + k];
        let w2 = weights[(c + 16u) * 9u + k];
        let w3 = weights[(c + 24u) * 9u + k];
{adds}      }}
{ends}    }}
"
        )
    }
}

/// The value of half a block of weight `w`, whose layout is `info[at]`: `row` is an expression.
fn half(w: &str, kind: Kind, row: &str, at: usize) -> String {
    let unit = unit(kind);
    format!(
        "let block = ({row}) * info[{at}].w + b;
  let p = {w}_parameters(block, info[{at}]);
  let s = select(p.xy, p.zw, part == 1u);
  let codes = {w}_codes(block, part, info[{at}]);
  let d = {unit} * s.x;
  let m = vec4f(s.y);
  return mat4x4f(codes[0] * d + m, codes[1] * d + m, codes[2] * d + m, codes[3] * d + m);"
    )
}

/// `info` as of the product with few rows.
pub(super) fn project_add(weight: Kind, even: bool, tile: Tile) -> String {
    let mut text = bindings(&[("x", element(even)), ("w", WORDS), ("out", "f32")], 2);
    text.push_str(&functions("w", weight));
    text.push_str(&loads("x", even));
    text.push_str(&one_weight(weight, false, tile, "row * info[0].w", "+="));
    text
}

/// `info` as of the product with few rows.
pub(super) fn logits(weight: Kind, even: bool, tile: Tile) -> String {
    let buffers = [("x", element(even)), ("w", WORDS), ("vectors", element(even)), ("out", "f32")];
    let mut text = bindings(&buffers, 3);
    text.push_str(&functions("w", weight));
    text.push_str(&loads("x", even));
    text.push_str(&loads("vectors", even));
    text.push_str(&one_weight(weight, true, tile, "row * info[2].y + info[2].x", "="));
    text
}

/// A product whose outputs go to `out` from a row's `start` on, by `=` or by `+=`.
fn one_weight(weight: Kind, norm: bool, tile: Tile, start: &str, store: &str) -> String {
    let weights = half("w", weight, "min(first + line, info[0].w - 1u)", 1);
    let mut end = format!("let at = {start} + first + c;");
    for i in 0..4 {
        let _ = write!(end, " if (first + c + {o}u < info[0].w) {{ out[at + {o}u] {store} y[{i}]; }}", o = 8 * i);
    }
    Tiles { norm, tile, weights: &weights, blocks: "info[1].w", outputs: "32u", end: &end }.text()
}

/// `info` as of the product with few rows. A tile is 16 rows of the gate and the same 16 of the other.
pub(super) fn gate_up(gate: Kind, up: Kind, even: bool, tile: Tile) -> String {
    let buffers = [("x", element(even)), ("gate", WORDS), ("up", WORDS), ("vectors", element(even)), ("out", "f32")];
    let mut text = bindings(&buffers, 3);
    text.push_str(&functions("gate", gate));
    text.push_str(&functions("up", up));
    text.push_str(&loads("x", even));
    text.push_str(&loads("vectors", even));
    let weights = format!(
        "let row = min(first + (line & 15u), info[0].w - 1u); if (line < 16u) {{ {} }} {}",
        half("gate", gate, "row", 1),
        half("up", up, "row", 2)
    );
    let end = "let at = row * info[0].w + first + c; let gated = y.xy / (1.0 + exp(-y.xy)) * y.zw;
    if (first + c < info[0].w) { out[at] = gated.x; }
    if (first + c + 8u < info[0].w) { out[at + 8u] = gated.y; }";
    let tiles = Tiles { norm: true, tile, weights: &weights, blocks: "info[1].w", outputs: "16u", end };
    text.push_str(&tiles.text());
    text
}

/// Queries, keys and values side by side, normed and multiplied; [`turn`](super::query::turn) does the rest. `info` as of the kernel that
/// does both.
pub(super) fn qkv([query, key, value]: [Kind; 3], even: bool, tile: Tile) -> String {
    let buffers =
        [("x", element(even)), ("wq", WORDS), ("wk", WORDS), ("wv", WORDS), ("vectors", element(even)), ("out", "f32")];
    let mut text = bindings(&buffers, 7);
    for (name, kind) in [("wq", query), ("wk", key), ("wv", value)] {
        text.push_str(&functions(name, kind));
    }
    text.push_str(&loads("x", even));
    text.push_str(&loads("vectors", even));
    let weights = format!(
        "let q = 2u * info[4].x; let k = q + 2u * info[4].y; let all = k + 2u * info[4].z;
  let row = min(first + line, all - 1u);
  if (row < q) {{ {} }} if (row < k) {{ {} }} {}",
        half("wq", query, "row", 1),
        half("wk", key, "row - q", 2),
        half("wv", value, "row - k", 3)
    );
    let mut end = "let all = 2u * (info[4].x + info[4].y + info[4].z); let at = row * all + first + c;".to_owned();
    for i in 0..4 {
        let _ = write!(end, " if (first + c + {o}u < all) {{ out[at + {o}u] = y[{i}]; }}", o = 8 * i);
    }
    text.push_str(
        &Tiles { norm: true, tile, weights: &weights, blocks: "info[1].w", outputs: "32u", end: &end }.text(),
    );
    text
}
