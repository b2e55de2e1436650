//! `seealso mcp`: packs as tools of the Model Context Protocol, on standard input and output.

use anyhow::Context as _;
use clap::Args;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;

use crate::exit::{CommandResult, Completion};
use crate::log_lines::log_to_stderr;
use crate::mcp::PackTools;
use crate::service::ServiceArguments;
use crate::source::block_on;

/// Serve packs to an agent as tools (search, read_page, retrieve, ask), over standard input and output.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    service: ServiceArguments,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    // Standard output is the protocol's alone.
    log_to_stderr(tracing::Level::WARN);
    block_on(async {
        let (service, _) = arguments.service.start().await?;
        let running = match PackTools::new(service).serve(stdio()).await {
            // The client left before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            other => other.context("starting the protocol; a client must start this command, and speak first")?,
        };
        running.waiting().await.context("the protocol's task")?;
        anyhow::Ok(())
    })??;
    Ok(Completion::Success)
}
