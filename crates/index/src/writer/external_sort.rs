//! Pairs of numbers, each under a key, on their way from the order they come in to the order of their keys.
//!
//! They gather in memory. When there are too many, they are sorted by key and go to a scratch file as a run; what a key
//! has is then what each run has in turn, and still in the order in which it came (single-pass in-memory indexing: Heinz
//! and Zobel, 2003).

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// Pairs as they come.
pub(crate) struct Spill {
    held: Vec<(u32, u32, u32)>,
    most: usize,
    scratch: Option<PathBuf>,
    spilled: Vec<Spilled>,
}

struct Spilled {
    file: File,
    /// Where each key's pairs end, in pairs; keys that came later have none.
    ends: Vec<u64>,
}

const PAIR_BYTES: usize = 8;

impl Spill {
    /// Holds about `most` pairs in memory, and others in files in the folder `scratch`, the system's where there is none.
    pub(crate) fn new(most: usize, scratch: Option<PathBuf>) -> Self {
        Spill { held: Vec::new(), most, scratch, spilled: Vec::new() }
    }

    pub(crate) fn add(&mut self, key: u32, pair: (u32, u32)) {
        self.held.push((key, pair.0, pair.1));
    }

    /// Puts the pairs aside when there are too many; all keys so far are below `keys`.
    pub(crate) fn keep_within_bounds(&mut self, keys: usize) -> Result<(), Error> {
        match self.held.len() >= self.most {
            true => self.spill(keys).map_err(scratch_fails),
            false => Ok(()),
        }
    }

    fn spill(&mut self, keys: usize) -> std::io::Result<()> {
        let ends = self.sort(keys);
        let folder = self.scratch.clone().unwrap_or_else(std::env::temp_dir);
        // One process may write several indexes at a time.
        static SPILLS: AtomicU64 = AtomicU64::new(0);
        let number = SPILLS.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("seealso-{}-{number}.run", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // The name goes at once; the file lives as long as it is open.
        let _ = std::fs::remove_file(&path);
        let mut out = BufWriter::new(file);
        for (_, first, second) in self.held.drain(..) {
            out.write_all(&first.to_le_bytes())?;
            out.write_all(&second.to_le_bytes())?;
        }
        let file = out.into_inner().map_err(|error| error.into_error())?;
        self.spilled.push(Spilled { file, ends });
        Ok(())
    }

    /// Sorts what is held by key, the order of coming kept; gives where each key ends.
    fn sort(&mut self, keys: usize) -> Vec<u64> {
        self.held.sort_by_key(|&(key, ..)| key);
        let mut ends = vec![0u64; keys];
        self.held.iter().for_each(|&(key, ..)| ends[key as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        ends
    }

    /// The pairs to ask for, whose keys are all below `keys`.
    pub(crate) fn merged(mut self, keys: usize) -> Merged {
        let ends = self.sort(keys);
        Merged { held: self.held, ends, spilled: self.spilled }
    }
}

/// The runs, by key.
pub(crate) struct Merged {
    held: Vec<(u32, u32, u32)>,
    ends: Vec<u64>,
    spilled: Vec<Spilled>,
}

impl Merged {
    /// A key's pairs, in the order in which they came.
    pub(crate) fn of(&mut self, key: u32) -> Result<Vec<(u32, u32)>, Error> {
        let mut found = Vec::new();
        for run in &mut self.spilled {
            run.read(key, &mut found).map_err(scratch_fails)?;
        }
        let range = range_of(&self.ends, key);
        let held = &self.held[range.start as usize..range.end as usize];
        found.extend(held.iter().map(|&(_, first, second)| (first, second)));
        Ok(found)
    }
}

impl Spilled {
    fn read(&mut self, key: u32, found: &mut Vec<(u32, u32)>) -> std::io::Result<()> {
        let range = range_of(&self.ends, key);
        let count = (range.end - range.start) as usize;
        if count == 0 {
            return Ok(());
        }
        let mut bytes = vec![0; count * PAIR_BYTES];
        self.file.seek(SeekFrom::Start(range.start * PAIR_BYTES as u64))?;
        self.file.read_exact(&mut bytes)?;
        let number = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        found.extend(bytes.chunks(PAIR_BYTES).map(|pair| (number(&pair[..4]), number(&pair[4..]))));
        Ok(())
    }
}

fn range_of(ends: &[u64], key: u32) -> std::ops::Range<u64> {
    let key = key as usize;
    let start = if key == 0 { Some(0) } else { ends.get(key - 1).copied() };
    match start.zip(ends.get(key)) {
        Some((start, &end)) => start..end,
        None => 0..0,
    }
}

fn scratch_fails(error: std::io::Error) -> Error {
    Error::Unwritable { reason: format!("a scratch file fails: {error}") }
}

#[cfg(test)]
mod tests {
    use super::Spill;

    /// What keys 0 to 4 have when so many pairs are held at most.
    fn check(most: usize, expected: [&[(u32, u32)]; 5]) {
        let mut spill = Spill::new(most, None);
        for (number, key) in [3, 0, 3, 1, 3, 0].into_iter().enumerate() {
            spill.add(key, (number as u32, key * 10));
            spill.keep_within_bounds(4).unwrap();
        }
        let mut merged = spill.merged(4);
        for (key, expected) in expected.into_iter().enumerate() {
            assert_eq!(merged.of(key as u32).unwrap(), expected, "key {key}, {most} held");
        }
    }

    #[test]
    fn pairs_come_back_by_key_in_the_order_they_came() {
        for most in [1, 2, 4, 100] {
            check(most, [&[(1, 0), (5, 0)], &[(3, 10)], &[], &[(0, 30), (2, 30), (4, 30)], &[]]);
        }
    }
}
