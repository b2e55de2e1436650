//! What a GPU's kernels cost: the time of each by the GPU's own clock, and what starting one and reading back cost here.
//! For benchmarks; nothing of it runs unless asked for.

use std::cell::{Cell, RefCell};

use burn::tensor::Device;
use burn_cubecl::cubecl::bytes::Bytes;
use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::profile::{ProfileDuration, TimingMethod};

use super::device::cube_device;
use super::launch::Launch;
use super::shader::{Cut, Program};

/// A kernel that was started, its workgroups, and the bytes of weights and of the cache that it reads.
type Started = (Program, (usize, usize, usize), u64);

thread_local! {
    /// The kernels started on this thread while they are timed.
    static TIMED: RefCell<Option<Vec<(Started, ProfileDuration)>>> = const { RefCell::new(None) };
}

thread_local! {
    /// How products are cut on this thread, where that is to be tried.
    static CUT: Cell<Option<Cut>> = const { Cell::new(None) };
    /// Whether tiles are wide on this thread, where that is to be tried.
    static WIDE: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Cuts products on this thread like this from now on, or as they are wont to be.
pub fn force_cut(cut: Option<Cut>) {
    CUT.set(cut);
}

pub(super) fn forced_cut() -> Option<Cut> {
    CUT.get()
}

/// Computes products of many rows on this thread by wide tiles from now on, by others, or as it is wont to be done.
pub fn force_wide(is_wide: Option<bool>) {
    WIDE.set(is_wide);
}

pub(super) fn forced_wide() -> Option<bool> {
    WIDE.get()
}

/// Starts a kernel; between two of the GPU's time stamps where kernels are timed.
pub(super) fn around(client: &Client, kernel: Started, start: impl FnOnce()) {
    let is_timed = TIMED.with_borrow(Option::is_some);
    let window = is_timed.then(|| client.profile_start().ok()).flatten();
    start();
    if let Some(time) = window.and_then(|window| client.profile_end(window).ok()) {
        TIMED.with_borrow_mut(|timed| timed.get_or_insert_default().push((kernel, time)));
    }
}

/// A kernel's run.
#[derive(Debug, Clone)]
pub struct KernelTime {
    /// Its name and what it is for.
    pub kernel: String,
    /// Its workgroups in three dimensions.
    pub workgroups: (usize, usize, usize),
    /// The bytes of weights and of the cache that it reads, each counted once.
    pub bytes: u64,
    /// Its time, where the GPU told.
    pub seconds: Option<f64>,
}

/// Does `work`, each of whose kernels is started apart and timed by the GPU: how long all take together says nothing then.
pub async fn kernel_times<T>(work: impl Future<Output = T>) -> (T, Vec<KernelTime>) {
    TIMED.set(Some(Vec::new()));
    let outcome = work.await;
    let mut times = Vec::new();
    for ((program, workgroups, bytes), time) in TIMED.take().unwrap_or_default() {
        let seconds = time.resolve().await.map(|ticks| ticks.duration().as_secs_f64());
        times.push(KernelTime { kernel: format!("{program:?}"), workgroups, bytes, seconds });
    }
    (outcome, times)
}

/// Does `work`, and gives the seconds from the beginning of its first kernel to the end of its last, where the GPU told.
///
/// # Errors
///
/// A device that is no GPU.
pub async fn device_time<T>(device: &Device, work: impl Future<Output = T>) -> Result<(T, Option<f64>), String> {
    let client = cube_device(device)?.client();
    let window = client.profile_start().map_err(|error| error.to_string())?;
    let outcome = work.await;
    let time = client.profile_end(window).map_err(|error| error.to_string())?;
    Ok((outcome, time.resolve().await.map(|ticks| ticks.duration().as_secs_f64())))
}

/// Whether the GPU has a clock of its own that can be read.
///
/// # Errors
///
/// A device that is no GPU.
pub fn has_clock(device: &Device) -> Result<bool, String> {
    Ok(cube_device(device)?.client().properties().timing_method == TimingMethod::Device)
}

/// Waits until the GPU has done all that it was told.
///
/// # Errors
///
/// A device that is no GPU, or that failed.
pub async fn wait(device: &Device) -> Result<(), String> {
    cube_device(device)?.client().sync().await.map_err(|error| error.to_string())
}

/// Starts a kernel that does next to nothing `count` times, each of which waits for the one before. It is not waited for.
///
/// # Errors
///
/// A device that is no GPU.
pub fn start_idle_kernels(device: &Device, count: usize) -> Result<(), String> {
    let client = cube_device(device)?.client();
    let [source, out] = [0, 1].map(|_| client.create(Bytes::from_bytes_vec(vec![0; 256])));
    for _ in 0..count {
        let launch = Launch::new(Program::CopyCache).reads(source.clone()).writes(out.clone());
        launch.start(&client, (1, 1, 1), &[[64, 64, 64, 0]]);
    }
    Ok(())
}

/// Reads so many bytes back `count` times, one after the other.
///
/// # Errors
///
/// A device that is no GPU, or that failed.
pub async fn read_back(device: &Device, bytes: usize, count: usize) -> Result<(), String> {
    let client = cube_device(device)?.client();
    let buffer = client.create(Bytes::from_bytes_vec(vec![1; bytes]));
    for _ in 0..count {
        client.read_async(vec![buffer.clone()]).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}
