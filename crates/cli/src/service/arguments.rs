//! The arguments of every command that serves packs to programs, and the start of their service.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use seealso::{Config, Tier};

use crate::commands::{FilterArguments, parse_tier};
use crate::pack_root::PackRoot;
use crate::stages::StageArguments;

use super::overview::SharedOverview;
use super::pack_engine::{EngineSettings, PackEngine};
use super::pool::{PoolLimits, ServiceHandle, start};

/// Threads where nobody says how many: a question is answered in milliseconds, and each thread has an index of its own.
const MOST_THREADS: usize = 4;

/// Which packs are served, and how they are asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServiceArguments {
    /// The folder that holds catalog.json and the packs, or its web address.
    #[arg(long, value_name = "DIR|URL", default_value = "packs-static", value_parser = PackRoot::parse)]
    packs: PackRoot,
    /// The class of machine to answer for: micro, small, mid, large, xl, server-s, server-l.
    #[arg(long, default_value = "small", value_parser = parse_tier)]
    tier: Tier,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    stages: StageArguments,
    /// Answer on so many threads, each with the index, and the encoder, in its own memory; by default one for each processor,
    /// at most 4.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Let so many requests wait; more are refused.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    queue: u32,
    /// Give a request up after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3600))]
    time_limit: u32,
}

impl ServiceArguments {
    /// Opens the packs on each thread.
    ///
    /// # Errors
    /// Packs that can't be opened, a filter for packs that are not there, an encoder that is named and can't be used.
    pub(crate) async fn start(&self) -> anyhow::Result<(ServiceHandle, SharedOverview)> {
        let overview = SharedOverview::default();
        let settings = Arc::new(EngineSettings {
            root: self.packs.clone(),
            config: Config { tier: self.tier, ..Config::default() },
            filter: self.filter.clone(),
            stages: self.stages.clone(),
            overview: overview.clone(),
        });
        let processors = || std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let limits = PoolLimits {
            threads: self.threads.map_or_else(processors, usize::from),
            queue: self.queue as usize,
            time: Duration::from_secs(self.time_limit.into()),
        };
        let handle = start(limits, async move || PackEngine::open(Arc::clone(&settings)).await).await?;
        Ok((handle, overview))
    }

    /// Where the packs are.
    pub(crate) fn packs(&self) -> &PackRoot {
        &self.packs
    }
}
