//! Publishing: packs in, static files out, for any plain file host.
//!
//! [`publish`] either indexes packs where they lie (pages stay exactly as authored) or copies them to another folder
//! and indexes them there. Beside them it writes `index/<hash>.idx` and `catalog.json`. A build is deterministic, it
//! takes over unchanged packs from the last index instead of reading them again, and it is atomic: the catalog, which
//! alone points at the other files, is replaced last, in one step.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seealso_index::{Index, NewPack, NewPage, PAGE_HASH_BYTES};
use sha2::{Digest, Sha256};

use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack, IndexFile};
use crate::{Dialect, Error, Finding, Manifest, Pack, Page};

/// The folder of index files, under the packs root.
const INDEX_FOLDER: &str = "index";

/// What to publish, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Each pack's folder, and its path under the packs root.
    pub packs: Vec<(PathBuf, String)>,
    /// The packs root to write to.
    pub out: PathBuf,
    /// Whether the packs already lie under `out`, so that nothing is copied.
    pub in_place: bool,
    /// Whether to write `index/pages.tsv` (id, title, summary) too.
    pub tsv: bool,
}

/// What a build did.
#[derive(Debug, Clone)]
pub struct Published {
    /// The catalog that was written.
    pub catalog: Catalog,
    /// Paths of the packs that were read; the others were unchanged.
    pub read: Vec<String>,
    /// Whether any file was written.
    pub changed: bool,
    /// What the readers found, with files named from the packs root.
    pub findings: Vec<Finding>,
}

/// Builds and writes the catalog and the index of `plan`. `progress` is told of each pack as its turn comes.
///
/// # Errors
/// An [`Error`] that names the file; whatever was published before stays whole.
pub fn publish(plan: &Plan, progress: &mut dyn FnMut(&str)) -> Result<Published, Error> {
    let last = LastBuild::open(&plan.out);
    let mut build = Build::default();
    for (dir, path) in &plan.packs {
        progress(path);
        build.add(dir, path, &last)?;
    }
    let (catalog, bytes) = index_of(build.entries, &build.packs).map_err(|e| Error::Invalid {
        path: plan.out.clone(),
        cause: e.to_string(),
        hint: "Publish fewer pages at a time.",
    })?;
    let tsv = plan.tsv.then(|| tsv(&build.packs));
    let changed = match plan.in_place {
        true => write_index(&plan.out, &catalog, &bytes, tsv.as_deref())?,
        false => write_copy(plan, &catalog, &bytes, tsv.as_deref())?,
    };
    Ok(Published { catalog, read: build.read, changed, findings: build.findings })
}

/// The catalog and the index file of `packs`, without writing anything.
///
/// # Errors
/// [`seealso_index::Error::Unwritable`] for more pages than an index can number.
pub fn catalog_of(packs: &[Pack]) -> Result<(Catalog, Vec<u8>), seealso_index::Error> {
    let entries = packs.iter().map(|pack| entry(pack, String::new())).collect();
    index_of(entries, &packs.iter().map(new_pack).collect::<Vec<_>>())
}

fn index_of(entries: Vec<CatalogPack>, packs: &[NewPack]) -> Result<(Catalog, Vec<u8>), seealso_index::Error> {
    let bytes = seealso_index::write(packs)?;
    let sha256 = hex(&Sha256::digest(&bytes));
    let file = IndexFile { path: format!("{INDEX_FOLDER}/{}.idx", &sha256[..16]), bytes: bytes.len() as u64, sha256 };
    Ok((Catalog::new(entries, vec![file]), bytes))
}

fn entry(pack: &Pack, fingerprint: String) -> CatalogPack {
    CatalogPack {
        path: pack.path.clone(),
        title: pack.title().to_owned(),
        language: pack.language().to_owned(),
        page_root: pack.page_root().to_owned(),
        pages: pack.pages.len() as u32,
        summary: pack.summary().to_owned(),
        fingerprint,
    }
}

#[derive(Default)]
struct Build {
    packs: Vec<NewPack>,
    entries: Vec<CatalogPack>,
    read: Vec<String>,
    findings: Vec<Finding>,
}

