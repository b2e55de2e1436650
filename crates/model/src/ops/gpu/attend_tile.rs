//! WGSL of attention of many rows: sixteen of them look at 64 positions at once, so that each key and value is fetched for all
//! of them together (Dao et al. 2022, "FlashAttention").

use std::fmt::Write as _;

use super::attend::Loads;
use super::wgsl::bindings;

/// Rows of a workgroup.
pub(super) const ROWS: usize = 16;

/// Threads of a workgroup.
pub(super) const THREADS: u32 = 128;

/// Whether heads of so many elements can be done like this: a thread sums the same eight elements for one row or for two.
pub(super) fn fits(head_dim: usize) -> bool {
    matches!(head_dim, 64 | 128)
}

/// `info` as of [`super::attend::attend`]; the position is never the device's own.
pub(super) fn attend(head_dim: u32) -> String {
    let Loads { count, words, numbers, functions, .. } = Loads::of(head_dim);
    let bindings = bindings(&[("q", numbers), ("cache", words), ("out", numbers)], 2);
    let scale = 1.0 / f64::from(head_dim).sqrt();
    // Rows for which a thread sums values.
    let each = ROWS as u32 * count / THREADS;
    let [mut starts, mut scores, mut stores, mut totals, mut shrinks, mut adds, mut ends] =
        [const { String::new() }; 7];
    for i in 0..8 {
        let _ = writeln!(starts, "    var score{i} = 0.0;");
        let _ = writeln!(scores, "        score{i} += times(query[(8u * side + {i}u) * LOADS + j], key);");
        let _ = writeln!(
            stores,
            "    scores[(8u * side + {i}u) * 65u + place] = select(NONE, score{i}, base + place <= first + 8u * side + {i}u);"
        );
    }
    for i in 0..each {
        let _ = writeln!(totals, "  var total{i} = none();");
        let _ = writeln!(shrinks, "    total{i} = total{i} * shrinks[group * {each}u + {i}u];");
        let _ = writeln!(adds, "      total{i} += value * scores[(group * {each}u + {i}u) * 65u + i];");
        let _ = writeln!(
            ends,
            "  {{ let own_row = group * {each}u + {i}u; let row = first_row + own_row;
    if (row < info[0].x) {{ out[(row * info[0].y + head) * LOADS + load] = total{i} * (1.0 / shrinks[own_row]); }} }}"
        );
    }
    format!(
        "{bindings}{functions}
const LOADS = {count}u;
const NONE = -3.0e38;
var<workgroup> query: array<Numbers, {ROWS}u * LOADS>;
var<workgroup> scores: array<f32, {ROWS} * 65>;
var<workgroup> parts: array<f32, {THREADS}>;
var<workgroup> shrinks: array<f32, {ROWS}>;

@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let head = workgroup.x;
  let first_row = workgroup.y * {ROWS}u;
  let first = info[0].z + first_row;
  let end = info[0].z + min(first_row + {ROWS}u, info[0].x);
  let keys = (head / info[0].w) * info[1].x;
  let values = keys + info[1].y * info[1].x;
  for (var i = thread; i < {ROWS}u * LOADS; i += {THREADS}u) {{
    let row = first_row + i / LOADS;
    var numbers = none();
    if (row < info[0].x) {{ numbers = q[(row * info[0].y + head) * LOADS + i % LOADS] * {scale}; }}
    query[i] = numbers;
  }}
  workgroupBarrier();
  let place = thread & 63u;
  let side = thread >> 6u;
  let own = thread >> 3u;
  let eighth = thread & 7u;
  let load = thread % LOADS;
  let group = thread / LOADS;
  var highest = NONE;
  var sum = 0.0;
{totals}  for (var base = 0u; base < end; base += 64u) {{
{starts}    if (base + place < end) {{
      for (var j = 0u; j < LOADS; j++) {{
        let key = unpack(cache[(keys + base + place) * LOADS + j]);
{scores}      }}
    }}
{stores}    workgroupBarrier();
    var top = NONE;
    for (var i = eighth; i < 64u; i += 8u) {{ top = max(top, scores[own * 65u + i]); }}
    parts[thread] = top;
    workgroupBarrier();
    var higher = highest;
    for (var i = 0u; i < 8u; i++) {{ higher = max(higher, parts[8u * own + i]); }}
    let shrink = exp(highest - higher);
    highest = higher;
    workgroupBarrier();
    var part = 0.0;
    for (var i = eighth; i < 64u; i += 8u) {{
      let score = scores[own * 65u + i];
      let weight = select(0.0, exp(score - highest), score > NONE);
      scores[own * 65u + i] = weight;
      part += weight;
    }}
    parts[thread] = part;
    if (eighth == 0u) {{ shrinks[own] = shrink; }}
    workgroupBarrier();
    sum *= shrink;
    for (var i = 0u; i < 8u; i++) {{ sum += parts[8u * own + i]; }}
{shrinks}    let count = min(64u, end - base);
    for (var i = 0u; i < count; i++) {{
      let value = unpack(cache[(values + base + i) * LOADS + load]);
{adds}    }}
    workgroupBarrier();
  }}
  if (eighth == 0u) {{ shrinks[own] = sum; }}
  workgroupBarrier();
{ends}}}
"
    )
}
