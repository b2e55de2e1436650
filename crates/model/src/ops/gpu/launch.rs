//! Starting a kernel, and counting what is started.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::ir::attributes::BufferIOAttr;
use burn_cubecl::cubecl::ir::features::TypeUsage;
use burn_cubecl::cubecl::ir::metadata::Info;
use burn_cubecl::cubecl::ir::{ElemType, FloatKind, UIntKind};
use burn_cubecl::cubecl::prelude::{
    AddressType, CubeCount, ExecutionMode, KernelDefinition, KernelId, KernelMetadata, KernelSettings, Scope,
};
use burn_cubecl::cubecl::server::{Handle, KernelArguments, MetadataBindingInfo};
use burn_cubecl::cubecl::{CubeDim, CubeKernel, PrecompiledSource};

use super::program::Program;
use super::tile::Number;
use super::timing;

/// What the GPU was told to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Kernels started.
    pub dispatches: u64,
    /// Bytes of weights that they read, each once.
    pub weight_bytes: u64,
    /// Bytes of keys and values that attention reads, each once for a head of keys and a row of queries.
    pub cache_bytes: u64,
}

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { dispatches: 0, weight_bytes: 0, cache_bytes: 0 }) };
}

/// What went wrong in an operation, until a store asks.
static FAILURE: Mutex<Option<String>> = Mutex::new(None);

/// Notes what went wrong; the first of several stays.
pub(super) fn fail(cause: &str) {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| cause.to_owned());
}

/// What went wrong since it was last asked.
pub(super) fn take_failure() -> Option<String> {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// What this thread told the GPU to do since it was last asked.
pub fn take_counts() -> Counts {
    COUNTS.take()
}

/// Counts what the GPU is told.
pub(super) fn add_counts(more: Counts) {
    let counts = COUNTS.get();
    COUNTS.set(Counts {
        dispatches: counts.dispatches + more.dispatches,
        weight_bytes: counts.weight_bytes + more.weight_bytes,
        cache_bytes: counts.cache_bytes + more.cache_bytes,
    });
}

/// Each kernel that was started, and whether it is known to give right results.
static PROGRAMS: Mutex<Vec<(Program, bool)>> = Mutex::new(Vec::new());

/// The kernels that this process has started so far and that are not proven.
pub(super) fn unproven() -> Vec<Program> {
    let programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    programs.iter().filter(|(_, proven)| !proven).map(|(program, _)| *program).collect()
}

/// Notes that a kernel gives right results.
pub(super) fn proven(program: Program) {
    note(program, true);
}

/// Whether half floats were found to be computed wrongly.
static HALVES_FAILED: AtomicBool = AtomicBool::new(false);

/// What tiles multiply on this GPU.
pub(super) fn number(client: &Client) -> Number {
    let usage = client.properties().type_usage(ElemType::Float(FloatKind::F16));
    match usage.contains(TypeUsage::Arithmetic) && !HALVES_FAILED.load(Ordering::Relaxed) {
        true => Number::Half,
        false => Number::Float,
    }
}

/// Does without half floats from now on, and forgets the kernels that need them. Gives whether any of those was started
/// and not proven.
pub fn do_without_half_floats() -> bool {
    HALVES_FAILED.store(true, Ordering::Relaxed);
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let had = programs.iter().any(|(program, proven)| program.needs_halves() && !proven);
    programs.retain(|(program, _)| !program.needs_halves());
    had
}

/// Takes half floats up again, where the GPU has them, also where they were found wrong: for measuring both ways.
pub fn do_with_half_floats() {
    HALVES_FAILED.store(false, Ordering::Relaxed);
}

/// Notes that a kernel is started or proven. A model has a dozen, so a list is searched fast enough.
fn note(program: Program, proven: bool) {
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    match programs.iter_mut().find(|(known, _)| *known == program) {
        Some((_, known)) => *known |= proven,
        None => programs.push((program, proven)),
    }
}

/// A kernel with what it works on.
pub(super) struct Launch {
    program: Program,
    arguments: KernelArguments,
    /// For the counts.
    weight_bytes: u64,
    cache_bytes: u64,
}

impl Launch {
    pub(super) fn new(program: Program) -> Self {
        Self { program, arguments: KernelArguments::new(), weight_bytes: 0, cache_bytes: 0 }
    }

    /// The next buffer, which the kernel only reads.
    pub(super) fn reads(mut self, buffer: Handle) -> Self {
        self.arguments = self.arguments.with_buffer_io(buffer.binding(), BufferIOAttr::ReadOnly);
        self
    }

    /// The next buffer, a weight.
    pub(super) fn weight(mut self, buffer: Handle) -> Self {
        self.weight_bytes += buffer.size_in_used();
        self.reads(buffer)
    }

    /// The next buffer, which the kernel writes to.
    pub(super) fn writes(mut self, buffer: Handle) -> Self {
        self.arguments = self.arguments.with_buffer_io(buffer.binding(), BufferIOAttr::ReadWrite);
        self
    }

    pub(super) fn cache_bytes(mut self, bytes: usize) -> Self {
        self.cache_bytes = bytes as u64;
        self
    }

    /// Starts it with `workgroups`, `info` behind the buffers as a uniform.
    pub(super) fn start(mut self, client: &Client, workgroups: (usize, usize, usize), info: &[[u32; 4]]) {
        note(self.program, false);
        let words = info.iter().flat_map(|[a, b, c, d]| [pair(*a, *b), pair(*c, *d)]).collect();
        self.arguments = self.arguments.with_info(MetadataBindingInfo::custom(words));
        add_counts(Counts { dispatches: 1, weight_bytes: self.weight_bytes, cache_bytes: self.cache_bytes });
        let count = CubeCount::Static(workgroups.0 as u32, workgroups.1 as u32, workgroups.2 as u32);
        let bytes = self.weight_bytes + self.cache_bytes;
        timing::around(client, (self.program, workgroups, bytes), || {
            client.launch(Box::new(Kernel(self.program)), count, self.arguments);
        });
    }
}

/// Two words as a uniform holds them, little endian.
fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) | u64::from(second) << 32
}

/// A kernel as CubeCL knows it: WGSL text and an identity that covers it.
struct Kernel(Program);

impl KernelMetadata for Kernel {
    fn id(&self) -> KernelId {
        KernelId::new::<Self>().info(self.0).mode(ExecutionMode::Unchecked)
    }

    fn address_type(&self) -> ElemType {
        ElemType::UInt(UIntKind::U32)
    }
}

impl CubeKernel for Kernel {
    fn define(&self) -> KernelDefinition {
        let dim = CubeDim::new_1d(self.0.threads());
        let settings = KernelSettings::new(dim.0, ExecutionMode::Unchecked, AddressType::U32);
        KernelDefinition { body: Scope::root(settings.clone()), settings, info: Info::default() }
    }

    fn source(&self) -> Option<PrecompiledSource> {
        Some(PrecompiledSource { source: self.0.source(), entrypoint_name: "main".to_owned(), lang: "wgsl" })
    }
}
