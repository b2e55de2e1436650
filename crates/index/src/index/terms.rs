//! Reading the dictionary and the postings.

use std::ops::Range;
use std::rc::Rc;

use super::Index;
use crate::analysis::Analysis;
use crate::dictionary::shard::TermShard;
use crate::error::{Error, try_all};
use crate::field::{Field, Frequencies, occurs_before_body};
use crate::format::location::ShardEntry;
use crate::ids::PageNo;
use crate::postings::list::{Block, Postings, PostingsList};
use crate::postings::profile::{COMMON_PROFILES, TermProfile};
use crate::postings::run::{DecodeContext, Run};

/// A posting: a page that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The page.
    pub page: PageNo,
    /// How often the term occurs in each field.
    pub frequencies: Frequencies,
}

impl Posting {
    /// Whether the term occurs in the page's title, aliases or summary, not in its body alone.
    pub fn occurs_before_body(&self) -> bool {
        occurs_before_body(&self.frequencies)
    }

    /// Whether the term occurs in the title or an alias.
    pub(crate) fn occurs_in_name(&self) -> bool {
        [Field::Title, Field::Aliases].iter().any(|&field| self.frequencies[field as usize] > 0)
    }
}

impl Index {
    /// The postings of `term` (a [`Token::term`](crate::Token::term)) under `analysis`, by rising page; none where they
    /// are so many that they are stored in blocks.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the postings are damaged, [`Error::Missing`] where they are not there yet.
    pub fn short_postings(&self, analysis: Analysis, term: &str) -> Result<Option<Vec<Posting>>, Error> {
        let Some(list) = self.list(analysis, term)? else { return Ok(Some(Vec::new())) };
        let Postings::Inline(run) = &list.postings else { return Ok(None) };
        let posting = |(page, profile): (u32, u32)| Posting {
            page: PageNo(page),
            frequencies: self.profile(&list, profile).frequencies,
        };
        Ok(Some(run.entries().map(posting).collect()))
    }

    /// How many pages hold `term` under `analysis`, in any field and anywhere in their bodies.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where it is not there yet.
    pub fn pages_with(&self, analysis: Analysis, term: &str) -> Result<u32, Error> {
        Ok(self.list(analysis, term)?.map_or(0, |list| list.pages_with))
    }

    /// Whether a term that so many pages hold is [common](crate::query::common_terms).
    pub(crate) fn is_common(&self, pages_with: u32) -> bool {
        pages_with > self.most_uncommon
    }

