//! Files on their way out of the writer, and where the root says that each is.

use std::io;

use sha2::{Digest, Sha256};

use super::unwritable;
use crate::error::Error;
use crate::format::files::{HASH_BYTES, Hash, packed};
use crate::format::root::{Directory, Place, Root, TermFile, TextFile, write_directory};

/// Where files go: the hash that names each, and its bytes.
pub type Sink<'s> = dyn FnMut(&Hash, &[u8]) -> io::Result<()> + 's;

/// Files on their way out. While they are few bytes they wait, since they may become part of the root.
pub(super) struct Files<'s, 'k> {
    sink: &'s mut Sink<'k>,
    waiting: Option<Vec<Vec<u8>>>,
    waiting_bytes: usize,
    single_file_bytes: usize,
    sent: Vec<Hash>,
    pub(super) written: usize,
    pub(super) bytes: u64,
}

/// A file by its order of coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileNo(usize);

/// The list of text files is a file of its own from so many on.
const LONG_DIRECTORY: usize = 64;

impl<'s, 'k> Files<'s, 'k> {
    pub(super) fn new(single_file_bytes: usize, sink: &'s mut Sink<'k>) -> Self {
        let waiting = Some(Vec::new());
        Files { sink, waiting, waiting_bytes: 0, single_file_bytes, sent: Vec::new(), written: 0, bytes: 0 }
    }

    /// Whether it is settled that there will be more files than the root.
    pub(super) fn many(&self) -> bool {
        self.waiting.is_none()
    }

    /// Takes a file's raw bytes.
    pub(super) fn add(&mut self, raw: Vec<u8>) -> Result<FileNo, Error> {
        let Some(waiting) = &mut self.waiting else {
            self.send(&raw)?;
            return Ok(FileNo(self.sent.len() - 1));
        };
        // What deflating will save is guessed; the limit is a matter of taste.
        self.waiting_bytes += raw.len() / 2;
        waiting.push(raw);
        let number = FileNo(waiting.len() - 1);
        if self.waiting_bytes > self.single_file_bytes {
            for raw in self.waiting.take().unwrap_or_default() {
                self.send(&raw)?;
            }
        }
        Ok(number)
    }

    /// Sends a file; answers with its hash.
    pub(super) fn send(&mut self, raw: &[u8]) -> Result<Hash, Error> {
        let file = packed(raw);
        let mut hash = [0; HASH_BYTES];
        hash.copy_from_slice(&Sha256::digest(&file)[..HASH_BYTES]);
        (self.sink)(&hash, &file).map_err(|error| unwritable(error.to_string()))?;
        self.sent.push(hash);
        self.written += 1;
        self.bytes += file.len() as u64;
        Ok(hash)
    }

    /// Says in the root where each file is.
    pub(super) fn place(
        &mut self,
        terms: Vec<(Vec<u8>, FileNo)>,
        texts: Vec<(u32, FileNo)>,
        root: &mut Root,
    ) -> Result<(), Error> {
        let mut inside = Vec::new();
        let waiting = self.waiting.take();
        let sent = self.sent.clone();
        let mut place = |number: FileNo| match &waiting {
            None => Place::Outside(sent[number.0]),
            Some(waiting) => {
                let start = inside.len();
                inside.extend(&waiting[number.0]);
                Place::Inside(start..inside.len())
            }
        };
        root.terms = terms.into_iter().map(|(from, number)| TermFile { from, place: place(number) }).collect();
        let texts: Vec<TextFile> =
            texts.into_iter().map(|(end, number)| TextFile { end, place: place(number) }).collect();
        root.inside = inside;
        root.directory = match waiting.is_none() && texts.len() >= LONG_DIRECTORY {
            false => Directory::Here(texts),
            true => {
                let mut directory = Vec::new();
                write_directory(&mut directory, &texts);
                Directory::Outside(self.send(&directory)?)
            }
        };
        Ok(())
    }
}
