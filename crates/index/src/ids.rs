//! The numbers by which an index names pages and packs.

/// A page's number in its index, from 0. Pages are numbered in the order of their packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageNo(pub u32);

/// A pack's number in its index, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackNo(pub usize);
