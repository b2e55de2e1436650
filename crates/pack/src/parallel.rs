//! Work on each of many pages, on all cores. Natively only: a browser builds no index.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many items a thread takes at once.
const BATCH: usize = 16;

/// The results of `work` on each of `items`, in their order.
pub(crate) fn map<I: Sync, O: Send>(items: &[I], work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let batches: Vec<&[I]> = items.chunks(BATCH).collect();
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(batches.len());
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(batches.len())));
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = batches.get(at) else { break };
            let result: Vec<O> = batch.iter().map(&work).collect();
            results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().flat_map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_keep_the_order_of_the_items() {
        for count in [0, 1, 15, 16, 17, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let expected: Vec<usize> = (0..count).map(|item| item * 2).collect();
            assert_eq!(map(&items, |item| item * 2), expected, "{count}");
        }
    }
}
