//! Work in parts: a heavy step is cut into parts that don't touch each other's output, and a pool
//! runs them, on one thread or on several.

#![expect(unsafe_code, reason = "a job lent to other threads; parts that write disjoint places of one output")]

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How often to look for work, or for the end of it, before sleeping: about a tenth of a millisecond in wasm, where
/// looks follow each other at once, and one or two natively, where the processor pauses between them. Both are longer
/// than what lies between two jobs of a token.
const LOOKS: u32 = 60_000;

/// The most parts per thread: threads that are slower, or elsewhere, leave theirs to the others.
const PARTS_PER_THREAD: usize = 3;

/// Multiplications that make a part of its own worth handing out: some 50 µs with weights of few bits, more with the
/// cache's half floats. Each part that is claimed sends its claim, and the end of it, from one processor's cache to
/// another's.
const WORTH_A_PART: usize = 800_000;

/// The most parts of a job: [`Claims`] counts them in 16 bits.
const MOST_PARTS: u32 = 0xffff;

/// The work of a job, which its poster waits for, so that what it borrows outlives every use.
type Work = *const (dyn Fn(usize) + Sync);

/// Which job is on, how many parts it has, and which of them is the next to be claimed, in one word: whoever claims a
/// part of a job knows by that alone that the job is still on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Claims(u64);

impl Claims {
    fn of_job(generation: u32, parts: u32) -> Self {
        Self(u64::from(generation) << 32 | u64::from(parts) << 16)
    }

    fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn parts(self) -> u32 {
        (self.0 >> 16) as u32 & MOST_PARTS
    }

    /// The next part; none where all are claimed.
    fn next(self) -> Option<u32> {
        let next = self.0 as u32 & MOST_PARTS;
        (next < self.parts()).then_some(next)
    }
}

/// Where jobs are posted and claimed. While nobody sleeps, no lock is taken: one that is contended costs a thread in a
/// browser tens of microseconds, as long as a job of one token does.
pub(crate) struct JobQueue {
    /// See [`Claims`].
    claims: AtomicU64,
    /// The present job's work: written before its claims are, and read only by who has claimed a part.
    work: UnsafeCell<Option<Work>>,
    /// Parts that are finished.
    finished: AtomicU32,
    /// Whether a part of the present job panicked.
    panicked: AtomicBool,
    /// Threads that serve.
    workers: AtomicUsize,
    stopped: AtomicBool,
    /// Workers that sleep until a job is posted, or are about to.
    sleepers: AtomicUsize,
    /// Whether the poster sleeps until its job is done, or is about to.
    poster_sleeps: AtomicBool,
    /// Held by who goes to sleep, from the last look until it sleeps, and by who wakes others.
    sleeping: Mutex<()>,
    posted: Condvar,
    done: Condvar,
}

// SAFETY: `work` is written while no part of a job is unclaimed or unfinished, and read by who has claimed a part, for whose
// end the poster waits; what it points to may be used by several threads.
unsafe impl Send for JobQueue {}
// SAFETY: as above.
unsafe impl Sync for JobQueue {}

impl Default for JobQueue {
    fn default() -> Self {
        Self {
            claims: AtomicU64::new(0),
            work: UnsafeCell::new(None),
            finished: AtomicU32::new(0),
            panicked: AtomicBool::new(false),
            workers: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            poster_sleeps: AtomicBool::new(false),
            sleeping: Mutex::new(()),
            posted: Condvar::new(),
            done: Condvar::new(),
        }
    }
}

impl JobQueue {
    /// Threads that serve at present.
    pub(crate) fn workers(&self) -> usize {
        self.workers.load(Ordering::Acquire)
    }

    /// Takes part in jobs until the board is stopped.
    pub(crate) fn serve(&self) {
        self.workers.fetch_add(1, Ordering::AcqRel);
        while self.waits_for_work() {
            self.take_part();
        }
        self.workers.fetch_sub(1, Ordering::AcqRel);
    }

