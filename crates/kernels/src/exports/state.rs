//! What the boundary's calls share: the engine, the buffers, descriptions by number; and how a call's outcome becomes a
//! number.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::engine::{Engine, Feed, Qkv, WeightId};
use crate::error::Error;
use crate::thread_pool::{JobQueue, ThreadPool};

/// Numbers of buffers are below this.
const BUFFERS: usize = 16;

/// Everything that calls share.
pub(super) struct State {
    pub(super) engine: Engine,
    pub(super) buffers: [Vec<f32>; BUFFERS],
    pub(super) layers: Vec<Qkv>,
    pub(super) feeds: Vec<Feed>,
    pub(super) error: String,
}

/// Where the workers of the variant with threads find their work; of the others nobody comes.
pub(super) static JOBS: LazyLock<Arc<JobQueue>> = LazyLock::new(Arc::default);

static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| {
    Mutex::new(State {
        engine: Engine::with_pool(ThreadPool::of(Arc::clone(&JOBS))),
        buffers: Default::default(),
        layers: Vec::new(),
        feeds: Vec::new(),
        error: String::new(),
    })
});

/// Why a call did not even reach the engine, or what the engine said.
pub(super) enum Refusal {
    /// No buffer, layer or feed-forward has this number (-20).
    Number(u32),
    /// A buffer is shorter than the call needs (-21), or named twice (-22).
    Short(u32),
    Twice(u32),
    Engine(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

pub(super) type Outcome = Result<i32, Refusal>;

/// Runs a call, and turns its outcome into a number.
pub(super) fn call(work: impl FnOnce(&mut State) -> Outcome) -> i32 {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    let (code, text) = match work(&mut state) {
        Ok(result) => return result,
        Err(Refusal::Number(number)) => (-20, format!("there is no buffer, layer or feed-forward {number}")),
        Err(Refusal::Short(slot)) => (-21, format!("buffer {slot} is shorter than the call needs")),
        Err(Refusal::Twice(slot)) => (-22, format!("buffer {slot} is both read and written")),
        Err(Refusal::Engine(error)) => (error.code(), error.to_string()),
    };
    state.error = text;
    code
}

pub(super) fn handle(id: u32) -> Outcome {
    i32::try_from(id).map_err(|_| Refusal::Engine(Error::OutOfMemory { bytes: usize::MAX }))
}

/// An optional handle: none where it is -1.
pub(super) fn optional(id: i32) -> Option<WeightId> {
    u32::try_from(id).ok().map(WeightId)
}

/// What a buffer must be long enough for.
pub(super) struct Operand {
    pub(super) slot: u32,
    pub(super) len: usize,
}

/// `rows` rows of `width` in a buffer.
pub(super) fn operand(slot: u32, rows: u32, width: usize) -> Operand {
    Operand { slot, len: (rows as usize).saturating_mul(width) }
}

impl State {
    pub(super) fn buffer(&self, slot: u32, len: usize) -> Result<&[f32], Refusal> {
        let buffer = self.buffers.get(slot as usize).ok_or(Refusal::Number(slot))?;
        buffer.get(..len).ok_or(Refusal::Short(slot))
    }

    pub(super) fn bytes(&self, slot: u32, len: usize) -> Result<&[u8], Refusal> {
        let floats = self.buffer(slot, len.div_ceil(4))?;
        // SAFETY: floats are four bytes each, and every byte is a value.
        let bytes = unsafe { std::slice::from_raw_parts(floats.as_ptr().cast::<u8>(), floats.len() * 4) };
        bytes.get(..len).ok_or(Refusal::Short(slot))
    }

    /// Runs `work` with the engine, an input and an output.
    pub(super) fn with(
        &mut self,
        input: &Operand,
        output: &Operand,
        work: impl FnOnce(&mut Engine, &[f32], &mut [f32]) -> crate::Result<()>,
    ) -> Outcome {
        if input.slot == output.slot {
            return Err(Refusal::Twice(input.slot));
        }
        self.buffer(input.slot, input.len)?;
        self.buffer(output.slot, output.len)?;
        // Taken out and put back: the engine is borrowed at the same time.
        let x = std::mem::take(&mut self.buffers[input.slot as usize]);
        let mut out = std::mem::take(&mut self.buffers[output.slot as usize]);
        let outcome = work(&mut self.engine, &x[..input.len], &mut out[..output.len]);
        self.buffers[input.slot as usize] = x;
        self.buffers[output.slot as usize] = out;
        outcome?;
        Ok(0)
    }

    /// `[out_features, in_features]` of a weight.
    pub(super) fn shape(&self, id: u32) -> Result<[usize; 2], Refusal> {
        Ok(self.engine.weight_shape(WeightId(id))?)
    }
}
