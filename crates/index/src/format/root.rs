//! The root of an index: what every question needs, small enough to come with the catalog.

use std::ops::Range;

use crate::analysis::Analysis;
use crate::error::Error;
use crate::field::{FIELDS, Field};
use crate::format::bytes::{Cursor, put_str, put_varint};
use crate::format::files::{Form, HASH_BYTES, Hash, packed};
use crate::format::{MAGIC, VERSION};
use crate::postings::profile::{COMMON_SHAPES, Shape, read_shapes, write_shapes};
use crate::query::bm25::Bm25;

/// Where a file's bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a file of that hash.
    Outside(Hash),
    /// In the root's own bytes.
    Inside(Range<usize>),
}

/// Sums over the pages of one analysis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// How many pages there are.
    pub pages: u32,
    /// Their mean length in tokens, the body's aside.
    pub average_length: f64,
}

/// Pages of one language that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackSpan {
    /// One past its last page; the first is where the pack before ends.
    pub(crate) end: u32,
    /// Number of its language.
    pub(crate) language: u32,
}

/// A block of page texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFile {
    /// One past its last page.
    pub(crate) end: u32,
    pub(crate) place: Place,
}

/// A shard of the term dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermFile {
    /// No key of the shard is smaller, and every key of the shards before is.
    pub(crate) from: Vec<u8>,
    pub(crate) place: Place,
}

/// The text files' list, or where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Directory {
    Here(Vec<TextFile>),
    Outside(Hash),
}

/// No index of more pages has their lengths in the root.
pub(crate) const MOST_LENGTHS: usize = 4096;

/// A root, read.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// The constants by which the best shape of each block was chosen.
    pub(crate) bounds: Bounds,
    pub(crate) analyses: Vec<(Analysis, Statistics)>,
    /// Tokens in bodies, over all analyses.
    pub(crate) body_tokens: u64,
    pub(crate) languages: Vec<String>,
    pub(crate) packs: Vec<PackSpan>,
    pub(crate) shapes: Vec<Shape>,
    /// The lengths of the codes of the shapes, and of the one that stands for all others.
    pub(crate) code: Vec<u8>,
    /// The length of every page, where shapes leave it out: in small indexes.
    pub(crate) lengths: Vec<u32>,
    pub(crate) terms: Vec<TermFile>,
    pub(crate) directory: Directory,
    /// The bytes after the root, which hold the files of a single-file index.
    pub(crate) inside: Vec<u8>,
}

/// The constants that choose the best shape of a block: k1, the two shares of the length, and the fields' weights.
pub(crate) type Bounds = [f64; 3 + FIELDS];

/// The constants of `bm25` that choose the best shape of a block.
pub(crate) fn bounds_of(bm25: &Bm25) -> Bounds {
    let [title, aliases, summary, body] = bm25.weights;
    [bm25.k1, bm25.b, bm25.b_body, title, aliases, summary, body]
}

const PART: &str = "root";

/// Whether the files stand in the root itself.
const INSIDE: u8 = 1;
/// Whether the list of text files is a file of its own.
const DIRECTORY_OUTSIDE: u8 = 2;

/// The form of a root file: what follows its magic bytes and version.
///
/// # Errors
/// [`Error::NotAnIndex`], [`Error::Version`], or [`Error::Corrupt`].
pub fn root_form(bytes: &[u8]) -> Result<Form<'_>, Error> {
    if bytes.len() < MAGIC.len() + 2 || &bytes[..MAGIC.len()] != MAGIC {
        let found = String::from_utf8_lossy(&bytes[..bytes.len().min(16)]).into_owned();
        return Err(Error::NotAnIndex { found });
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(Error::Version { found: version });
    }
    Form::of(&bytes[MAGIC.len() + 2..])
}

