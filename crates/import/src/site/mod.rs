//! A whole site: its files read, its pages chosen, divided and linked, and written as packs.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use crate::inject;
use crate::page::{SitePage, Skip};
use crate::read::PageReader;
use crate::settings::Settings;
use cache::CacheWriter;
use listing::FileHash;

mod walk;
mod parallel;
mod prefix;
mod listing;
mod cache;
mod choose;
mod editions;
mod inventory;
mod language;
mod links;
mod markdown_files;
mod once;
mod pack;
mod related;
mod repeats;
mod summary;
mod titles;
mod units;

pub use cache::PageCache;
pub use inventory::{INVENTORY_FILE, Inventory};
pub use listing::Listing;
pub use markdown_files::markdown_files;
pub use pack::{SitePack, VERSIONS_FOLDER, packs, packs_folder};
pub use parallel::OnFile;
pub use units::SPLIT_BYTES;

/// The folder of a site that holds its packs, their index and the engine.
pub const OUTPUT_FOLDER: &str = "seealso";

/// The content pages of a site, and what its other files are.
#[derive(Debug, Default)]
pub struct Site {
    /// The pages, by address.
    pub pages: Vec<SitePage>,
    /// The files that are no pages of their own, by address, each with the reason.
    pub skipped: BTreeMap<String, Skip>,
    /// The older versions of the site, by folder, such as `docs/1.9`.
    pub older: BTreeMap<String, Site>,
    /// The folder of its host that the site lies in, as its links tell, such as `docs/`; empty for none.
    pub prefix: String,
}

/// A site, and what the next run has of it.
#[derive(Debug)]
pub struct SiteReading {
    /// The site.
    pub site: Site,
    /// How many files were read, as they have changed or were not known.
    pub read_files: usize,
    /// The bytes of a [`PageCache`] of all files.
    pub cache: Vec<u8>,
}

/// Reads the site in the folder `root`. `on_file` is called with how many files of how many are read.
///
/// # Errors
/// Where the folder can't be listed. A file that can't be read is among those skipped.
pub fn read_site(root: &Path, settings: &Settings, on_file: &(dyn Fn(usize, usize) + Sync)) -> io::Result<Site> {
    let listing = Listing::of(root, &|_, _| ControlFlow::Continue(()))?;
    let on_file = |done: usize, of: usize| {
        on_file(done, of);
        ControlFlow::Continue(())
    };
    Ok(read_listed(root, listing, settings, PageCache::default(), &on_file)?.site)
}

/// Reads those files of `listing` that `cache` does not hold, and takes the others from there.
///
/// # Errors
/// Where no thread can be started; [`io::ErrorKind::Interrupted`] where `on_file` says to stop. A file that can't be read is
/// among those skipped.
pub fn read_listed(
    root: &Path,
    listing: Listing,
    settings: &Settings,
    mut cache: PageCache,
    on_file: &OnFile<'_>,
) -> io::Result<SiteReading> {
    let Listing { files, skipped, .. } = listing;
    let mut known: Vec<_> = files.iter().map(|(address, hash)| cache.take(address, hash)).collect();
    let changed: Vec<&str> = files
        .iter()
        .zip(&known)
        .filter(|(_, known)| known.is_none())
        .map(|((address, _), _)| address.as_str())
        .collect();
    let read = parallel::for_each(&changed, on_file, || {
        let reader = PageReader::new(settings);
        move |address: &&str| read_file(&reader, root, address)
    })?;
    let read_files = read.len();
    let mut read = read.into_iter();
    let mut writer = CacheWriter::new(settings)?;
    let mut site = Site { skipped, ..Site::default() };
    for ((address, hash), known) in files.into_iter().zip(&mut known) {
        // A file may have changed since it was listed: what was read belongs to the hash of the bytes that were read.
        let (hash, result) = match known.take() {
            Some(known) => (Some(hash), known),
            None => read.next().unwrap_or((None, Err(Skip::Unreadable))),
        };
        if let Some(hash) = hash {
            writer.put(&address, &hash, &result)?;
        }
        match result {
            Ok(page) => site.pages.push(page),
            Err(skip) => drop(site.skipped.insert(address, skip)),
        }
    }
    let cache = writer.close()?;
    prefix::apply(&mut site);
    choose::choose(&mut site, settings.versions);
    once::keep_once(&mut site);
    for site in site.older.values_mut() {
        titles::complete(&mut site.pages, settings);
    }
    titles::complete(&mut site.pages, settings);
    Ok(SiteReading { site, read_files, cache })
}

/// What a file is, with its hash where it can be read.
fn read_file(reader: &PageReader<'_>, root: &Path, address: &str) -> (Option<FileHash>, Result<SitePage, Skip>) {
    match listing::read(root, address) {
        Ok(file) => (Some(listing::hash(&file)), reader.read(address, &inject::remove(&file))),
        Err(skip) => (None, Err(skip)),
    }
}
