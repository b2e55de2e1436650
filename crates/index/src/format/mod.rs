//! The format, version 5.
//!
//! An index is a root and, where it is large, other files. The root comes first and stands in the catalog or beside
//! it; a question then needs the term shards of its words, parts of long postings lists, and the text blocks of the
//! pages that it found.
//!
//! ```text
//! root    := magic version:u16 file                  a file form whose raw bytes are those below
//! magic   := "seealso" 0x00
//! raw     := bounds analyses languages packs shapes code lengths flags:byte terms texts inside
//! bounds  := k1:f64 b:f64 b_body:f64 weight:f64[FIELDS]    the ranking by which blocks note their best posting
//! analyses  := count:varint (tag:byte pages:varint tokens:varint[FIELDS])*    sums over its pages, for the mean length
//! languages := count:varint str*
//! packs   := count:varint (pages:varint language:varint)*      pages are numbered 0.. in pack order
//! shapes  := count:varint shape*                     at most COMMON_SHAPES, the commonest first
//! shape   := fields:byte frequency:varint* length:varint       fields: bit i set = a frequency of field i follows
//! code    := length:byte[COMMON_SHAPES + 1]          lengths of the shapes' Huffman codes, the last for all other shapes
//! lengths := count:varint length:varint*             in small indexes each page's tokens, which its shapes then leave out
//!                                                    (as 0); no list is in parts there
//! flags   := bit 0: the files stand in `inside`; bit 1: the list of texts is a file of its own
//! terms   := count:varint (shared:varint length:varint byte[length] place)*   the first key of each shard, less what it
//!                                                    shares with the one before
//! texts   := directory | hash
//! directory := count:varint (pages:varint place)*    each text block's pages, and where it is
//! place   := hash | length:varint                    a file of that hash, or so many bytes of `inside`, in this order
//!
//! str     := length:varint utf8*
//! varint  := LEB128, at most 64 bits; numbers of fixed size are little endian
//! ```
//!
//! Files, their forms and their hashes are described in `files`, term shards in `term_file`, postings in `list`, text
//! blocks in `text_file`. A key begins with the tag of its analysis, so that one dictionary serves packs of several
//! languages: each page is found by the terms of its own analysis and scored with that analysis's statistics.

/// What every index file begins with.
pub(crate) const MAGIC: &[u8; 8] = b"seealso\0";
/// The format version that this crate writes and reads.
pub const VERSION: u16 = 5;
/// Bytes of a page's hash that are stored.
pub const PAGE_HASH_BYTES: usize = 4;

pub(crate) mod bits;
pub(crate) mod bytes;
pub(crate) mod files;
pub(crate) mod huffman;
pub(crate) mod root;