    /// Records the shards of all `terms` that are missing, so that they can be fetched together.
    pub(crate) fn prefetch_terms<'t>(
        &self,
        analysis: Analysis,
        terms: impl Iterator<Item = &'t str>,
    ) -> Result<(), Error> {
        try_all(terms.map(|term| self.list(analysis, term).map(drop)))
    }

    /// The list of `term` under `analysis`.
    pub(crate) fn list(&self, analysis: Analysis, term: &str) -> Result<Option<Rc<PostingsList>>, Error> {
        self.list_of(&[&[analysis.tag()], term.as_bytes()].concat())
    }

    /// The list of a key of the dictionary.
    pub(crate) fn list_of(&self, key: &[u8]) -> Result<Option<Rc<PostingsList>>, Error> {
        if let Some(list) = self.cache.list(key) {
            return Ok(list);
        }
        let Some(shard) = self.shard_of(key)? else { return Ok(None) };
        let list = shard.list(key, self.decode_context(key[0]))?.map(Rc::new);
        self.cache.keep_list(key, list.clone());
        Ok(list)
    }

    /// What decodes lists under keys of that tag.
    pub(crate) fn decode_context(&self, tag: u8) -> DecodeContext<'_> {
        let place = self.analyses().iter().position(|(analysis, _)| analysis.tag() == tag);
        let norms = place.map_or(&[][..], |place| &self.norms[place]);
        let average = place.map_or(1.0, |place| self.analyses()[place].1.average_length);
        DecodeContext {
            pages: self.len(),
            packs: self.root.packs.len() as u32,
            own: 0,
            code: &self.code,
            norms,
            common: &self.root.profiles,
            lengths: &self.root.lengths,
            ranking: (&self.ranking, average),
        }
    }

    /// The profile of that number in a list.
    pub(crate) fn profile(&self, list: &PostingsList, number: u32) -> TermProfile {
        let number = number as usize;
        let rare = number.checked_sub(COMMON_PROFILES).and_then(|place| list.profiles.get(place));
        rare.or_else(|| self.root.profiles.get(number)).copied().unwrap_or_default()
    }

    /// The term's profile on `page`, by its postings; none where the page does not hold the term.
    pub(crate) fn profile_in_postings(&self, list: &PostingsList, page: PageNo) -> Result<Option<TermProfile>, Error> {
        let number = match &list.postings {
            Postings::Inline(run) => run.find(page.0),
            Postings::Blocks(blocks) => match block_of(blocks, page) {
                Some(block) => self.run(list, block)?.find(page.0),
                None => None,
            },
        };
        Ok(number.map(|number| self.profile(list, number)))
    }

    /// Whether the block that would hold `page` is not there yet.
    pub(crate) fn is_unfetched(&self, list: &PostingsList, page: PageNo) -> bool {
        let Postings::Blocks(blocks) = &list.postings else { return false };
        block_of(blocks, page).is_some_and(|block| !self.cache.has_block(block))
    }

    /// The run of a block of `list`.
    pub(crate) fn run(&self, list: &PostingsList, block: &Block) -> Result<Rc<Run>, Error> {
        self.cache.run(list, block, || self.decode_context(0))
    }

    /// The run of a block of `list`, if the block is there; it is not recorded as missing.
    pub(crate) fn run_if_fetched(&self, list: &PostingsList, block: &Block) -> Result<Option<Rc<Run>>, Error> {
        self.cache.has_block(block).then(|| self.run(list, block)).transpose()
    }

    /// The pages of a list that is no term's, such as a tag's.
    pub(crate) fn pages_of_key(&self, key: &[u8]) -> Result<Vec<u32>, Error> {
        let Some(list) = self.list_of(key)? else { return Ok(Vec::new()) };
        match &list.postings {
            Postings::Inline(run) => Ok(run.pages.clone()),
            Postings::Blocks(blocks) => {
                try_all(blocks.iter().map(|block| self.run(&list, block).map(drop)))?;
                let mut pages = Vec::new();
                for block in blocks {
                    pages.extend_from_slice(&self.run(&list, block)?.pages);
                }
                Ok(pages)
            }
        }
    }

    /// A shard of the dictionary.
    pub(crate) fn shard(&self, number: u32) -> Result<Rc<TermShard>, Error> {
        self.cache.shard(number, &self.root)
    }

    /// The shard that would hold `key`.
    fn shard_of(&self, key: &[u8]) -> Result<Option<Rc<TermShard>>, Error> {
        let at = self.root.shards.partition_point(|shard| shard.from.as_slice() <= key);
        at.checked_sub(1).map(|number| self.shard(number as u32)).transpose()
    }

    /// The numbers of the shards whose keys may begin with `start`.
    pub(crate) fn shard_range(&self, start: &[u8]) -> Range<usize> {
        let from = self.root.shards.partition_point(|shard| shard.from.as_slice() <= start).saturating_sub(1);
        let rest = &self.root.shards[from..];
        let is_within = |shard: &ShardEntry| shard.from.as_slice() <= start || shard.from.starts_with(start);
        from..from + rest.partition_point(is_within)
    }

    /// The first `most` shards whose keys may begin with `start`.
    pub(crate) fn shards_from(&self, start: &[u8], most: usize) -> Result<Vec<Rc<TermShard>>, Error> {
        let range = self.shard_range(start);
        self.shards(range.start..range.end.min(range.start.saturating_add(most)))
    }

    /// The shards of these numbers.
    pub(crate) fn shards(&self, range: Range<usize>) -> Result<Vec<Rc<TermShard>>, Error> {
        let shards = || range.clone().map(|number| self.shard(number as u32));
        try_all(shards().map(|shard| shard.map(drop)))?;
        shards().collect()
    }
}

/// The block that would hold `page`.
fn block_of(blocks: &[Block], page: PageNo) -> Option<&Block> {
    blocks.get(blocks.partition_point(|block| block.last < page.0))
}
