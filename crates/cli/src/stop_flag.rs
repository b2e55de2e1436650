//! Ctrl-C while a model works: the first press ends the deliberation after the current step, the second ends the program.

use std::future::{Future as _, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

/// The exit code of a program that Ctrl-C stopped: 128 plus the signal's number.
pub(crate) const EXIT_INTERRUPTED: u8 = 130;

/// A flag that says whether to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that Ctrl-C sets, from when this returns. Where the system can't report Ctrl-C, it ends the program as usual.
    pub(crate) fn on_interrupt() -> StopFlag {
        let stop = StopFlag::default();
        let setting = stop.clone();
        let (registered, registration) = std::sync::mpsc::channel();
        // The model works on the caller's thread, where the signal would not be handled before the model is done.
        std::thread::spawn(move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                let mut pressed = Box::pin(tokio::signal::ctrl_c());
                // The first poll registers the handler.
                let first = poll_fn(|context| Poll::Ready(pressed.as_mut().poll(context))).await;
                drop(registered);
                let mut pressed = if let Poll::Ready(result) = first { result } else { pressed.await };
                while pressed.is_ok() {
                    if setting.0.swap(true, Ordering::Relaxed) {
                        std::process::exit(EXIT_INTERRUPTED.into());
                    }
                    pressed = tokio::signal::ctrl_c().await;
                }
            });
        });
        // Returns when the handler is registered, or the thread has failed.
        let _: Result<(), _> = registration.recv();
        stop
    }

    /// Whether it is set.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
