//! The root of an index: what every question needs, small enough to be fetched with the catalog.

use crate::analysis::Analysis;
use crate::error::Error;
use crate::field::{FIELDS, Field};
use crate::format::bytes::{Cursor, put_str, put_varint};
use crate::format::files::{Form, packed};
use crate::format::location::{
    Location, ShardEntry, TextDirectory, check_directory, read_directory, read_hash, read_location, write_directory,
    write_location,
};
use crate::format::{MAGIC, VERSION};
use crate::postings::profile::{COMMON_PROFILES, TermProfile, read_profiles, write_profiles};
use crate::query::bm25::Bm25;

/// Sums over the pages of one analysis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// How many pages there are.
    pub pages: u32,
    /// Their mean length in tokens, the body's aside.
    pub average_length: f64,
}

/// The pages of a pack, which follow each other, and their language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackSpan {
    /// One past its last page. Its first page is the end of the pack before.
    pub(crate) end: u32,
    /// The number of its language.
    pub(crate) language: u32,
}

/// An index of more pages does not store their lengths in the root.
pub(crate) const MOST_LENGTHS: usize = 4096;

/// The content of a root file.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// The constants by which the best profile of each skip entry was chosen.
    pub(crate) bounds: Bounds,
    pub(crate) analyses: Vec<(Analysis, Statistics)>,
    /// How many tokens all bodies have together.
    pub(crate) body_tokens: u64,
    pub(crate) languages: Vec<String>,
    pub(crate) packs: Vec<PackSpan>,
    pub(crate) profiles: Vec<TermProfile>,
    /// The lengths of the profiles' Huffman codes, and of the code that stands for all other profiles.
    pub(crate) code: Vec<u8>,
    /// The length of every page in tokens, in small indexes, whose profiles leave it out; else empty.
    pub(crate) lengths: Vec<u32>,
    pub(crate) shards: Vec<ShardEntry>,
    pub(crate) directory: TextDirectory,
    /// The bytes after the root, which hold the other files of a single-file index.
    pub(crate) files: Vec<u8>,
}

/// The constants that decide which profile scores best: k1, the two shares of length normalisation, and the fields'
/// weights.
pub(crate) type Bounds = [f64; 3 + FIELDS];

/// The [`Bounds`] of a ranking.
pub(crate) fn bounds_of(bm25: &Bm25) -> Bounds {
    let [title, aliases, summary, body] = bm25.weights;
    [bm25.k1, bm25.b, bm25.b_body, title, aliases, summary, body]
}

const PART: &str = "root";

/// Flag of a root that the other files follow in the same file.
const FILES_IN_ROOT: u8 = 1;
/// Flag of a root whose text directory is a file of its own.
const DIRECTORY_IN_FILE: u8 = 2;

/// Reads the form of a root file, which follows its magic bytes and version.
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
    /// The bytes of the root file.
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
        write_profiles(&mut out, &self.profiles);
        out.extend(&self.code);
        put_varint(&mut out, self.lengths.len() as u64);
        self.lengths.iter().for_each(|&length| put_varint(&mut out, u64::from(length)));
        let directory_in_file = matches!(self.directory, TextDirectory::OwnFile(_));
        let files_in_root = self.shards.iter().any(|shard| matches!(shard.location, Location::InRoot(_)));
        out.push(if files_in_root { FILES_IN_ROOT } else { 0 } | if directory_in_file { DIRECTORY_IN_FILE } else { 0 });
        self.write_shards(&mut out);
        match &self.directory {
            TextDirectory::Inline(blocks) => write_directory(&mut out, blocks),
            TextDirectory::OwnFile(hash) => out.extend(hash),
        }
        out.extend(&self.files);
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend(packed(&out));
        file
    }

    fn write_shards(&self, out: &mut Vec<u8>) {
        put_varint(out, self.shards.len() as u64);
        let mut before: &[u8] = &[];
        for shard in &self.shards {
            let shared = shard.from.iter().zip(before).take_while(|(a, b)| a == b).count();
            put_varint(out, shared as u64);
            put_varint(out, (shard.from.len() - shared) as u64);
            out.extend(&shard.from[shared..]);
            write_location(out, &shard.location);
            before = &shard.from;
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
        let profiles = read_profiles(&mut cursor)?;
        if profiles.len() > COMMON_PROFILES {
            return Err(Error::corrupt(PART, "there are too many common profiles"));
        }
        let code = cursor.take(COMMON_PROFILES + 1)?.to_vec();
        let lengths = cursor.list(Cursor::number)?;
        let flags = cursor.byte()?;
        let mut next_in_root = (flags & FILES_IN_ROOT != 0).then_some(0);
        let shards = read_shards(&mut cursor, &mut next_in_root)?;
        let directory = match flags & DIRECTORY_IN_FILE {
            0 => TextDirectory::Inline(read_directory(&mut cursor, &mut next_in_root)?),
            _ => TextDirectory::OwnFile(read_hash(&mut cursor)?),
        };
        let files = cursor.take(cursor.rest())?.to_vec();
        if next_in_root.is_some_and(|needed| needed > files.len()) {
            let (needed, got) = (next_in_root.unwrap_or(0) as u64, files.len() as u64);
            return Err(Error::Truncated { part: "files in the root", needed, got });
        }
        let root =
            Root { bounds, analyses, body_tokens, languages, packs, profiles, code, lengths, shards, directory, files };
        root.check()?;
        Ok(root)
    }

    fn check(&self) -> Result<(), Error> {
        if let TextDirectory::Inline(blocks) = &self.directory {
            check_directory(blocks, self.pages())?;
        }
        let lengths = self.lengths.len();
        if lengths > 0 && (lengths > MOST_LENGTHS || lengths != self.pages() as usize) {
            return Err(Error::corrupt(PART, "it has lengths of other pages than the packs"));
        }
        match self.shards.is_sorted_by(|a, b| a.from < b.from) {
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

/// The most bytes that the shards' first keys may have together, for each byte of the root: keys share their
/// beginnings.
const MOST_KEY_BYTES: usize = 64;

fn read_shards(cursor: &mut Cursor<'_>, next_in_root: &mut Option<usize>) -> Result<Vec<ShardEntry>, Error> {
    let mut shards: Vec<ShardEntry> = Vec::new();
    let mut left = cursor.rest().saturating_mul(MOST_KEY_BYTES);
    for _ in 0..cursor.count()? {
        let shared = cursor.number()? as usize;
        let before = shards.last().map_or(&[][..], |shard| &shard.from);
        let kept = before.get(..shared).ok_or_else(|| Error::corrupt(PART, "a shard's first key is unknown"))?;
        let length = cursor.count()?;
        left = left.checked_sub(kept.len()).ok_or_else(|| Error::corrupt(PART, "its shards' first keys are absurd"))?;
        let from = [kept, cursor.take(length)?].concat();
        shards.push(ShardEntry { from, location: read_location(cursor, next_in_root)? });
    }
    Ok(shards)
}