    /// Ends all [`JobQueue::serve`].
    pub(crate) fn stop(&self) {
        let _awake = self.lock();
        self.stopped.store(true, Ordering::SeqCst);
        self.posted.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.sleeping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn claims(&self) -> Claims {
        Claims(self.claims.load(Ordering::SeqCst))
    }

    /// Waits for a part that nobody has claimed; false where the board is stopped.
    fn waits_for_work(&self) -> bool {
        let has_news = || self.claims().next().is_some() || self.stopped.load(Ordering::SeqCst);
        if !looked_for(has_news) {
            let mut awake = self.lock();
            // Told before the last look: a job that is posted after that look finds a sleeper to wake.
            self.sleepers.fetch_add(1, Ordering::SeqCst);
            while !has_news() {
                awake = self.posted.wait(awake).unwrap_or_else(PoisonError::into_inner);
            }
            self.sleepers.fetch_sub(1, Ordering::SeqCst);
        }
        !self.stopped.load(Ordering::SeqCst)
    }

    /// Claims and runs parts until none is left. A part that panics is finished too: whoever else has one still uses
    /// what the job borrows, so nobody may leave before all are.
    fn take_part(&self) {
        while let Some((part, parts)) = self.claim() {
            // SAFETY: a part of the present job is claimed, so that its poster waits, and leaves the work in its place.
            let work = AssertUnwindSafe(|| unsafe {
                if let Some(work) = *self.work.get() {
                    (*work)(part as usize);
                }
            });
            if catch_unwind(work).is_err() {
                self.panicked.store(true, Ordering::Release);
            }
            if self.finished.fetch_add(1, Ordering::SeqCst) + 1 == parts && self.poster_sleeps.load(Ordering::SeqCst) {
                let _awake = self.lock();
                self.done.notify_all();
            }
        }
    }

    /// The next part of the present job, and how many it has; none where all are claimed.
    fn claim(&self) -> Option<(u32, u32)> {
        let mut claims = self.claims();
        loop {
            let part = claims.next()?;
            match self.claims.compare_exchange_weak(claims.0, claims.0 + 1, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return Some((part, claims.parts())),
                Err(now) => claims = Claims(now),
            }
        }
    }

    /// Posts a job, takes part in it, and returns when all of it is done. Panics then, where a part of it did.
    fn run(&self, parts: u32, work: &(dyn Fn(usize) + Sync)) {
        self.post(parts, work);
        self.take_part();
        self.wait(parts);
        assert!(!self.panicked.swap(false, Ordering::AcqRel), "a part of the work panicked");
    }

    fn post(&self, parts: u32, work: &(dyn Fn(usize) + Sync)) {
        // SAFETY: only the lifetime changes; the poster returns after the last use.
        let work = unsafe { std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), Work>(work) };
        // SAFETY: the last job is done, so nobody has a part of one and reads this.
        unsafe { *self.work.get() = Some(work) };
        self.finished.store(0, Ordering::SeqCst);
        let generation = self.claims().generation().wrapping_add(1);
        self.claims.store(Claims::of_job(generation, parts).0, Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _awake = self.lock();
            self.posted.notify_all();
        }
    }

    /// Waits until all parts are finished.
    fn wait(&self, parts: u32) {
        let is_done = || self.finished.load(Ordering::SeqCst) == parts;
        if looked_for(is_done) {
            return;
        }
        let mut awake = self.lock();
        self.poster_sleeps.store(true, Ordering::SeqCst);
        while !is_done() {
            awake = self.done.wait(awake).unwrap_or_else(PoisonError::into_inner);
        }
        self.poster_sleeps.store(false, Ordering::SeqCst);
    }
}

/// Looks [`LOOKS`] times whether something has come; whether it has.
fn looked_for(has_come: impl Fn() -> bool) -> bool {
    (0..LOOKS).any(|_| {
        std::hint::spin_loop();
        has_come()
    })
}

/// Who runs the parts: the calling thread, and those that serve the board.
#[derive(Default)]
pub(crate) struct ThreadPool {
    board: Arc<JobQueue>,
    /// Whether this pool's end is the board's.
    owns: bool,
}

impl ThreadPool {
    /// A pool of whoever serves this board.
    #[cfg(feature = "side-module")]
    pub(crate) fn of(board: Arc<JobQueue>) -> Self {
        Self { board, owns: false }
    }

    /// A pool of this thread and `threads - 1` new ones. Where the system gives fewer, it is smaller.
    pub(crate) fn spawn(threads: usize) -> Self {
        let board = Arc::new(JobQueue::default());
        for _ in 1..threads {
            let board = Arc::clone(&board);
            // A thread that cannot be had is no error: the others do its parts.
            let _ = std::thread::Builder::new().name("seealso-kernels".into()).spawn(move || board.serve());
        }
        Self { board, owns: true }
    }

    /// How many parts are worth making of a job of so many multiplications: one a thread at least.
    pub(crate) fn parts(&self, multiplications: usize) -> usize {
        match self.board.workers() {
            0 => 1,
            workers => {
                let threads = workers + 1;
                threads * (multiplications / threads / WORTH_A_PART).clamp(1, PARTS_PER_THREAD)
            }
        }
    }

