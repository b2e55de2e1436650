//! WGSL of attention over a cache, and of copying a cache's beginning.
//!
//! A layer's cache is a plane of keys for each head of keys, then a plane of values for each: position by position, two
//! half floats to a word.

use super::shader::{THREADS, bindings};

/// Threads of attention's workgroups: also the positions that are looked at together.
pub(super) fn threads(head_dim: u32) -> u32 {
    (head_dim / 2).max(THREADS)
}

/// `info`: [rows, heads, position, queries of a head of keys], [capacity, heads of keys, positions of a part, parts].
///
/// A workgroup does one head of one row, or of one part of the positions. Scores of as many positions as there are
/// threads are computed at once, and the weighted sum goes on with the highest score so far as its measure (Milakov and
/// Gimelshein 2018). A part leaves its sum as it is, and behind it the highest score and the sum of weights.
pub(super) fn attend(head_dim: u32, parts: bool) -> String {
    let bindings = bindings(&[("q", "vec2f"), ("cache", "u32"), ("out", "vec2f")], 2);
    let pairs = head_dim / 2;
    let threads = threads(head_dim);
    let shares = threads / pairs;
    let scale = 1.0 / f64::from(head_dim).sqrt();
    let (range, end) = match parts {
        false => ("let start = 0u; let end = info[0].z + row + 1u;", "out[at + thread] = total / sum;"),
        true => (
            "let start = workgroup.z * info[1].z; let end = min(start + info[1].z, info[0].z + row + 1u);",
            "let part = ((row * info[0].y + head) * info[1].w + workgroup.z) * (PAIRS + 1u);
    out[part + thread] = total;
    if (thread == 0u) { out[part + PAIRS] = vec2f(highest, sum); }",
        ),
    };
    format!(
        "{bindings}
const PAIRS = {pairs}u;
const SHARES = {shares}u;
const THREADS = {threads}u;
var<workgroup> query: array<vec2f, PAIRS>;
var<workgroup> scores: array<f32, THREADS>;
var<workgroup> partial: array<vec2f, THREADS>;

@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let head = workgroup.x;
  let row = workgroup.y;
  {range}
  let keys = (head / info[0].w) * info[1].x;
  let values = keys + info[1].y * info[1].x;
  let at = (row * info[0].y + head) * PAIRS;
  for (var i = thread; i < PAIRS; i += THREADS) {{ query[i] = q[at + i] * {scale}; }}
  workgroupBarrier();
  let pair = thread % PAIRS;
  let share = thread / PAIRS;
  var highest = -3.0e38;
  var sum = 0.0;
  var total = vec2f(0.0);
  for (var base = start; base < end; base += THREADS) {{
    let count = min(THREADS, end - base);
    var score = -3.0e38;
    if (thread < count) {{
      score = 0.0;
      let key = (keys + base + thread) * PAIRS;
      for (var i = 0u; i < PAIRS; i++) {{ score += dot(query[i], unpack2x16float(cache[key + i])); }}
    }}
    scores[thread] = score;
    workgroupBarrier();
    var higher = highest;
    for (var i = 0u; i < count; i++) {{ higher = max(higher, scores[i]); }}
    let shrink = exp(highest - higher);
    highest = higher;
    workgroupBarrier();
    scores[thread] = exp(score - highest);
    workgroupBarrier();
    sum *= shrink;
    total *= shrink;
    for (var i = 0u; i < count; i++) {{ sum += scores[i]; }}
    if (share < SHARES) {{
      for (var i = share; i < count; i += SHARES) {{
        total += scores[i] * unpack2x16float(cache[(values + base + i) * PAIRS + pair]);
      }}
    }}
    workgroupBarrier();
  }}
  partial[thread] = total;
  workgroupBarrier();
  if (thread < PAIRS) {{
    for (var i = 1u; i < SHARES; i++) {{ total += partial[i * PAIRS + thread]; }}
    {end}
  }}
}}
"
    )
}

/// `info` as of [`attend`].
pub(super) fn join(head_dim: u32) -> String {
    let bindings = bindings(&[("parts", "vec2f"), ("out", "vec2f")], 2);
    let pairs = head_dim / 2;
    let threads = threads(head_dim);
    format!(
        "{bindings}
const PAIRS = {pairs}u;

@compute @workgroup_size({threads})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let head = workgroup.y * info[0].y + workgroup.x;
  let first = head * info[1].w * (PAIRS + 1u);
  var highest = -3.0e38;
  for (var i = 0u; i < info[1].w; i++) {{ highest = max(highest, parts[first + i * (PAIRS + 1u) + PAIRS].x); }}
  if (thread < PAIRS) {{
    var total = vec2f(0.0);
    var sum = 0.0;
    for (var i = 0u; i < info[1].w; i++) {{
      let part = first + i * (PAIRS + 1u);
      let weight = exp(parts[part + PAIRS].x - highest);
      total += weight * parts[part + thread];
      sum += weight * parts[part + PAIRS].y;
    }}
    out[head * PAIRS + thread] = total / sum;
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
