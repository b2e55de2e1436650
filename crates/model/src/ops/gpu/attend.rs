//! WGSL of attention over a cache, and of copying a cache's beginning.
//!
//! A layer's cache is a plane of keys for each head of keys, then a plane of values for each: position by position, two
//! half floats to a word.

use super::wgsl::{THREADS, bindings, position};

/// Positions that a workgroup looks at together: also those of a part of attention.
pub(super) const SPAN: u32 = 128;

/// Threads of attention's workgroups.
pub(super) fn threads(head_dim: u32) -> u32 {
    SPAN.max(Loads::of(head_dim).count)
}

/// How a head's elements are loaded: by eights, where they are that many times something, else by pairs.
pub(super) struct Loads {
    /// Loads of a head.
    pub(super) count: u32,
    /// Threads that share a position's key, a power of two.
    shares: u32,
    /// Types of a load's words and of its numbers.
    pub(super) words: &'static str,
    pub(super) numbers: &'static str,
    /// WGSL of what is done with numbers.
    pub(super) functions: &'static str,
}

const EIGHTS: &str = "alias Numbers = mat2x4f;
fn none() -> Numbers { return mat2x4f(vec4f(0.0), vec4f(0.0)); }
fn unpack(words: vec4<u32>) -> Numbers {
  return mat2x4f(vec4f(unpack2x16float(words.x), unpack2x16float(words.y)),
    vec4f(unpack2x16float(words.z), unpack2x16float(words.w)));
}
fn times(a: Numbers, b: Numbers) -> f32 { return dot(a[0], b[0]) + dot(a[1], b[1]); }
";

const PAIRS: &str = "alias Numbers = vec2f;
fn none() -> Numbers { return vec2f(0.0); }
fn unpack(word: u32) -> Numbers { return unpack2x16float(word); }
fn times(a: Numbers, b: Numbers) -> f32 { return dot(a, b); }
";

impl Loads {
    pub(super) fn of(head_dim: u32) -> Self {
        let (count, words, numbers, functions) = match head_dim.is_multiple_of(8) {
            true => (head_dim / 8, "vec4<u32>", "mat2x4f", EIGHTS),
            false => (head_dim / 2, "u32", "vec2f", PAIRS),
        };
        let shares = 8.min(1 << count.trailing_zeros());
        Self { count, shares, words, numbers, functions }
    }
}

/// Floats of a part's sum, and behind it of the highest score and the sum of weights.
pub(super) fn part_floats(head_dim: usize) -> usize {
    head_dim + if head_dim.is_multiple_of(8) { 8 } else { 2 }
}

