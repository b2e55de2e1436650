//! The writer: pages in, files out, in one pass and bounded memory. The same pages always give the same bytes.
//!
//! Texts leave as soon as a block of them is full. Postings gather in memory and go to a scratch file in sorted runs
//! when there are too many ([`postings_writer`], [`spill`](crate::writer::external_sort)); at the end the runs are merged term by term into shards ([`shards`]). What
//! stays in memory throughout is the vocabulary, the shapes, the names and what packs say of themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Analysis;
use crate::error::Error;
use crate::field::FIELDS;
use crate::format::huffman::{Encoder, lengths};
use crate::format::root::{Directory, MOST_LENGTHS, PackSpan, Root, bounds_of};
use crate::postings::profile::{COMMON_SHAPES, Shape};
use docstore_writer::Texts;
pub use files::Sink;
use files::{FileNo, Files};
pub use layout::Layout;
use names::Names;
pub use page::{Analysed, NewPack, NewPage, PackInfo};
use postings_writer::Runs;

mod files;
mod layout;
mod names;
mod page;
pub(crate) mod external_sort;
mod postings_writer;
mod shards;
mod docstore_writer;

/// From so many postings on shards are larger, since the root names them all.
const MANY_POSTINGS: u64 = 2_000_000;
const LARGER: usize = 3;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The root file.
    pub root: Vec<u8>,
    /// The other files' number.
    pub files: usize,
    /// The other files' bytes.
    pub bytes: u64,
    /// The pages.
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

/// Writes `packs` by `layout`, all but the root into `sink`.
///
/// # Errors
/// [`Error::Unwritable`] for what the format can't hold, or where the sink fails.
pub fn write_packs(packs: &[NewPack], layout: Layout, sink: &mut Sink<'_>) -> Result<Written, Error> {
    let mut writer = Writer::new(layout, sink);
    for pack in packs {
        writer.whole_pack(pack)?;
    }
    writer.finish()
}

/// Writes an index, page by page.
pub struct Writer<'s, 'k> {
    layout: Layout,
    files: Files<'s, 'k>,
    pages: u32,
    packs: Vec<PackSpan>,
    languages: Vec<String>,
    analysis: Analysis,
    statistics: BTreeMap<Analysis, (u32, [u64; FIELDS])>,
    shapes: BTreeMap<Shape, u32>,
    shape_counts: Vec<u32>,
    /// The lengths of the first pages: one more than a small index has tells that it is none.
    lengths: Vec<u32>,
    runs: Runs,
    names: Names,
    texts: Texts,
}

