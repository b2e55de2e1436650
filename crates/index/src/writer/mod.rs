//! The writer of an index: it takes pages and emits files, in one pass and bounded memory. The same pages always give
//! the same bytes.
//!
//! A text block is written as soon as it is full ([`docstore_writer`]). Postings gather in memory, and go to scratch
//! files when they are too many ([`postings_writer`], [`external_sort`]). At the end they are merged term by term into
//! shards ([`shards`], [`list_writer`]). The vocabulary, the profiles, the names and the terms of the packs' own titles
//! and summaries stay in memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Analysis;
use crate::error::Error;
use crate::field::FIELDS;
use crate::format::location::TextDirectory;
use crate::format::root::{MOST_LENGTHS, PackSpan, Root, bounds_of};
use crate::postings::list::{PACK_KEY, TAG_KEY};
use crate::postings::profile::TermProfile;
use docstore_writer::DocStoreWriter;
use files::Files;
use names::Names;
use postings_writer::PostingsWriter;
use profiles::Profiles;

pub use files::Sink;
pub use layout::Layout;
pub use page::{AnalysedPage, NewPack, NewPage, PackInfo};

pub(crate) mod layout;
mod page;
mod files;
mod docstore_writer;
mod profiles;
pub(crate) mod external_sort;
mod postings_writer;
mod names;
mod list_writer;
mod shards;

/// An index with more postings has larger shards, since the root names them all.
const MANY_POSTINGS: u64 = 2_000_000;
/// How much larger these shards are, as a factor.
const LARGER: usize = 3;

/// The result of writing an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenIndex {
    /// The root file.
    pub root: Vec<u8>,
    /// How many other files there are.
    pub files: usize,
    /// How many bytes the other files have.
    pub bytes: u64,
    /// How many pages there are.
    pub pages: u32,
}

/// Writes `packs` as one file, in memory.
///
/// # Errors
/// [`Error::Unwritable`] for what the format can't hold.
pub fn write(packs: &[NewPack]) -> Result<Vec<u8>, Error> {
    let layout = Layout { single_file_bytes: usize::MAX, ..Layout::default() };
    Ok(write_packs(packs, layout, &mut |_, _| Ok(()))?.root)
}

/// Writes `packs` by `layout`. All files but the root go to `sink`.
///
/// # Errors
/// [`Error::Unwritable`] for what the format can't hold, or where the sink fails.
pub fn write_packs(packs: &[NewPack], layout: Layout, sink: &mut Sink<'_>) -> Result<WrittenIndex, Error> {
    let mut writer = Writer::new(layout, sink);
    for pack in packs {
        writer.whole_pack(pack)?;
    }
    writer.finish()
}

/// A writer of an index, page by page.
pub struct Writer<'s, 'k> {
    layout: Layout,
    files: Files<'s, 'k>,
    pages: u32,
    packs: Vec<PackSpan>,
    languages: Vec<String>,
    /// The analysis of the current pack.
    analysis: Analysis,
    /// For each analysis the number of its pages, and their tokens by field.
    statistics: BTreeMap<Analysis, (u32, [u64; FIELDS])>,
    profiles: Profiles,
    /// The lengths of the first pages. There is one more than a small index has where the index is not small.
    lengths: Vec<u32>,
    postings: PostingsWriter,
    names: Names,
    texts: DocStoreWriter,
}

impl<'s, 'k> Writer<'s, 'k> {
    /// The writer of an index without pages.
    pub fn new(mut layout: Layout, sink: &'s mut Sink<'k>) -> Self {
        layout.lengths_in_root_up_to = layout.lengths_in_root_up_to.min(MOST_LENGTHS);
        Writer {
            files: Files::new(layout.single_file_bytes, sink),
            pages: 0,
            packs: Vec::new(),
            languages: Vec::new(),
            analysis: Analysis::Plain,
            statistics: BTreeMap::new(),
            profiles: Profiles::default(),
            lengths: Vec::new(),
            postings: PostingsWriter::new(layout.buffered_postings, layout.scratch.clone()),
            names: Names::default(),
            texts: DocStoreWriter::new(layout.text_bytes),
            layout,
        }
    }

    /// Begins a pack: the pages that follow are its pages.
    pub fn pack(&mut self, info: &PackInfo) {
        self.analysis = Analysis::of_language(&info.language);
        let known = self.languages.iter().position(|language| *language == info.language);
        let language = known.unwrap_or_else(|| {
            self.languages.push(info.language.clone());
            self.languages.len() - 1
        });
        self.packs.push(PackSpan { end: self.pages, language: language as u32 });
        self.texts.pack(info);
        let number = (self.packs.len() - 1) as u32;
        let tokens = self.analysis.tokens(&format!("{}\n{}", info.title, info.summary));
        for token in tokens.into_iter().filter(|token| !token.weak) {
            self.postings.add_pack(self.analysis.tag(), token.term.as_bytes(), number);
        }
        // Of several packs with one path, the path leads to the first.
        let path = self.postings.term(PACK_KEY, info.path.as_bytes());
        if self.postings.count(path) == 0 {
            self.postings.add(PACK_KEY, info.path.as_bytes(), number, 0);
        }
    }

