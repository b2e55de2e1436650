//! The file format of an index, version 5.
//!
//! An index is a root file and, where the index is large, further files. The root is read first; it is in the
//! catalog or beside it. A question then needs the term shards of its words, the blocks of long postings lists, and
//! the text blocks of the pages that it found.
//!
//! ```text
//! root    := magic version:u16 file                  a file form whose raw bytes are those below
//! magic   := "seealso" 0x00
//! raw     := bounds analyses languages packs profiles code lengths flags:byte terms texts files
//! bounds  := k1:f64 b:f64 b_body:f64 weight:f64[FIELDS]    the ranking by which skip entries name their best profile
//! analyses  := count:varint (tag:byte pages:varint tokens:varint[FIELDS])*    sums over its pages, for the mean length
//! languages := count:varint str*
//! packs   := count:varint (pages:varint language:varint)*      pages are numbered 0.. in pack order
//! profiles := count:varint profile*                  at most COMMON_PROFILES, the commonest first
//! profile := fields:byte frequency:varint* length:varint       fields: bit i set = a frequency of field i follows
//! code    := length:byte[COMMON_PROFILES + 1]        lengths of the profiles' Huffman codes, the last for all other profiles
//! lengths := count:varint length:varint*             in small indexes each page's tokens, which its profiles then leave out
//!                                                    (as 0); no list is in blocks there
//! flags   := bit 0: the other files are in `files`; bit 1: the text directory is a file of its own
//! terms   := count:varint (shared:varint length:varint byte[length] location)*    the first key of each shard, less what
//!                                                    it shares with the one before
//! texts   := directory | hash
//! directory := count:varint (pages:varint location)* each text block's pages, and where the block is
//! location := hash | length:varint                   a file of that hash, or so many bytes of `files`, in this order
//!
//! str     := length:varint utf8*
//! varint  := LEB128, at most 64 bits; numbers of fixed size are little endian
//! ```
//!
//! Further grammars: files, their forms and their hashes in [`files`]; term shards in
//! [`dictionary::shard`](crate::dictionary::shard); postings lists in [`postings::list`](crate::postings::list) and
//! [`postings::run`](crate::postings::run); text blocks in [`docstore::block`](crate::docstore::block). A key begins
//! with the tag of its analysis, so that one dictionary serves packs of several languages: each page is found by the
//! terms of its own analysis and is scored with that analysis's statistics.

/// The first bytes of every index file.
pub(crate) const MAGIC: &[u8; 8] = b"seealso\0";
/// The format version that this crate writes and reads.
pub const VERSION: u16 = 5;
/// Bytes of a page's hash that are stored.
pub const PAGE_HASH_BYTES: usize = 4;

pub(crate) mod bits;
pub(crate) mod bytes;
pub(crate) mod files;
pub(crate) mod huffman;
pub(crate) mod location;
pub(crate) mod root;
