//! The subcommands, in the order in which one meets them.

pub(crate) mod new;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod search;
pub(crate) mod explain;
pub(crate) mod ask;
pub(crate) mod stats;
pub(crate) mod eval;
pub(crate) mod serve;

use std::path::PathBuf;

use clap::Args;
use seealso::{Config, Tier};

/// Where the packs are, and for which machine: what every command that asks has in common.
#[derive(Args)]
pub(crate) struct Packs {
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    pub(crate) packs: PathBuf,
    /// The class of machine to answer for: micro, small, mid, large, xl, server-s, server-l.
    #[arg(long, default_value = "small", value_parser = tier)]
    pub(crate) tier: Tier,
}

impl Packs {
    pub(crate) fn config(&self) -> Config {
        Config { tier: self.tier, ..Config::default() }
    }
}

fn tier(name: &str) -> Result<Tier, String> {
    Tier::named(name).ok_or_else(|| {
        let known: Vec<&str> = Tier::all().map(Tier::name).collect();
        format!("no tier has that name; there are {}", known.join(", "))
    })
}
