//! Products of activations with weights: which tiles there are, in what order, and where their sums
//! go. The tiles themselves are in `tile`.

#![expect(unsafe_code, reason = "parts write disjoint columns of one output")]

use crate::activations::{self, Activations};
use crate::error::{Result, resize};
use crate::kind::Kind;
use crate::layout::{BLOCK, LANES, Layout};
use crate::panel::{Panel, SIDES, Widths};
use crate::path::Path;
use crate::thread_pool::{SharedOutput, ThreadPool, share};
use crate::weight::Weight;
use crate::{simd, tile};

/// Bytes of panels that stay in the second-level cache while the weights stream by.
const PANEL_BYTES: usize = 192 * 1024;

/// Streams of weights that a single row reads side by side, since it waits for memory and for nothing else.
pub(crate) const MOST_ABREAST: usize = 8;
const FEW_ABREAST: usize = 4;
/// A stream of fewer groups is at its end before the machine fetches ahead of time.
const LONG: usize = 16;

/// How sums get into the output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Store<'a> {
    Set,
    /// Set to the sum plus this value per output feature.
    Bias(&'a [f32]),
    /// Added to what is there.
    Add,
}

/// One product: `out[rows, out_features]` from the activations and a weight.
pub(crate) struct Job<'a> {
    pub(crate) weight: &'a Weight,
    pub(crate) out: &'a mut [f32],
    pub(crate) store: Store<'a>,
}

/// What all jobs read: the rows as floats `[rows, width]`, and quantised as the weights need it.
#[derive(Default)]
pub(crate) struct Input {
    quantised: Activations,
    rows: usize,
    width: usize,
}

impl Input {
    /// Quantises `x` for products with `weights`.
    pub(crate) fn prepare(&mut self, path: Path, x: &[f32], width: usize, weights: &[&Weight]) -> Result<()> {
        (self.rows, self.width) = (x.len() / width, width);
        let mut widths = Widths::default();
        for layout in weights.iter().filter_map(|weight| weight.layout) {
            let wanted = activations::widths(path, layout);
            widths = Widths { narrow: widths.narrow | wanted.narrow, wide: widths.wide | wanted.wide };
        }
        if widths == Widths::default() {
            return Ok(());
        }
        self.quantised.quantise(path, x, self.rows, width, widths)
    }
}

/// Computes all jobs, whose outputs' lengths the caller has checked.
pub(crate) fn run(pool: &ThreadPool, path: Path, x: &[f32], input: &Input, jobs: &mut [Job<'_>]) -> Result<()> {
    let values: usize = jobs.iter().map(|job| job.weight.out_features * job.weight.in_features).sum();
    let parts = pool.parts(values.saturating_mul(input.rows));
    let mut scratch = Vec::new();
    resize(&mut scratch, if jobs.iter().any(|job| job.weight.layout.is_none()) { parts * input.width } else { 0 })?;
    let scratch = SharedOutput::new(&mut scratch);
    // Made here, not in the parts: threads that allocate at the same moment wait for each other, in a browser asleep.
    let panels: Vec<Panel<'_>> = input.quantised.panels().collect();
    let jobs: Vec<_> = jobs.iter_mut().map(|job| (job.weight, SharedOutput::new(&mut *job.out), job.store)).collect();
    pool.run(parts, &|part| {
        for (weight, out, store) in &jobs {
            let emit = |row: usize, group: usize, sums: &[f32; LANES]| {
                let first = group * LANES;
                let lanes = LANES.min(weight.out_features - first);
                // SAFETY: no two parts have the same group, so no two write the same columns.
                let out = unsafe { out.slice(row * weight.out_features + first, lanes) };
                put(out, &sums[..lanes], *store, first);
            };
            let groups = share(weight.groups(), part, parts);
            match weight.layout {
                Some(layout) => quantised(path, weight, layout, &panels, groups, emit),
                None => {
                    // SAFETY: each part has its own stretch of the scratch.
                    let scratch = unsafe { scratch.slice(part * input.width, input.width) };
                    floats(weight, x, input.width, groups, scratch, emit);
                }
            }
        }
    });
    Ok(())
}

fn put(out: &mut [f32], sums: &[f32], store: Store<'_>, first: usize) {
    match store {
        Store::Set => out.copy_from_slice(sums),
        Store::Bias(bias) => {
            for ((out, sum), bias) in out.iter_mut().zip(sums).zip(&bias[first..]) {
                *out = sum + bias;
            }
        }
        Store::Add => {
            for (out, sum) in out.iter_mut().zip(sums) {
                *out += sum;
            }
        }
    }
}

/// All tiles of some groups. As many panels as fit into the second-level cache take turns with
/// each group, whose bytes stay in the first-level one.
fn quantised(
    path: Path,
    weight: &Weight,
    layout: Layout,
    panels: &[Panel<'_>],
    groups: std::ops::Range<usize>,
    emit: impl Fn(usize, usize, &[f32; LANES]),
) {
    let panel_bytes = weight.in_features * 4 + weight.in_features / BLOCK * SIDES * 16;
    let at_once = (PANEL_BYTES / panel_bytes.max(1)).max(4);
    for some in panels.chunks(at_once) {
        let mut groups = groups.clone();
        if let ([panel], Path::Vector) = (some, path)
            && panel.tall == 1
        {
            groups = match groups.len() >= MOST_ABREAST * LONG {
                true => abreast::<MOST_ABREAST>(weight, layout, panel, groups, &emit),
                false => abreast::<FEW_ABREAST>(weight, layout, panel, groups, &emit),
            };
        }
        for group in groups {
            let bytes = weight.group(layout, group);
            for panel in some {
                let sums = match path {
                    Path::Scalar => tile::scalar(layout, bytes, panel),
                    Path::Vector => simd::tile(layout, bytes, panel),
                };
                for (row, sums) in sums.iter().take(panel.rows).enumerate() {
                    emit(panel.first_row + row, group, sums);
                }
            }
        }
    }
}

/// The products of a single row with groups that lie apart, side by side, as long as there are enough for all streams;
/// gives those that are left over.
fn abreast<const STREAMS: usize>(
    weight: &Weight,
    layout: Layout,
    panel: &Panel<'_>,
    groups: std::ops::Range<usize>,
    emit: impl Fn(usize, usize, &[f32; LANES]),
) -> std::ops::Range<usize> {
    let length = groups.len() / STREAMS;
    for at in 0..length {
        let numbers: [usize; STREAMS] = std::array::from_fn(|stream| groups.start + stream * length + at);
        let sums = simd::abreast(layout, numbers.map(|group| weight.group(layout, group)), panel);
        for (group, sums) in numbers.into_iter().zip(&sums) {
            emit(panel.first_row, group, &sums[0]);
        }
    }
    groups.start + STREAMS * length..groups.end
}

/// Products with weights of floats: each row is read once and meets every row of activations.
fn floats(
    weight: &Weight,
    x: &[f32],
    width: usize,
    groups: std::ops::Range<usize>,
    scratch: &mut [f32],
    emit: impl Fn(usize, usize, &[f32; LANES]),
) {
    debug_assert!(matches!(weight.kind, Kind::F32 | Kind::F16 | Kind::BF16));
    let rows = x.len() / width;
    let mut sums = vec![[0.0; LANES]; rows];
    for group in groups {
        for lane in 0..LANES.min(weight.out_features - group * LANES) {
            weight.row(group * LANES + lane, scratch);
            for (sums, x) in sums.iter_mut().zip(x.chunks_exact(width)) {
                sums[lane] = dot(scratch, x);
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            emit(row, group, sums);
        }
    }
}

/// The dot product of two float rows, in eight running sums.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}