impl Root {
    /// The root as a file.
    pub(crate) fn write(&self, tokens: &[(Analysis, u32, [u64; FIELDS])]) -> Vec<u8> {
        let mut out = Vec::new();
        self.bounds.iter().for_each(|constant| out.extend(constant.to_le_bytes()));
        put_varint(&mut out, tokens.len() as u64);
        for (analysis, pages, tokens) in tokens {
            out.push(analysis.tag());
            put_varint(&mut out, u64::from(*pages));
            tokens.iter().for_each(|&count| put_varint(&mut out, count));
        }
        put_varint(&mut out, self.languages.len() as u64);
        self.languages.iter().for_each(|language| put_str(&mut out, language));
        put_varint(&mut out, self.packs.len() as u64);
        let mut start = 0;
        for pack in &self.packs {
            put_varint(&mut out, u64::from(pack.end - start));
            put_varint(&mut out, u64::from(pack.language));
            start = pack.end;
        }
        write_shapes(&mut out, &self.shapes);
        out.extend(&self.code);
        put_varint(&mut out, self.lengths.len() as u64);
        self.lengths.iter().for_each(|&length| put_varint(&mut out, u64::from(length)));
        let outside = matches!(self.directory, Directory::Outside(_));
        let inside = self.terms.iter().any(|file| matches!(file.place, Place::Inside(_)));
        out.push(if inside { INSIDE } else { 0 } | if outside { DIRECTORY_OUTSIDE } else { 0 });
        self.write_terms(&mut out);
        match &self.directory {
            Directory::Here(texts) => write_directory(&mut out, texts),
            Directory::Outside(hash) => out.extend(hash),
        }
        out.extend(&self.inside);
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend(packed(&out));
        file
    }

    fn write_terms(&self, out: &mut Vec<u8>) {
        put_varint(out, self.terms.len() as u64);
        let mut before: &[u8] = &[];
        for file in &self.terms {
            let shared = file.from.iter().zip(before).take_while(|(a, b)| a == b).count();
            put_varint(out, shared as u64);
            put_varint(out, (file.from.len() - shared) as u64);
            out.extend(&file.from[shared..]);
            write_place(out, &file.place);
            before = &file.from;
        }
    }

    /// Reads a root's unpacked bytes.
    pub(crate) fn read(raw: &[u8]) -> Result<Root, Error> {
        let mut cursor = Cursor::new(raw, PART);
        let mut bounds = Bounds::default();
        for constant in &mut bounds {
            *constant = f64::from_le_bytes(cursor.take(8)?.try_into().expect("eight bytes"));
        }
        let (analyses, body_tokens) = read_analyses(&mut cursor)?;
        let languages = cursor.list(Cursor::owned_text)?;
        let packs = read_packs(&mut cursor, languages.len())?;
        let shapes = read_shapes(&mut cursor)?;
        if shapes.len() > COMMON_SHAPES {
            return Err(Error::corrupt(PART, "there are too many common shapes"));
        }
        let code = cursor.take(COMMON_SHAPES + 1)?.to_vec();
        let lengths = cursor.list(Cursor::number)?;
        let flags = cursor.byte()?;
        let mut inside = (flags & INSIDE != 0).then_some(0);
        let terms = read_terms(&mut cursor, &mut inside)?;
        let directory = match flags & DIRECTORY_OUTSIDE {
            0 => Directory::Here(read_directory(&mut cursor, &mut inside)?),
            _ => Directory::Outside(read_hash(&mut cursor)?),
        };
        let rest = cursor.take(cursor.rest())?.to_vec();
        if inside.is_some_and(|needed| needed > rest.len()) {
            let (needed, got) = (inside.unwrap_or(0) as u64, rest.len() as u64);
            return Err(Error::Truncated { part: "files in the root", needed, got });
        }
        let root = Root {
            bounds,
            analyses,
            body_tokens,
            languages,
            packs,
            shapes,
            code,
            lengths,
            terms,
            directory,
            inside: rest,
        };
        root.check()?;
        Ok(root)
    }

    fn check(&self) -> Result<(), Error> {
        if let Directory::Here(texts) = &self.directory {
            check_directory(texts, self.pages())?;
        }
        let lengths = self.lengths.len();
        if lengths > 0 && (lengths > MOST_LENGTHS || lengths != self.pages() as usize) {
            return Err(Error::corrupt(PART, "it has lengths of other pages than the packs"));
        }
        match self.terms.is_sorted_by(|a, b| a.from < b.from) {
            true => Ok(()),
            false => Err(Error::corrupt(PART, "the term shards are out of order")),
        }
    }

    /// How many pages there are.
    pub(crate) fn pages(&self) -> u32 {
        self.packs.last().map_or(0, |pack| pack.end)
    }
}

type Analyses = (Vec<(Analysis, Statistics)>, u64);

