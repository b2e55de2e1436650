//! External sorting of pairs of numbers by key, in bounded memory.
//!
//! Pairs gather in memory. When there are too many, they are sorted by key and written to a scratch file as a run. The
//! pairs of a key are then those of each run in turn, still in the order in which they were added (single-pass
//! in-memory indexing: Heinz and Zobel, 2003).

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// A sort that pairs are added to.
pub(crate) struct ExternalSort {
    /// The pairs in memory, each after its key.
    buffer: Vec<(u32, u32, u32)>,
    most: usize,
    scratch: Option<PathBuf>,
    runs: Vec<SortedRun>,
}

/// A run in a scratch file.
struct SortedRun {
    file: File,
    /// Where each key's pairs end, in pairs. Keys that were first added later are absent.
    ends: Vec<u64>,
}

const PAIR_BYTES: usize = 8;

impl ExternalSort {
    /// A sort that holds about `most` pairs in memory, and the others in files in the folder `scratch`; the system's
    /// folder for temporary files where that is none.
    pub(crate) fn new(most: usize, scratch: Option<PathBuf>) -> Self {
        ExternalSort { buffer: Vec::new(), most, scratch, runs: Vec::new() }
    }

    pub(crate) fn add(&mut self, key: u32, pair: (u32, u32)) {
        self.buffer.push((key, pair.0, pair.1));
    }

    /// Writes the pairs in memory to a scratch file if they are too many. All keys so far are below `keys`.
    pub(crate) fn keep_within_bounds(&mut self, keys: usize) -> Result<(), Error> {
        match self.buffer.len() >= self.most {
            true => self.write_run(keys).map_err(scratch_error),
            false => Ok(()),
        }
    }

    fn write_run(&mut self, keys: usize) -> std::io::Result<()> {
        let ends = self.sort(keys);
        let folder = self.scratch.clone().unwrap_or_else(std::env::temp_dir);
        // One process may write several indexes at a time.
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("seealso-{}-{number}.run", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // The name is removed at once; the file exists as long as it is open.
        let _ = std::fs::remove_file(&path);
        let mut out = BufWriter::new(file);
        for (_, first, second) in self.buffer.drain(..) {
            out.write_all(&first.to_le_bytes())?;
            out.write_all(&second.to_le_bytes())?;
        }
        let file = out.into_inner().map_err(|error| error.into_error())?;
        self.runs.push(SortedRun { file, ends });
        Ok(())
    }

    /// Sorts the pairs in memory by key, in the order in which they were added; returns where each key's pairs end.
    fn sort(&mut self, keys: usize) -> Vec<u64> {
        self.buffer.sort_by_key(|&(key, ..)| key);
        let mut ends = vec![0u64; keys];
        self.buffer.iter().for_each(|&(key, ..)| ends[key as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        ends
    }

    /// Ends the sort. All keys are below `keys`.
    pub(crate) fn sorted(mut self, keys: usize) -> SortedPairs {
        let ends = self.sort(keys);
        SortedPairs { buffer: self.buffer, ends, runs: self.runs }
    }
}

/// The pairs of a sort, by key.
pub(crate) struct SortedPairs {
    buffer: Vec<(u32, u32, u32)>,
    ends: Vec<u64>,
    runs: Vec<SortedRun>,
}

impl SortedPairs {
    /// The pairs of a key, in the order in which they were added.
    pub(crate) fn of(&mut self, key: u32) -> Result<Vec<(u32, u32)>, Error> {
        let mut found = Vec::new();
        for run in &mut self.runs {
            run.read(key, &mut found).map_err(scratch_error)?;
        }
        let range = range_of(&self.ends, key);
        let buffered = &self.buffer[range.start as usize..range.end as usize];
        found.extend(buffered.iter().map(|&(_, first, second)| (first, second)));
        Ok(found)
    }
}

impl SortedRun {
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

fn scratch_error(error: std::io::Error) -> Error {
    Error::unwritable(format!("a scratch file fails: {error}"))
}

#[cfg(test)]
mod tests {
    use super::ExternalSort;

    /// Checks the pairs of keys 0 to 4 where `most` pairs are held in memory.
    fn check(most: usize, expected: [&[(u32, u32)]; 5]) {
        let mut sort = ExternalSort::new(most, None);
        for (number, key) in [3, 0, 3, 1, 3, 0].into_iter().enumerate() {
            sort.add(key, (number as u32, key * 10));
            sort.keep_within_bounds(4).unwrap();
        }
        let mut pairs = sort.sorted(4);
        for (key, expected) in expected.into_iter().enumerate() {
            assert_eq!(pairs.of(key as u32).unwrap(), expected, "key {key}, {most} in memory");
        }
    }

    #[test]
    fn pairs_come_back_by_key_in_the_order_they_came() {
        for most in [1, 2, 4, 100] {
            check(most, [&[(1, 0), (5, 0)], &[(3, 10)], &[], &[(0, 30), (2, 30), (4, 30)], &[]]);
        }
    }
}