impl<'s, 'k> Writer<'s, 'k> {
    /// An index without pages.
    pub fn new(mut layout: Layout, sink: &'s mut Sink<'k>) -> Self {
        layout.lengths_apart_up_to = layout.lengths_apart_up_to.min(MOST_LENGTHS);
        Writer {
            files: Files::new(layout.single_file_bytes, sink),
            pages: 0,
            packs: Vec::new(),
            languages: Vec::new(),
            analysis: Analysis::Plain,
            statistics: BTreeMap::new(),
            shapes: BTreeMap::new(),
            shape_counts: Vec::new(),
            lengths: Vec::new(),
            runs: Runs::new(layout.held_postings, layout.scratch.clone()),
            names: Names::default(),
            texts: Texts::new(layout.text_bytes),
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
        self.texts.pack(info, self.pages);
        let number = (self.packs.len() - 1) as u32;
        let said = self.analysis.tokens(&format!("{}\n{}", info.title, info.summary));
        for token in said.into_iter().filter(|token| !token.weak) {
            self.runs.add_pack(self.analysis.tag(), token.term.as_bytes(), number);
        }
        // A path leads to the first pack of it.
        let path = self.runs.term(shards::PACK_KEY, info.path.as_bytes());
        if self.runs.count(path) == 0 {
            self.runs.add(shards::PACK_KEY, info.path.as_bytes(), number, 0);
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

    /// Says how many pages of the pack hold each term anywhere: how rare a term is, the chosen ones of a body don't tell.
    pub fn pages_with(&mut self, counts: &BTreeMap<String, u32>) {
        let tag = self.analysis.tag();
        counts.iter().for_each(|(term, &pages)| self.runs.add_pages_with(tag, term.as_bytes(), pages));
    }

    /// How the pages of the pack are analysed.
    pub fn analysis(&self) -> Analysis {
        self.analysis
    }

    /// Adds a page to the pack.
    ///
    /// # Errors
    /// [`Error::Unwritable`] for more than 2³² − 1 pages, before any pack, or where the sink fails.
    pub fn page(&mut self, page: &NewPage) -> Result<(), Error> {
        self.analysed_page(page, Analysed::of(page, self.analysis))
    }

    /// Adds a page that was analysed by [`Writer::analysis`] elsewhere.
    ///
    /// # Errors
    /// As [`Writer::page`].
    pub fn analysed_page(&mut self, page: &NewPage, analysed: Analysed) -> Result<(), Error> {
        let number = self.pages;
        let pack = self.packs.last_mut().ok_or_else(|| unwritable("a page comes before any pack"))?;
        self.pages = number.checked_add(1).ok_or_else(|| unwritable("more than 2^32 - 1 pages"))?;
        pack.end = self.pages;
        let statistics = self.statistics.entry(self.analysis).or_default();
        statistics.0 += 1;
        statistics.1.iter_mut().zip(analysed.tokens).for_each(|(sum, count)| *sum += u64::from(count));
        let length = analysed.length();
        if self.lengths.len() <= self.layout.lengths_apart_up_to {
            self.lengths.push(length);
        }
        for (term, frequencies) in &analysed.counts {
            let shape = self.shape(Shape { frequencies: *frequencies, length });
            self.runs.add(self.analysis.tag(), term.as_bytes(), number, shape);
        }
        // Tags that differ in case alone are one.
        for tag in page.tags.iter().map(|tag| crate::fold(tag)).collect::<BTreeSet<_>>() {
            let shape = self.shape(Shape::default());
            self.runs.add(shards::TAG_KEY, tag.as_bytes(), number, shape);
        }
        for name in &analysed.names {
            self.names.add(&mut self.runs, self.analysis.tag(), name, number);
        }
        self.runs.keep_within_bounds()?;
        self.texts.page(page, &mut self.files)
    }

    fn shape(&mut self, shape: Shape) -> u32 {
        let next = self.shape_counts.len() as u32;
        let number = *self.shapes.entry(shape).or_insert(next);
        if number == next {
            self.shape_counts.push(0);
        }
        self.shape_counts[number as usize] += 1;
        number
    }

    /// Writes what is left; gives the root.
    ///
    /// # Errors
    /// [`Error::Unwritable`] where the sink or a scratch file fails.
    pub fn finish(self) -> Result<Written, Error> {
        self.finish_telling(&mut |_, _| {})
    }

    /// As [`Writer::finish`]; `tell` hears, now and then, how many terms of how many are written.
    ///
    /// # Errors
    /// As [`Writer::finish`].
    pub fn finish_telling(mut self, tell: &mut dyn FnMut(usize, usize)) -> Result<Written, Error> {
        self.texts.finish(&mut self.files)?;
        if self.lengths.len() > self.layout.lengths_apart_up_to {
            self.lengths.clear();
        } else {
            self.layout.inline_postings = usize::MAX;
        }
        if self.runs.postings() > MANY_POSTINGS {
            self.layout.term_bytes *= LARGER;
        }
        let (common, numbering, code) = self.number_shapes();
        let tokens: Vec<(Analysis, u32, [u64; FIELDS])> =
            self.statistics.iter().map(|(analysis, (pages, tokens))| (*analysis, *pages, *tokens)).collect();
        let terms = shards::write(shards::Input {
            layout: &self.layout,
            tokens: &tokens,
            common: &common,
            numbering: &numbering,
            code: &Encoder::new(&code),
            runs: self.runs,
            packs: self.packs.len(),
            names: self.names,
            files: &mut self.files,
            tell,
        })?;
        let texts = self.texts.files;
        let mut root = Root {
            bounds: bounds_of(&self.layout.ranking),
            analyses: Vec::new(),
            body_tokens: 0,
            languages: self.languages,
            packs: self.packs,
            shapes: common,
            code,
            lengths: self.lengths,
            terms: Vec::new(),
            directory: Directory::Here(Vec::new()),
            inside: Vec::new(),
        };
        self.files.place(terms, texts, &mut root)?;
        let root = root.write(&tokens);
        Ok(Written { root, files: self.files.written, bytes: self.files.bytes, pages: self.pages })
    }

    /// The commonest shapes, every shape by its first number, and the lengths of the common ones' codes.
    fn number_shapes(&self) -> (Vec<Shape>, Vec<ShapeNumber>, Vec<u8>) {
        // In small indexes the lengths stand apart, and shapes that differ in nothing else are one.
        let bare = |shape: Shape| if self.lengths.is_empty() { shape } else { Shape { length: 0, ..shape } };
        let mut totals: BTreeMap<Shape, u32> = BTreeMap::new();
        for (&shape, &number) in &self.shapes {
            *totals.entry(bare(shape)).or_default() += self.shape_counts[number as usize];
        }
        let mut shapes: Vec<(Shape, u32)> = totals.into_iter().collect();
        shapes.sort_by_key(|&(shape, count)| (std::cmp::Reverse(count), shape));
        let places: BTreeMap<Shape, usize> =
            shapes.iter().enumerate().map(|(place, &(shape, _))| (shape, place)).collect();
        let mut numbering = vec![ShapeNumber::Rare(Shape::default()); self.shapes.len()];
        for (&shape, &number) in &self.shapes {
            let place = places[&bare(shape)];
            numbering[number as usize] = match place < COMMON_SHAPES {
                true => ShapeNumber::Common(place as u32),
                false => ShapeNumber::Rare(bare(shape)),
            };
        }
        let mut counts = vec![0u64; COMMON_SHAPES + 1];
        shapes.iter().enumerate().for_each(|(place, &(_, count))| counts[place.min(COMMON_SHAPES)] += u64::from(count));
        (shapes.into_iter().take(COMMON_SHAPES).map(|(shape, _)| shape).collect(), numbering, lengths(&counts))
    }
}

/// What a shape is called in the index.
#[derive(Debug, Clone, Copy)]
enum ShapeNumber {
    /// Its number.
    Common(u32),
    /// None: each list that needs it says what it is.
    Rare(Shape),
}

fn unwritable(reason: impl Into<String>) -> Error {
    Error::Unwritable { reason: reason.into() }
}
