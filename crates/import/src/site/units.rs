//! Divides a page of the site into pages of one topic each, at its headings.

use std::ops::Range;

use crate::page::{PageSection, SitePage};

/// A page of more Markdown than this is divided, in bytes. Chosen by measurement: see docs/decisions/splitting.md.
pub const SPLIT_BYTES: usize = 3_000;

/// A part smaller than this stays with the part before it, in bytes, as long as both together are not too large.
const LEAST_BYTES: usize = 400;

/// A page of one topic: some sections of a page of the site that stand side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// The place of the page among those of the site.
    pub(super) page: usize,
    /// Its sections.
    pub(super) sections: Range<usize>,
    /// The headings above it: places of their sections, from the uppermost.
    pub(super) above: Vec<usize>,
}

/// Divides the page at the place `at` of the site into units of at most about `limit` bytes.
pub(super) fn divide(at: usize, page: &SitePage, limit: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    let all = 0..page.sections.len();
    divide_into(&page.sections, all, &mut Vec::new(), limit, &mut |sections, above| {
        units.push(Unit { page: at, sections, above: above.to_vec() });
    });
    units
}

/// Divides `range`, which begins with the heading that the others stand below.
fn divide_into(
    sections: &[PageSection],
    range: Range<usize>,
    above: &mut Vec<usize>,
    limit: usize,
    give: &mut dyn FnMut(Range<usize>, &[usize]),
) {
    let size = |range: Range<usize>| sections[range].iter().map(PageSection::size).sum::<usize>();
    let children = children(sections, &range);
    if size(range.clone()) <= limit || children.is_empty() {
        return give(range, above);
    }
    // What stands before the first child, and small children behind it, stay together.
    let mut held = range.start..children[0].start;
    let is_own = !held.is_empty();
    let mut held_above = above.clone();
    if is_own {
        above.push(range.start);
    }
    for child in children {
        let child_size = size(child.clone());
        let together = size(held.clone()) + child_size;
        let is_small = child_size < LEAST_BYTES || size(held.clone()) < LEAST_BYTES && held_above.len() == above.len();
        if !held.is_empty() && is_small && together <= limit {
            held.end = child.end;
            continue;
        }
        if !held.is_empty() {
            give(held.clone(), &held_above);
        }
        if child_size <= limit {
            held = child;
            held_above.clone_from(above);
        } else {
            held = child.end..child.end;
            divide_into(sections, child, above, limit, give);
        }
    }
    if !held.is_empty() {
        give(held, &held_above);
    }
    if is_own {
        above.pop();
    }
}

/// The parts of a range below its first heading, each with all that stands below its own; where the first section has no
/// heading, the parts of the uppermost level.
fn children(sections: &[PageSection], range: &Range<usize>) -> Vec<Range<usize>> {
    let inner = range.start + 1..range.end;
    let Some(level) = sections[inner.clone()].iter().map(|section| section.level).min() else { return Vec::new() };
    // Parts of a deeper level before the first of the uppermost stay with the opening.
    let starts: Vec<usize> = inner.filter(|&at| sections[at].level <= level).collect();
    let ends = starts.iter().skip(1).copied().chain([range.end]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a page whose sections have these levels and sizes, and the headings above each.
    fn parts(sections: &[(u8, usize)], limit: usize) -> Vec<(Range<usize>, Vec<usize>)> {
        let section =
            |&(level, size): &(u8, usize)| PageSection { level, body: "x".repeat(size), ..PageSection::default() };
        let page = SitePage { sections: sections.iter().map(section).collect(), ..SitePage::default() };
        divide(0, &page, limit).into_iter().map(|unit| (unit.sections, unit.above)).collect()
    }

    #[test]
    fn long_pages_are_divided_at_their_headings() {
        for (sections, limit, expected) in [
            // Short enough.
            (&[(1, 500), (2, 500)][..], 1000, vec![(0..2, vec![])]),
            // A part for each heading below the title.
            (&[(1, 500), (2, 500), (2, 600)], 1000, vec![(0..1, vec![]), (1..2, vec![0]), (2..3, vec![0])]),
            // What lies below a heading stays with it.
            (&[(1, 500), (2, 500), (3, 100), (2, 600)], 1000, vec![(0..1, vec![]), (1..3, vec![0]), (3..4, vec![0])]),
            // A part that is too long itself is divided further.
            (&[(1, 500), (2, 500), (3, 900)], 1000, vec![(0..1, vec![]), (1..2, vec![0]), (2..3, vec![0, 1])]),
            // Small parts stay with the one before.
            (&[(1, 900), (2, 50), (2, 60), (2, 700)], 1100, vec![(0..3, vec![]), (3..4, vec![0])]),
            // Without headings there is nothing to divide at.
            (&[(0, 5000)], 1000, vec![(0..1, vec![])]),
            // What stands before the first heading has none above.
            (&[(0, 900), (1, 900), (2, 900)], 1000, vec![(0..1, vec![]), (1..2, vec![0]), (2..3, vec![0, 1])]),
        ] {
            assert_eq!(parts(sections, limit), expected, "{sections:?}");
        }
    }
}