    /// Adds a pack with all its pages.
    ///
    /// # Errors
    /// As [`Writer::page`].
    pub fn whole_pack(&mut self, pack: &NewPack) -> Result<(), Error> {
        self.pack(&pack.info);
        for page in &pack.pages {
            self.page(page)?;
        }
        self.pages_with(&pack.pages_with);
        Ok(())
    }

    /// Adds the number of the pack's pages that hold each term anywhere. It tells how rare a term is, which the terms
    /// chosen from bodies alone do not.
    pub fn pages_with(&mut self, counts: &BTreeMap<String, u32>) {
        let tag = self.analysis.tag();
        counts.iter().for_each(|(term, &pages)| self.postings.add_pages_with(tag, term.as_bytes(), pages));
    }

    /// The analysis of the current pack.
    pub fn analysis(&self) -> Analysis {
        self.analysis
    }

    /// Adds a page to the current pack.
    ///
    /// # Errors
    /// [`Error::Unwritable`] for more than 2³² − 1 pages, before any pack, or where the sink fails.
    pub fn page(&mut self, page: &NewPage) -> Result<(), Error> {
        self.analysed_page(page, AnalysedPage::of(page, self.analysis))
    }

    /// Adds a page that was analysed before, by [`Writer::analysis`].
    ///
    /// # Errors
    /// As [`Writer::page`].
    pub fn analysed_page(&mut self, page: &NewPage, analysed: AnalysedPage) -> Result<(), Error> {
        let number = self.pages;
        let pack = self.packs.last_mut().ok_or_else(|| Error::unwritable("a page comes before any pack"))?;
        self.pages = number.checked_add(1).ok_or_else(|| Error::unwritable("more than 2^32 - 1 pages"))?;
        pack.end = self.pages;
        let statistics = self.statistics.entry(self.analysis).or_default();
        statistics.0 += 1;
        statistics.1.iter_mut().zip(analysed.tokens).for_each(|(sum, count)| *sum += u64::from(count));
        let length = analysed.length();
        if self.lengths.len() <= self.layout.lengths_in_root_up_to {
            self.lengths.push(length);
        }
        for (term, frequencies) in &analysed.counts {
            let profile = self.profiles.add(TermProfile { frequencies: *frequencies, length });
            self.postings.add(self.analysis.tag(), term.as_bytes(), number, profile);
        }
        // Tags that differ in case alone are one.
        for tag in page.tags.iter().map(|tag| crate::fold(tag)).collect::<BTreeSet<_>>() {
            let profile = self.profiles.add(TermProfile::default());
            self.postings.add(TAG_KEY, tag.as_bytes(), number, profile);
        }
        for name in &analysed.names {
            self.names.add(&mut self.postings, self.analysis.tag(), name, number);
        }
        self.postings.keep_within_bounds()?;
        self.texts.page(page, &mut self.files)
    }

    /// Writes the rest of the index.
    ///
    /// # Errors
    /// [`Error::Unwritable`] where the sink or a scratch file fails.
    pub fn finish(self) -> Result<WrittenIndex, Error> {
        self.finish_with_progress(&mut |_, _| {})
    }

    /// [`Writer::finish`]; `on_progress` is called now and then with the number of terms that are written, and the
    /// number of all terms.
    ///
    /// # Errors
    /// As [`Writer::finish`].
    pub fn finish_with_progress(mut self, on_progress: &mut dyn FnMut(usize, usize)) -> Result<WrittenIndex, Error> {
        self.texts.finish(&mut self.files)?;
        if self.lengths.len() > self.layout.lengths_in_root_up_to {
            self.lengths.clear();
        } else {
            self.layout.inline_postings = usize::MAX;
        }
        if self.postings.total() > MANY_POSTINGS {
            self.layout.term_bytes *= LARGER;
        }
        let numbering = self.profiles.numbered(!self.lengths.is_empty());
        let tokens: Vec<(Analysis, u32, [u64; FIELDS])> =
            self.statistics.iter().map(|(analysis, (pages, tokens))| (*analysis, *pages, *tokens)).collect();
        let shards = shards::write(shards::Input {
            layout: &self.layout,
            tokens: &tokens,
            numbering: &numbering,
            postings: self.postings,
            packs: self.packs.len(),
            names: self.names,
            files: &mut self.files,
            on_progress,
        })?;
        let mut root = Root {
            bounds: bounds_of(&self.layout.ranking),
            analyses: Vec::new(),
            body_tokens: 0,
            languages: self.languages,
            packs: self.packs,
            profiles: numbering.common,
            code: numbering.code,
            lengths: self.lengths,
            shards: Vec::new(),
            directory: TextDirectory::Inline(Vec::new()),
            files: Vec::new(),
        };
        self.files.locate(shards, self.texts.files, &mut root)?;
        let root = root.write(&tokens);
        Ok(WrittenIndex { root, files: self.files.count, bytes: self.files.bytes, pages: self.pages })
    }
}
