//! Recording what a GPU is told, so that it can be told again for little: a pass of one token is some hundred kernels, and most
//! of the time that starting one takes goes into finding its buffers.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::server::Handle;

use super::launch::{add_counts, take_counts};
use crate::ops::Recording;

/// Does `work` once, and then again without the GPU doing it, which is recorded. `None` where the GPU's driver or CubeCL can't:
/// then `work` was done, but CubeCL may hold what it wrote for failed.
pub(super) fn record(client: &Client, work: &dyn Fn()) -> Option<Recording> {
    let is_ready = client.graph_prepare().is_ok();
    // Buffers of all sizes that it needs are there after the first time, for none can be made while it is recorded.
    work();
    if !is_ready {
        return None;
    }
    if client.start_capture().is_err() {
        // Ends what was prepared.
        let _ = client.stop_capture();
        return None;
    }
    let before = take_counts();
    work();
    let counts = take_counts();
    add_counts(before);
    let graph = client.stop_capture().ok()?;
    Some(Box::new(move || {
        add_counts(counts);
        replay(&graph).map_err(|error| error.to_string())
    }))
}

/// Does again what was recorded.
#[allow(unsafe_code, reason = "CubeCL can't know that the buffers are still there")]
fn replay(graph: &burn_cubecl::cubecl::client::Graph) -> Result<(), burn_cubecl::cubecl::server::ServerError> {
    // SAFETY: recordings are dropped before the weights and caches that they read and write, since a decoder has them first;
    // the buffers in between are kept by the graph; and a decoder is used by one thread.
    unsafe { graph.replay() }
}

/// A word of a buffer. The GPU is told now, and not when somebody waits for it.
pub(super) fn read_word(
    client: &Client,
    buffer: &Handle,
    word: usize,
) -> Pin<Box<dyn Future<Output = Result<u32, String>>>> {
    let start = 4 * word as u64;
    let word = buffer.clone().offset_start(start).offset_end(buffer.size_in_used() - start - 4);
    let client = client.clone();
    begin(Box::pin(async move {
        let bytes = client.read_async(vec![word]).await.map_err(|error| error.to_string())?;
        let word = bytes.first().and_then(|bytes| bytes.first_chunk()).ok_or("it gave fewer bytes than were read")?;
        Ok(u32::from_le_bytes(*word))
    }))
}

/// A future that has begun.
fn begin<T: 'static>(mut future: Pin<Box<dyn Future<Output = T>>>) -> Pin<Box<dyn Future<Output = T>>> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Box::pin(std::future::ready(value)),
        Poll::Pending => future,
    }
}
