//! The kernels' WGSL.
//!
//! Sizes and places come in a uniform, so a model needs few pipelines: one for each operation and each combination of
//! kinds. Storage is declared writable throughout where buffers share memory, since a buffer may not be bound for
//! reading and for writing at once.

use std::fmt::Write as _;

use seealso_gguf::Kind;

use super::dequantise::{COMMON, functions, packed, unit};
use super::{attend, tile};

/// Threads that share a row's columns in a product with a few rows of activations.
pub(super) const LANES: u32 = 8;

/// How a product is cut: a thread computes `units` units, a workgroup `groups · units`. A unit is two outputs that
/// belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cut {
    pub(super) groups: u32,
    pub(super) units: u32,
}

impl Cut {
    pub(super) const PLAIN: Self = Self { groups: 8, units: 4 };

    /// Units of a workgroup.
    pub(super) const fn all(self) -> u32 {
        self.groups * self.units
    }

    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        self.groups * LANES
    }
}

/// A kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Program {
    /// Rows of the embedding.
    Embed { table: Kind },
    /// Norm, queries, keys, values, biases, norms of heads, rotation, cache.
    Qkv { query: Kind, key: Kind, value: Kind, bias: bool, head_norm: bool, even: bool, cut: Cut },
    /// Attention over the cache, or over parts of it, which are then to be joined.
    Attend { head_dim: u32, parts: bool },
    /// Joins attention's parts.
    Join { head_dim: u32 },
    /// Norm, queries, keys and values of many rows.
    QkvTiles { query: Kind, key: Kind, value: Kind, even: bool },
    /// After that: biases, norms of heads, rotation, cache.
    Turn { bias: bool, head_norm: bool },
    /// A product that is added to what is there.
    ProjectAdd { weight: Kind, even: bool, tiles: bool },
    /// Norm, two products, silu of the first times the second.
    GateUp { gate: Kind, up: Kind, even: bool, tiles: bool },
    /// Norm, product.
    Logits { weight: Kind, even: bool, tiles: bool },
    /// The first positions of one cache to another.
    CopyCache,
}

/// Threads of the kernels that have no cut.
pub(super) const THREADS: u32 = 64;

impl Program {
    /// Threads of a workgroup.
    pub(super) fn threads(self) -> u32 {
        match self {
            Self::Qkv { cut, .. } => cut.threads(),
            Self::ProjectAdd { .. } | Self::GateUp { .. } | Self::Logits { .. } => Cut::PLAIN.threads(),
            Self::Attend { head_dim, .. } | Self::Join { head_dim } => attend::threads(head_dim),
            Self::Embed { .. } | Self::CopyCache | Self::QkvTiles { .. } | Self::Turn { .. } => THREADS,
        }
    }

    pub(super) fn source(self) -> String {
        let body = match self {
            Self::Embed { table } => embed(table),
            Self::Qkv { query, key, value, bias, head_norm, even, cut } => {
                qkv([query, key, value], bias, head_norm, even, cut)
            }
            Self::Attend { head_dim, parts } => attend::attend(head_dim, parts),
            Self::Join { head_dim } => attend::join(head_dim),
            Self::QkvTiles { query, key, value, even } => tile::qkv([query, key, value], even),
            Self::Turn { bias, head_norm } => turn(bias, head_norm),
            Self::ProjectAdd { weight, even, tiles: false } => project_add(weight, even),
            Self::ProjectAdd { weight, even, tiles: true } => tile::project_add(weight, even),
            Self::GateUp { gate, up, even, tiles: false } => gate_up(gate, up, even),
            Self::GateUp { gate, up, even, tiles: true } => tile::gate_up(gate, up, even),
            Self::Logits { weight, even, tiles: false } => logits(weight, even),
            Self::Logits { weight, even, tiles: true } => tile::logits(weight, even),
            Self::CopyCache => attend::copy_cache(),
        };
        format!("{COMMON}{body}")
    }
}

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

/// Units of the same weights.
struct Part {
    /// The first unit and the one after the last, expressions.
    from: &'static str,
    to: &'static str,
    /// WGSL that makes `two`, unit `u`'s products of block `b` with x0 … x7; `u` counts from the part's first.
    step: String,
}

/// A product with a few rows of activations.
struct Product<'a> {
    cut: Cut,
    /// A norm of the activations comes first.
    norm: bool,
    /// The weights, one after the other.
    parts: &'a [Part],
    /// Blocks of a row, an expression.
    blocks: &'a str,
    /// Units, an expression.
    total: &'a str,
    /// WGSL that does with unit `u`'s values `y`, in row `row`, what must be done: run by one thread each, `own`
    /// being the unit's number in the workgroup and `live` whether there is such a unit.
    end: &'a str,
}

