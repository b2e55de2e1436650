//! The files of an opened index that have come so far, and what is noted of those that have not.

use std::rc::Rc;

use crate::cache::sorted_map::Shelf;
use crate::dictionary::shard::{Chunk, TermFile, TermList};
use crate::docstore::block::TextBlock;
use crate::error::Error;
use crate::format::bytes::Cursor;
use crate::format::files::{File, Hash, Wanted};
use crate::format::root::{Directory, Place, TextFile, check_directory, read_directory};
use crate::ids::PageNo;
use crate::index::Index;
use crate::postings::run::{Reading, Run};

/// The files that are there, and those that are missed.
#[derive(Debug, Default)]
pub(crate) struct Held {
    pub(crate) terms: Shelf<u32, Rc<TermFile>>,
    pub(crate) texts: Shelf<u32, Rc<TextBlock>>,
    pub(crate) directory: Option<Rc<[TextFile]>>,
    chunks: Shelf<Hash, Rc<[u8]>>,
    /// Chunks that were read, each by its hash, its first page, and the scores of the list that it was read for: lists
    /// that share a file may number other shapes.
    runs: Shelf<(Hash, u32, u64), Rc<Run>>,
    pub(crate) lists: Shelf<Vec<u8>, Option<Rc<TermList>>>,
    wanted: Shelf<Wanted, ()>,
}

impl Index {
    /// Goes through all of `steps`, so that what each misses is noted; fails where one failed.
    ///
    /// # Errors
    /// The first error that is not [`Error::Missing`], else that.
    pub fn all(&self, mut steps: impl Iterator<Item = Result<(), Error>>) -> Result<(), Error> {
        all_of(&mut || steps.next())
    }

    /// Notes all that a question's words need to be looked up, and the list of text files: what is fetched first.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a file is damaged, [`Error::Missing`] where one is not there yet.
    pub fn foresee(&self, text: &str) -> Result<(), Error> {
        let words = self.analyses().iter().map(|(analysis, _)| {
            let tokens = crate::query::names::name_terms(*analysis, text);
            self.ready(tokens.iter().map(|token| (*analysis, token.term.as_str())))
        });
        self.all(words.chain([self.directory().map(drop)]))
    }

    /// Notes the blocks of all `pages`, so that they can be fetched together.
    ///
    /// # Errors
    /// As [`Index::page`].
    pub fn foresee_pages(&self, mut pages: impl Iterator<Item = PageNo>) -> Result<(), Error> {
        self.foresee_each(&mut || pages.next())
    }

    fn foresee_each(&self, next: &mut dyn FnMut() -> Option<PageNo>) -> Result<(), Error> {
        let directory = self.directory()?;
        all_of(&mut || {
            let page = next()?;
            let block = directory.partition_point(|file| file.end <= page.0);
            Some(if block < directory.len() { self.texts(block as u32).map(drop) } else { Ok(()) })
        })
    }

    pub(crate) fn term_file(&self, number: u32) -> Result<Rc<TermFile>, Error> {
        if let Some(shard) = self.held.borrow().terms.get(&number) {
            return Ok(Rc::clone(shard));
        }
        let bytes = self.bytes_at(&self.root.terms[number as usize].place, File::Terms(number))?;
        let shard = Rc::new(TermFile::open(bytes)?);
        self.held.borrow_mut().terms.insert(number, Rc::clone(&shard));
        Ok(shard)
    }

    /// Whether a block's texts are there, or can be read without a file more.
    pub(crate) fn has_texts(&self, block: u32) -> bool {
        let held = self.held.borrow();
        let is_inside = |file: &TextFile| matches!(file.place, Place::Inside(_));
        held.texts.get(&block).is_some()
            || held.directory.as_ref().and_then(|all| all.get(block as usize)).is_some_and(is_inside)
    }

    pub(crate) fn texts(&self, block: u32) -> Result<Rc<TextBlock>, Error> {
        if let Some(texts) = self.held.borrow().texts.get(&block) {
            return Ok(Rc::clone(texts));
        }
        let directory = self.directory()?;
        let Some(file) = directory.get(block as usize) else {
            return Err(Error::corrupt("text directory", "a block is not listed"));
        };
        let bytes = self.bytes_at(&file.place, File::Texts(block))?;
        let texts = Rc::new(TextBlock::open(bytes, pages_in(&directory, block))?);
        self.held.borrow_mut().texts.insert(block, Rc::clone(&texts));
        Ok(texts)
    }

