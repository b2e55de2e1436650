//! `seealso stats`: shows the size of an index, and of its parts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use flate2::{Compression, write::GzEncoder};
use seealso_index::{Analysis, Error, File, FileLocation, Index, PackNo, file_name, try_all};
use seealso_pack::{CATALOG_FILE, CatalogPack};
use serde::Serialize;

use crate::chunk_library::open_pages_or_chunks;
use crate::exit::{CommandResult, Completion};
use crate::source::{FolderLibrary, block_on, catalog_packs};
use crate::style::{FAINT, STRONG, pluralize, printable, say};

/// Show the index's numbers: packs, pages, terms, the longest postings, and bytes, raw and compressed.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// Show the numbers of the index of chunks that `setup` made, in which each chunk counts as a page.
    #[arg(long)]
    chunks: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// How many of the longest postings are listed.
const LONGEST_LISTED: usize = 10;

#[derive(Debug, Serialize)]
struct Statistics {
    packs: Vec<PackRow>,
    pages: u32,
    terms: usize,
    longest_postings: Vec<TermRow>,
    analyses: Vec<AnalysisRow>,
    /// The files, by their content.
    parts: Vec<PartRow>,
    /// The content of an index in one file, before it was deflated.
    inside: Vec<PartRow>,
    index: Size,
    catalog: Size,
    index_bytes_per_page: f64,
    index_gzip_bytes_per_page: f64,
}

#[derive(Debug, Serialize)]
struct PackRow {
    path: String,
    title: String,
    language: String,
    pages: u32,
    /// Whether See Also is derived from links in the text, since no page has such a section; not looked up where there are
    /// many packs.
    links_derived: Option<bool>,
}

#[derive(Debug, Serialize)]
struct TermRow {
    term: String,
    analysis: &'static str,
    pages: u32,
}

#[derive(Debug, Serialize)]
struct AnalysisRow {
    name: &'static str,
    pages: u32,
    average_length: f64,
}

/// Files of one kind, and their sizes in bytes.
#[derive(Debug, Serialize)]
struct PartRow {
    name: &'static str,
    files: usize,
    bytes: usize,
    min: usize,
    median: usize,
    max: usize,
}

/// Bytes as stored, and as a server that compresses would send them.
#[derive(Debug, Default, Serialize)]
struct Size {
    bytes: usize,
    gzip_bytes: usize,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let statistics = block_on(async {
        let library = open_pages_or_chunks(&arguments.packs, arguments.chunks).await?;
        gather(&library, &arguments.packs).await
    })??;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&statistics)?),
        false => print(&statistics),
    }
    Ok(Completion::Success)
}

async fn gather(library: &FolderLibrary, root: &Path) -> anyhow::Result<Statistics> {
    let listed = catalog_packs(library)?;
    let packs = library.resolve(|index| pack_rows(index, &listed)).await?;
    let files = library.resolve(Index::files).await?;
    let terms = library.resolve(Index::terms).await?;
    let index = library.index();
    let analyses = index.analyses().iter().map(|(analysis, of)| AnalysisRow {
        name: analysis.name(),
        pages: of.pages,
        average_length: of.average_length,
    });
    let analyses = analyses.collect();
    let paths = index_paths(library, &files);
    let mut size = Size::default();
    let mut sizes: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    for (name, path) in paths {
        let of = Size::of(&root.join(path))?;
        size = size.plus(&of);
        sizes.entry(name).or_default().push(of.bytes);
    }
    let inside = files.iter().filter_map(|(file, lies)| match lies {
        FileLocation::InRoot(bytes) => Some((part_name(*file), *bytes)),
        FileLocation::OwnFile(_) => None,
    });
    let a_page = |bytes: usize| bytes as f64 / f64::from(index.len().max(1));
    Ok(Statistics {
        packs,
        pages: index.len(),
        terms: terms.len(),
        longest_postings: longest(terms),
        analyses,
        parts: PartRow::of_each(sizes),
        inside: PartRow::of_each(by_name(inside)),
        index_bytes_per_page: a_page(size.bytes),
        index_gzip_bytes_per_page: a_page(size.gzip_bytes),
        index: size,
        catalog: Size::of(&root.join(CATALOG_FILE))?,
    })
}

/// The most packs that are looked up one by one, since each may need a file of its own.
const MAX_PACK_LOOKUPS: usize = 100;

fn pack_rows(index: &Index, listed: &[CatalogPack]) -> Result<Vec<PackRow>, Error> {
    let few = listed.len() <= MAX_PACK_LOOKUPS;
    if few {
        try_all((0..listed.len()).map(|number| index.pack(PackNo(number)).map(drop)))?;
    }
    let row = |(number, pack): (usize, &CatalogPack)| {
        let derived = || Ok(index.pack(PackNo(number))?.links_derived);
        Ok(PackRow {
            path: pack.path.clone(),
            title: pack.title.clone(),
            language: pack.language.clone(),
            pages: pack.pages,
            links_derived: few.then(derived).transpose()?,
        })
    };
    listed.iter().enumerate().map(row).collect()
}

