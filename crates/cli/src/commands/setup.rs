//! `seealso setup`: makes the optional stages of published packs: the chunks and their index, where an encoder is there the
//! vectors of the chunks, and the entries of packs that have any.
//!
//! What a question can use without it stays as it is: setup only adds files and names them in the catalog, which is
//! replaced last. Nothing leaves the machine.

use std::path::PathBuf;

use clap::Args;
use seealso_chunks::chunk_ranking;

use crate::chunk_library::ChunkLibrary;
use crate::exit::{CommandResult, Completion};
use crate::search_rows::list_pages;
use crate::source::block_on;
use crate::style::{ProgressLine, say};
use encode::{Encoder, PublishedVectors, VectorOptions};
use entries::PublishedEntries;
use records::RecordFolder;
use report::{SetupReport, SmokeTest, print_step};
use site::Site;

mod site;
pub(super) mod records;
mod chunk_index;
mod entry_texts;
mod encode;
mod entries;
mod prefixes;
mod estimate;
mod report;
mod diagnosis;

/// Divide the pages of built packs into chunks, build the index of chunks that `retrieve` searches, and with an encoder the
/// vectors of the chunks.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder that holds catalog.json and the packs.
    #[arg(value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// Only report what is there, and make nothing.
    #[arg(long, conflicts_with_all = ["rebuild", "estimate"])]
    check: bool,
    /// Only print what prefixes by a paid model would cost, and make nothing.
    #[arg(long, conflicts_with = "rebuild")]
    estimate: bool,
    /// Write the records of unchanged pages anew too.
    #[arg(long)]
    rebuild: bool,
    /// Let no language model write prefixes. No model ever does without being asked to, so this changes nothing.
    #[arg(long)]
    no_llm: bool,
    /// The folder of the encoder that makes the vectors of chunks, such as all-MiniLM-L6-v2: it holds config.json,
    /// tokenizer.json and model.safetensors. By default the one that SEEALSO_ENCODER names, or that the packs were set up
    /// with before.
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Publish the encoder beside its vectors too, in a byte a number, so that a browser can encode a question. Once it is
    /// published, later runs keep it up to date.
    #[arg(long, conflicts_with_all = ["check", "estimate"])]
    publish_encoder: bool,
    /// The least cosine of a page that has to do with a question: a question without such a page finds none. It belongs to
    /// the encoder, and later runs with the same one keep it; with -1 every question passes.
    #[arg(long, value_name = "COSINE", value_parser = parse_cosine, allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["check", "estimate"])]
    threshold: Option<f64>,
    /// The least relevance of a strong match, an entry that answers a question nearly directly: a cosine, which `seealso eval
    /// threshold` measures. It belongs to the encoder, and later runs with the same one keep it.
    #[arg(long, value_name = "COSINE", value_parser = parse_cosine, conflicts_with_all = ["check", "estimate"])]
    strong_match: Option<f64>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

fn parse_cosine(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cosine) if (-1.0..=1.0).contains(&cosine) => Ok(cosine),
        _ => Err("it must be a number from -1 to 1".to_owned()),
    }
}

/// The query that every setup ends with.
const SMOKE_QUERY: &str = "wiki";
/// How many chunks it asks for.
const SMOKE_CHUNKS: usize = 5;

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let site = Site::open(&arguments.packs)?;
    if arguments.check {
        diagnosis::run(&site, arguments.encoder.as_deref(), arguments.json)?;
    } else if arguments.estimate {
        estimate::run(&site, arguments.json)?;
    } else {
        let report = set_up(&site, arguments)?;
        if arguments.json {
            say!("{}", serde_json::to_string_pretty(&report)?);
        }
    }
    Ok(Completion::Success)
}

/// The steps in their order; each is printed when it is done, unless the report is to be JSON.
fn set_up(site: &Site, arguments: &Arguments) -> anyhow::Result<SetupReport> {
    let tell = |name: &str, text: &str| {
        if !arguments.json {
            print_step(name, text);
        }
    };
    site.ensure_index_is_current()?;
    tell("packs", &report::packs(site));
    let records = RecordFolder::create(&site.root)?;
    tell("folders", &records.path.display().to_string());
    let encoder = encode::find_encoder(arguments.encoder.as_deref(), &site.root)?;
    tell("encoder", &report::encoder(encoder.as_ref()));
    let prefix_source = prefixes::pick(arguments.no_llm, std::env::vars_os().map(|(name, _)| name));
    tell("prefixes", report::prefixes(prefix_source));
    let line = ProgressLine::on_stderr();
    let chunks = records.write_all(site, arguments.rebuild, &line)?;
    tell("chunks", &report::chunks(&chunks));
    let index = chunk_index::publish(site, &line)?;
    tell("chunk index", &report::index(&index));
    let (vectors, entries) = publish_encoded(site, encoder.as_ref(), arguments, &line)?;
    drop(line);
    if let Some(vectors) = &vectors {
        tell("vectors", &report::vectors(vectors));
    }
    if let Some(bytes) = vectors.as_ref().and_then(|vectors| vectors.published_encoder_bytes) {
        tell("for browsers", &report::published_encoder(bytes));
    }
    if let Some(entries) = &entries {
        tell("entries", &report::entries(entries));
    }
    let smoke_test = smoke_test(site)?;
    tell("smoke test", &report::smoke(&smoke_test));
    let (packs, pages) = (site.packs.len(), site.pages());
    let changed = chunks.has_changes()
        || index.changed
        || vectors.as_ref().is_some_and(|vectors| vectors.changed)
        || entries.as_ref().is_some_and(|entries| entries.changed);
    let prefix_source = prefix_source.name();
    Ok(SetupReport { packs, pages, encoder, prefix_source, chunks, index, vectors, entries, smoke_test, changed })
}

/// Publishes what an encoder makes, the vectors of chunks, and the entries, which have vectors only where one is there.
fn publish_encoded(
    site: &Site,
    encoder: Option<&Encoder>,
    arguments: &Arguments,
    line: &ProgressLine,
) -> anyhow::Result<(Option<PublishedVectors>, Option<PublishedEntries>)> {
    let options = VectorOptions { publishes_encoder: arguments.publish_encoder, threshold: arguments.threshold };
    let mut entries = entries::read_entries(site)?;
    let encoded = encode::encode_stage(site, encoder, options, &entries, line)?;
    let set = encoded.as_ref().map(|encoded| &encoded.entries);
    if let Some(set) = set {
        entry_texts::take_vectors(&mut entries, set);
    }
    let published = entries::publish(site, entries, set, arguments.strong_match)?;
    Ok((encoded.map(|encoded| encoded.published), published))
}

/// Searches what was just made.
fn smoke_test(site: &Site) -> anyhow::Result<SmokeTest> {
    let found = block_on(async {
        let chunks = ChunkLibrary::open(&site.root).await?;
        let search = |index: &_| list_pages(index, SMOKE_QUERY.into(), SMOKE_CHUNKS, &chunk_ranking());
        anyhow::Ok(chunks.library.resolve(search).await?.len())
    })??;
    Ok(SmokeTest { query: SMOKE_QUERY, found })
}
