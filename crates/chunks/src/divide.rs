//! Divides a page into chunks.

use seealso_pack::Page;
use sha2::{Digest, Sha256};

use crate::chunk::{Chunk, ChunkSizes, PrefixSource, page_hash};
use crate::group::{Group, groups};
use crate::outline::Outline;
use crate::prefix::prefix;
use crate::units::{Unit, units};

/// The chunks of a page, in order. A page without text has none.
///
/// A chunk ends between paragraphs, as near to [`ChunkSizes::target`] as they allow, and before a heading rather than
/// behind it. A code block and a table stay whole as long as they fit into a chunk. The next chunk begins with the last
/// [`ChunkSizes::overlap`] characters, from a word's start on. Every character but white space is in a chunk.
pub fn chunks(page: &Page, sizes: &ChunkSizes) -> Vec<Chunk> {
    let (outline, units, groups) = divide(page, sizes);
    let (prefix, page_hash) = (prefix(page, sizes.prefix), page_hash(page));
    let chunk = |(number, group): (usize, Group)| {
        let section = units[group.units.start].section;
        let raw_text = without_blank_ends(&outline.text[group.range]).to_owned();
        Chunk {
            page_file: page.file.clone(),
            number,
            kind: group.kind,
            headings: outline.headings(section),
            section_id: outline.anchor(section).to_owned(),
            contextualized_text: format!("{prefix}\n\n{raw_text}"),
            prefix: prefix.clone(),
            prefix_source: PrefixSource::Synthetic,
            char_count: raw_text.chars().count(),
            body_hash: Sha256::digest(&raw_text).into(),
            raw_text,
            page_hash,
        }
    };
    groups.into_iter().enumerate().map(chunk).collect()
}

/// The text of a page, its units, and the places of its chunks.
pub(crate) fn divide(page: &Page, sizes: &ChunkSizes) -> (Outline, Vec<Unit>, Vec<Group>) {
    let outline = Outline::of(page);
    // A unit leaves room for the end of the chunk before.
    let longest = sizes.bound.saturating_sub(sizes.overlap).max(1);
    let units = units(&outline, longest, sizes.target.clamp(1, longest));
    let groups = groups(&outline, &units, sizes);
    (outline, units, groups)
}

/// The text without white space at its end and blank lines at its start. The first line keeps what it is indented by:
/// it may be code.
fn without_blank_ends(text: &str) -> &str {
    let text = text.trim_end();
    let first = text.len() - text.trim_start().len();
    let line = text[..first].rfind('\n').map_or(0, |end| end + 1);
    &text[line..]
}
