//! The files of a site with a hash of each, by which the next run knows what has changed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::parallel::{OnFile, for_each};
use super::walk::walk;
use crate::inject;
use crate::page::Skip;

/// A larger file is not read, in bytes.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// SHA-256 of a file of a site, without the lines that [`inject`] puts into it.
pub(super) type FileHash = [u8; 32];

/// The HTML files of a site.
#[derive(Debug, Default)]
pub struct Listing {
    /// The files, by address.
    pub(super) files: Vec<(String, FileHash)>,
    /// The inventories of names, by address.
    inventories: Vec<String>,
    /// What can't be read, by address, that of a folder with a slash at its end.
    pub(super) skipped: BTreeMap<String, Skip>,
}

impl Listing {
    /// Lists the HTML files below `root`, and hashes them. `on_file` is called with how many of how many are done.
    ///
    /// # Errors
    /// Where the folder can't be listed; [`io::ErrorKind::Interrupted`] where `on_file` says to stop.
    pub fn of(root: &Path, on_file: &OnFile<'_>) -> io::Result<Listing> {
        let found = walk(root)?;
        let hashed =
            for_each(&found.pages, on_file, || |address: &String| read(root, address).map(|file| hash(&file)))?;
        let mut listing = Listing { skipped: found.skipped, inventories: found.inventories, ..Listing::default() };
        for (address, hash) in found.pages.into_iter().zip(hashed) {
            match hash {
                Ok(hash) => listing.files.push((address, hash)),
                Err(skip) => drop(listing.skipped.insert(address, skip)),
            }
        }
        Ok(listing)
    }

    /// The addresses of the files that can be read.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(address, _)| address.as_str())
    }

    /// The addresses of the files `objects.inv`, which say where the site defines names.
    pub fn inventories(&self) -> &[String] {
        &self.inventories
    }

    /// SHA-256 of all names and hashes.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut all = Sha256::new();
        for (address, hash) in &self.files {
            all.update((address.len() as u64).to_le_bytes());
            all.update(address);
            all.update(hash);
        }
        for (address, skip) in &self.skipped {
            all.update((address.len() as u64).to_le_bytes());
            all.update(address);
            all.update(skip.code());
        }
        all.finalize().into()
    }
}

/// The bytes of a file of the site.
pub(super) fn read(root: &Path, address: &str) -> Result<Vec<u8>, Skip> {
    let path = root.join(address);
    let length = fs::metadata(&path).map_err(|_| Skip::Unreadable)?.len();
    if length > MAX_FILE_BYTES {
        return Err(Skip::TooLarge);
    }
    fs::read(&path).map_err(|_| Skip::Unreadable)
}

pub(super) fn hash(file: &[u8]) -> FileHash {
    Sha256::digest(inject::remove(file)).into()
}
