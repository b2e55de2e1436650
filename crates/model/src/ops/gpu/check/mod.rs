//! Known answers of the kernels that a model uses.
//!
//! In a browser a kernel that the GPU's driver refuses, or compiles wrongly, shows in nothing but its results: burn
//! only logs the refusal, and the outputs keep what was in memory. So every kernel that was started is started once
//! more on small random numbers, and its results are compared with what they must be.

mod all;
mod arithmetic;
mod heads;
mod kernels;

use std::ops::ControlFlow;

use burn::tensor::Device;
use burn_cubecl::cubecl::bytes::Bytes;
use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::server::Handle;
use seealso_gguf::{Kind, dequantise, f16_to_f32, f32_to_f16};

use super::device::cube_device;
use super::launch::{do_without_half_floats, number, proven, unproven};
use super::layout::Repacker;
use super::program::Program;
use crate::network::{Network, Rows};
use crate::ops::WeightShape;
use crate::sample::GumbelSampling;
use crate::{Decoder, Error};

/// Tries a decoder that is on a GPU: passes of many tokens and of one, tokens that it draws by itself, and then the known answers of
/// all their kernels.
/// Where that fails with kernels of half floats, those are left alone from then on, and it is tried again.
/// The decoder's cache is empty before and after.
///
/// # Errors
///
/// The first kernel whose results are wrong, or that could not be run.
pub async fn prove(decoder: &mut Decoder) -> Result<(), Error> {
    match tried(decoder).await {
        Err(_) if do_without_half_floats() => tried(decoder).await,
        outcome => outcome,
    }
}

async fn tried(decoder: &mut Decoder) -> Result<(), Error> {
    let many = vec![0; decoder.context().min(8)];
    decoder.forward(0, &many, Rows::All).await?;
    decoder.forward(0, &many[..1], Rows::Last).await?;
    check(&decoder.device()).await?;
    let off = drawn_off(decoder).await?;
    match off <= TOLERANCE {
        true => Ok(()),
        false => Err(Error::WrongResults { what: "tokens drawn on the GPU".to_owned(), off }),
    }
}

/// How far the logits of tokens that the GPU draws are from the highest, relative to the logits' size: it must take the
/// likeliest, but of two that are nearly the same either will do.
async fn drawn_off(decoder: &mut Decoder) -> Result<f64, Error> {
    let mut tokens = vec![0];
    while tokens.len() < decoder.context().min(DRAWN) {
        let (last, before) = (tokens[tokens.len() - 1], &tokens[..tokens.len() - 1]);
        tokens.push(decoder.draw(before, last, GumbelSampling::NONE).await?);
    }
    let logits = decoder.forward(0, &tokens, Rows::All).await?;
    let mut most = 0.0f64;
    for (row, &next) in logits.chunks(logits.len() / tokens.len()).zip(&tokens[1..]) {
        let highest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let size = (row.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>() / row.len() as f64).sqrt();
        let drawn = row.get(next as usize).copied().unwrap_or(f32::NEG_INFINITY);
        let off = f64::from(highest - drawn) / size;
        most = if off.is_nan() { f64::INFINITY } else { most.max(off) };
    }
    Ok(most)
}

/// Checks every kernel that this process has started so far, unless it was found right before.
///
/// # Errors
///
/// The first kernel whose results are wrong, or that could not be run.
pub async fn check(device: &Device) -> Result<(), Error> {
    let failed = |cause| Error::Device { doing: "trying the GPU", cause };
    let mut checking = KernelRunner::new(device).map_err(failed)?;
    let mut programs = unproven();
    programs.extend(programs.iter().flat_map(|program| all::later(*program)).collect::<Vec<_>>());
    programs.extend([Program::CopyCache, Program::Adapt, Program::Likeliest]);
    for program in programs {
        let off = checking.difference(program).await.map_err(failed)?;
        if !is_right(off) {
            return Err(Error::WrongResults { what: format!("kernel {program:?}"), off });
        }
        proven(program);
    }
    Ok(())
}

/// What came of comparing a kernel with plain arithmetic.
#[derive(Debug, Clone)]
pub struct KernelCheck {
    /// The kernel's name and what it is for.
    pub kernel: String,
    /// How far it is off, relative to its results' size; or why it could not be run.
    pub off: Result<f64, String>,
    /// The most that it may be off.
    pub bound: f64,
}

impl KernelCheck {
    /// Whether the kernel gives what it must.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.off.as_ref().is_ok_and(|off| is_right(*off))
    }
}

/// Compares every kernel that models with these kinds of weights may need with plain arithmetic, until `watch` stops it.
///
/// # Errors
///
/// A device that is no GPU.
pub async fn compare(
    device: &Device,
    kinds: &[Kind],
    watch: &mut dyn FnMut(KernelCheck) -> ControlFlow<()>,
) -> Result<(), String> {
    let mut checking = KernelRunner::new(device)?;
    for program in all::programs(kinds, number(&checking.client)) {
        let off = checking.difference(program).await;
        if watch(KernelCheck { kernel: format!("{program:?}"), off, bound: TOLERANCE }).is_break() {
            break;
        }
    }
    Ok(())
}

/// Whether a kernel may be so far off.
fn is_right(off: f64) -> bool {
    off <= TOLERANCE
}

/// The most that a kernel may be off, relative to its results' size: half floats in the cache are off by 0.0005.
const TOLERANCE: f64 = 0.004;

