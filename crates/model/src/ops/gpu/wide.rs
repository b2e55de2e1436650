//! WGSL of products with many rows on a large scale: tiles of 64 lines of weights and 64 rows of activations.
//!
//! Half the workgroup's 128 threads bring 16 columns of the weights to workgroup memory, the others those of the activations;
//! then each thread adds to eight outputs of four rows. What is brought is used for twice as many products as by tiles of 32,
//! but a product needs many rows and lines so that there are enough of such tiles.

use std::fmt::Write as _;

use super::tile::{Number, Tiles};

impl Tiles<'_> {
    pub(super) fn wide(&self) -> String {
        let scale = if self.norm {
            "y *= inverseSqrt(squares[d + 16u * j] / f32(info[0].y) + bitcast<f32>(info[0].z));"
        } else {
            ""
        };
        let [mut sums, mut ends] = [const { String::new() }; 2];
        for j in 0..4 {
            for side in 0..2 {
                let _ = writeln!(sums, "  var sum{j}{side} = vec4f(0.0);");
                let _ = writeln!(
                    ends,
                    "  {{ let j = {j}u; let row = first_row + d + 16u * j; let first = start + {side}u * {outputs}; var y = sum{j}{side};
    {scale}
    if (row < info[0].x) {{ {end} }} }}",
                    outputs = self.outputs,
                    end = self.end
                );
            }
        }
        format!(
            "var<workgroup> weights: array<{four}, 320>;
var<workgroup> activations: array<{four}, 320>;
var<workgroup> sizes: array<f32, 64>;
var<workgroup> squares: array<f32, 64>;
fn weight_half(first: u32, line: u32, b: u32, part: u32) -> mat4x4f {{ {weights} }}

@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let start = workgroup.x * 2u * {outputs};
  let first_row = workgroup.y * 64u;
  let line = thread & 63u;
  let c = thread & 7u;
  let d = thread >> 3u;
  let live = first_row + line < info[0].x;
  var square = 0.0;
{sums}  for (var h = 0u; h < 2u * {blocks}; h++) {{
    if (thread < 64u) {{
      let w = weight_half(start + (line >> 5u) * {outputs}, line & 31u, h >> 1u, h & 1u);
{bring_weights}    }} else {{
{bring}    }}
    workgroupBarrier();
{multiply}    workgroupBarrier();
  }}
  if (thread >= 64u) {{ squares[line] = square; }}
  workgroupBarrier();
{ends}}}
",
            threads = self.tile.threads(),
            weights = self.weights,
            outputs = self.outputs,
            blocks = self.blocks,
            four = self.four(),
            bring_weights = self.bring_wide_weights(),
            bring = self.bring_wide(),
            multiply = self.multiply_wide(),
        )
    }

    fn bring_wide_weights(&self) -> String {
        (0..4).fold(String::new(), |mut text, i| {
            let _ = writeln!(text, "      weights[line * 5u + {i}u] = {four}(w[{i}]);", four = self.four());
            text
        })
    }

    /// WGSL that brings 16 columns of a row of activations.
    fn bring_wide(&self) -> String {
        let four = self.four();
        let mut text = String::new();
        for i in 0..4 {
            let _ = writeln!(text, "      var a{i} = vec4f(0.0);");
            let _ = writeln!(text, "      if (live) {{ a{i} = x_four(first_row + line, 4u * h + {i}u); }}");
            if self.norm {
                let _ = writeln!(text, "      square += dot(a{i}, a{i});");
                let _ = writeln!(text, "      a{i} *= vectors_four(0u, 4u * h + {i}u);");
            }
        }
        if self.tile.number == Number::Half {
            text.push_str(
                "      let largest = max(max(abs(a0), abs(a1)), max(abs(a2), abs(a3)));
      let size = max(max(max(largest.x, largest.y), max(largest.z, largest.w)), 1e-30);
      sizes[line] = size;
      a0 /= size; a1 /= size; a2 /= size; a3 /= size;
",
            );
        }
        for i in 0..4 {
            let _ = writeln!(text, "      activations[line * 5u + {i}u] = {four}(a{i});");
        }
        text
    }

    /// WGSL that adds the products of 16 columns.
    fn multiply_wide(&self) -> String {
        let four = self.four();
        let [mut starts, mut adds, mut ends] = [const { String::new() }; 3];
        for line in 0..8 {
            let _ = writeln!(adds, "      let w{line} = weights[(c + {}u) * 5u + k];", 8 * line);
        }
        for j in 0..4 {
            let _ = writeln!(adds, "      let x{j} = activations[(d + {}u) * 5u + k];", 16 * j);
            for side in 0..2 {
                let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|line| 4 * side + line);
                let product = format!("{four}(dot(w{w0}, x{j}), dot(w{w1}, x{j}), dot(w{w2}, x{j}), dot(w{w3}, x{j}))");
                let _ = match self.tile.number {
                    Number::Float => writeln!(adds, "      sum{j}{side} += {product};"),
                    Number::Half => {
                        let _ = writeln!(starts, "    var part{j}{side} = {four}(0.0);");
                        let _ = writeln!(ends, "    sum{j}{side} += vec4f(part{j}{side}) * sizes[d + {}u];", 16 * j);
                        writeln!(adds, "      part{j}{side} += {product};")
                    }
                };
            }
        }
        format!("{starts}    for (var k = 0u; k < 4u; k++) {{\n{adds}    }}\n{ends}")
    }
}
