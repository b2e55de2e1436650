//! The time of each kernel by the GPU's own clock. For benchmarks; nothing is timed unless asked for.

use std::cell::RefCell;

use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::profile::ProfileDuration;

use super::program::Program;

/// A kernel that was started, its workgroups, and the bytes of weights and of the cache that it reads.
type Started = (Program, (usize, usize, usize), u64);

thread_local! {
    /// The kernels started on this thread while they are timed.
    static TIMED: RefCell<Option<Vec<(Started, ProfileDuration)>>> = const { RefCell::new(None) };
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
