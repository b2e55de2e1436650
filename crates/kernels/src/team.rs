//! Work in parts: a heavy step is cut into parts that don't touch each other's output, and a team
//! runs them, on one thread or on several.

#![expect(unsafe_code, reason = "parts write disjoint places of one output")]

use std::marker::PhantomData;

/// Who runs the parts.
#[derive(Debug, Default)]
pub(crate) struct Team;

impl Team {
    /// How many parts are worth making.
    pub(crate) fn parts(&self) -> usize {
        1
    }

    /// Runs `work` for every part below `parts` and returns when all are done.
    pub(crate) fn run(&self, parts: usize, work: &(dyn Fn(usize) + Sync)) {
        for part in 0..parts {
            work(part);
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
    use super::share;

    #[test]
    fn shares_cover() {
        assert_eq!((share(10, 0, 3), share(10, 1, 3), share(10, 2, 3)), (0..3, 3..6, 6..10));
        assert_eq!((share(1, 0, 2), share(1, 1, 2)), (0..0, 0..1));
    }
}
