//! What opening an index reads and checks: the header's table of parts, and the small parts that are kept decoded.

use std::ops::Range;

use super::{PackEntry, Statistics, place};
use crate::analysis::Analysis;
use crate::bm25::{FIELDS, Field};
use crate::bytes::Cursor;
use crate::error::Error;
use crate::format::{BLOCK, ENTRY_BYTES, MAGIC, Part, VERSION};

pub(super) fn read_header(bytes: &[u8]) -> Result<[Range<usize>; Part::ALL.len()], Error> {
    if bytes.len() < MAGIC.len() + 4 || &bytes[..MAGIC.len()] != MAGIC {
        let found = String::from_utf8_lossy(&bytes[..bytes.len().min(16)]).into_owned();
        return Err(Error::NotAnIndex { found });
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(Error::Version { found: version });
    }
    let count = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
    let mut parts: [Option<Range<usize>>; Part::ALL.len()] = Default::default();
    for at in 0..count {
        let entry = bytes.get(12 + at * ENTRY_BYTES..12 + (at + 1) * ENTRY_BYTES).ok_or_else(|| header_cut(bytes))?;
        let kind = u32::from_le_bytes(entry[..4].try_into().expect("four bytes"));
        if let Some(part) = Part::ALL.into_iter().find(|part| *part as u32 == kind) {
            parts[place(part)] = Some(part_range(entry, part, bytes.len())?);
        }
    }
    for part in Part::ALL {
        if parts[place(part)].is_none() {
            return Err(Error::corrupt("header", format!("it has no {}", part.name())));
        }
    }
    Ok(parts.map(|range| range.unwrap_or_default()))
}

fn header_cut(bytes: &[u8]) -> Error {
    Error::Truncated { part: "header", needed: (12 + ENTRY_BYTES) as u64, got: bytes.len() as u64 }
}

fn part_range(entry: &[u8], part: Part, file: usize) -> Result<Range<usize>, Error> {
    let number = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
    let (start, length) = (number(4), number(12));
    let end = start.checked_add(length).ok_or_else(|| Error::corrupt("header", "a part's end is too large"))?;
    if end > file as u64 {
        return Err(Error::Truncated { part: part.name(), needed: end, got: file as u64 });
    }
    Ok(start as usize..end as usize)
}

/// The analyses with their statistics, the packs, and whether a token stands in a body.
type Meta = (Vec<(Analysis, Statistics)>, Vec<PackEntry>, bool);

pub(super) fn read_meta(bytes: &[u8]) -> Result<Meta, Error> {
    let name = Part::Meta.name();
    let mut cursor = Cursor::new(bytes, name);
    let analysis = |tag| Analysis::of_tag(tag).ok_or_else(|| Error::corrupt(name, "an analysis is unknown"));
    let (mut analyses, mut bodies) = (Vec::new(), false);
    for _ in 0..cursor.count()? {
        let analysis = analysis(cursor.byte()?)?;
        if analyses.iter().any(|(known, _)| *known == analysis) {
            return Err(Error::corrupt(name, "an analysis is there twice"));
        }
        let pages = cursor.number()?;
        let mut tokens = 0.0;
        for field in Field::ALL {
            let count = cursor.varint()?;
            bodies |= field == Field::Body && count > 0;
            tokens += count as f64;
        }
        analyses.push((analysis, Statistics { pages, average_length: tokens / f64::from(pages.max(1)) }));
    }
    let mut packs: Vec<PackEntry> = Vec::new();
    for _ in 0..cursor.count()? {
        let path = cursor.text()?.to_owned();
        let analysis = analysis(cursor.byte()?)?;
        let first = packs.last().map_or(0, |pack| pack.pages.end);
        let end =
            first.checked_add(cursor.number()?).ok_or_else(|| Error::corrupt(name, "there are too many pages"))?;
        let links_derived = cursor.byte()? & 1 == 1;
        packs.push(PackEntry { path, analysis, pages: first..end, links_derived });
    }
    Ok((analyses, packs, bodies))
}

pub(super) fn read_lengths(bytes: &[u8], pages: u32) -> Result<Vec<u32>, Error> {
    let mut cursor = Cursor::new(bytes, Part::Lengths.name());
    if pages as usize > bytes.len() {
        return Err(Error::corrupt(Part::Lengths.name(), "there are fewer than pages"));
    }
    (0..pages).map(|_| (0..FIELDS).try_fold(0u32, |sum, _| Ok(sum.saturating_add(cursor.number()?)))).collect()
}

pub(super) fn read_blocks(bytes: &[u8], pages: u32) -> Result<Vec<u64>, Error> {
    let mut cursor = Cursor::new(bytes, Part::Blocks.name());
    let mut start = 0u64;
    (0..(pages as usize).div_ceil(BLOCK))
        .map(|_| {
            start = start.saturating_add(cursor.varint()?);
            Ok(start)
        })
        .collect()
}

pub(super) fn read_link_offsets(bytes: &[u8], pages: u32) -> Result<Vec<u64>, Error> {
    let mut cursor = Cursor::new(bytes, Part::Links.name());
    (0..pages)
        .map(|_| {
            let offset = (bytes.len() - cursor.rest()) as u64;
            for _ in 0..cursor.count()? {
                cursor.number()?;
            }
            Ok(offset)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::{Index, NewPack, NewPage, write};

    #[test]
    fn an_index_knows_whether_it_holds_bodies() {
        let check = |bodies: &[(&str, &str)], expected: bool| {
            let packs = bodies.iter().map(|(language, body)| NewPack {
                path: (*language).into(),
                language: (*language).into(),
                pages: vec![NewPage {
                    file: "a.md".into(),
                    title: "Tea".into(),
                    body: (*body).into(),
                    ..NewPage::default()
                }],
                ..NewPack::default()
            });
            let index = Index::open(write(&packs.collect::<Vec<_>>()).unwrap()).unwrap();
            assert_eq!(index.has_bodies(), expected, "{bodies:?}");
        };
        check(&[], false);
        check(&[("en", "")], false);
        check(&[("en", " ... ")], false);
        check(&[("en", "leaves")], true);
        check(&[("en", ""), ("de", "Blätter")], true);
    }
}
