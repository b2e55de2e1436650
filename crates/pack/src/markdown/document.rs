//! What the first pass over a body makes of it: a list of blocks, each with the lines that its text stands in.

use super::definitions::Definitions;
use super::event::Tag;

/// A body taken apart.
#[derive(Default)]
pub(super) struct Document<'a> {
    pub(super) blocks: Vec<Block<'a>>,
    /// The texts' lines; blocks hold ranges of them.
    pub(super) lines: Vec<Segment>,
    pub(super) definitions: Definitions,
}

pub(super) struct Block<'a> {
    pub(super) kind: Kind<'a>,
    /// Where it starts in the body.
    pub(super) at: usize,
    /// Its lines, from the first up to the last, the last not among them.
    pub(super) first: usize,
    pub(super) last: usize,
    /// The list whose item holds this block directly, as an index into the blocks.
    pub(super) list: Option<usize>,
    /// Whether it is a list with blank lines between what its items hold.
    pub(super) loose: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind<'a> {
    /// The start of a quote, a list or an item.
    Open(Tag<'a>),
    /// The end of the innermost of them.
    Close,
    /// A block with text.
    Leaf(Tag<'a>),
    Rule,
    /// A paragraph that held nothing but definitions.
    Gone,
}

/// The part of a line that is a block's text.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Spaces before it that are what is left of a tab.
    pub(super) pad: usize,
}
