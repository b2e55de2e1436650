//! The forward index: for each page, the tags and body terms that are stored in postings alone. A build that reuses a
//! pack of the previous index needs it. The inventory of an index, its terms and its files, is made here too, since
//! both read the whole dictionary.

use std::collections::BTreeSet;

use seealso_bytes::Hash;

use super::Index;
use crate::analysis::Analysis;
use crate::dictionary::shard::TermShard;
use crate::error::{Error, try_all};
use crate::field::Field;
use crate::format::files::File;
use crate::format::location::{Location, TextDirectory};
use crate::ids::PageNo;
use crate::postings::list::{Postings, TAG_KEY};
use crate::postings::run::Run;
use crate::writer::external_sort::{ExternalSort, SortedPairs};
use crate::writer::layout::Layout;

/// What is stored of a page in postings alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageTerms {
    /// The page's tags, folded.
    pub tags: Vec<String>,
    /// The terms that were chosen from its body, each with its count.
    pub body: Vec<(String, u32)>,
}

impl PageTerms {
    /// Adds a body term with its count, or a tag, whose count is 0.
    fn add(&mut self, text: String, count: u32) {
        match count {
            0 => self.tags.push(text),
            count => self.body.push((text, count)),
        }
    }
}

/// The [`PageTerms`] of all pages, in memory that a [`Layout`] bounds as it does the writer's.
pub struct ForwardIndex {
    /// The terms and tags, in dictionary order.
    texts: Vec<Box<str>>,
    /// For each page places in `texts`, each with a count.
    pages: SortedPairs,
}

impl ForwardIndex {
    /// The terms of `page`.
    ///
    /// # Errors
    /// [`Error::Unwritable`] where a scratch file fails.
    pub fn of(&mut self, page: PageNo) -> Result<PageTerms, Error> {
        let mut terms = PageTerms::default();
        for (text, count) in self.pages.of(page.0)? {
            terms.add(self.texts[text as usize].to_string(), count);
        }
        Ok(terms)
    }
}

/// Where a file of the index is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileLocation {
    /// Beside the root, in a file that is named by this hash.
    OwnFile(Hash),
    /// In the root file, of which it takes so many bytes before deflating.
    InRoot(usize),
}

/// The most bytes that the keys of a shard may have together, for each byte of the shard.
const MOST_KEY_BYTES: usize = 64;

impl Index {
    /// The terms of each page that are stored in postings alone, by page number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file is not there yet.
    pub fn page_terms(&self) -> Result<Vec<PageTerms>, Error> {
        // Only the text blocks prove that there are as many pages as the root says.
        let blocks = 0..self.text_directory()?.len() as u32;
        try_all(blocks.map(|block| self.text_block(block).map(drop)))?;
        let mut pages = vec![PageTerms::default(); self.len() as usize];
        self.each_key(&mut |index, shard, key, value| {
            for (page, count) in index.counts_by_page(shard, key, value)? {
                let Some(terms) = pages.get_mut(page as usize) else { continue };
                terms.add(text_of(key), count);
            }
            Ok(())
        })?;
        Ok(pages)
    }

    /// [`Index::page_terms`] for more pages than memory can hold. The files of the index are read one after another:
    /// `fetch` supplies those that are wanted, and after each the cache is cleared.
    ///
    /// # Errors
    /// As [`Index::page_terms`], and those of `fetch`; [`Error::Unwritable`] where a scratch file fails.
    pub fn forward_index(
        &self,
        layout: &Layout,
        fetch: &mut dyn FnMut(&Index) -> Result<(), Error>,
    ) -> Result<ForwardIndex, Error> {
        // Only the text blocks prove that there are as many pages as the root says.
        for block in 0..self.resolve(fetch, &mut || self.text_directory())?.len() as u32 {
            self.resolve(fetch, &mut || self.text_block(block))?;
            self.clear_cache();
        }
        let (mut texts, mut pages) = (Vec::new(), ExternalSort::new(layout.buffered_postings, layout.scratch.clone()));
        for number in 0..self.root.shards.len() as u32 {
            for (key, counts) in self.resolve(fetch, &mut || self.counts_in_shard(number))? {
                counts.into_iter().for_each(|(page, count)| pages.add(page, (texts.len() as u32, count)));
                texts.push(text_of(&key).into());
            }
            self.clear_cache();
            pages.keep_within_bounds(self.len() as usize)?;
        }
        Ok(ForwardIndex { texts, pages: pages.sorted(self.len() as usize) })
    }

    /// Repeats `call` until it misses no file; `fetch` supplies the files that it misses.
    fn resolve<T>(
        &self,
        fetch: &mut dyn FnMut(&Index) -> Result<(), Error>,
        call: &mut dyn FnMut() -> Result<T, Error>,
    ) -> Result<T, Error> {
        loop {
            match call() {
                Err(Error::Missing) => fetch(self)?,
                other => return other,
            }
        }
    }

