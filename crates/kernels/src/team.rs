//! Work in parts: a heavy step is cut into parts that don't touch each other's output, and a team
//! runs them, on one thread or on several.

#![expect(unsafe_code, reason = "a job lent to other threads; parts that write disjoint places of one output")]

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How often to look for work, or for the end of it, before sleeping: some tens of microseconds, which
/// is longer than the steps between two jobs of a token.
const LOOKS: u32 = 16_000;

/// Parts per thread: threads that are slower, or elsewhere, leave theirs to the others.
const PARTS_PER_THREAD: usize = 3;

/// A job that the poster waits for, so that what it borrows outlives every use.
#[derive(Clone, Copy)]
struct Job {
    generation: u32,
    parts: u32,
    work: *const (dyn Fn(usize) + Sync),
}

// SAFETY: the pointer is followed only by who has claimed a part, for whose end the poster waits.
unsafe impl Send for Job {}

/// Where jobs are posted and claimed.
#[derive(Default)]
pub(crate) struct Board {
    /// The job's generation in the upper half, its next unclaimed part in the lower.
    claims: AtomicU64,
    /// The newest job's generation, to be looked at without a lock.
    generation: AtomicU32,
    /// Parts that are finished.
    finished: AtomicU32,
    /// Whether a part of the present job panicked.
    panicked: AtomicBool,
    /// Threads that serve.
    workers: AtomicUsize,
    stopped: AtomicBool,
    job: Mutex<Option<Job>>,
    posted: Condvar,
    done: Condvar,
}

impl Board {
    /// Threads that serve at present.
    pub(crate) fn workers(&self) -> usize {
        self.workers.load(Ordering::Acquire)
    }

    /// Takes part in jobs until the board is stopped.
    pub(crate) fn serve(&self) {
        self.workers.fetch_add(1, Ordering::AcqRel);
        let mut seen = 0;
        while let Some(job) = self.next(seen) {
            seen = job.generation;
            self.take_part(job);
        }
        self.workers.fetch_sub(1, Ordering::AcqRel);
    }

