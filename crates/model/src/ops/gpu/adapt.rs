//! WGSL of a bottleneck adapter.

use super::wgsl::{THREADS, bindings};
use crate::adapters::MOST_UNITS;

/// `info`: [rows, columns, epsilon, units]. A workgroup does a row, in place: each thread's part of the sum of squares and of
/// the units' sums first, then what the units add.
pub(super) fn adapt() -> String {
    let bindings = bindings(&[("adapter", "f32"), ("x", "f32")], 1);
    let sums = MOST_UNITS + 1;
    format!(
        "{bindings}
var<workgroup> parts: array<f32, {THREADS} * {sums}>;
var<workgroup> totals: array<f32, {sums}>;

@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  let columns = info[0].y;
  let units = info[0].w;
  let start = workgroup.x * columns;
  var own: array<f32, {sums}>;
  for (var k = thread; k < columns; k += {THREADS}u) {{
    let value = x[start + k];
    own[{MOST_UNITS}] += value * value;
    for (var unit = 0u; unit < units; unit++) {{ own[unit] += value * adapter[unit * columns + k]; }}
  }}
  for (var sum = 0u; sum < {sums}u; sum++) {{ parts[sum * {THREADS}u + thread] = own[sum]; }}
  workgroupBarrier();
  if (thread < {sums}u) {{
    var total = 0.0;
    for (var part = 0u; part < {THREADS}u; part++) {{ total += parts[thread * {THREADS}u + part]; }}
    totals[thread] = total;
  }}
  workgroupBarrier();
  let scale = inverseSqrt(totals[{MOST_UNITS}] / f32(columns) + bitcast<f32>(info[0].z));
  for (var unit = 0u; unit < units; unit++) {{
    // Beyond ten the tangent is one; some drivers overflow far beyond.
    let sum = clamp(totals[unit] * scale + adapter[2u * units * columns + unit], -10.0, 10.0);
    own[unit] = tanh(sum);
  }}
  for (var k = thread; k < columns; k += {THREADS}u) {{
    var value = x[start + k];
    for (var unit = 0u; unit < units; unit++) {{ value += own[unit] * adapter[(units + unit) * columns + k]; }}
    x[start + k] = value;
  }}
}}
"
    )
}