/// The content and path of every file of the index; a file with two uses is listed once.
pub(super) fn index_paths(library: &FolderLibrary, files: &[(File, FileLocation)]) -> Vec<(&'static str, String)> {
    let catalog = library.catalog();
    let outside = files.iter().filter_map(|(file, lies)| match lies {
        FileLocation::OwnFile(hash) => Some((catalog.index.path_of(&file_name(hash)), part_name(*file))),
        FileLocation::InRoot(_) => None,
    });
    let by_path: BTreeMap<String, &'static str> = outside.chain([(catalog.index.root.path.clone(), "root")]).collect();
    let list = catalog.packs_file.iter().map(|file| ("list of packs", file.path.clone()));
    by_path.into_iter().map(|(path, name)| (name, path)).chain(list).collect()
}

fn part_name(file: File) -> &'static str {
    match file {
        File::Terms(_) => "term shards",
        File::Postings(_) => "long postings",
        File::Directory => "text directory",
        File::Texts(_) => "text blocks",
    }
}

fn by_name(sizes: impl Iterator<Item = (&'static str, usize)>) -> BTreeMap<&'static str, Vec<usize>> {
    let mut found: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    sizes.for_each(|(name, bytes)| found.entry(name).or_default().push(bytes));
    found
}

impl PartRow {
    fn of_each(parts: BTreeMap<&'static str, Vec<usize>>) -> Vec<PartRow> {
        parts.into_iter().map(|(name, sizes)| PartRow::of(name, sizes)).collect()
    }

    fn of(name: &'static str, mut sizes: Vec<usize>) -> PartRow {
        sizes.sort_unstable();
        let at = |place: usize| sizes.get(place).copied().unwrap_or_default();
        PartRow {
            name,
            files: sizes.len(),
            bytes: sizes.iter().sum(),
            min: at(0),
            median: at(sizes.len() / 2),
            max: at(sizes.len().saturating_sub(1)),
        }
    }
}

fn longest(mut terms: Vec<(Analysis, String, u32)>) -> Vec<TermRow> {
    terms.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.1.cmp(&b.1)));
    let row = |(analysis, term, pages): (Analysis, String, u32)| TermRow { term, analysis: analysis.name(), pages };
    terms.into_iter().take(LONGEST_LISTED).map(row).collect()
}

impl Size {
    fn of(path: &Path) -> anyhow::Result<Size> {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&bytes)?;
        Ok(Size { bytes: bytes.len(), gzip_bytes: gzip.finish()?.len() })
    }

    fn plus(&self, other: &Size) -> Size {
        Size { bytes: self.bytes + other.bytes, gzip_bytes: self.gzip_bytes + other.gzip_bytes }
    }
}

/// How many packs are printed.
const MAX_PACKS_PRINTED: usize = 40;

fn print(of: &Statistics) {
    let [packs, pages] = [pluralize(of.packs.len(), "pack"), pluralize(of.pages as usize, "page")];
    say!("{STRONG}{packs}, {pages}, {}{STRONG:#}", pluralize(of.terms, "term"));
    for pack in of.packs.iter().take(MAX_PACKS_PRINTED) {
        let derived = if pack.links_derived == Some(true) { "  See Also from links in the text" } else { "" };
        let (path, title) = (printable(&pack.path), printable(&pack.title));
        say!("{:>7}  {path}  {FAINT}{title}, {}{derived}{FAINT:#}", pack.pages, printable(&pack.language));
    }
    if of.packs.len() > MAX_PACKS_PRINTED {
        say!("{FAINT}         and {} more; --json lists them all{FAINT:#}", of.packs.len() - MAX_PACKS_PRINTED);
    }
    say!("\n{STRONG}Analyses{STRONG:#}");
    for row in &of.analyses {
        say!("{:>7}  {}  {FAINT}{:.1} words a page{FAINT:#}", row.pages, row.name, row.average_length);
    }
    say!("\n{STRONG}Longest postings{STRONG:#} {FAINT}(pages that hold the term){FAINT:#}");
    for row in &of.longest_postings {
        say!("{:>7}  {}  {FAINT}{}{FAINT:#}", row.pages, printable(&row.term), row.analysis);
    }
    say!("\n{STRONG}Bytes{STRONG:#}");
    of.parts.iter().for_each(print_part);
    if !of.inside.is_empty() {
        say!("{FAINT}           in the root, before deflating:{FAINT:#}");
        of.inside.iter().for_each(print_part);
    }
    for (name, size) in [("index", &of.index), ("catalog", &of.catalog)] {
        say!("{:>10}  {STRONG}{name}{STRONG:#}, gzip {}", size.bytes, size.gzip_bytes);
    }
    let [raw, gzip] = [of.index_bytes_per_page, of.index_gzip_bytes_per_page];
    say!("{raw:>10.1}  {STRONG}index a page{STRONG:#}, gzip {gzip:.1}");
}

fn print_part(part: &PartRow) {
    let of = match part.files {
        1 => String::new(),
        files => format!(": {files}, of {} to {}, median {}", part.min, part.max, part.median),
    };
    say!("{:>10}  {}{FAINT}{of}{FAINT:#}", part.bytes, part.name);
}