    /// Every term with its analysis and the number of its postings, in dictionary order.
    ///
    /// # Errors
    /// As [`Index::page_terms`].
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

    /// Every file of the index but its root, once, with its location.
    ///
    /// # Errors
    /// As [`Index::page_terms`].
    pub fn files(&self) -> Result<Vec<(File, FileLocation)>, Error> {
        let located = |location: &Location| match location {
            Location::OwnFile(hash) => FileLocation::OwnFile(*hash),
            Location::InRoot(range) => FileLocation::InRoot(range.len()),
        };
        let shards = self.root.shards.iter().enumerate();
        let mut files: Vec<(File, FileLocation)> =
            shards.map(|(number, shard)| (File::Terms(number as u32), located(&shard.location))).collect();
        if let TextDirectory::OwnFile(hash) = &self.root.directory {
            files.push((File::Directory, FileLocation::OwnFile(*hash)));
        }
        let texts = self.text_directory()?;
        files.extend(texts.iter().enumerate().map(|(at, block)| (File::Texts(at as u32), located(&block.location))));
        let mut blocks = BTreeSet::new();
        self.each_key(&mut |index, shard, key, value| {
            if let Postings::Blocks(of) = shard.read(key, value, index.decode_context(key[0]))?.postings {
                blocks.extend(of.iter().map(|block| block.hash));
            }
            Ok(())
        })?;
        files.extend(blocks.into_iter().map(|hash| (File::Postings(hash), FileLocation::OwnFile(hash))));
        Ok(files)
    }

    /// The keys of a shard that are tags or body terms of pages, each with its [`Index::counts_by_page`].
    fn counts_in_shard(&self, number: u32) -> Result<Vec<(Vec<u8>, CountsByPage)>, Error> {
        let mut found = Vec::new();
        self.each_key_of(number, &mut |index, shard, key, value| {
            let counts = index.counts_by_page(shard, key, value)?;
            if !counts.is_empty() {
                found.push((key.to_vec(), counts));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The pages whose bodies hold a term, each with the term's count there; or the pages with a tag, each with 0.
    fn counts_by_page(&self, shard: &TermShard, key: &[u8], value: u64) -> Result<CountsByPage, Error> {
        let list = shard.read(key, value, self.decode_context(key[0]))?;
        let (is_tag, is_term) = (key[0] == TAG_KEY, Analysis::of_tag(key[0]).is_some());
        let mut found = CountsByPage::new();
        let mut add = |run: &Run| {
            let body = |profile: u32| self.profile(&list, profile).frequencies[Field::Body as usize];
            let counts = run.entries().map(|(page, profile)| (page, body(profile)));
            found.extend(counts.filter(|(_, count)| is_tag || is_term && *count > 0).map(
                |(page, count)| match is_tag {
                    true => (page, 0),
                    false => (page, count),
                },
            ));
        };
        match &list.postings {
            Postings::Inline(run) => add(run),
            Postings::Blocks(blocks) => {
                try_all(blocks.iter().map(|block| self.run(&list, block).map(drop)))?;
                for block in blocks {
                    add(&*self.run(&list, block)?);
                }
            }
        }
        Ok(found)
    }

    /// Calls `visit` for each key of the dictionary, in order.
    fn each_key(&self, visit: &mut VisitKey<'_>) -> Result<(), Error> {
        let numbers = 0..self.root.shards.len() as u32;
        try_all(numbers.clone().map(|number| self.shard(number).map(drop)))?;
        try_all(numbers.map(|number| self.each_key_of(number, visit)))
    }

    fn each_key_of(&self, number: u32, visit: &mut VisitKey<'_>) -> Result<(), Error> {
        let shard = self.shard(number)?;
        let too_many = || Error::corrupt("term shard", "it has more terms than bytes for them");
        let keys = shard.dictionary.entries(shard.len().saturating_mul(MOST_KEY_BYTES)).ok_or_else(too_many)?;
        // Lists are in the order of their keys, so that their extents are recorded in order.
        let places: Vec<u64> = keys.iter().map(|(_, value)| *value).filter(|value| value & 1 == 0).collect();
        if !places.is_sorted() {
            return Err(Error::corrupt("term shard", "its lists are not in the order of their terms"));
        }
        let keys = keys.iter().filter(|(key, _)| !key.is_empty());
        try_all(keys.map(|(key, value)| visit(self, &shard, key, *value)))
    }
}

/// A visitor of keys: it gets the index, the key's shard, the key and its dictionary value.
type VisitKey<'t> = dyn FnMut(&Index, &TermShard, &[u8], u64) -> Result<(), Error> + 't;
/// Pages, each with a count.
type CountsByPage = Vec<(u32, u32)>;

/// The text of a key, without its tag.
fn text_of(key: &[u8]) -> String {
    String::from_utf8_lossy(&key[1..]).into_owned()
}
