//! One file is put in its place in one step, and stays untouched where it has the same bytes already.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use crate::Error;

/// Moves a file to its place, unless the same file is there already.
pub(super) fn move_file(from: &Path, to: &Path) -> Result<bool, Error> {
    if same_bytes(from, to).unwrap_or(false) {
        return Ok(false);
    }
    fs::rename(from, to).map_err(|e| Error::io(to, "writing", e))?;
    Ok(true)
}

/// Whether two files have the same bytes.
pub(super) fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        if both == 0 || left[..both] != right[..both] {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(both);
        other.consume(both);
    }
}

/// Writes `bytes` to `path` in one step, unless they are there already.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = folder.join(format!(".{name}.{}.part", std::process::id()));
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(|e| {
        let _ = fs::remove_file(&part);
        Error::io(path, "writing", e)
    })?;
    Ok(true)
}
