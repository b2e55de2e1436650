//! The files of an opened index: those that were supplied, decoded, and the list of those that calls have missed.
//!
//! Every lookup either finds its file or records that it is missing and fails with [`Error::Missing`].

use std::cell::RefCell;
use std::rc::Rc;

use seealso_bytes::Hash;

use super::sorted_map::SortedMap;
use crate::dictionary::shard::TermShard;
use crate::docstore::block::TextBlock;
use crate::error::Error;
use crate::format::bytes::Cursor;
use crate::format::files::{File, WantedFile};
use crate::format::location::{Location, TextBlockEntry, TextDirectory, check_directory, pages_in, read_directory};
use crate::format::root::Root;
use crate::postings::list::{Block, PostingsList};
use crate::postings::run::{DecodeContext, Run};

/// The files of an opened index.
#[derive(Debug, Default)]
pub(crate) struct FileCache(RefCell<Files>);

#[derive(Debug, Default)]
struct Files {
    shards: SortedMap<u32, Rc<TermShard>>,
    text_blocks: SortedMap<u32, Rc<TextBlock>>,
    directory: Option<Rc<[TextBlockEntry]>>,
    /// The bytes of postings blocks.
    blocks: SortedMap<Hash, Rc<[u8]>>,
    /// The decoded blocks, each by its hash, its first possible page, and the scores of the list that it was decoded
    /// for: lists that share a file may give other profiles the same numbers.
    runs: SortedMap<(Hash, u32, u64), Rc<Run>>,
    /// The lists that were looked up, by key.
    lists: SortedMap<Vec<u8>, Option<Rc<PostingsList>>>,
    missing: SortedMap<WantedFile, ()>,
}

/// How many lists stay decoded.
const MOST_LISTS: usize = 2048;

impl FileCache {
    /// The cache of an index of which only the root is there.
    pub(crate) fn new(root: &Root) -> FileCache {
        let mut files = Files::default();
        if let TextDirectory::Inline(blocks) = &root.directory {
            files.directory = Some(blocks.as_slice().into());
        }
        FileCache(RefCell::new(files))
    }

    /// A shard of the term dictionary.
    pub(crate) fn shard(&self, number: u32, root: &Root) -> Result<Rc<TermShard>, Error> {
        if let Some(shard) = self.0.borrow().shards.get(&number) {
            return Ok(Rc::clone(shard));
        }
        let bytes = self.bytes_at(&root.shards[number as usize].location, File::Terms(number), root)?;
        let shard = Rc::new(TermShard::open(bytes)?);
        self.0.borrow_mut().shards.insert(number, Rc::clone(&shard));
        Ok(shard)
    }

    /// The list of text blocks.
    pub(crate) fn directory(&self, root: &Root) -> Result<Rc<[TextBlockEntry]>, Error> {
        if let Some(directory) = &self.0.borrow().directory {
            return Ok(Rc::clone(directory));
        }
        match &root.directory {
            TextDirectory::Inline(blocks) => Ok(blocks.as_slice().into()),
            TextDirectory::OwnFile(hash) => Err(self.missing(File::Directory, *hash)),
        }
    }

    /// A text block.
    pub(crate) fn text_block(&self, block: u32, root: &Root) -> Result<Rc<TextBlock>, Error> {
        if let Some(texts) = self.0.borrow().text_blocks.get(&block) {
            return Ok(Rc::clone(texts));
        }
        let directory = self.directory(root)?;
        let Some(entry) = directory.get(block as usize) else {
            return Err(Error::corrupt("text directory", "a block is not listed"));
        };
        let bytes = self.bytes_at(&entry.location, File::Texts(block), root)?;
        let texts = Rc::new(TextBlock::open(bytes, pages_in(&directory, block))?);
        self.0.borrow_mut().text_blocks.insert(block, Rc::clone(&texts));
        Ok(texts)
    }

    /// Whether a text block can be read without fetching a file.
    pub(crate) fn has_text_block(&self, block: u32) -> bool {
        let files = self.0.borrow();
        let is_in_root = |entry: &TextBlockEntry| matches!(entry.location, Location::InRoot(_));
        files.text_blocks.get(&block).is_some()
            || files.directory.as_ref().and_then(|all| all.get(block as usize)).is_some_and(is_in_root)
    }

