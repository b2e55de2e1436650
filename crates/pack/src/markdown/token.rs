//! The tokens of a text: the places that are more than the characters written there.

/// A place in a text that is more than the characters written there; all between two tokens is plain text.
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// As written: a mark that marks nothing.
    Text,
    /// Part of a mark, not shown.
    Hidden,
    /// One character: an escaped one or an entity.
    Char(char),
    /// A code span with fences of so many backticks.
    Code(usize),
    /// Shown, but no part of the text.
    Sign,
    /// Not to be seen.
    Remark,
    /// A URL in angle brackets.
    Url,
    /// An e-mail address in angle brackets.
    Email,
    SoftBreak,
    HardBreak,
    Open(Style),
    Close(Style),
    /// The start of a link or image, by its index.
    LinkStart(usize),
    LinkEnd(usize),
}

/// How emphasised text is set.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Style {
    Emphasis,
    Strong,
    Strikethrough,
}
