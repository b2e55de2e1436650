//! The writer: pages in, files out, in one pass and bounded memory. The same pages always give the same bytes.
//!
//! Texts leave as soon as a block of them is full. Postings gather in memory and go to a scratch file in sorted runs
//! when there are too many ([`runs`]); at the end the runs are merged term by term into shards ([`terms`]). What
//! stays in memory throughout is the vocabulary, the shapes and the names.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::analysis::{Analysis, Kind};
use crate::bm25::{Bm25, FIELDS, Field, Frequencies};
use crate::error::Error;
use crate::files::{HASH_BYTES, Hash, packed};
use crate::format::PAGE_HASH_BYTES;
use crate::huffman::{Encoder, lengths};
use crate::root::{Directory, MOST_LENGTHS, PackSpan, Place, Root, TermFile, TextFile, bounds_of, write_directory};
use crate::shape::{COMMON_SHAPES, Shape};
use names::Names;
use runs::Runs;
use texts::Texts;

mod names;
mod runs;
mod terms;
mod texts;

/// A page as it is handed to the writer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPage {
    /// Path under the pack's page root, such as `concepts/docker-image.md`.
    pub file: String,
    /// The title.
    pub title: String,
    /// Other names of the page.
    pub aliases: Vec<String>,
    /// One sentence on what the page answers.
    pub summary: String,
    /// Salient terms of the body, as the pack's analysis has them, each with its count; empty for an index of metadata
    /// alone.
    pub body: Vec<(String, u32)>,
    /// Tags to filter by.
    pub tags: Vec<String>,
    /// First bytes of the page file's SHA-256, by which a reader sees that the page changed since.
    pub hash: [u8; PAGE_HASH_BYTES],
    /// The pages that it lists under See Also, as places in the same pack, from 0.
    pub links: Vec<u32>,
}

/// A pack as it is handed to the writer, its pages aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackInfo {
    /// The pack's path under the packs root, such as `history/roman-emperors`.
    pub path: String,
    /// The folder of its pages, under its path; empty for the pack's own folder.
    pub page_root: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub summary: String,
    /// BCP 47 tag of the language its pages are written in.
    pub language: String,
    /// Whether `links` come from page bodies, for want of See Also sections.
    pub links_derived: bool,
}

/// A pack with its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPack {
    /// What it is.
    pub info: PackInfo,
    /// Its pages; they keep this order.
    pub pages: Vec<NewPage>,
    /// How many of its pages hold each term anywhere, their whole bodies included; empty where that is not known.
    pub pages_with: BTreeMap<String, u32>,
}

/// How an index is laid out, and how much memory writing it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// An index whose files together have no more bytes becomes one file.
    pub single_file_bytes: usize,
    /// Bytes that a shard of the term dictionary aims at, before deflating.
    pub term_bytes: usize,
    /// Bytes that a block of texts aims at, before deflating.
    pub text_bytes: usize,
    /// Longest list of postings that stands beside its term; longer ones are files of their own.
    pub inline_postings: usize,
    /// Postings of a long list in one file, at most.
    pub chunk_postings: usize,
    /// Postings held in memory; beyond that they wait in a scratch file. 12 bytes each.
    pub held_postings: usize,
    /// The folder for scratch files; the system's where there is none.
    pub scratch: Option<PathBuf>,
    /// Up to so many pages, 4,096 at most, their lengths stand in the root, once, instead of in each posting; no list
    /// is then a file of its own.
    pub lengths_apart_up_to: usize,
    /// The ranking by which blocks note their best posting. Another ranking finds the same, but skips less.
    pub ranking: Bm25,
}

impl Layout {
    /// A layout in files of about `bytes` bytes each before deflating, however small the index is.
    pub fn in_files_of(bytes: usize) -> Layout {
        let bytes = bytes.max(64);
        let (inline_postings, chunk_postings) = (bytes / 4, bytes);
        Layout {
            single_file_bytes: 0,
            term_bytes: bytes,
            text_bytes: bytes,
            inline_postings,
            chunk_postings,
            lengths_apart_up_to: 0,
            ..Layout::default()
        }
    }
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            single_file_bytes: 40 << 10,
            term_bytes: 4 << 10,
            text_bytes: 24 << 10,
            inline_postings: 2048,
            chunk_postings: 8192,
            held_postings: 16 << 20,
            scratch: None,
            lengths_apart_up_to: MOST_LENGTHS,
            ranking: Bm25::default(),
        }
    }
}

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

