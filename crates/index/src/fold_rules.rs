//! Rules that making the folding table and reading it have in common.

/// Whether a letter loses its marks: those of the Latin and Greek alphabets do, for there they are accents.
pub(crate) fn drops_marks(base: char) -> bool {
    let base = base as u32;
    base < 0x0400 || (0x1e00..0x2000).contains(&base)
}

/// Whether `c` composes by arithmetic, so that no table needs it: Hangul syllables.
pub(crate) fn is_algorithmic(c: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&c)
}
