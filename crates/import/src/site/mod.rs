//! A whole site: its files read, its pages chosen, divided and linked, and written as packs.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::page::{SitePage, Skip};
use crate::read::PageReader;
use crate::settings::Settings;

mod choose;
mod inventory;
mod language;
mod links;
mod once;
mod pack;
mod repeats;
mod summary;
mod titles;
mod units;
mod walk;

pub use inventory::{INVENTORY_FILE, Inventory};
pub use pack::{SitePack, packs};
pub use units::SPLIT_BYTES;
pub use walk::html_files;

/// The folder of a site that holds its packs, their index and the engine.
pub const OUTPUT_FOLDER: &str = "seealso";

/// A larger file is not read, in bytes.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The stack of a thread that reads pages: an element that is nested as deep as may be takes a call.
const STACK_BYTES: usize = 64 << 20;

/// The content pages of a site, and what its other files are.
#[derive(Debug, Default)]
pub struct Site {
    /// The pages, by address.
    pub pages: Vec<SitePage>,
    /// The files that are no pages of their own, by address, each with the reason.
    pub skipped: BTreeMap<String, Skip>,
}

/// Reads the site in the folder `root`; `tell` hears how many files of how many are read.
///
/// # Errors
/// Where the folder can't be listed. A file that can't be read is among those skipped.
pub fn read_site(root: &Path, settings: &Settings, tell: &(dyn Fn(usize, usize) + Sync)) -> io::Result<Site> {
    let files = walk::html_files(root)?;
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let work = || {
        let reader = PageReader::new(settings);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(address) = files.get(at) else { break };
            tell(at, files.len());
            let read = read_file(&reader, root, address);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, read));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(files.len().max(1));
    thread::scope(|scope| {
        for _ in 0..threads {
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        }
        io::Result::Ok(())
    })?;
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    let mut site = Site::default();
    for (at, result) in results {
        match result {
            Ok(page) => site.pages.push(page),
            Err(skip) => {
                site.skipped.insert(files[at].clone(), skip);
            }
        }
    }
    choose::choose(&mut site);
    once::keep_once(&mut site);
    titles::complete(&mut site.pages, settings);
    Ok(site)
}

fn read_file(reader: &PageReader<'_>, root: &Path, address: &str) -> Result<SitePage, Skip> {
    let path = root.join(address);
    let length = fs::metadata(&path).map_err(|_| Skip::Unreadable)?.len();
    if length > MAX_FILE_BYTES {
        return Err(Skip::TooLarge);
    }
    let bytes = fs::read(&path).map_err(|_| Skip::Unreadable)?;
    reader.read(address, &bytes)
}
