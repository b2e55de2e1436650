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
use fold_rules::{beyond_normalisation, drops_marks, is_algorithmic};

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
    for part in std::iter::once(c).nfkd().flat_map(char::to_lowercase).nfkd().flat_map(beyond) {
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

/// What `c` becomes beyond normalisation: itself, as a rule.
fn beyond(c: char) -> Vec<char> {
    beyond_normalisation(c).map_or(vec![c], |other| other.chars().collect())
}

/// Runs of neighbours that move by the same distance, as in most alphabets, then the rest one by one.
fn put_foldings(out: &mut Vec<u8>, foldings: &[Folding]) {
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    let mut singles: Vec<&Folding> = Vec::new();
    let mut at = 0;
    while at < foldings.len() {
        let length = run_length(&foldings[at..]);
        match length {
            0..4 => singles.extend(&foldings[at..at + length]),
            _ => runs.push((foldings[at].0, length as u32, foldings[at].1[0])),
        }
        at += length;
    }
    put(out, runs.len() as u32);
    let mut last = 0;
    for (from, length, to) in runs {
        [from - last, length, to].into_iter().for_each(|number| put(out, number));
        last = from;
    }
    // Like beside like, and each part by its distance from the one before: that is a fifth smaller after gzip.
    put(out, singles.len() as u32);
    let mut last = 0;
    for (from, _) in &singles {
        put(out, from - last);
        last = *from;
    }
    singles.iter().for_each(|(_, to)| put(out, to.len() as u32));
    let mut last = 0;
    for &part in singles.iter().flat_map(|(_, to)| to) {
        put_distance(out, last, part);
        last = part;
    }
}

fn run_length(foldings: &[Folding]) -> usize {
    let (first, to) = &foldings[0];
    let follows = |place: usize, next: &Folding| {
        next.0 == first + place as u32 && next.1.len() == 1 && to.len() == 1 && next.1[0] == to[0] + place as u32
    };
    foldings.iter().enumerate().take_while(|(place, next)| *place == 0 || follows(*place, next)).count()
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
    let mut last = 0;
    for [first, mark, composed] in pairs {
        put_distance(out, last, first);
        put(out, mark);
        put_distance(out, first, composed);
        last = first;
    }
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
    let mut last = 0;
    for (start, length) in ranges {
        put(out, start - last);
        put(out, length);
        last = start;
    }
}

/// How far `to` is from `from`, with the sign in the lowest bit.
fn put_distance(out: &mut Vec<u8>, from: u32, to: u32) {
    put(out, if to >= from { (to - from) << 1 } else { (from - to) << 1 | 1 });
}

fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
