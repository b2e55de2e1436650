//! Ctrl-C while a model works: the first ends the deliberation after its present step, the second the program.

use std::future::{Future as _, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

/// The exit code of a program that Ctrl-C stopped: 128 and the signal's number.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// One that Ctrl-C sets, from when this returns. Where the system can't tell of it, Ctrl-C ends the program as ever.
    pub(crate) fn on_interrupt() -> Stop {
        let stop = Stop::default();
        let setting = stop.clone();
        let (listens, listening) = std::sync::mpsc::channel();
        // The model works on the caller's thread, and would not hear of it there before it is done.
        std::thread::spawn(move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                let mut pressed = Box::pin(tokio::signal::ctrl_c());
                // Asked once, it listens.
                let first = poll_fn(|context| Poll::Ready(pressed.as_mut().poll(context))).await;
                drop(listens);
                let mut pressed = if let Poll::Ready(result) = first { result } else { pressed.await };
                while pressed.is_ok() {
                    if setting.0.swap(true, Ordering::Relaxed) {
                        std::process::exit(INTERRUPTED.into());
                    }
                    pressed = tokio::signal::ctrl_c().await;
                }
            });
        });
        // Ends when the thread listens, or has given up.
        let _: Result<(), _> = listening.recv();
        stop
    }

    /// Whether it is set.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