/// So many tokens are tried to be drawn: more than are drawn ahead.
const DRAWN: usize = 8;

/// What a buffer must hold.
enum Expected {
    Floats(Vec<f32>),
    Halves(Vec<f32>),
    /// So few that one for another is off by more than a kernel may be.
    Tokens(Vec<f32>),
}

impl Expected {
    fn values(&self) -> &[f32] {
        match self {
            Self::Floats(values) | Self::Halves(values) | Self::Tokens(values) => values,
        }
    }
}

fn read(bytes: &[u8], expected: &Expected) -> Vec<f32> {
    match expected {
        Expected::Floats(_) => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        Expected::Halves(_) => bytes.as_chunks().0.iter().map(|bytes| f16_to_f32(u16::from_le_bytes(*bytes))).collect(),
        Expected::Tokens(_) => bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes) as f32).collect(),
    }
}

/// The root of the mean square of the difference, against that of what was expected.
fn difference(got: &[f32], expected: &Expected) -> f64 {
    let expected = expected.values();
    if got.len() < expected.len() {
        return f64::INFINITY;
    }
    let square = |values: &mut dyn Iterator<Item = f32>| values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>();
    let off = square(&mut got.iter().zip(expected).map(|(a, b)| a - b));
    (off / square(&mut expected.iter().copied())).sqrt()
}

/// A matrix of random weights: its buffer, its layout, and its values.
struct Matrix {
    buffer: Handle,
    layout: [u32; 4],
    values: Vec<f32>,
}

struct KernelRunner {
    client: Client,
    /// Of the random numbers.
    state: u64,
}

const EPSILON: f32 = 1e-5;
const CAPACITY: usize = 16;

impl KernelRunner {
    fn new(device: &Device) -> Result<Self, String> {
        Ok(Self { client: cube_device(device)?.client(), state: 1 })
    }

    /// How far a kernel is off, at the most of what it writes.
    async fn difference(&mut self, program: Program) -> Result<f64, String> {
        let mut most = 0.0;
        for (results, expected) in self.run(program)? {
            let bytes = self.client.read_async(vec![results]).await;
            let bytes = bytes.map_err(|error| format!("kernel {program:?}: {error}"))?;
            let got = bytes.first().map(|bytes| read(bytes, &expected)).unwrap_or_default();
            let off = difference(&got, &expected);
            // No number is the worst there is, and `max` would pass it over.
            most = if off.is_nan() { f64::INFINITY } else { off.max(most) };
        }
        Ok(most)
    }

    /// The next random number, between -1 and 1 (Knuth's MMIX generator).
    fn random(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn randoms(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.random()).collect()
    }

    fn create(&self, bytes: Vec<u8>) -> Handle {
        self.client.create(Bytes::from_bytes_vec(bytes))
    }

    fn floats(&self, values: &[f32]) -> Handle {
        let mut bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        self.create(bytes)
    }

    fn halves(&self, values: &[f32]) -> Handle {
        self.create(values.iter().flat_map(|value| f32_to_f16(*value).to_le_bytes()).collect())
    }

    /// Outputs that are wrong unless they are written.
    fn unset(&self, count: usize) -> Handle {
        self.floats(&vec![f32::NAN; count])
    }

    fn matrix(&mut self, kind: Kind, rows: usize, columns: usize) -> Result<Matrix, String> {
        let blocks = rows * columns / kind.block_elements();
        let mut bytes = Vec::with_capacity(blocks * kind.block_bytes());
        for _ in 0..blocks {
            let start = bytes.len();
            bytes.extend((0..kind.block_bytes()).map(|_| self.state_byte()));
            let half = f32_to_f16(self.random() / 8.0).to_le_bytes();
            match kind {
                Kind::F32 => bytes[start..].copy_from_slice(&self.random().to_le_bytes()),
                Kind::BF16 => bytes[start..].copy_from_slice(&self.random().to_le_bytes()[2..]),
                Kind::Q6_K => bytes[start + 208..].copy_from_slice(&half),
                Kind::F16 | Kind::Q4_0 | Kind::Q5_0 | Kind::Q8_0 => bytes[start..start + 2].copy_from_slice(&half),
                _ => {
                    bytes[start..start + 2].copy_from_slice(&half);
                    bytes[start + 2..start + 4].copy_from_slice(&half);
                }
            }
        }
        let mut values = vec![0.0; rows * columns];
        dequantise(kind, &bytes, &mut values).map_err(|error| error.to_string())?;
        let mut repacker = Repacker::new(WeightShape { kind, rows, columns });
        let mut words = vec![0; repacker.layout().bytes()];
        repacker.take(&bytes, &mut |place, bytes| words[place].copy_from_slice(&bytes));
        repacker.end(&mut |place, bytes| words[place].copy_from_slice(&bytes))?;
        Ok(Matrix { buffer: self.create(words), layout: repacker.layout().words(), values })
    }

    fn state_byte(&mut self) -> u8 {
        self.random();
        (self.state >> 56) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_written_is_no_small_difference() {
        let expected = Expected::Floats(vec![1.0, -2.0]);
        assert!(difference(&[1.0, -2.0], &expected) <= TOLERANCE);
        assert!(difference(&[1.0, f32::NAN], &expected).is_nan());
        assert!(difference(&[0.0, 0.0], &expected) > TOLERANCE);
        assert!(difference(&[1.0], &expected) > TOLERANCE);
    }
}
