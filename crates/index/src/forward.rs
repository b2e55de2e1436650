//! The index read backwards: for each page the tags and body words that only postings tell. A build that takes a pack
//! over from the last index needs them; so does a count of what an index holds.

use std::collections::BTreeSet;

use crate::analysis::Analysis;
use crate::bm25::Field;
use crate::error::Error;
use crate::files::{File, Hash};
use crate::index::Index;
use crate::root::{Directory, Place};
use crate::term_file::{Postings, TAG_KEY};

/// What postings alone know of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forward {
    /// Its tags, folded.
    pub tags: Vec<String>,
    /// The salient terms of its body, each with its count.
    pub body: Vec<(String, u32)>,
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
        self.each_list(&mut |key, entries| {
            let text = || String::from_utf8_lossy(&key[1..]).into_owned();
            for &(page, frequencies) in entries {
                let Some(forward) = pages.get_mut(page as usize) else { continue };
                let body = frequencies[Field::Body as usize];
                if key[0] == TAG_KEY {
                    forward.tags.push(text());
                } else if body > 0 && Analysis::of_tag(key[0]).is_some() {
                    forward.body.push((text(), body));
                }
            }
        })?;
        Ok(pages)
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

    fn each_list(&self, tell: &mut TellList<'_>) -> Result<(), Error> {
        self.each_key(&mut |index, shard, key, value| {
            let list = shard.read(key, value, index.reading(key[0]))?;
            let mut entries = Vec::new();
            let mut add = |run: &crate::list::Run| {
                entries.extend(run.entries().map(|(page, shape)| (page, index.shape(&list, shape).frequencies)));
            };
            match &list.postings {
                Postings::Here(run) => add(run),
                Postings::Chunks(chunks) => {
                    index.all(chunks.iter().map(|chunk| index.chunk(&list, chunk).map(drop)))?;
                    for chunk in chunks {
                        add(&*index.chunk(&list, chunk)?);
                    }
                }
            }
            tell(key, &entries);
            Ok(())
        })
    }

    fn each_key(&self, tell: &mut Tell<'_>) -> Result<(), Error> {
        let numbers = 0..self.root.terms.len() as u32;
        self.all(numbers.clone().map(|number| self.term_file(number).map(drop)))?;
        let mut missing = Ok(());
        for number in numbers {
            let shard = self.term_file(number)?;
            let absurd = || Error::corrupt("term shard", "it has more terms than bytes for them");
            let keys = shard.dictionary.entries(shard.len().saturating_mul(MOST_KEY_BYTES)).ok_or_else(absurd)?;
            // Lists stand in the order of their keys, so that those that were read can be noted in order.
            let places: Vec<u64> = keys.iter().map(|(_, value)| *value).filter(|value| value & 1 == 0).collect();
            if !places.is_sorted() {
                return Err(Error::corrupt("term shard", "its lists are not in the order of their terms"));
            }
            for (key, value) in keys.iter().filter(|(key, _)| !key.is_empty()) {
                match tell(self, &shard, key, *value) {
                    Err(Error::Missing) => missing = Err(Error::Missing),
                    other => other?,
                }
            }
        }
        missing
    }
}

type Tell<'t> = dyn FnMut(&Index, &crate::term_file::TermFile, &[u8], u64) -> Result<(), Error> + 't;
type TellList<'t> = dyn FnMut(&[u8], &[(u32, crate::Frequencies)]) + 't;
