//! The file format, version 1, byte by byte.
//!
//! ```text
//! file      := header part*                          parts lie in the order of the header's table, without gaps
//! header    := magic version:u16 parts:u16 entry*    little endian
//! magic     := "seealso" 0x00                        8 bytes
//! entry     := kind:u32 offset:u64 length:u64        offset from the file's start; unknown kinds are skipped
//!
//! meta      := analyses:varint analysis* packs:varint pack*
//! analysis  := tag:byte pages:varint tokens:varint[FIELDS]      tokens: sums over its pages, for the mean length
//! pack      := path:str tag:byte pages:varint flags:byte        flags bit 0: links derived from the body
//!                                                               pages are numbered 0.. in pack order
//! terms     := an FST map: tag:byte term → offset into postings
//! postings  := list*
//! list      := count:varint (gap:varint fields:byte frequency:varint*)*
//!                                                    gap: page number less the one before, less one; the first: the number
//!                                                    fields: bit i set = a frequency of field i follows
//! lengths   := (tokens:varint[FIELDS])*              one a page
//! pages     := block*                                BLOCK pages a block
//! block     := (file:str title:str summary:str aliases:varint alias:str* hash:byte[8])*
//!                                                    hash: first bytes of the page file's SHA-256
//! blocks    := offset:varint*                        of each block in pages, as the gap from the one before
//! names     := an FST map: tag:byte token (" " token)* → offset into name lists
//! lists     := (count:varint gap:varint*)*           pages of that title or alias, gaps as in postings
//! links     := (count:varint page:varint*)*          one a page: the pages that it lists under See Also
//!
//! str       := length:varint utf8*
//! varint    := LEB128, at most 64 bits
//! ```
//!
//! A term's key begins with the tag of its analysis, so that one dictionary serves packs of several languages: each
//! page is found by the terms of its own analysis and scored with that analysis's statistics. Shards come as further
//! parts and files; a reader refuses a version that it does not know, and skips a part kind that it does not know.

/// What every index file begins with.
pub(crate) const MAGIC: &[u8; 8] = b"seealso\0";
/// The format version that this crate writes and reads.
pub const VERSION: u16 = 1;
/// Pages in one block of the page table.
pub(crate) const BLOCK: usize = 16;
/// Bytes of a page's hash that are stored.
pub const PAGE_HASH_BYTES: usize = 8;
/// Bytes of one entry of the header's table.
pub(crate) const ENTRY_BYTES: usize = 20;

/// The parts of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Part {
    Meta = 1,
    Terms = 2,
    Postings = 3,
    Lengths = 4,
    Pages = 5,
    Blocks = 6,
    Names = 7,
    Lists = 8,
    Links = 9,
}

impl Part {
    pub(crate) const ALL: [Part; 9] = [
        Part::Meta,
        Part::Terms,
        Part::Postings,
        Part::Lengths,
        Part::Pages,
        Part::Blocks,
        Part::Names,
        Part::Lists,
        Part::Links,
    ];

    /// What errors and statistics call the part.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Meta => "meta data",
            Part::Terms => "term dictionary",
            Part::Postings => "postings",
            Part::Lengths => "page lengths",
            Part::Pages => "page table",
            Part::Blocks => "page block offsets",
            Part::Names => "name dictionary",
            Part::Lists => "name lists",
            Part::Links => "See Also links",
        }
    }
}
