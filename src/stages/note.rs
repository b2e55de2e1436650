//! A line of the trace that an enhancer writes itself.

use crate::trace::{Describe, Detail};

/// A line and all that is behind it.
pub(super) struct Note {
    pub(super) note: String,
    pub(super) detail: Detail,
}

impl Describe for Note {
    fn note(&self) -> String {
        self.note.clone()
    }

    fn detail(&self) -> Detail {
        self.detail.clone()
    }
}
