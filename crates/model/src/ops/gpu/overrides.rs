//! How products are computed where that is to be tried: for benchmarks. Nothing is overridden unless asked for.

use std::cell::Cell;

use super::product::Cut;

thread_local! {
    /// How products are cut on this thread, where that is to be tried.
    static CUT: Cell<Option<Cut>> = const { Cell::new(None) };
    /// Whether tiles are wide on this thread, where that is to be tried.
    static WIDE: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Cuts products on this thread like this from now on, or as they are wont to be.
pub fn force_cut(cut: Option<Cut>) {
    CUT.set(cut);
}

pub(super) fn forced_cut() -> Option<Cut> {
    CUT.get()
}

/// Computes products of many rows on this thread by wide tiles from now on, by others, or as it is wont to be done.
pub fn force_wide(is_wide: Option<bool>) {
    WIDE.set(is_wide);
}

pub(super) fn forced_wide() -> Option<bool> {
    WIDE.get()
}
