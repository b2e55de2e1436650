//! Bytes of published files, as the index and the vectors have them: primitive values, and names of files by hashes.
//!
//! ```text
//! varint  := LEB128, at most 64 bits
//! str     := length:varint utf8*
//! name    := hex of its hash ".idx"
//! hash    := byte[HASH_BYTES]                        the first bytes of the SHA-256 of the whole file
//! ```
//!
//! A [`Cursor`] reads values. It never reads past its slice and never allocates more than the slice holds. What its errors are
//! is up to the format that is read: a [`Part`] makes them.
//!
//! ```
//! use seealso_bytes::{Cursor, Part, put_str, put_varint};
//!
//! #[derive(Clone, Copy)]
//! struct Name(&'static str);
//!
//! impl Part for Name {
//!     type Error = String;
//!     fn corrupt(self, reason: &str) -> String {
//!         format!("{}: {reason}", self.0)
//!     }
//! }
//!
//! let mut bytes = Vec::new();
//! put_varint(&mut bytes, 300);
//! put_str(&mut bytes, "tea");
//! let mut cursor = Cursor::<Name>::new(&bytes, Name("sample"));
//! assert_eq!((cursor.number(), cursor.text()), (Ok(300), Ok("tea")));
//! assert_eq!(cursor.byte(), Err("sample: it ends inside an entry".to_owned()));
//! ```
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod cursor;
mod file_name;
mod put;

pub use cursor::{Cursor, Part};
pub use file_name::{HASH_BYTES, Hash, file_name, hash_of};
pub use put::{put_str, put_varint};