    /// Ends all [`Board::serve`].
    pub(crate) fn stop(&self) {
        let _job = self.lock();
        self.stopped.store(true, Ordering::Release);
        self.posted.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Option<Job>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a job other than the one of generation `seen`; none where the board is stopped.
    fn next(&self, seen: u32) -> Option<Job> {
        for _ in 0..LOOKS {
            if self.generation.load(Ordering::Acquire) != seen || self.stopped.load(Ordering::Acquire) {
                break;
            }
            std::hint::spin_loop();
        }
        let mut job = self.lock();
        loop {
            if self.stopped.load(Ordering::Acquire) {
                return None;
            }
            match *job {
                Some(job) if job.generation != seen => return Some(job),
                _ => job = self.posted.wait(job).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Claims and runs parts until none is left. A part that panics is finished too: whoever else has one still uses
    /// what the job borrows, so nobody may leave before all are.
    fn take_part(&self, job: Job) {
        while let Some(part) = self.claim(job) {
            // SAFETY: the part was claimed from this very job, and its poster waits for it to finish.
            let work = AssertUnwindSafe(|| unsafe { (*job.work)(part as usize) });
            if catch_unwind(work).is_err() {
                self.panicked.store(true, Ordering::Release);
            }
            if self.finished.fetch_add(1, Ordering::AcqRel) + 1 == job.parts {
                let _job = self.lock();
                self.done.notify_all();
            }
        }
    }

    /// The next part of `job`; none where there is none left, or another job is on.
    fn claim(&self, job: Job) -> Option<u32> {
        let mut claims = self.claims.load(Ordering::Acquire);
        loop {
            let (generation, part) = ((claims >> 32) as u32, claims as u32);
            if generation != job.generation || part >= job.parts {
                return None;
            }
            match self.claims.compare_exchange_weak(claims, claims + 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(part),
                Err(now) => claims = now,
            }
        }
    }

    /// Posts a job, takes part in it, and returns when all of it is done. Panics then, where a part of it did.
    fn run(&self, parts: u32, work: &(dyn Fn(usize) + Sync)) {
        let job = {
            let mut place = self.lock();
            let generation = self.generation.load(Ordering::Relaxed).wrapping_add(1).max(1);
            // SAFETY: only the lifetime changes; this function returns after the last use.
            let work = unsafe {
                std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync)>(work)
            };
            let job = Job { generation, parts, work };
            self.finished.store(0, Ordering::Release);
            self.claims.store(u64::from(generation) << 32, Ordering::Release);
            *place = Some(job);
            self.generation.store(generation, Ordering::Release);
            self.posted.notify_all();
            job
        };
        self.take_part(job);
        self.wait(parts);
        assert!(!self.panicked.swap(false, Ordering::AcqRel), "a part of the work panicked");
    }

    /// Waits until all parts are finished.
    fn wait(&self, parts: u32) {
        for _ in 0..LOOKS {
            if self.finished.load(Ordering::Acquire) == parts {
                return;
            }
            std::hint::spin_loop();
        }
        let mut place = self.lock();
        while self.finished.load(Ordering::Acquire) != parts {
            place = self.done.wait(place).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Who runs the parts: the calling thread, and those that serve the board.
#[derive(Default)]
pub(crate) struct Team {
    board: Arc<Board>,
    /// Whether this team's end is the board's.
    owns: bool,
}

impl Team {
    /// A team of whoever serves this board.
    #[cfg(feature = "side-module")]
    pub(crate) fn of(board: Arc<Board>) -> Self {
        Self { board, owns: false }
    }

    /// A team of this thread and `threads - 1` new ones. Where the system gives fewer, it is smaller.
    pub(crate) fn spawn(threads: usize) -> Self {
        let board = Arc::new(Board::default());
        for _ in 1..threads {
            let board = Arc::clone(&board);
            // A thread that cannot be had is no error: the others do its parts.
            let _ = std::thread::Builder::new().name("seealso-kernels".into()).spawn(move || board.serve());
        }
        Self { board, owns: true }
    }

    /// How many parts are worth making.
    pub(crate) fn parts(&self) -> usize {
        match self.board.workers() {
            0 => 1,
            workers => (workers + 1) * PARTS_PER_THREAD,
        }
    }

    /// Runs `work` for every part below `parts` and returns when all are done.
    pub(crate) fn run(&self, parts: usize, work: &(dyn Fn(usize) + Sync)) {
        match u32::try_from(parts) {
            Ok(parts) if parts > 1 && self.board.workers() > 0 => self.board.run(parts, work),
            _ => (0..parts).for_each(work),
        }
    }
}

impl Drop for Team {
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
pub(crate) struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

// SAFETY: it gives nothing out but writes, and who writes promises that places don't overlap.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Shared, Team, share};

    #[test]
    fn a_team_does_every_part_once() {
        let team = Team::spawn(4);
        for round in 0..2000_usize {
            let parts = 1 + round % 17;
            let mut counts = vec![0_u32; parts];
            let shared = Shared::new(&mut counts);
            team.run(parts, &|part| {
                // SAFETY: each part has its own place.
                for count in unsafe { shared.slice(part, 1) } {
                    *count += 1;
                }
            });
            assert_eq!(counts, vec![1; parts], "round {round}");
        }
    }

    #[test]
    fn a_part_that_panics_ends_the_job_and_not_the_team() {
        let team = Team::spawn(3);
        for round in 0..50_usize {
            let broken = round % 7;
            let outcome = catch_unwind(AssertUnwindSafe(|| team.run(7, &|part| assert_ne!(part, broken))));
            assert!(outcome.is_err(), "round {round}");
            let done = AtomicUsize::new(0);
            team.run(7, &|_| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), 7, "round {round}");
        }
    }

    #[test]
    fn shares_cover() {
        assert_eq!((share(10, 0, 3), share(10, 1, 3), share(10, 2, 3)), (0..3, 3..6, 6..10));
        assert_eq!((share(1, 0, 2), share(1, 1, 2)), (0..0, 0..1));
    }
}
