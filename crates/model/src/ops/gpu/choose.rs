//! WGSL of drawing a token by [`GumbelSampling`]: of each part of the vocabulary first, then of these, the one with the highest sum.

use super::wgsl::{THREADS, bindings};
use crate::sample::{GumbelSampling, RECENT};

/// Parts of the vocabulary, each done by one workgroup.
pub(super) const PARTS: usize = 128;

/// Words before those of the last tokens: the token to be run next, temperature, seed, penalty.
pub(super) const HEAD: usize = 4;

/// The words of a device that is to run `token` behind `before`. The token at position `p` is number `(p - 1) % RECENT` of the
/// last ones: it was drawn behind the position before.
pub(super) fn tokens_words(before: &[u32], token: u32, chance: GumbelSampling) -> Vec<u32> {
    let mut recent = [u32::MAX; RECENT];
    let so_far = before.iter().copied().chain([token]).enumerate();
    for (position, token) in so_far.skip((before.len() + 1).saturating_sub(RECENT)) {
        recent[(position + RECENT - 1) % RECENT] = token;
    }
    let head = [token, chance.temperature.to_bits(), chance.seed, chance.penalty.to_bits()];
    [&head[..], &recent].concat()
}

const CHANCE: &str = "fn scramble(word: u32) -> u32 {
  let state = word * 747796405u + 2891336453u;
  let mixed = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (mixed >> 22u) ^ mixed;
}
fn added(token: u32) -> f32 {
  let temperature = bitcast<f32>(tokens[1]);
  if (temperature == 0.0) { return 0.0; }
  let hash = scramble(token ^ scramble(place[0] ^ scramble(tokens[2])));
  let unit = (f32(hash >> 9u) + 0.5) * 0.00000011920928955078125;
  let series = unit * (1.0 + unit * (0.5 + unit * (0.33333334 + unit * 0.25)));
  return -temperature * log(select(-log(1.0 - unit), series, unit < 0.015625));
}
// A bit for each of 2048 classes of tokens, of which one or more are recent.
var<workgroup> marks: array<atomic<u32>, 64>;
fn mark(token: u32) { atomicOr(&marks[(token >> 5u) & 63u], 1u << (token & 31u)); }
fn penalised(token: u32, logit: f32) -> f32 {
  if (((atomicLoad(&marks[(token >> 5u) & 63u]) >> (token & 31u)) & 1u) == 0u) { return logit; }
  var is_recent = false;
  for (var i = 0u; i < info[0].z; i++) { is_recent = is_recent || tokens[4u + i] == token; }
  if (!is_recent) { return logit; }
  let penalty = bitcast<f32>(tokens[3]);
  return select(logit * penalty, logit / penalty, logit > 0.0);
}
";

/// `info`: [logits, parts, tokens that are remembered, -].
pub(super) fn likeliest() -> String {
    let bindings = bindings(&[("logits", "f32"), ("tokens", "u32"), ("place", "u32"), ("parts", "vec2<u32>")], 1);
    let take = format!(
        "atomicStore(&marks[thread & 63u], 0u);
  workgroupBarrier();
  if (thread < info[0].z) {{ mark(tokens[4u + thread]); }}
  workgroupBarrier();
  for (var i = workgroup.x * {THREADS}u + thread; i < info[0].x; i += info[0].y * {THREADS}u) {{
    take(&best, penalised(i, logits[i]) + added(i), i);
  }}"
    );
    format!(
        "{bindings}{CHANCE}{}",
        best_of(&take, "parts[workgroup.x] = vec2<u32>(bitcast<u32>(bests[0].logit), bests[0].token);")
    )
}

/// `info` as of [`likeliest`]. The token is the next one to be run, and remembered behind its position, which is counted as an
/// integer and as a float.
pub(super) fn choose() -> String {
    let bindings = bindings(&[("parts", "vec2<u32>"), ("tokens", "u32"), ("place", "u32")], 1);
    let take = format!(
        "for (var i = thread; i < info[0].y; i += {THREADS}u) {{
    take(&best, bitcast<f32>(parts[i].x), parts[i].y);
  }}"
    );
    format!(
        "{bindings}{}",
        best_of(
            &take,
            "let position = place[0];
    tokens[0] = bests[0].token;
    tokens[4u + position % info[0].z] = bests[0].token;
    place[0] = position + 1u;
    place[1] = bitcast<u32>(f32(position + 1u));"
        )
    )
}

/// A workgroup's threads each `take` what is theirs to `best`, and the best of all is put where `store` says. Of equals
/// it is the token with the lowest number.
fn best_of(take: &str, store: &str) -> String {
    format!(
        "struct Best {{ logit: f32, token: u32 }}
var<workgroup> bests: array<Best, {THREADS}>;
fn take(best: ptr<function, Best>, logit: f32, token: u32) {{
  if (logit > (*best).logit || (logit == (*best).logit && token < (*best).token)) {{ *best = Best(logit, token); }}
}}

@compute @workgroup_size({THREADS})
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {{
  var best = Best(-3.4e38, 0xffffffffu);
  {take}
  bests[thread] = best;
  workgroupBarrier();
  for (var half = {half}u; half > 0u; half >>= 1u) {{
    if (thread < half) {{
      let other = bests[thread + half];
      take(&best, other.logit, other.token);
      bests[thread] = best;
    }}
    workgroupBarrier();
  }}
  if (thread == 0u) {{ {store} }}
}}
",
        half = THREADS / 2,
    )
}
