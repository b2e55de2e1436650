//! The index read backwards: for each page the tags and body words that only postings tell. A build that takes a pack
//! over from the last index needs them; so does a count of what an index holds.

use std::collections::BTreeSet;

use crate::analysis::Analysis;
use crate::dictionary::shard::{Postings, TAG_KEY, TermFile};
use crate::error::Error;
use crate::field::Field;
use crate::format::files::{File, Hash};
use crate::format::root::{Directory, Place};
use crate::ids::PageNo;
use crate::index::Index;
use crate::writer::Layout;
use crate::writer::external_sort::{Merged, Spill};

/// What postings alone know of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forward {
    /// Its tags, folded.
    pub tags: Vec<String>,
    /// The salient terms of its body, each with its count.
    pub body: Vec<(String, u32)>,
}

impl Forward {
    /// Adds what a list says of the page: a count of 0 stands for a tag.
    fn put(&mut self, text: String, count: u32) {
        match count {
            0 => self.tags.push(text),
            count => self.body.push((text, count)),
        }
    }
}

/// What postings alone know of the pages, gathered in memory that [`Layout`] bounds, as a writer's is.
pub struct Forwards {
    /// The terms and tags, in dictionary order.
    texts: Vec<Box<str>>,
    /// Places in `texts`, each with a count, by page.
    pages: Merged,
}

impl Forwards {
    /// What they know of `page`.
    ///
    /// # Errors
    /// [`Error::Unwritable`] where a scratch file fails.
    pub fn of(&mut self, page: PageNo) -> Result<Forward, Error> {
        let mut forward = Forward::default();
        for (text, count) in self.pages.of(page.0)? {
            forward.put(self.texts[text as usize].to_string(), count);
        }
        Ok(forward)
    }
}

/// Where a file of the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lies {
    /// Beside the root, under the name that its hash gives it.
    Outside(Hash),
    /// In the root; so many bytes before the root was deflated.
    Inside(usize),
}

/// More bytes of keys than these, for each byte of a shard, no sound shard has.
const MOST_KEY_BYTES: usize = 64;

impl Index {
    /// What postings alone know of each page, by page number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file is not there yet.
    pub fn forward(&self) -> Result<Vec<Forward>, Error> {
        // Only the texts prove that there are as many pages as the root says.
        let blocks = 0..self.directory()?.len() as u32;
        self.all(blocks.map(|block| self.texts(block).map(drop)))?;
        let mut pages = vec![Forward::default(); self.len() as usize];
        self.each_key(&mut |index, shard, key, value| {
            for (page, count) in index.backward(shard, key, value)? {
                let Some(forward) = pages.get_mut(page as usize) else { continue };
                forward.put(text_of(key), count);
            }
            Ok(())
        })?;
        Ok(pages)
    }

    /// As [`Index::forward`], of more pages than memory should hold. Files are read one after another: `fetch` supplies
    /// those that are wanted, and they are let go when they are read, with all that came before.
    ///
    /// # Errors
    /// As [`Index::forward`], and what `fetch` says; [`Error::Unwritable`] where a scratch file fails.
    pub fn forwards(
        &self,
        layout: &Layout,
        fetch: &mut dyn FnMut(&Index) -> Result<(), Error>,
    ) -> Result<Forwards, Error> {
        // Only the texts prove that there are as many pages as the root says.
        for block in 0..self.settled(fetch, &mut || self.directory())?.len() as u32 {
            self.settled(fetch, &mut || self.texts(block))?;
            self.forget();
        }
        let (mut texts, mut pages) = (Vec::new(), Spill::new(layout.held_postings, layout.scratch.clone()));
        for number in 0..self.root.terms.len() as u32 {
            for (key, told) in self.settled(fetch, &mut || self.backward_of(number))? {
                told.into_iter().for_each(|(page, count)| pages.add(page, (texts.len() as u32, count)));
                texts.push(text_of(&key).into());
            }
            self.forget();
            pages.keep_within_bounds(self.len() as usize)?;
        }
        Ok(Forwards { texts, pages: pages.merged(self.len() as usize) })
    }

    /// The answer of `ask`, once `fetch` has supplied all that it misses.
    fn settled<T>(
        &self,
        fetch: &mut dyn FnMut(&Index) -> Result<(), Error>,
        ask: &mut dyn FnMut() -> Result<T, Error>,
    ) -> Result<T, Error> {
        loop {
            match ask() {
                Err(Error::Missing) => fetch(self)?,
                other => return other,
            }
        }
    }