/// Where files go: the hash that names each, and its bytes.
pub type Sink<'s> = dyn FnMut(&Hash, &[u8]) -> io::Result<()> + 's;

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
        writer.pack(&pack.info);
        for page in &pack.pages {
            writer.page(page)?;
        }
        writer.pages_with(&pack.pages_with);
    }
    writer.finish()
}

/// A page's tokens, counted: what a thread of its own can prepare.
#[derive(Debug, Clone)]
pub struct Analysed {
    counts: BTreeMap<String, Frequencies>,
    tokens: [u32; FIELDS],
    names: Vec<Vec<String>>,
}

impl Analysed {
    /// Analyses a page.
    pub fn of(page: &NewPage, analysis: Analysis) -> Analysed {
        let mut counts: BTreeMap<String, Frequencies> = BTreeMap::new();
        let mut tokens = [0; FIELDS];
        for (field, text) in texts(page) {
            let mut found = analysis.tokens_and_forms(&text);
            // A compound's parts find it, and a question tries them apart and together: its joined form is a term more
            // for each of a million hyphenated names.
            found.retain(|token| token.kind != Kind::Joined);
            tokens[field as usize] = found.iter().filter(|token| !token.is_beside()).count() as u32;
            for token in found {
                counts.entry(token.term).or_default()[field as usize] += 1;
            }
        }
        for (term, count) in page.body.iter().filter(|(_, count)| *count > 0) {
            counts.entry(term.clone()).or_default()[Field::Body as usize] += count;
            tokens[Field::Body as usize] += count;
        }
        let names = std::iter::once(&page.title).chain(&page.aliases);
        Analysed { counts, tokens, names: names.map(|name| names::terms_of(analysis, name)).collect() }
    }

    /// Tokens that count for the page's length: those of all fields but the body.
    fn length(&self) -> u32 {
        Field::ALL.iter().filter(|&&field| field != Field::Body).map(|&field| self.tokens[field as usize]).sum()
    }
}

/// The texts whose words a page is found by, and whose tokens are its length.
fn texts(page: &NewPage) -> [(Field, String); 3] {
    [
        (Field::Title, page.title.clone()),
        (Field::Aliases, page.aliases.join("\n")),
        (Field::Summary, page.summary.clone()),
    ]
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
        // A path leads to the first pack of it.
        let path = self.runs.term(terms::PACK_KEY, info.path.as_bytes());
        if self.runs.count(path) == 0 {
            self.runs.add(terms::PACK_KEY, info.path.as_bytes(), (self.packs.len() - 1) as u32, 0);
        }
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
            self.runs.add(terms::TAG_KEY, tag.as_bytes(), number, shape);
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
    pub fn finish(mut self) -> Result<Written, Error> {
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
        let terms = terms::write(terms::Input {
            layout: &self.layout,
            tokens: &tokens,
            common: &common,
            numbering: &numbering,
            code: &Encoder::new(&code),
            runs: self.runs,
            names: self.names,
            files: &mut self.files,
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

/// Files on their way out. While they are few bytes they wait, since they may become part of the root.
struct Files<'s, 'k> {
    sink: &'s mut Sink<'k>,
    waiting: Option<Vec<Vec<u8>>>,
    waiting_bytes: usize,
    single_file_bytes: usize,
    sent: Vec<Hash>,
    written: usize,
    bytes: u64,
}

/// A file by its order of coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileNo(usize);

/// The list of text files is a file of its own from so many on.
const LONG_DIRECTORY: usize = 64;

impl<'s, 'k> Files<'s, 'k> {
    fn new(single_file_bytes: usize, sink: &'s mut Sink<'k>) -> Self {
        let waiting = Some(Vec::new());
        Files { sink, waiting, waiting_bytes: 0, single_file_bytes, sent: Vec::new(), written: 0, bytes: 0 }
    }

    /// Whether it is settled that there will be more files than the root.
    fn many(&self) -> bool {
        self.waiting.is_none()
    }

    /// Takes a file's raw bytes.
    fn add(&mut self, raw: Vec<u8>) -> Result<FileNo, Error> {
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
    fn send(&mut self, raw: &[u8]) -> Result<Hash, Error> {
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
    fn place(
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
