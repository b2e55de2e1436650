//! Work on each file of a site, on all cores.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A function that is called with how many files of how many are done, and says whether to go on.
pub type OnFile<'f> = dyn Fn(usize, usize) -> ControlFlow<()> + Sync + 'f;

/// The stack of a thread that reads pages: an element that is nested as deep as may be takes a call.
const STACK_BYTES: usize = 64 << 20;

/// The results of the work on each of `items`, in their order. `prepare` is called once for each thread.
///
/// # Errors
/// Where no thread can be started; [`io::ErrorKind::Interrupted`] where `on_file` says to stop.
pub(super) fn for_each<I: Sync, O: Send, W: Fn(&I) -> O>(
    items: &[I],
    on_file: &OnFile<'_>,
    prepare: impl Fn() -> W + Sync,
) -> io::Result<Vec<O>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        let work = prepare();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            if on_file(at, items.len()).is_break() {
                break;
            }
            let result = work(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    thread::scope(|scope| {
        for _ in 0..threads {
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run)?;
        }
        io::Result::Ok(())
    })?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    if results.len() < items.len() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
