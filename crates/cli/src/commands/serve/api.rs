//! `seealso serve --api`: serves packs to programs over HTTP, until Ctrl-C or a signal to end.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use clap::Args;
use tokio::net::TcpListener;

use super::{listen, local_url};
use crate::api::{ApiSettings, ApiState, RateLimit, TOKEN_VARIABLE, Token, router};
use crate::exit::{CommandResult, Completion};
use crate::http::{Origins, parse_origin};
use crate::interactions::{InteractionLog, default_folder};
use crate::log_lines::log_to_stderr;
use crate::service::ServiceArguments;
use crate::source::block_on;
use crate::style::say;

/// How long requests that are under way may take at the end.
const END_TIME: Duration = Duration::from_secs(10);

/// The API, and who may ask it.
#[derive(Args)]
#[group(requires = "api")]
#[command(next_help_heading = "Options of --api")]
pub(crate) struct ApiArguments {
    /// Serve packs to programs: questions, searches, entries and pages over HTTP, with JSON.
    #[arg(long)]
    api: bool,
    #[command(flatten)]
    service: ServiceArguments,
    /// Let web pages of this origin ask, such as `https://docs.example.org`; may be given several times. Pages of this machine
    /// always may.
    #[arg(long, value_name = "ORIGIN", value_parser = parse_origin)]
    allow_origin: Vec<String>,
    /// Ask clients for the token in this file; without it, for that of the variable SEEALSO_TOKEN, where it is set.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Let each client ask so many times a minute; 0 sets no limit.
    #[arg(long, value_name = "N", default_value_t = 600)]
    rate: u32,
    /// Log interactions in this folder; by default in the folder `seealso` of the user's state.
    #[arg(long, value_name = "DIR", conflicts_with = "no_log")]
    log: Option<PathBuf>,
    /// Log no interactions, and take no feedback.
    #[arg(long)]
    no_log: bool,
    /// Log the words of questions too.
    #[arg(long)]
    log_questions: bool,
    /// Show counts and times at /metrics.
    #[arg(long)]
    metrics: bool,
}

impl ApiArguments {
    fn settings(&self, address: SocketAddr) -> anyhow::Result<ApiSettings> {
        let log = match (&self.log, self.no_log) {
            (_, true) => None,
            (Some(folder), _) => Some(InteractionLog::open(folder)),
            (None, _) => Some(InteractionLog::open(&default_folder()?)),
        };
        let token = Token::find(self.token_file.as_deref(), std::env::var(TOKEN_VARIABLE).ok())?;
        Ok(ApiSettings {
            log,
            token,
            rate: NonZeroU32::new(self.rate).map(RateLimit::per_minute),
            is_local: address.ip().is_loopback(),
            shows_metrics: self.metrics,
            logs_questions: self.log_questions,
        })
    }
}

pub(super) fn run(arguments: &ApiArguments, host: &str, port: u16) -> CommandResult {
    block_on(async {
        let listener = listen(host, port).await?;
        let address = listener.local_addr()?;
        let settings = arguments.settings(address)?;
        log_to_stderr(tracing::Level::INFO);
        announce(&settings);
        let (service, overview) = arguments.service.start().await?;
        say!("{}", local_url(address));
        tracing::info!(address = address.to_string(), packs = arguments.service.packs().to_string(), "listening");
        let router = router(ApiState::new(service, overview, settings), Origins(arguments.allow_origin.clone()));
        serve(listener, router).await
    })??;
    Ok(Completion::Success)
}

/// Says what the keeper of the server should know.
fn announce(settings: &ApiSettings) {
    if !settings.is_local && settings.token.is_none() {
        tracing::warn!("everybody who reaches this port may ask; set a token with --token-file or {TOKEN_VARIABLE}");
    }
    match settings.log.as_ref().map(|log| (log.folder().display().to_string(), log.fault())) {
        None => tracing::info!("interactions are not logged"),
        Some((folder, None)) => tracing::info!(folder, "interactions are logged"),
        Some((_, Some(fault))) => tracing::error!(error = fault.to_string(), "interactions can't be logged"),
    }
}

/// Serves until a signal, and then lets requests that are under way end.
async fn serve(listener: TcpListener, router: Router) -> anyhow::Result<()> {
    let (ending, mut ended) = tokio::sync::watch::channel(());
    let stop = async move {
        let _ = ended.changed().await;
    };
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let mut server = tokio::spawn(axum::serve(listener, service).with_graceful_shutdown(stop).into_future());
    tokio::select! {
        stopped = &mut server => return stopped?.context("serving"),
        signal = end_signal() => signal?,
    }
    tracing::info!("ending");
    let _ = ending.send(());
    match tokio::time::timeout(END_TIME, &mut server).await {
        Ok(stopped) => stopped?.context("serving"),
        Err(_) => {
            server.abort();
            tracing::warn!("requests were under way, and are given up");
            Ok(())
        }
    }
}

/// Completes at Ctrl-C, and where the system asks the program to end.
async fn end_signal() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut asked = signal(SignalKind::terminate()).context("waiting for a signal to end")?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed.context("waiting for Ctrl-C"),
            _ = asked.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await.context("waiting for Ctrl-C")
}