impl Product<'_> {
    fn text(&self) -> String {
        let Cut { groups, units } = self.cut;
        let (all, threads) = (self.cut.all(), self.cut.threads());
        let scale = if self.norm {
            "var square = 0.0;
    for (var lane = 0u; lane < LANES; lane++) { square += squares[lane]; }
    y *= inverseSqrt(square / f32(info[0].y) + bitcast<f32>(info[0].z));"
        } else {
            ""
        };
        let [mut load, mut loops, mut stores, mut sums] = [const { String::new() }; 4];
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
            let _ = writeln!(sums, "  var sum{i} = vec2f(0.0);");
        }
        for part in self.parts {
            let Part { from, to, step } = part;
            // A loop of its own for each part, run by those that have units in it.
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
                let guard = match self.parts.len() {
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
            "const LANES = {LANES}u;
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
  workgroupBarrier();
  for (var own = thread; own < {all}u; own += {threads}u) {{
    let u = workgroup.x * {all}u + own;
    var y = vec2f(0.0);
    for (var lane = 0u; lane < LANES; lane++) {{ y += partial[own * LANES + lane]; }}
    {scale}
    let live = u < {total};
    {end}
  }}
",
            partials = all * LANES,
            total = self.total,
            end = self.end,
        )
    }
}

const DOT: &str = "block, AT, x0, x1, x2, x3, x4, x5, x6, x7, sums";

/// A call of a weight's product.
fn dot(w: &str, kind: Kind, block: &str, at: &str) -> String {
    let x = if packed(kind) { "z" } else { "x" };
    format!("{w}_dot({})", DOT.replace('x', x).replace("block", block).replace("AT", at))
}

/// `info`: [tokens, columns, rows of the table before these, rows], the table's layout.
fn embed(table: Kind) -> String {
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

/// `info`: [rows, columns, epsilon, position], the query's, the key's and the value's layouts, [units of q, of k, of v,
/// pairs that are turned], [pairs of a head, capacity, heads of keys, interleaved], [bias, query norm, key norm, -].
///
/// A unit is a pair of a head's elements that are turned together, or of neighbours where nothing is turned. Queries
/// and keys go out in the order of these pairs: their products don't mind.
fn qkv([query, key, value]: [Kind; 3], bias: bool, head_norm: bool, even: bool, cut: Cut) -> String {
    let element = element(even);
    let buffers = [
        ("x", element),
        ("wq", WORDS),
        ("wk", WORDS),
        ("wv", WORDS),
        ("vectors", element),
        ("turns", "vec2f"),
        ("out", "vec2f"),
        ("cache", "u32"),
    ];
    let mut text = bindings(&buffers, 7);
    for (name, kind) in [("wq", query), ("wk", key), ("wv", value)] {
        text.push_str(&functions(name, kind));
    }
    text.push_str(&loads("x", even));
    text.push_str(&loads("vectors", even));
    text.push_str(vector(even));
    text.push_str(&places());
    let step = |w: &str, kind: Kind, at: usize, turned: bool| {
        let layout = format!("info[{at}]");
        let row = |row: &str| dot(w, kind, &format!("{row} * info[{at}].w + b"), &layout);
        format!("let r = rows_of(u, {turned}); let two = vec2f({}, {});", row("r.x"), row("r.y"))
    };
    let [keys, values, all] = ["info[4].x", "(info[4].x + info[4].y)", "(info[4].x + info[4].y + info[4].z)"];
    let parts = [
        Part { from: "0u", to: keys, step: step("wq", query, 1, true) },
        Part { from: keys, to: values, step: step("wk", key, 2, true) },
        Part { from: values, to: all, step: step("wv", value, 3, false) },
    ];
    let added = biased(bias);
    let prepared = format!(
        "if (live) {{
      let turned = u < info[4].x + info[4].y;
      let unit = u - select(0u, info[4].x, u >= info[4].x) - select(0u, info[4].y, u >= info[4].x + info[4].y);
      let r = rows_of(unit, turned);
      {added}
    }}
    done[own] = y;"
    );
    let product = Product { cut, norm: true, parts: &parts, blocks: "info[1].w", total: all, end: &prepared };
    text.push_str(&product.text());
    let (all, threads) = (cut.all(), cut.threads());
    let finish = finish(head_norm);
    let _ = write!(
        text,
        "  workgroupBarrier();
  for (var own = thread; own < {all}u; own += {threads}u) {{
    let u = workgroup.x * {all}u + own;
    if (u >= info[4].x + info[4].y + info[4].z) {{ continue; }}
    {finish}
  }}
}}
"
    );
    text
}

/// What follows the products with queries, keys and values, for unit `u`, number `own` of those in `done`: norms of
/// heads, rotation, and where they go.
fn finish(head_norm: bool) -> String {
    let normed = if head_norm {
        "if (turned) {
      var square = 0.0;
      let start = own - pair;
      for (var other = 0u; other < info[5].x; other++) { square += dot(done[start + other], done[start + other]); }
      let e = elements(pair, true);
      let weights = select(info[6].z, info[6].y, u < info[4].x) + e.x;
      y *= inverseSqrt(square / f32(2u * info[5].x) + bitcast<f32>(info[0].z)) * vec2f(vector(weights), vector(weights + e.y));
    }"
    } else {
        ""
    };
    format!(
        "let turned = u < info[4].x + info[4].y;
    let query = u < info[4].x;
    let unit = u - select(0u, info[4].x, !query) - select(0u, info[4].y, !turned);
    let pair = unit % info[5].x;
    let position = info[0].w + row;
    var y = done[own];
    {normed}
    if (turned && pair < info[4].w) {{
      let turn = turns[position * info[4].w + pair];
      y = vec2f(y.x * turn.x - y.y * turn.y, y.x * turn.y + y.y * turn.x);
    }}
    if (query) {{
      out[row * info[4].x + u] = y;
    }} else {{
      let plane = unit / info[5].x + select(info[5].z, 0u, turned);
      cache[(plane * info[5].y + position) * info[5].x + pair] = pack2x16float(y);
    }}"
    )
}

