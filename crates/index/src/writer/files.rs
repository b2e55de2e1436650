//! The files that the writer produces, and their locations in the root.

use std::io;

use seealso_bytes::{Hash, hash_of};

use crate::error::Error;
use crate::format::files::packed;
use crate::format::location::{Location, ShardEntry, TextBlockEntry, TextDirectory, write_directory};
use crate::format::root::Root;

/// A consumer of files: it gets the hash that names each, and its bytes.
pub type Sink<'s> = dyn FnMut(&Hash, &[u8]) -> io::Result<()> + 's;

/// The files that the writer produces. While they have few bytes they are held back, because they may become part of
/// the root.
pub(super) struct Files<'s, 'k> {
    sink: &'s mut Sink<'k>,
    /// The raw bytes of the files that are held back; none once files are sent.
    pending: Option<Vec<Vec<u8>>>,
    /// How many bytes these are expected to have, deflated.
    pending_bytes: usize,
    single_file_bytes: usize,
    sent: Vec<Hash>,
    /// How many files were sent.
    pub(super) count: usize,
    /// How many bytes were sent.
    pub(super) bytes: u64,
}

/// The number of a file, in the order in which files are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileNo(usize);

/// From so many text blocks on their list is a file of its own.
const LONG_DIRECTORY: usize = 64;

impl<'s, 'k> Files<'s, 'k> {
    pub(super) fn new(single_file_bytes: usize, sink: &'s mut Sink<'k>) -> Self {
        let pending = Some(Vec::new());
        Files { sink, pending, pending_bytes: 0, single_file_bytes, sent: Vec::new(), count: 0, bytes: 0 }
    }

    /// Whether the index is known to have files besides its root.
    pub(super) fn are_sent(&self) -> bool {
        self.pending.is_none()
    }

    /// Adds a file's raw bytes.
    pub(super) fn add(&mut self, raw: Vec<u8>) -> Result<FileNo, Error> {
        let Some(pending) = &mut self.pending else {
            self.send(&raw)?;
            return Ok(FileNo(self.sent.len() - 1));
        };
        // How much deflating will save is a guess; the limit need not be exact.
        self.pending_bytes += raw.len() / 2;
        pending.push(raw);
        let number = FileNo(pending.len() - 1);
        if self.pending_bytes > self.single_file_bytes {
            for raw in self.pending.take().unwrap_or_default() {
                self.send(&raw)?;
            }
        }
        Ok(number)
    }

    /// Sends a file; returns its hash.
    pub(super) fn send(&mut self, raw: &[u8]) -> Result<Hash, Error> {
        let file = packed(raw);
        let hash = hash_of(&file);
        (self.sink)(&hash, &file).map_err(|error| Error::unwritable(error.to_string()))?;
        self.sent.push(hash);
        self.count += 1;
        self.bytes += file.len() as u64;
        Ok(hash)
    }

    /// Enters the location of each file into the root.
    pub(super) fn locate(
        &mut self,
        shards: Vec<(Vec<u8>, FileNo)>,
        texts: Vec<(u32, FileNo)>,
        root: &mut Root,
    ) -> Result<(), Error> {
        let mut in_root = Vec::new();
        let pending = self.pending.take();
        let sent = self.sent.clone();
        let mut locate = |number: FileNo| match &pending {
            None => Location::OwnFile(sent[number.0]),
            Some(pending) => {
                let start = in_root.len();
                in_root.extend(&pending[number.0]);
                Location::InRoot(start..in_root.len())
            }
        };
        root.shards = shards.into_iter().map(|(from, number)| ShardEntry { from, location: locate(number) }).collect();
        let texts: Vec<TextBlockEntry> =
            texts.into_iter().map(|(end, number)| TextBlockEntry { end, location: locate(number) }).collect();
        root.files = in_root;
        root.directory = match pending.is_none() && texts.len() >= LONG_DIRECTORY {
            false => TextDirectory::Inline(texts),
            true => {
                let mut directory = Vec::new();
                write_directory(&mut directory, &texts);
                TextDirectory::OwnFile(self.send(&directory)?)
            }
        };
        Ok(())
    }
}
