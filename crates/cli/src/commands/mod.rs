//! The subcommands, in the order in which one meets them.

pub(crate) mod new;
pub(crate) mod site;
pub(crate) mod build;
pub(crate) mod rows;
pub(crate) mod check;
pub(crate) mod search;
pub(crate) mod explain;
pub(crate) mod ask;
pub(crate) mod setup;
pub(crate) mod retrieve;
pub(crate) mod entries;
pub(crate) mod clean;
pub(crate) mod stats;
pub(crate) mod eval;
pub(crate) mod bench;
pub(crate) mod serve;
pub(crate) mod report;
pub(crate) mod mcp;
pub(crate) mod node;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use seealso::{Clock, Config, Filter, Library, PackSource, Tier};
use seealso_index::Error;

/// A model of fewer bytes is asked in the way of the smallest machines, since it makes use of little text.
const MICRO_BYTES: u64 = 256 << 20;

/// The packs and the class of machine: the arguments of every command that asks questions.
#[derive(Args)]
pub struct PackArguments {
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    pub packs: PathBuf,
    /// The class of machine to answer for: micro, small, mid, large, xl, server-s, server-l; by default small, or micro for a
    /// model of less than 256 MB.
    #[arg(long, value_parser = parse_tier)]
    tier: Option<Tier>,
}

/// The filter of pages: the arguments of every command that asks one question.
#[derive(Debug, Clone, Args)]
pub(crate) struct FilterArguments {
    /// Keep to the pack of this path, or to the packs in the folder of this path; may be given several times.
    #[arg(long, value_name = "PATH")]
    pack: Vec<String>,
    /// Keep to pages with this tag; may be given several times, for pages with any of them.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Keep to packs in this language, such as `en`; may be given several times.
    #[arg(long, value_name = "TAG")]
    language: Vec<String>,
}

impl FilterArguments {
    /// Whether all pages pass.
    pub(crate) fn is_empty(&self) -> bool {
        self.pack.is_empty() && self.tag.is_empty() && self.language.is_empty()
    }

    /// The filter. Its packs must exist.
    pub(crate) async fn resolve<S: PackSource, C: Clock>(&self, library: &Library<S, C>) -> anyhow::Result<Filter> {
        let packs: Vec<String> = self.pack.iter().map(|path| path.trim_matches('/').to_owned()).collect();
        let exist = library.resolve(|index| {
            let bm25 = seealso_index::Bm25::default();
            let at = |path: &String| Ok(!index.searcher(&bm25).packs_at(path)?.is_empty());
            seealso_index::try_all(packs.iter().map(|path| at(path).map(drop)))?;
            packs.iter().map(at).collect::<Result<Vec<bool>, Error>>()
        });
        if let Some(at) = exist.await?.iter().position(|exists| !exists) {
            bail!("{}: there is no such pack; `seealso stats` lists them", packs[at]);
        }
        Ok(Filter { packs, tags: self.tag.clone(), languages: self.language.clone() })
    }
}

impl PackArguments {
    /// The limits of a run for that machine.
    pub fn config(&self) -> Config {
        Config { tier: self.tier.unwrap_or_default(), ..Config::default() }
    }

    /// The tier to deliberate for with the model in `file`, where there is one.
    pub(crate) fn tier(&self, file: Option<&Path>) -> Tier {
        let bytes = file.and_then(|file| std::fs::metadata(file).ok()).map(|known| known.len());
        let of_small_model = bytes.filter(|bytes| *bytes < MICRO_BYTES).map(|_| Tier::Micro);
        self.tier.or(of_small_model).unwrap_or_default()
    }
}

pub(crate) fn parse_tier(name: &str) -> Result<Tier, String> {
    Tier::named(name).ok_or_else(|| {
        let known: Vec<&str> = Tier::all().map(Tier::name).collect();
        format!("no tier has that name; there are {}", known.join(", "))
    })
}
