//! The fields of a page, and counts of a term by field.

/// A field of a page. The order is that in which weights and counts are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The page's title.
    Title,
    /// The page's aliases.
    Aliases,
    /// The page's summary, one sentence.
    Summary,
    /// Terms chosen from the page's body; empty in an index of metadata alone. They do not count in the page's length.
    Body,
}

/// How many fields there are.
pub const FIELDS: usize = 4;

impl Field {
    /// All fields, in storage order.
    pub const ALL: [Field; FIELDS] = [Field::Title, Field::Aliases, Field::Summary, Field::Body];

    /// The field's name in explanations.
    pub fn name(self) -> &'static str {
        ["title", "aliases", "summary", "body"][self as usize]
    }
}

/// How often a term occurs in each field.
pub type Frequencies = [u32; FIELDS];

/// Whether a term of these counts occurs in the title, the aliases or the summary.
pub(crate) fn occurs_before_body(frequencies: &Frequencies) -> bool {
    Field::ALL.iter().any(|&field| field != Field::Body && frequencies[field as usize] > 0)
}