/// `info`: [rows, heads, position, queries of a head of keys], [capacity, heads of keys, positions of a part, parts].
///
/// A workgroup does one head of one row, or of one part of the positions. Scores of [`SPAN`] positions are computed at
/// once, and the weighted sum goes on with the highest score so far as its measure (Milakov and Gimelshein 2018). A part
/// leaves its sum as it is, and behind it the highest score and the sum of weights.
pub(super) fn attend(head_dim: u32, parts: bool) -> String {
    let Loads { count, shares, words, numbers, functions } = Loads::of(head_dim);
    let bindings = bindings(&[("q", numbers), ("cache", words), ("place", "u32"), ("out", numbers)], 2);
    let threads = threads(head_dim);
    let position = position("info[0].z", "place[0]");
    let scale = 1.0 / f64::from(head_dim).sqrt();
    let (range, end) = match parts {
        false => ("let start = 0u; let end = position + row + 1u;", "out[at + thread] = all * (1.0 / sum);"),
        true => (
            "let start = workgroup.z * info[1].z; let end = min(start + info[1].z, position + row + 1u);",
            "let part = ((row * info[0].y + head) * info[1].w + workgroup.z) * (LOADS + 1u);
    out[part + thread] = all;
    if (thread == 0u) { var last = none(); last[0].x = highest; last[0].y = sum; out[part + LOADS] = last; }",
        ),
    };
    let end = if head_dim.is_multiple_of(8) { end.to_owned() } else { end.replace("last[0].", "last.") };
    format!(
        "{bindings}{functions}
const LOADS = {count}u;
const SHARES = {shares}u;
const SPAN = {SPAN}u;
const THREADS = {threads}u;
// Positions that are looked at side by side by threads that each take a load of a value.
const SIDES = THREADS / LOADS;
var<workgroup> first: u32;
var<workgroup> query: array<Numbers, LOADS>;
var<workgroup> shared_scores: array<f32, SPAN * (SHARES + 1u)>;
var<workgroup> weights: array<f32, SPAN>;
var<workgroup> tree: array<f32, SPAN>;
var<workgroup> sums: array<Numbers, THREADS>;

@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let head = workgroup.x;
  let row = workgroup.y;
  // All threads must be seen to go the same way where they wait for each other.
  if (thread == 0u) {{ first = {position}; }}
  let position = workgroupUniformLoad(&first);
  {range}
  let keys = (head / info[0].w) * info[1].x;
  let values = keys + info[1].y * info[1].x;
  let at = (row * info[0].y + head) * LOADS;
  if (thread < LOADS) {{ query[thread] = q[at + thread] * {scale}; }}
  workgroupBarrier();
  let load = thread % LOADS;
  let side = thread / LOADS;
  var highest = -3.0e38;
  var sum = 0.0;
  var total = none();
  for (var base = start; base < end; base += SPAN) {{
    let count = min(SPAN, end - base);
    for (var i = thread; i < SPAN * SHARES; i += THREADS) {{
      let position = i / SHARES;
      let share = i % SHARES;
      var score = 0.0;
      if (position < count) {{
        let key = (keys + base + position) * LOADS;
        for (var j = share; j < LOADS; j += SHARES) {{ score += times(query[j], unpack(cache[key + j])); }}
      }}
      shared_scores[position * (SHARES + 1u) + share] = score;
    }}
    workgroupBarrier();
    var score = -3.0e38;
    if (thread < count) {{
      score = 0.0;
      for (var share = 0u; share < SHARES; share++) {{ score += shared_scores[thread * (SHARES + 1u) + share]; }}
    }}
    if (thread < SPAN) {{ tree[thread] = score; }}
    for (var half = SPAN / 2u; half > 0u; half >>= 1u) {{
      workgroupBarrier();
      if (thread < half) {{ tree[thread] = max(tree[thread], tree[thread + half]); }}
    }}
    workgroupBarrier();
    let higher = max(highest, tree[0]);
    let shrink = exp(highest - higher);
    highest = higher;
    workgroupBarrier();
    let weight = select(0.0, exp(score - highest), thread < count);
    if (thread < SPAN) {{ weights[thread] = weight; tree[thread] = weight; }}
    for (var half = SPAN / 2u; half > 0u; half >>= 1u) {{
      workgroupBarrier();
      if (thread < half) {{ tree[thread] += tree[thread + half]; }}
    }}
    workgroupBarrier();
    sum = sum * shrink + tree[0];
    total = total * shrink;
    if (side < SIDES) {{
      for (var i = side; i < count; i += SIDES) {{
        total += unpack(cache[(values + base + i) * LOADS + load]) * weights[i];
      }}
    }}
    workgroupBarrier();
  }}
  sums[thread] = total;
  workgroupBarrier();
  if (thread < LOADS) {{
    var all = total;
    for (var i = 1u; i < SIDES; i++) {{ all += sums[i * LOADS + thread]; }}
    {end}
  }}
}}
"
    )
}

/// `info` as of [`attend`].
pub(super) fn join(head_dim: u32) -> String {
    let Loads { count, numbers, functions, .. } = Loads::of(head_dim);
    let bindings = bindings(&[("parts", numbers), ("out", numbers)], 2);
    let threads = threads(head_dim);
    let first = if head_dim.is_multiple_of(8) { "[0]" } else { "" };
    format!(
        "{bindings}{functions}
const LOADS = {count}u;
const THREADS = {threads}u;
// Parts that are summed side by side by threads that each take a load.
const SIDES = THREADS / LOADS;
var<workgroup> tree: array<f32, THREADS>;
var<workgroup> sums: array<Numbers, THREADS>;

@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let head = workgroup.y * info[0].y + workgroup.x;
  let first = head * info[1].w * (LOADS + 1u);
  let load = thread % LOADS;
  let side = thread / LOADS;
  var own = -3.0e38;
  for (var i = thread; i < info[1].w; i += THREADS) {{ own = max(own, parts[first + i * (LOADS + 1u) + LOADS]{first}.x); }}
  tree[thread] = own;
  workgroupBarrier();
  var highest = -3.0e38;
  for (var i = 0u; i < min(THREADS, info[1].w); i++) {{ highest = max(highest, tree[i]); }}
  workgroupBarrier();
  var total = none();
  var sum = 0.0;
  if (side < SIDES) {{
    for (var i = side; i < info[1].w; i += SIDES) {{
      let part = first + i * (LOADS + 1u);
      let measure = parts[part + LOADS]{first}.xy;
      let weight = exp(measure.x - highest);
      total += parts[part + load] * weight;
      sum += weight * measure.y;
    }}
  }}
  sums[thread] = total;
  tree[thread] = sum;
  workgroupBarrier();
  if (thread < LOADS) {{
    for (var i = 1u; i < SIDES; i++) {{
      total += sums[i * LOADS + thread];
      sum += tree[i * LOADS + thread];
    }}
    out[head * LOADS + thread] = total * (1.0 / sum);
  }}
}}
"
    )
}

/// `info`: [words of a head, words of a head's place in the one cache, in the other, -].
pub(super) fn copy_cache() -> String {
    let bindings = bindings(&[("source", "u32"), ("out", "u32")], 1);
    format!(
        "{bindings}
@compute @workgroup_size({THREADS})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
  if (id.x < info[0].x) {{ out[id.y * info[0].z + id.x] = source[id.y * info[0].y + id.x]; }}
}}
"
    )
}
