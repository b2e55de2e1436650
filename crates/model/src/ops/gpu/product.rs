//! WGSL of products with a few rows of activations: each weight is read once, by threads that share a row's columns.

use std::fmt::Write as _;

use seealso_gguf::Kind;

use super::dequantise::{functions, packed, unit};
use super::wgsl::{THREADS, WORDS, bindings, element, loads};

/// How a product with a few rows of activations is cut: `lanes` threads share a row's columns and compute `units` units,
/// a workgroup `groups · units`. A unit is two outputs that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cut {
    /// Threads that share a row's columns, a power of two.
    pub lanes: u32,
    /// Such threads of a workgroup.
    pub groups: u32,
    /// Units that they compute together.
    pub units: u32,
}

impl Cut {
    /// The cut of a product with so many units and blocks of a row. The more units a thread computes, the fewer times the
    /// activations are loaded; but a GPU wants many workgroups, and each thread a few blocks to wait for at a time.
    pub(super) fn of(units: usize, blocks: usize) -> Self {
        let lanes = blocks.next_power_of_two().clamp(8, 32) as u32;
        let groups = THREADS / lanes;
        let workgroups = |each: u32| units / (groups * each) as usize;
        let each = [4, 2].into_iter().find(|each| workgroups(*each) >= ENOUGH);
        Self { lanes, groups, units: each.unwrap_or(1) }
    }

    /// The cut of units that one workgroup must compute together.
    pub(super) fn together(units: usize) -> Self {
        let units = units as u32;
        // Eight lanes of sixteen groups, at the most.
        let each = (1..=units).find(|each| units.is_multiple_of(*each) && units / each <= 16).unwrap_or(units);
        let groups = units / each;
        let lanes = if groups <= 8 { 16 } else { 8 };
        Self { lanes, groups, units: each }
    }

    /// Units of a workgroup.
    pub(super) const fn all(self) -> u32 {
        self.groups * self.units
    }

    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        self.groups * self.lanes
    }
}

/// Workgroups that are enough for a large GPU, about.
const ENOUGH: usize = 512;

/// A range of units whose weights are one matrix.
pub(super) struct UnitRange {
    /// The first unit and the one after the last, expressions.
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    /// WGSL that makes `two`, unit `u`'s products of block `b` with x0 … x7; `u` counts from the first of the range.
    pub(super) step: String,
}

/// A product with a few rows of activations.
pub(super) struct Product<'a> {
    pub(super) cut: Cut,
    /// A norm of the activations comes first.
    pub(super) norm: bool,
    /// The ranges, one after the other.
    pub(super) ranges: &'a [UnitRange],
    /// Blocks of a row, an expression.
    pub(super) blocks: &'a str,
    /// Units, an expression.
    pub(super) total: &'a str,
    /// WGSL that does with unit `u`'s values `y`, in row `row`, what must be done: run by one thread each, `own`
    /// being the unit's number in the workgroup and `live` whether there is such a unit.
    pub(super) end: &'a str,
}

impl Product<'_> {
    pub(super) fn text(&self) -> String {
        let Cut { lanes, groups, units } = self.cut;
        let (all, threads) = (self.cut.all(), self.cut.threads());
        let scale =
            if self.norm { "y *= inverseSqrt(squares[0] / f32(info[0].y) + bitcast<f32>(info[0].z));" } else { "" };
        let [mut load, mut loops, mut stores, mut sums, mut adds] = [const { String::new() }; 5];
        for i in 0..8 {
            let _ = writeln!(load, "    var x{i} = x_four(row, 8u * b + {i}u);");
        }
        if self.norm {
            for i in 0..8 {
                let _ = writeln!(load, "    square += dot(x{i}, x{i}); x{i} *= vectors_four(0u, 8u * b + {i}u);");
            }
        }
        for i in 0..units {
            let _ = writeln!(stores, "  partial[(group * {units}u + {i}u) * LANES + lane] = sum{i};");
            let _ = writeln!(
                adds,
                "      sum{i} += partial[(group * {units}u + {i}u) * LANES + lane + half];
      partial[(group * {units}u + {i}u) * LANES + lane] = sum{i};"
            );
            let _ = writeln!(sums, "  var sum{i} = vec2f(0.0);");
        }
        for range in self.ranges {
            let UnitRange { from, to, step } = range;
            // A loop of its own for each range, run by those that have units in it.
            let _ = writeln!(
                loops,
                "  for (var b = select({blocks}, lane, first < {to} && first + {units}u > {from}); b < {blocks}; b += LANES) {{
    square *= f32(b != lane);
{load}    let sums = vec2f(dot(x0 + x1 + x2 + x3, vec4f(1.0)), dot(x4 + x5 + x6 + x7, vec4f(1.0)));",
                blocks = self.blocks
            );
            // Unused ones cost nothing: compilers drop them.
            for i in 0..8 {
                let _ = writeln!(loops, "    let z{i} = x{i} * UNPACK;");
            }
            for i in 0..units {
                let guard = match self.ranges.len() {
                    1 => String::new(),
                    _ => format!(" * f32(first + {i}u >= {from} && first + {i}u < {to})"),
                };
                let _ = writeln!(
                    loops,
                    "    {{ let u = clamp(first + {i}u, {from}, {to} - 1u) - {from}; {step} sum{i} += two{guard}; }}"
                );
            }
            loops.push_str("  }\n");
        }
        format!(
            "const LANES = {lanes}u;
var<workgroup> partial: array<vec2f, {partials}>;
var<workgroup> squares: array<f32, LANES>;
var<workgroup> done: array<vec2f, {all}>;

@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let row = workgroup.y;
  let lane = thread % LANES;
  let group = thread / LANES;
  let first = (workgroup.x * {groups}u + group) * {units}u;
  var square = 0.0;
{sums}{loops}{stores}  if (group == 0u) {{ squares[lane] = square; }}
  for (var half = LANES / 2u; half > 0u; half >>= 1u) {{
    workgroupBarrier();
    if (lane < half) {{
{adds}      if (group == 0u) {{ square += squares[lane + half]; squares[lane] = square; }}
    }}
  }}
  workgroupBarrier();
  for (var own = thread; own < {all}u; own += {threads}u) {{
    let u = workgroup.x * {all}u + own;
    var y = partial[own * LANES];
    {scale}
    let live = u < {total};
    {end}
  }}
",
            partials = all * lanes,
            total = self.total,
            end = self.end,
        )
    }
}

