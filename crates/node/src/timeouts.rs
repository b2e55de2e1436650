//! Waiting with a time limit and a regular beat, at which the caller may stop.

use std::future::{Future, poll_fn};
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::task::Poll;

use seealso::Clock;

/// Time limits and retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the request to the first word of the answer. A node that reports its progress through the prompt has this
    /// time between two reports.
    pub first_ms: u32,
    /// Between two words. Comments that keep a connection alive are not words.
    pub idle_ms: u32,
    /// Before the second, third … attempt, if the node cannot be reached, fails or is overloaded.
    pub pauses_ms: &'static [u32],
    /// The longest wait that the node may request before another attempt.
    pub longest_pause_ms: u32,
    /// How often the caller is asked whether to continue while nothing comes.
    pub beat_ms: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { first_ms: 180_000, idle_ms: 30_000, pauses_ms: &[500, 2_000], longest_pause_ms: 20_000, beat_ms: 250 }
    }
}

/// A future that completes when the wait is over.
pub(crate) type Deadline<'c> = Pin<Box<dyn Future<Output = ()> + 'c>>;

/// Asks the caller whether to continue.
pub(crate) type Beat<'b> = &'b mut dyn FnMut() -> ControlFlow<()>;

/// The outcome of a wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WaitOutcome<T> {
    /// The future completed.
    Ready(T),
    /// The deadline passed first.
    TimedOut,
    /// The caller stopped the wait.
    Stopped,
}

/// Waits for `work` until the deadline, asking `beat` every `beat_ms`.
pub(crate) async fn wait<C: Clock, T>(
    clock: &C,
    work: impl Future<Output = T>,
    deadline: &mut Deadline<'_>,
    beat_ms: u32,
    beat: Beat<'_>,
) -> WaitOutcome<T> {
    let mut work = pin!(work);
    let mut moment = pin!(clock.sleep(beat_ms));
    poll_fn(|context| {
        if let Poll::Ready(value) = work.as_mut().poll(context) {
            return Poll::Ready(WaitOutcome::Ready(value));
        }
        if deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(WaitOutcome::TimedOut);
        }
        while moment.as_mut().poll(context).is_ready() {
            if beat().is_break() {
                return Poll::Ready(WaitOutcome::Stopped);
            }
            moment.set(clock.sleep(beat_ms));
        }
        Poll::Pending
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;

    use futures_executor::block_on;

    use super::*;

    /// Its time goes on by one at each look; waits end when it is up.
    #[derive(Default)]
    struct Ticking(Cell<u32>);

    impl Clock for Ticking {
        fn now_ms(&self) -> f64 {
            self.0.get().into()
        }

        async fn sleep(&self, ms: u32) {
            let until = self.0.get() + ms;
            poll_fn(|context| {
                self.0.set(self.0.get() + 1);
                context.waker().wake_by_ref();
                if self.0.get() >= until { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
    }

    #[test]
    fn what_comes_comes_before_the_deadline() {
        let clock = Ticking::default();
        let mut deadline: Deadline<'_> = Box::pin(async {});
        let mut beat = || ControlFlow::Continue(());
        assert_eq!(block_on(wait(&clock, async { 7 }, &mut deadline, 5, &mut beat)), WaitOutcome::Ready(7));
    }

    #[test]
    fn the_caller_is_asked_until_the_deadline() {
        let clock = Ticking::default();
        let mut deadline: Deadline<'_> = Box::pin(clock.sleep(100));
        let beats = Cell::new(0);
        let mut beat = || {
            beats.set(beats.get() + 1);
            ControlFlow::Continue(())
        };
        assert_eq!(block_on(wait(&clock, pending::<()>(), &mut deadline, 10, &mut beat)), WaitOutcome::TimedOut);
        assert!((5..=10).contains(&beats.get()), "{}", beats.get());
    }

    #[test]
    fn the_caller_may_stop() {
        let clock = Ticking::default();
        let mut deadline: Deadline<'_> = Box::pin(clock.sleep(1000));
        let mut beat = || ControlFlow::Break(());
        assert_eq!(block_on(wait(&clock, pending::<()>(), &mut deadline, 10, &mut beat)), WaitOutcome::Stopped);
    }
}
