//! Puts units together to chunks of about the same length.

use std::ops::Range;

use crate::chunk::{ChunkKind, ChunkSizes};
use crate::outline::Outline;
use crate::units::Unit;

/// The place of a chunk in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// Its bytes, with the end of the chunk before that it begins with.
    pub(crate) range: Range<usize>,
    /// Its units, as indices.
    pub(crate) units: Range<usize>,
    /// What it holds.
    pub(crate) kind: ChunkKind,
}

/// The groups of all units, in order.
pub(crate) fn groups(outline: &Outline, units: &[Unit], sizes: &ChunkSizes) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let kind = outline.kind(unit.section);
        match found.last_mut().filter(|group| group.kind == kind && takes(group, units, unit, sizes, &outline.text)) {
            Some(group) => {
                group.range.end = unit.range.end;
                group.units.end = number + 1;
            }
            None => {
                let before = found.last().filter(|group| group.kind == kind);
                let start =
                    before.map_or(unit.range.start, |before| overlap_start(&outline.text, before, units, unit, sizes));
                found.push(Group { range: start..unit.range.end, units: number..number + 1, kind });
            }
        }
    }
    join_short_ends(&outline.text, units, found, sizes)
}

/// The characters of a group's own units.
fn own_length(group: &Group, units: &[Unit]) -> usize {
    units[group.units.end - 1].chars.end - units[group.units.start].chars.start
}

/// The characters from a group's start to a place that is not before its end.
fn length_to(text: &str, group: &Group, units: &[Unit], unit: &Unit) -> usize {
    let own = &units[group.units.start];
    text[group.range.start..own.range.start].chars().count() + unit.chars.end - own.chars.start
}

/// Whether the group takes the unit that follows it: where that brings it nearer to the target, and no new section begins
/// behind half of it.
fn takes(group: &Group, units: &[Unit], unit: &Unit, sizes: &ChunkSizes, text: &str) -> bool {
    let own = own_length(group, units);
    let with = unit.chars.end - units[group.units.start].chars.start;
    let is_nearer = with.abs_diff(sizes.target) <= own.abs_diff(sizes.target);
    let ends_section = unit.opens_section && own >= sizes.target / 2;
    own < sizes.target && is_nearer && !ends_section && length_to(text, group, units, unit) <= sizes.bound
}

/// Where a group starts whose first unit is `unit`: at a word of the last characters of the group `before`, but behind
/// the code and the tables there.
fn overlap_start(text: &str, before: &Group, units: &[Unit], unit: &Unit, sizes: &ChunkSizes) -> usize {
    let own = &units[before.units.clone()];
    let tail = &text[own[0].range.start..before.range.end];
    let tail = tail.trim_end();
    let Some((at, _)) = tail.char_indices().rev().take(sizes.overlap).last() else { return unit.range.start };
    let mut start = own[0].range.start + at;
    if at > 0 && !tail[..at].ends_with(char::is_whitespace) {
        let rest = &text[start..before.range.end];
        start = rest.find(char::is_whitespace).map_or(before.range.end, |word| start + word);
    }
    let solids = own.iter().map(|unit| &unit.solid).filter(|solid| !solid.is_empty());
    start = solids.map(|solid| solid.end).fold(start, usize::max);
    let overlap = &text[start..before.range.end];
    start += overlap.len() - overlap.trim_start().len();
    let whole = &text[start..unit.range.end];
    if start >= before.range.end || whole.chars().count() > sizes.bound { unit.range.start } else { start }
}

/// Joins a group of fewer characters than an overlap to the one before it, where both fit.
fn join_short_ends(text: &str, units: &[Unit], groups: Vec<Group>, sizes: &ChunkSizes) -> Vec<Group> {
    let mut joined: Vec<Group> = Vec::with_capacity(groups.len());
    for group in groups {
        let is_short = own_length(&group, units) < sizes.overlap;
        let last = &units[group.units.end - 1];
        let fits = |before: &Group| before.kind == group.kind && length_to(text, before, units, last) <= sizes.bound;
        match joined.last_mut().filter(|before| is_short && fits(before)) {
            Some(before) => {
                before.range.end = group.range.end;
                before.units.end = group.units.end;
            }
            None => joined.push(group),
        }
    }
    joined
}