    pub(crate) fn directory(&self) -> Result<Rc<[TextFile]>, Error> {
        if let Some(directory) = &self.held.borrow().directory {
            return Ok(Rc::clone(directory));
        }
        match &self.root.directory {
            Directory::Here(texts) => Ok(texts.as_slice().into()),
            Directory::Outside(hash) => Err(self.miss(File::Directory, *hash)),
        }
    }

    /// The run of a chunk of `list`.
    pub(crate) fn chunk(&self, list: &TermList, chunk: &Chunk) -> Result<Rc<Run>, Error> {
        let key = (chunk.hash, chunk.base, list.norms_hash);
        if let Some(run) = self.held.borrow().runs.get(&key) {
            return Ok(Rc::clone(run));
        }
        let held = self.held.borrow().chunks.get(&chunk.hash).cloned();
        let bytes = held.ok_or_else(|| self.miss(File::Postings(chunk.hash), chunk.hash))?;
        let reading = Reading { own: list.shapes.len(), norms: &list.norms, ..self.reading(0) };
        let run = Rc::new(Run::read(&bytes, chunk.count as usize, chunk.base, reading)?);
        if run.pages.last() != Some(&chunk.last) {
            return Err(Error::corrupt("postings", "a file has other pages than its term says"));
        }
        self.held.borrow_mut().runs.insert(key, Rc::clone(&run));
        Ok(run)
    }

    /// The run of a chunk, if it is there; its absence is not noted.
    pub(crate) fn held_chunk(&self, list: &TermList, chunk: &Chunk) -> Result<Option<Rc<Run>>, Error> {
        let there = self.held.borrow().chunks.get(&chunk.hash).is_some();
        there.then(|| self.chunk(list, chunk)).transpose()
    }

    fn bytes_at(&self, place: &Place, file: File) -> Result<Rc<[u8]>, Error> {
        match place {
            Place::Inside(range) => Ok(self.root.inside[range.clone()].into()),
            Place::Outside(hash) => Err(self.miss(file, *hash)),
        }
    }

    fn miss(&self, file: File, hash: Hash) -> Error {
        self.held.borrow_mut().wanted.insert(Wanted { file, hash }, ());
        Error::Missing
    }

    /// The files that calls have missed since the last time this was asked.
    pub fn wanted(&self) -> Vec<Wanted> {
        self.held.borrow_mut().wanted.take_keys()
    }

    /// Lets go of the files that have come, so that one who reads the whole index needs to hold but little of it. The
    /// list of text blocks stays.
    pub fn forget(&self) {
        let mut held = self.held.borrow_mut();
        let directory = held.directory.take();
        *held = Held { directory, ..Held::default() };
    }

    /// Hands in a file's unpacked bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where they are damaged.
    pub fn supply(&self, file: File, raw: Vec<u8>) -> Result<(), Error> {
        let bytes: Rc<[u8]> = raw.into();
        match file {
            File::Terms(number) => {
                let shard = Rc::new(TermFile::open(bytes)?);
                self.held.borrow_mut().terms.insert(number, shard);
            }
            File::Texts(block) => {
                let texts = Rc::new(TextBlock::open(bytes, pages_in(&self.directory()?, block))?);
                self.held.borrow_mut().texts.insert(block, texts);
            }
            File::Postings(hash) => {
                self.held.borrow_mut().chunks.insert(hash, bytes);
            }
            File::Directory => {
                let texts = read_directory(&mut Cursor::new(&bytes, "text directory"), &mut None)?;
                check_directory(&texts, self.len())?;
                self.held.borrow_mut().directory = Some(texts.into());
            }
        }
        Ok(())
    }
}

/// [`Index::all`], compiled once for all kinds of steps.
fn all_of(next: &mut dyn FnMut() -> Option<Result<(), Error>>) -> Result<(), Error> {
    let mut missing = Ok(());
    while let Some(step) = next() {
        match step {
            Err(Error::Missing) => missing = step,
            other => other?,
        }
    }
    missing
}

fn pages_in(directory: &[TextFile], block: u32) -> u32 {
    let block = block as usize;
    let start = block.checked_sub(1).and_then(|before| directory.get(before)).map_or(0, |file| file.end);
    directory.get(block).map_or(0, |file| file.end.saturating_sub(start))
}