const DOT: &str = "block, AT, x0, x1, x2, x3, x4, x5, x6, x7, sums";

/// A call of a weight's product.
pub(super) fn dot(w: &str, kind: Kind, block: &str, at: &str) -> String {
    let x = if packed(kind) { "z" } else { "x" };
    format!("{w}_dot({})", DOT.replace('x', x).replace("block", block).replace("AT", at))
}

/// `info`: [tokens, columns, rows of the table before these, rows], the table's layout.
pub(super) fn embed(table: Kind) -> String {
    let bindings = bindings(&[("table", WORDS), ("tokens", "u32"), ("out", "f32")], 2);
    let (functions, unit) = (functions("table", table), unit(table));
    format!(
        "{bindings}{functions}
@compute @workgroup_size({THREADS})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
  let b = id.x >> 1u;
  let part = id.x & 1u;
  // A token of an earlier part comes out huge.
  let token = tokens[id.y] - info[0].z;
  if (b >= info[1].w || token >= info[0].w) {{ return; }}
  let block = token * info[1].w + b;
  let p = table_parameters(block, info[1]);
  let codes = table_codes(block, part, info[1]);
  let scale = select(p.xy, p.zw, part == 1u);
  let unit = {unit};
  for (var i = 0u; i < 16u; i++) {{
    let k = 32u * b + 16u * part + i;
    if (k < info[0].y) {{ out[id.y * info[0].y + k] = codes[i >> 2u][i & 3u] * unit[i & 3u] * scale.x + scale.y; }}
  }}
}}
"
    )
}

/// `info`: [rows of activations, columns, -, outputs], the weight's layout.
pub(super) fn project_add(weight: Kind, even: bool, cut: Cut) -> String {
    let mut text = bindings(&[("x", element(even)), ("w", WORDS), ("out", "f32")], 2);
    text.push_str(&functions("w", weight));
    text.push_str(&loads("x", even));
    text.push_str(&neighbours(
        weight,
        "if (live) {
      let at = row * info[0].w + 2u * u;
      out[at] += y.x;
      if (2u * u + 1u < info[0].w) { out[at + 1u] += y.y; }
    }",
        false,
        cut,
    ));
    text
}

/// `info`: [rows of activations, columns, epsilon, outputs], the weight's layout, [outputs before these, outputs in
/// all, -, -].
pub(super) fn logits(weight: Kind, even: bool, cut: Cut) -> String {
    let buffers = [("x", element(even)), ("w", WORDS), ("vectors", element(even)), ("out", "f32")];
    let mut text = bindings(&buffers, 3);
    text.push_str(&functions("w", weight));
    text.push_str(&loads("x", even));
    text.push_str(&loads("vectors", even));
    text.push_str(&neighbours(
        weight,
        "if (live) {
      let at = row * info[2].y + info[2].x + 2u * u;
      out[at] = y.x;
      if (2u * u + 1u < info[0].w) { out[at + 1u] = y.y; }
    }",
        true,
        cut,
    ));
    text
}

/// A product whose units are two neighbouring rows of one weight.
fn neighbours(weight: Kind, end: &str, norm: bool, cut: Cut) -> String {
    let step = format!(
        "let r = 2u * u; let s = min(r + 1u, info[0].w - 1u); let two = vec2f({}, {});",
        dot("w", weight, "r * info[1].w + b", "info[1]"),
        dot("w", weight, "s * info[1].w + b", "info[1]")
    );
    let total = "((info[0].w + 1u) >> 1u)";
    let ranges = [UnitRange { from: "0u", to: total, step }];
    Product { cut, norm, ranges: &ranges, blocks: "info[1].w", total, end }.text() + "}\n"
}

/// `info`: [rows of activations, columns, epsilon, outputs], the gate's layout, the other's.
pub(super) fn gate_up(gate: Kind, up: Kind, even: bool, cut: Cut) -> String {
    let buffers = [("x", element(even)), ("gate", WORDS), ("up", WORDS), ("vectors", element(even)), ("out", "f32")];
    let mut text = bindings(&buffers, 3);
    text.push_str(&functions("gate", gate));
    text.push_str(&functions("up", up));
    text.push_str(&loads("x", even));
    text.push_str(&loads("vectors", even));
    let step = format!(
        "let two = vec2f({}, {});",
        dot("gate", gate, "u * info[1].w + b", "info[1]"),
        dot("up", up, "u * info[2].w + b", "info[2]")
    );
    let end = "if (live) { out[row * info[0].w + u] = y.x / (1.0 + exp(-y.x)) * y.y; }";
    let ranges = [UnitRange { from: "0u", to: "info[0].w", step }];
    let product = Product { cut, norm: true, ranges: &ranges, blocks: "info[1].w", total: "info[0].w", end };
    text.push_str(&product.text());
    text.push_str("}\n");
    text
}