    /// The first cached text block whose number is not below `block`, with its number.
    pub(crate) fn first_text_block(&self, block: u32) -> Option<(u32, Rc<TextBlock>)> {
        self.0.borrow().text_blocks.first_from(&block).map(|(block, texts)| (*block, Rc::clone(texts)))
    }

    /// The run of a block of `list`. If the block was not decoded before, `context` gives what decodes it.
    pub(crate) fn run<'i>(
        &self,
        list: &PostingsList,
        block: &Block,
        context: impl FnOnce() -> DecodeContext<'i>,
    ) -> Result<Rc<Run>, Error> {
        let key = (block.hash, block.base, list.norms_hash);
        if let Some(run) = self.0.borrow().runs.get(&key) {
            return Ok(Rc::clone(run));
        }
        let cached = self.0.borrow().blocks.get(&block.hash).cloned();
        let bytes = cached.ok_or_else(|| self.missing(File::Postings(block.hash), block.hash))?;
        let context = DecodeContext { own: list.profiles.len(), norms: &list.norms, ..context() };
        let run = Rc::new(Run::read(&bytes, block.count as usize, block.base, context)?);
        if run.pages.last() != Some(&block.last) {
            return Err(Error::corrupt("postings", "a file has other pages than its term says"));
        }
        self.0.borrow_mut().runs.insert(key, Rc::clone(&run));
        Ok(run)
    }

    /// Whether the bytes of a postings block are there.
    pub(crate) fn has_block(&self, block: &Block) -> bool {
        self.0.borrow().blocks.get(&block.hash).is_some()
    }

    /// The list of `key`, where it was looked up before; the inner option is none where the index has no such list.
    pub(crate) fn list(&self, key: &[u8]) -> Option<Option<Rc<PostingsList>>> {
        self.0.borrow().lists.get(key).cloned()
    }

    /// Keeps the result of looking up the list of `key`.
    pub(crate) fn keep_list(&self, key: &[u8], list: Option<Rc<PostingsList>>) {
        let mut files = self.0.borrow_mut();
        if files.lists.len() >= MOST_LISTS {
            files.lists.clear();
        }
        files.lists.insert(key.to_vec(), list);
    }

    fn bytes_at(&self, location: &Location, file: File, root: &Root) -> Result<Rc<[u8]>, Error> {
        match location {
            Location::InRoot(range) => Ok(root.files[range.clone()].into()),
            Location::OwnFile(hash) => Err(self.missing(file, *hash)),
        }
    }

    /// Records that a file is missing.
    fn missing(&self, file: File, hash: Hash) -> Error {
        self.0.borrow_mut().missing.insert(WantedFile { file, hash }, ());
        Error::Missing
    }

    /// The files that were missed since the last call.
    pub(crate) fn take_missing(&self) -> Vec<WantedFile> {
        self.0.borrow_mut().missing.take_keys()
    }

    /// Drops all files but the list of text blocks.
    pub(crate) fn clear(&self) {
        let mut files = self.0.borrow_mut();
        let directory = files.directory.take();
        *files = Files { directory, ..Files::default() };
    }

    /// Adds a file's unpacked bytes.
    pub(crate) fn supply(&self, file: File, raw: Vec<u8>, root: &Root) -> Result<(), Error> {
        let bytes: Rc<[u8]> = raw.into();
        match file {
            File::Terms(number) => {
                let shard = Rc::new(TermShard::open(bytes)?);
                self.0.borrow_mut().shards.insert(number, shard);
            }
            File::Texts(block) => {
                let texts = Rc::new(TextBlock::open(bytes, pages_in(&self.directory(root)?, block))?);
                self.0.borrow_mut().text_blocks.insert(block, texts);
            }
            File::Postings(hash) => {
                self.0.borrow_mut().blocks.insert(hash, bytes);
            }
            File::Directory => {
                let texts = read_directory(&mut Cursor::new(&bytes, "text directory"), &mut None)?;
                check_directory(&texts, root.pages())?;
                self.0.borrow_mut().directory = Some(texts.into());
            }
        }
        Ok(())
    }
}
