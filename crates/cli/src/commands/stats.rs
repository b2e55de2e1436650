//! `seealso stats`: how large an index is, and what it is made of.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use flate2::{Compression, write::GzEncoder};
use seealso::Config;
use seealso_index::Analysis;
use seealso_pack::CATALOG_FILE;
use serde::Serialize;

use crate::exit::{Done, Outcome};
use crate::source::{FolderLibrary, block_on, open};
use crate::style::{FAINT, STRONG, counted, plain, say};

/// Show the index's numbers: packs, pages, terms, the longest postings, and bytes, raw and compressed.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// So many of the longest postings are listed.
const LONGEST: usize = 10;

#[derive(Debug, Serialize)]
struct Statistics {
    packs: Vec<PackRow>,
    pages: u32,
    terms: usize,
    longest_postings: Vec<TermRow>,
    analyses: Vec<AnalysisRow>,
    parts: Vec<PartRow>,
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
    /// Whether See Also comes from links in the text, for want of such sections.
    links_derived: bool,
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

#[derive(Debug, Serialize)]
struct PartRow {
    name: &'static str,
    bytes: usize,
}

/// Bytes as they lie, and as a server that compresses would send them.
#[derive(Debug, Default, Serialize)]
struct Size {
    bytes: usize,
    gzip_bytes: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let library = block_on(open(&arguments.packs, Config::default()))??;
    let statistics = gather(&library, &arguments.packs)?;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&statistics)?),
        false => print(&statistics),
    }
    Ok(Done::Well)
}

fn gather(library: &FolderLibrary, root: &Path) -> anyhow::Result<Statistics> {
    let index = library.index();
    let files = &library.catalog().index;
    let size =
        files.iter().try_fold(Size::default(), |sum, file| anyhow::Ok(sum.plus(&Size::of(&root.join(&file.path))?)))?;
    let a_page = |bytes: usize| bytes as f64 / f64::from(index.len().max(1));
    let known = library.catalog().packs.iter().zip(index.packs());
    let packs = known.map(|(pack, entry)| PackRow {
        path: pack.path.clone(),
        title: pack.title.clone(),
        language: pack.language.clone(),
        pages: pack.pages,
        links_derived: entry.links_derived,
    });
    let analyses = index.analyses().iter().map(|(analysis, of)| AnalysisRow {
        name: analysis.name(),
        pages: of.pages,
        average_length: of.average_length,
    });
    Ok(Statistics {
        packs: packs.collect(),
        pages: index.len(),
        terms: index.term_count(),
        longest_postings: longest(index.terms()?),
        analyses: analyses.collect(),
        parts: index.part_sizes().into_iter().map(|(name, bytes)| PartRow { name, bytes }).collect(),
        index_bytes_per_page: a_page(size.bytes),
        index_gzip_bytes_per_page: a_page(size.gzip_bytes),
        index: size,
        catalog: Size::of(&root.join(CATALOG_FILE))?,
    })
}

fn longest(mut terms: Vec<(Analysis, String, u32)>) -> Vec<TermRow> {
    terms.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.1.cmp(&b.1)));
    let row = |(analysis, term, pages): (Analysis, String, u32)| TermRow { term, analysis: analysis.name(), pages };
    terms.into_iter().take(LONGEST).map(row).collect()
}

impl Size {
    fn of(path: &Path) -> anyhow::Result<Size> {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&bytes)?;
        Ok(Size { bytes: bytes.len(), gzip_bytes: gzip.finish()?.len() })
    }

    fn plus(&self, other: &Size) -> Size {
        Size { bytes: self.bytes + other.bytes, gzip_bytes: self.gzip_bytes + other.gzip_bytes }
    }
}

fn print(of: &Statistics) {
    let [packs, pages] = [counted(of.packs.len(), "pack"), counted(of.pages as usize, "page")];
    say!("{STRONG}{packs}, {pages}, {}{STRONG:#}", counted(of.terms, "term"));
    for pack in &of.packs {
        let derived = if pack.links_derived { "  See Also from links in the text" } else { "" };
        let (path, title) = (plain(&pack.path), plain(&pack.title));
        say!("{:>6}  {path}  {FAINT}{title}, {}{derived}{FAINT:#}", pack.pages, plain(&pack.language));
    }
    say!("\n{STRONG}Analyses{STRONG:#}");
    for row in &of.analyses {
        say!("{:>6}  {}  {FAINT}{:.1} words a page{FAINT:#}", row.pages, row.name, row.average_length);
    }
    say!("\n{STRONG}Longest postings{STRONG:#} {FAINT}(pages that hold the term){FAINT:#}");
    for row in &of.longest_postings {
        say!("{:>6}  {}  {FAINT}{}{FAINT:#}", row.pages, plain(&row.term), row.analysis);
    }
    say!("\n{STRONG}Bytes{STRONG:#}");
    for part in &of.parts {
        say!("{:>9}  {}", part.bytes, part.name);
    }
    for (name, size) in [("index", &of.index), ("catalog", &of.catalog)] {
        say!("{:>9}  {STRONG}{name}{STRONG:#}, gzip {}", size.bytes, size.gzip_bytes);
    }
    let [raw, gzip] = [of.index_bytes_per_page, of.index_gzip_bytes_per_page];
    say!("{raw:>9.1}  {STRONG}index a page{STRONG:#}, gzip {gzip:.1}");
}