impl Build {
    fn add(&mut self, dir: &Path, path: &str, last: &LastBuild) -> Result<(), Error> {
        let fingerprint = fingerprint(dir)?;
        if let Some((entry, pack)) = last.unchanged(path, &fingerprint) {
            self.entries.push(entry);
            self.packs.push(pack);
            return Ok(());
        }
        let mut pack = Pack::read(dir, path)?;
        self.entries.push(entry(&pack, fingerprint));
        for mut finding in std::mem::take(&mut pack.findings) {
            finding.file = format!("{path}/{}", finding.file);
            self.findings.push(finding);
        }
        self.packs.push(new_pack(&pack));
        self.read.push(path.to_owned());
        Ok(())
    }
}

impl Pack {
    /// A pack of pages in memory, each given as its file and its text; its folder is empty.
    pub fn of_pages(path: &str, pages: &[(&str, &str)]) -> Pack {
        let mut pages: Vec<(Page, [u8; 32])> =
            pages.iter().map(|(file, text)| (Page::parse(file, text).0, Sha256::digest(text).into())).collect();
        pages.sort_by(|a, b| a.0.file.cmp(&b.0.file));
        let (pages, page_hashes) = pages.into_iter().unzip();
        Pack {
            path: path.to_owned(),
            dialect: Dialect::Wiki,
            manifest: Manifest::default(),
            pages,
            index_rows: None,
            schema: None,
            log: None,
            dir: PathBuf::new(),
            page_hashes,
            findings: Vec::new(),
        }
    }
}

/// A pack as the index takes it.
pub fn new_pack(pack: &Pack) -> NewPack {
    let directory = pack.directory();
    let pages = pack.pages.iter().zip(&pack.page_hashes).map(|(page, hash)| NewPage {
        file: page.file.clone(),
        title: page.title.clone(),
        aliases: page.aliases.clone(),
        summary: page.summary.clone(),
        body: String::new(),
        hash: short_hash(hash),
        links: directory.links(&page.file).to_vec(),
    });
    NewPack {
        path: pack.path.clone(),
        language: pack.language().to_owned(),
        links_derived: directory.derived(),
        pages: pages.collect(),
    }
}

fn short_hash(hash: &[u8; 32]) -> [u8; PAGE_HASH_BYTES] {
    let mut short = [0; PAGE_HASH_BYTES];
    short.copy_from_slice(&hash[..PAGE_HASH_BYTES]);
    short
}

/// The catalog and index that lie at the packs root already, where they can be used.
struct LastBuild(Option<(Catalog, Index)>);

impl LastBuild {
    fn open(out: &Path) -> LastBuild {
        let read = || {
            let catalog = Catalog::parse(&fs::read(out.join(CATALOG_FILE)).ok()?).ok()?;
            let bytes = fs::read(out.join(&catalog.index.first()?.path)).ok()?;
            let same = hex(&Sha256::digest(&bytes)) == catalog.index.first()?.sha256;
            let same_generator = catalog.generator == Catalog::new(Vec::new(), Vec::new()).generator;
            (same && same_generator).then(|| Index::open(bytes).ok()).flatten().map(|index| (catalog, index))
        };
        LastBuild(read())
    }

    /// The pack as it was indexed, where its files are still the same.
    fn unchanged(&self, path: &str, fingerprint: &str) -> Option<(CatalogPack, NewPack)> {
        let (catalog, index) = self.0.as_ref()?;
        let entry = catalog.packs.iter().find(|pack| pack.path == path && pack.fingerprint == fingerprint)?;
        let known = index.packs().iter().find(|pack| pack.path == path)?;
        let mut pages = Vec::new();
        for number in known.pages.clone().map(seealso_index::PageNo) {
            let page = index.page(number).ok()?;
            let links = index.links(number).ok()?;
            let links: Option<Vec<String>> = links.into_iter().map(|to| Some(index.page(to).ok()?.file)).collect();
            pages.push(NewPage {
                file: page.file,
                title: page.title,
                aliases: page.aliases,
                summary: page.summary,
                body: String::new(),
                hash: page.hash,
                links: links?,
            });
        }
        let pack = NewPack {
            path: path.to_owned(),
            language: entry.language.clone(),
            links_derived: known.links_derived,
            pages,
        };
        Some((entry.clone(), pack))
    }
}

/// SHA-256, in hex, over the names and bytes of a pack's files.
fn fingerprint(dir: &Path) -> Result<String, Error> {
    let mut hash = Sha256::new();
    for (name, path) in files_below(dir)? {
        let bytes = fs::read(&path).map_err(|e| Error::io(&path, "reading", e))?;
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// Every file below `dir` by its `/`-separated name, hidden ones aside.
fn files_below(dir: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(dir.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, "reading", e))? {
            let entry = entry.map_err(|e| Error::io(&folder, "reading", e))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(|e| Error::io(&entry.path(), "reading", e))?;
            if name.starts_with('.') {
                continue;
            }
            match kind.is_dir() {
                true => waiting.push((entry.path(), format!("{prefix}{name}/"))),
                false => drop(kind.is_file().then(|| found.insert(format!("{prefix}{name}"), entry.path()))),
            }
        }
    }
    Ok(found)
}