    /// Runs `work` for every part below `parts` and returns when all are done.
    pub(crate) fn run(&self, parts: usize, work: &(dyn Fn(usize) + Sync)) {
        match u32::try_from(parts) {
            Ok(parts) if (2..=MOST_PARTS).contains(&parts) && self.board.workers() > 0 => self.board.run(parts, work),
            _ => (0..parts).for_each(work),
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        if self.owns {
            self.board.stop();
        }
    }
}

/// Part `part` of `parts` of `0..len`: consecutive, covering, and alike in length.
pub(crate) fn share(len: usize, part: usize, parts: usize) -> std::ops::Range<usize> {
    len * part / parts..len * (part + 1) / parts
}

/// An output that several parts write at once, each at its own places.
pub(crate) struct SharedOutput<'a, T> {
    start: *mut T,
    len: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

// SAFETY: it gives nothing out but writes, and who writes promises that places don't overlap.
unsafe impl<T: Send> Sync for SharedOutput<'_, T> {}

impl<'a, T> SharedOutput<'a, T> {
    /// Borrows `slice` for all parts together.
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), borrowed: PhantomData }
    }

    /// `len` values from `at` on; out of bounds there are none.
    ///
    /// # Safety
    /// While the result lives, no other place of the program may look at the same values.
    #[expect(clippy::mut_from_ref, reason = "the caller promises that places are disjoint")]
    pub(crate) unsafe fn slice(&self, at: usize, len: usize) -> &mut [T] {
        if at.checked_add(len).is_none_or(|end| end > self.len) {
            return &mut [];
        }
        // SAFETY: within the slice that was borrowed, and unshared as the caller promises.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(at), len) }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::{SharedOutput, ThreadPool, share};

    #[test]
    fn a_pool_does_every_part_once() {
        let pool = ThreadPool::spawn(4);
        for round in 0..2000_usize {
            let parts = 1 + round % 17;
            let mut counts = vec![0_u32; parts];
            let shared = SharedOutput::new(&mut counts);
            pool.run(parts, &|part| {
                // SAFETY: each part has its own place.
                for count in unsafe { shared.slice(part, 1) } {
                    *count += 1;
                }
            });
            assert_eq!(counts, vec![1; parts], "round {round}");
        }
    }

    fn until(holds: impl Fn() -> bool) {
        while !holds() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_pool_that_has_gone_to_sleep_wakes_up() {
        let pool = ThreadPool::spawn(3);
        let poster = std::thread::current().id();
        for round in 0..30_usize {
            until(|| pool.board.sleepers.load(Ordering::SeqCst) == 2);
            let helped = AtomicBool::new(false);
            let done = AtomicUsize::new(0);
            pool.run(2, &|_| {
                if std::thread::current().id() == poster {
                    // The other part is for one who has to be woken.
                    until(|| helped.load(Ordering::SeqCst));
                } else {
                    helped.store(true, Ordering::SeqCst);
                    until(|| pool.board.poster_sleeps.load(Ordering::SeqCst));
                }
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), 2, "round {round}");
        }
    }

    #[test]
    fn more_parts_than_can_be_counted_are_done_all_the_same() {
        let pool = ThreadPool::spawn(2);
        let done = AtomicUsize::new(0);
        pool.run(70_000, &|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 70_000);
    }

    #[test]
    fn a_part_that_panics_ends_the_job_and_not_the_pool() {
        let pool = ThreadPool::spawn(3);
        for round in 0..50_usize {
            let broken = round % 7;
            let outcome = catch_unwind(AssertUnwindSafe(|| pool.run(7, &|part| assert_ne!(part, broken))));
            assert!(outcome.is_err(), "round {round}");
            let done = AtomicUsize::new(0);
            pool.run(7, &|_| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), 7, "round {round}");
        }
    }

    #[test]
    fn a_small_job_has_a_part_for_each_thread() {
        let pool = ThreadPool::spawn(4);
        until(|| pool.board.workers() == 3);
        let parts = [0, 3_000_000, 6_400_000, 9_600_000, usize::MAX].map(|multiplications| pool.parts(multiplications));
        assert_eq!(parts, [4, 4, 8, 12, 12]);
        assert_eq!(ThreadPool::default().parts(usize::MAX), 1);
    }

    #[test]
    fn shares_cover() {
        assert_eq!((share(10, 0, 3), share(10, 1, 3), share(10, 2, 3)), (0..3, 3..6, 6..10));
        assert_eq!((share(1, 0, 2), share(1, 1, 2)), (0..0, 0..1));
    }
}
