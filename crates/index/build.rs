//! Makes the folding table: what each character becomes in NFKC, lower case, without Latin and Greek accents.
//!
//! The full normalisation tables would be a third of the browser's download. Folding needs only their outcome for
//! single characters, and the few pairs that compose again behind it, which fit in a tenth of the space. The format is
//! read by `src/fold.rs`: varints throughout.

use std::fs;
use std::path::Path;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};

#[path = "src/fold_rules.rs"]
mod fold_rules;
use fold_rules::{drops_marks, is_algorithmic};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/fold_rules.rs");
    let mut out = Vec::new();
    let chars = || ('\u{80}'..=char::MAX).filter(|&c| !is_algorithmic(c));
    put_ranges(&mut out, &chars().filter(|&c| is_combining_mark(c)).map(u32::from).collect::<Vec<_>>());
    put_foldings(&mut out, &chars().filter_map(folding).collect::<Vec<_>>());
    put_pairs(&mut out);
    let path = Path::new(&std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("fold.bin");
    fs::write(path, out).expect("OUT_DIR can be written");
}

/// A character and what it becomes.
type Folding = (u32, Vec<u32>);

/// What `c` becomes, where that is not itself.
fn folding(c: char) -> Option<Folding> {
    let (mut base, mut kept) = (None, String::new());
    // A capital's small letter may carry a mark of its own, so it is taken apart again.
    for part in std::iter::once(c).nfkd().flat_map(char::to_lowercase).nfkd() {
        match is_combining_mark(part) {
            true if base.is_some_and(drops_marks) => {}
            true => kept.push(part),
            false => {
                base = Some(part);
                kept.push(part);
            }
        }
    }
    let kept: String = kept.nfc().collect();
    let folded: Vec<u32> = kept.chars().map(u32::from).collect();
    (folded != [u32::from(c)]).then(|| (u32::from(c), folded))
}

/// Column by column, each number as its difference to the one before it: neighbours mostly move by the same distance,
/// so most of what is written is ones and zeros, which take no room once a server has compressed them.
fn put_foldings(out: &mut Vec<u8>, foldings: &[Folding]) {
    put(out, foldings.len() as u32);
    put_rising(out, foldings.iter().map(|folding| folding.0));
    foldings.iter().for_each(|folding| put(out, folding.1.len() as u32));
    put_moving(out, foldings.iter().map(|(from, to)| to[0].wrapping_sub(*from)));
    put_moving(out, foldings.iter().flat_map(|folding| &folding.1[1..]).copied());
}

/// Rising numbers as gaps.
fn put_rising(out: &mut Vec<u8>, numbers: impl Iterator<Item = u32>) {
    numbers.fold(0, |last, number| {
        put(out, number - last);
        number
    });
}

/// Numbers that rise and fall, as differences; the lowest bit is the sign.
fn put_moving(out: &mut Vec<u8>, numbers: impl Iterator<Item = u32>) {
    numbers.fold(0, |last: u32, number| {
        let step = number.wrapping_sub(last) as i32;
        put(out, ((step << 1) ^ (step >> 31)) as u32);
        number
    });
}

/// A letter and a mark that stand for one letter, where marks are kept.
fn put_pairs(out: &mut Vec<u8>) {
    let letters = ('\u{400}'..='\u{1ffff}').filter(|&c| !is_algorithmic(c) && !drops_marks(c));
    let mut pairs = Vec::new();
    for composed in letters {
        let parts: Vec<char> = std::iter::once(composed).nfd().collect();
        let (Some(&mark), Some(&first)) = (parts.last(), parts.first()) else { continue };
        if parts.len() == 2 && is_combining_mark(mark) && compose(first, mark) == Some(composed) {
            pairs.push([u32::from(first), u32::from(mark), u32::from(composed)]);
        }
    }
    put(out, pairs.len() as u32);
    (0..3).for_each(|part| put_moving(out, pairs.iter().map(|pair| pair[part])));
}

/// Sorted numbers as gaps and lengths.
fn put_ranges(out: &mut Vec<u8>, numbers: &[u32]) {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((start, length)) if *start + *length == number => *length += 1,
            _ => ranges.push((number, 1)),
        }
    }
    put(out, ranges.len() as u32);
    put_rising(out, ranges.iter().map(|range| range.0));
    ranges.iter().for_each(|range| put(out, range.1));
}

fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