/// Writes the index and then the catalog under `root`; says whether anything changed.
fn write_index(root: &Path, catalog: &Catalog, index: &[u8], tsv: Option<&str>) -> Result<bool, Error> {
    let before = fs::read(root.join(CATALOG_FILE)).ok();
    let kept = before.as_deref().and_then(|bytes| Catalog::parse(bytes).ok());
    let mut changed = false;
    for file in &catalog.index {
        changed |= replace(&root.join(&file.path), index)?;
    }
    if let Some(tsv) = tsv {
        changed |= replace(&root.join(INDEX_FOLDER).join("pages.tsv"), tsv.as_bytes())?;
    }
    changed |= replace(&root.join(CATALOG_FILE), catalog.to_json().as_bytes())?;
    let known: Vec<&IndexFile> = kept.iter().chain([catalog]).flat_map(|catalog| &catalog.index).collect();
    remove_older(&root.join(INDEX_FOLDER), &known);
    Ok(changed)
}

/// Writes `bytes` to `path` in one step, unless they are there already.
fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
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

/// Removes index files that neither this catalog nor the last one names: a reader that fetched the last catalog a
/// moment ago still finds its index.
fn remove_older(folder: &Path, known: &[&IndexFile]) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let stale = name.ends_with(".idx") && !known.iter().any(|file| file.path.ends_with(&name));
        if stale {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Builds the whole output folder beside the old one, and then puts it in its place.
fn write_copy(plan: &Plan, catalog: &Catalog, index: &[u8], tsv: Option<&str>) -> Result<bool, Error> {
    let same = fs::read(plan.out.join(CATALOG_FILE)).is_ok_and(|there| there == catalog.to_json().as_bytes());
    if same && catalog.index.iter().all(|file| plan.out.join(&file.path).is_file()) && tsv.is_none() {
        return Ok(false);
    }
    let name = plan.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let staging = plan.out.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let filled = fill(&staging, plan, catalog, index, tsv).and_then(|()| swap(&staging, &plan.out));
    if filled.is_err() {
        let _ = fs::remove_dir_all(&staging);
    }
    filled.map(|()| true)
}

fn fill(staging: &Path, plan: &Plan, catalog: &Catalog, index: &[u8], tsv: Option<&str>) -> Result<(), Error> {
    for (dir, path) in &plan.packs {
        for (name, from) in files_below(dir)? {
            let to = staging.join(path).join(name);
            let folder = to.parent().unwrap_or(staging);
            fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
            fs::copy(&from, &to).map_err(|e| Error::io(&to, "writing", e))?;
        }
    }
    write_index(staging, catalog, index, tsv).map(drop)
}

/// Puts `staging` where `out` is. The folder it replaces is one that an earlier build made: it has a catalog.
fn swap(staging: &Path, out: &Path) -> Result<(), Error> {
    if !out.exists() {
        return fs::rename(staging, out).map_err(|e| Error::io(out, "writing", e));
    }
    let is_empty = fs::read_dir(out).map_err(|e| Error::io(out, "writing", e))?.next().is_none();
    if !is_empty && !out.join(CATALOG_FILE).is_file() {
        let cause = "it holds files that no build made".to_owned();
        return Err(Error::Invalid { path: out.to_path_buf(), cause, hint: "Name an empty or a new folder." });
    }
    let old = staging.with_extension("old");
    fs::rename(out, &old).map_err(|e| Error::io(out, "writing", e))?;
    if let Err(e) = fs::rename(staging, out) {
        let _ = fs::rename(&old, out);
        return Err(Error::io(out, "writing", e));
    }
    let _ = fs::remove_dir_all(&old);
    Ok(())
}

fn tsv(packs: &[NewPack]) -> String {
    let mut lines = String::new();
    for (pack, page) in packs.iter().flat_map(|pack| pack.pages.iter().map(move |page| (pack, page))) {
        let id = page.file.strip_suffix(".md").unwrap_or(&page.file);
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        lines += &format!("{}/{id}\t{}\t{}\n", pack.path, flat(&page.title), flat(&page.summary));
    }
    lines
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