fn read_analyses(cursor: &mut Cursor<'_>) -> Result<Analyses, Error> {
    let (mut analyses, mut bodies) = (Vec::new(), 0u64);
    for _ in 0..cursor.count()? {
        let analysis = Analysis::of_tag(cursor.byte()?);
        let analysis = analysis.ok_or_else(|| Error::corrupt(PART, "an analysis is unknown"))?;
        if analyses.iter().any(|(known, _)| *known == analysis) {
            return Err(Error::corrupt(PART, "an analysis is there twice"));
        }
        let pages = cursor.number()?;
        let mut tokens = 0.0;
        for field in Field::ALL {
            let count = cursor.varint()?;
            match field {
                Field::Body => bodies = bodies.saturating_add(count),
                _ => tokens += count as f64,
            }
        }
        analyses.push((analysis, Statistics { pages, average_length: tokens / f64::from(pages.max(1)) }));
    }
    Ok((analyses, bodies))
}

fn read_packs(cursor: &mut Cursor<'_>, languages: usize) -> Result<Vec<PackSpan>, Error> {
    let mut end = 0u32;
    cursor.list(|cursor| {
        end = end.checked_add(cursor.number()?).ok_or_else(|| Error::corrupt(PART, "there are too many pages"))?;
        let language = cursor.number()?;
        match (language as usize) < languages {
            true => Ok(PackSpan { end, language }),
            false => Err(Error::corrupt(PART, "a pack's language is not listed")),
        }
    })
}

/// Keys that share their beginnings have no more bytes than these, for each byte of the root.
const MOST_KEY_BYTES: usize = 64;

fn read_terms(cursor: &mut Cursor<'_>, inside: &mut Option<usize>) -> Result<Vec<TermFile>, Error> {
    let mut files: Vec<TermFile> = Vec::new();
    let mut left = cursor.rest().saturating_mul(MOST_KEY_BYTES);
    for _ in 0..cursor.count()? {
        let shared = cursor.number()? as usize;
        let before = files.last().map_or(&[][..], |file| &file.from);
        let kept = before.get(..shared).ok_or_else(|| Error::corrupt(PART, "a shard's first key is unknown"))?;
        let length = cursor.count()?;
        left = left.checked_sub(kept.len()).ok_or_else(|| Error::corrupt(PART, "its shards' first keys are absurd"))?;
        let from = [kept, cursor.take(length)?].concat();
        files.push(TermFile { from, place: read_place(cursor, inside)? });
    }
    Ok(files)
}

/// Writes the list of text files.
pub(crate) fn write_directory(out: &mut Vec<u8>, texts: &[TextFile]) {
    put_varint(out, texts.len() as u64);
    let mut start = 0;
    for file in texts {
        put_varint(out, u64::from(file.end - start));
        write_place(out, &file.place);
        start = file.end;
    }
}

/// Reads what [`write_directory`] wrote. `inside` is where the next file within the root begins, if they lie there.
pub(crate) fn read_directory(cursor: &mut Cursor<'_>, inside: &mut Option<usize>) -> Result<Vec<TextFile>, Error> {
    let mut end = 0u32;
    cursor.list(|cursor| {
        let pages = cursor.number()?;
        end = end.checked_add(pages).ok_or_else(|| Error::corrupt("text directory", "there are too many pages"))?;
        Ok(TextFile { end, place: read_place(cursor, inside)? })
    })
}

/// Whether the text files hold `pages` pages.
pub(crate) fn check_directory(texts: &[TextFile], pages: u32) -> Result<(), Error> {
    match texts.last().map_or(0, |file| file.end) == pages {
        true => Ok(()),
        false => Err(Error::corrupt("text directory", "its files hold other pages than the packs")),
    }
}

fn write_place(out: &mut Vec<u8>, place: &Place) {
    match place {
        Place::Outside(hash) => out.extend(hash),
        Place::Inside(range) => put_varint(out, range.len() as u64),
    }
}

fn read_place(cursor: &mut Cursor<'_>, inside: &mut Option<usize>) -> Result<Place, Error> {
    let Some(start) = inside else { return Ok(Place::Outside(read_hash(cursor)?)) };
    let end = start.saturating_add(cursor.number()? as usize);
    Ok(Place::Inside(std::mem::replace(start, end)..end))
}

pub(crate) fn read_hash(cursor: &mut Cursor<'_>) -> Result<Hash, Error> {
    let mut hash = [0; HASH_BYTES];
    hash.copy_from_slice(cursor.take(HASH_BYTES)?);
    Ok(hash)
}