/// Adds the biases to unit `u`'s values `y` of rows `r`.
fn biased(bias: bool) -> &'static str {
    if bias {
        "let bias = info[6].x + select(select(0u, 2u * info[4].x, u >= info[4].x), 2u * (info[4].x + info[4].y), \
         u >= info[4].x + info[4].y);
      y += vec2f(vector(bias + r.x), vector(bias + r.y));"
    } else {
        ""
    }
}

/// How a vector's element is read.
fn vector(even: bool) -> &'static str {
    match even {
        true => "fn vector(at: u32) -> f32 { return vectors[at >> 2u][at & 3u]; }\n",
        false => "fn vector(at: u32) -> f32 { return vectors[at]; }\n",
    }
}

/// Where a unit's elements are.
fn places() -> String {
    "// The first element of a pair and the distance to its second.
fn elements(pair: u32, turned: bool) -> vec2<u32> {
  if (turned && info[5].w == 0u && pair < info[4].w) { return vec2<u32>(pair, info[4].w); }
  return vec2<u32>(2u * pair, 1u);
}
fn rows_of(unit: u32, turned: bool) -> vec2<u32> {
  let pair = unit % info[5].x;
  let e = elements(pair, turned);
  let a = (unit / info[5].x) * 2u * info[5].x + e.x;
  return vec2<u32>(a, a + e.y);
}
"
    .to_owned()
}

/// After [`tile::qkv`]: biases, norms of heads, rotation, cache. A workgroup does one head of one row; `info` as of
/// [`qkv`].
fn turn(bias: bool, head_norm: bool) -> String {
    let mut buffers = vec![("all", "f32"), ("turns", "vec2f"), ("out", "vec2f"), ("cache", "u32")];
    let mut places = places();
    // A pipeline has only the bindings that its text uses.
    if bias || head_norm {
        buffers.push(("vectors", "f32"));
        places.push_str(vector(false));
    }
    let (bindings, biased, finish) = (bindings(&buffers, 7), biased(bias), finish(head_norm));
    format!(
        "{bindings}{places}
var<workgroup> done: array<vec2f, 256>;

@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let row = workgroup.y;
  let queries = info[4].x + info[4].y;
  for (var own = thread; own < info[5].x; own += {THREADS}u) {{
    let u = workgroup.x * info[5].x + own;
    let turned = u < queries;
    let r = rows_of(u - select(0u, info[4].x, u >= info[4].x) - select(0u, info[4].y, !turned), turned);
    let start = row * 2u * (queries + info[4].z) + select(0u, 2u * info[4].x, u >= info[4].x) \
             + select(0u, 2u * info[4].y, !turned);
    var y = vec2f(all[start + r.x], all[start + r.y]);
    {biased}
    done[own] = y;
  }}
  workgroupBarrier();
  for (var own = thread; own < info[5].x; own += {THREADS}u) {{
    let u = workgroup.x * info[5].x + own;
    {finish}
  }}
}}
"
    )
}

/// `info`: [rows of activations, columns, -, outputs], the weight's layout.
fn project_add(weight: Kind, even: bool) -> String {
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
    ));
    text
}

/// `info`: [rows of activations, columns, epsilon, outputs], the weight's layout, [outputs before these, outputs in
/// all, -, -].
fn logits(weight: Kind, even: bool) -> String {
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
    ));
    text
}

/// A product whose units are two neighbouring rows of one weight.
fn neighbours(weight: Kind, end: &str, norm: bool) -> String {
    let step = format!(
        "let r = 2u * u; let s = min(r + 1u, info[0].w - 1u); let two = vec2f({}, {});",
        dot("w", weight, "r * info[1].w + b", "info[1]"),
        dot("w", weight, "s * info[1].w + b", "info[1]")
    );
    let total = "((info[0].w + 1u) >> 1u)";
    let parts = [Part { from: "0u", to: total, step }];
    Product { cut: Cut::PLAIN, norm, parts: &parts, blocks: "info[1].w", total, end }.text() + "}\n"
}

/// `info`: [rows of activations, columns, epsilon, outputs], the gate's layout, the other's.
fn gate_up(gate: Kind, up: Kind, even: bool) -> String {
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
    let parts = [Part { from: "0u", to: "info[0].w", step }];
    let product = Product { cut: Cut::PLAIN, norm: true, parts: &parts, blocks: "info[1].w", total: "info[0].w", end };
    text.push_str(&product.text());
    text.push_str("}\n");
    text
}