    /// Every term with its analysis and the number of pages that hold it, in dictionary order.
    ///
    /// # Errors
    /// As [`Index::forward`].
    pub fn terms(&self) -> Result<Vec<(Analysis, String, u32)>, Error> {
        let mut found = Vec::new();
        self.each_key(&mut |_, shard, key, value| {
            let count = shard.count(value)?;
            if let Some(analysis) = Analysis::of_tag(key[0]).filter(|_| count > 0) {
                found.push((analysis, String::from_utf8_lossy(&key[1..]).into_owned(), count));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Every file that the index is made of, its root aside, each once.
    ///
    /// # Errors
    /// As [`Index::forward`].
    pub fn files(&self) -> Result<Vec<(File, Lies)>, Error> {
        let lies = |place: &Place| match place {
            Place::Outside(hash) => Lies::Outside(*hash),
            Place::Inside(range) => Lies::Inside(range.len()),
        };
        let shards = self.root.terms.iter().enumerate();
        let mut files: Vec<(File, Lies)> =
            shards.map(|(number, file)| (File::Terms(number as u32), lies(&file.place))).collect();
        if let Directory::Outside(hash) = &self.root.directory {
            files.push((File::Directory, Lies::Outside(*hash)));
        }
        let texts = self.directory()?;
        files.extend(texts.iter().enumerate().map(|(at, file)| (File::Texts(at as u32), lies(&file.place))));
        let mut chunks = BTreeSet::new();
        self.each_key(&mut |index, shard, key, value| {
            if let Postings::Chunks(of) = shard.read(key, value, index.reading(key[0]))?.postings {
                chunks.extend(of.iter().map(|chunk| chunk.hash));
            }
            Ok(())
        })?;
        files.extend(chunks.into_iter().map(|hash| (File::Postings(hash), Lies::Outside(hash))));
        Ok(files)
    }

    /// What a shard tells of pages: each key that tells anything, with what [`Index::backward`] has of it.
    fn backward_of(&self, number: u32) -> Result<Vec<(Vec<u8>, Backward)>, Error> {
        let mut found = Vec::new();
        self.each_key_of(number, &mut |index, shard, key, value| {
            let told = index.backward(shard, key, value)?;
            if !told.is_empty() {
                found.push((key.to_vec(), told));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The pages of which a tag or a term of bodies tells, each with the term's count; 0 for a tag.
    fn backward(&self, shard: &TermFile, key: &[u8], value: u64) -> Result<Backward, Error> {
        let list = shard.read(key, value, self.reading(key[0]))?;
        let (tag, term) = (key[0] == TAG_KEY, Analysis::of_tag(key[0]).is_some());
        let mut told = Backward::new();
        let mut add = |run: &crate::postings::run::Run| {
            let counts =
                run.entries().map(|(page, shape)| (page, self.shape(&list, shape).frequencies[Field::Body as usize]));
            told.extend(counts.filter(|(_, count)| tag || term && *count > 0).map(|(page, count)| match tag {
                true => (page, 0),
                false => (page, count),
            }));
        };
        match &list.postings {
            Postings::Here(run) => add(run),
            Postings::Chunks(chunks) => {
                self.all(chunks.iter().map(|chunk| self.chunk(&list, chunk).map(drop)))?;
                for chunk in chunks {
                    add(&*self.chunk(&list, chunk)?);
                }
            }
        }
        Ok(told)
    }

    fn each_key(&self, tell: &mut Tell<'_>) -> Result<(), Error> {
        let numbers = 0..self.root.terms.len() as u32;
        self.all(numbers.clone().map(|number| self.term_file(number).map(drop)))?;
        self.all(numbers.map(|number| self.each_key_of(number, tell)))
    }

    fn each_key_of(&self, number: u32, tell: &mut Tell<'_>) -> Result<(), Error> {
        let shard = self.term_file(number)?;
        let absurd = || Error::corrupt("term shard", "it has more terms than bytes for them");
        let keys = shard.dictionary.entries(shard.len().saturating_mul(MOST_KEY_BYTES)).ok_or_else(absurd)?;
        // Lists stand in the order of their keys, so that those that were read can be noted in order.
        let places: Vec<u64> = keys.iter().map(|(_, value)| *value).filter(|value| value & 1 == 0).collect();
        if !places.is_sorted() {
            return Err(Error::corrupt("term shard", "its lists are not in the order of their terms"));
        }
        let keys = keys.iter().filter(|(key, _)| !key.is_empty());
        self.all(keys.map(|(key, value)| tell(self, &shard, key, *value)))
    }
}

type Tell<'t> = dyn FnMut(&Index, &TermFile, &[u8], u64) -> Result<(), Error> + 't;
/// Pages, each with a count.
type Backward = Vec<(u32, u32)>;

fn text_of(key: &[u8]) -> String {
    String::from_utf8_lossy(&key[1..]).into_owned()
}
