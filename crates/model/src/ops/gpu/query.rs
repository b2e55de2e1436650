//! WGSL of what a layer begins with: queries, keys and values, their biases, norms of heads, rotation, and the cache.

use std::fmt::Write as _;

use seealso_gguf::Kind;

use super::dequantise::functions;
use super::product::{Cut, Product, UnitRange, dot};
use super::wgsl::{THREADS, WORDS, bindings, element, loads, position};

/// `info`: [rows, columns, epsilon, position], the query's, the key's and the value's layouts, [units of q, of k, of v,
/// pairs that are turned], [pairs of a head, capacity, heads of keys, interleaved], [bias, query norm, key norm, -].
///
/// A unit is a pair of a head's elements that are turned together, or of neighbours where nothing is turned. Queries
/// and keys go out in the order of these pairs: their products don't mind.
pub(super) fn qkv([query, key, value]: [Kind; 3], bias: bool, head_norm: bool, even: bool, cut: Cut) -> String {
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
    let ranges = [
        UnitRange { from: "0u", to: keys, step: step("wq", query, 1, true) },
        UnitRange { from: keys, to: values, step: step("wk", key, 2, true) },
        UnitRange { from: values, to: all, step: step("wv", value, 3, false) },
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
    let product = Product { cut, norm: true, ranges: &ranges, blocks: "info[1].w", total: all, end: &prepared };
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
    // The device's own count of positions stands before the turns: a kernel has no binding left for it.
    let position = position("info[0].w", "u32(turns[0].y)");
    format!(
        "let turned = u < info[4].x + info[4].y;
    let query = u < info[4].x;
    let unit = u - select(0u, info[4].x, !query) - select(0u, info[4].y, !turned);
    let pair = unit % info[5].x;
    let position = {position} + row;
    var y = done[own];
    {normed}
    if (turned && pair < info[4].w) {{
      let turn = turns[1u + position * info[4].w + pair];
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

/// After [`qkv`](super::product_tile::qkv) of tiles: biases, norms of heads, rotation, cache. A workgroup does one head of one row; `info` as of
/// [`qkv`].
pub(super) fn turn(bias: bool, head_norm: bool) -> String {
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
