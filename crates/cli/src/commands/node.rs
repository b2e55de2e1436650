//! `seealso node`: a model of this machine behind an OpenAI-compatible endpoint, for `seealso` and other programs.

use std::path::PathBuf;

use clap::Args;

/// Serve the model in a GGUF file as an OpenAI-compatible node, until Ctrl-C.
#[derive(Args)]
#[cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models there is nothing to serve"))]
pub(crate) struct Arguments {
    /// The model's file.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// The address to listen at; 0.0.0.0 lets other machines in, and there is no key.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// The port to listen at; 0 takes any free one.
    #[arg(long, short, default_value_t = 8322)]
    port: u16,
    /// The threads that the model runs on; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The most tokens of a prompt and its answer, within what the model was trained for.
    #[arg(long, value_name = "TOKENS", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    context: u32,
    /// Let web pages of this origin ask, such as `https://docs.example.org`; may be given several times. Pages of this
    /// machine always may.
    #[arg(long, value_name = "ORIGIN", value_parser = parse_origin)]
    allow_origin: Vec<String>,
}

#[cfg(feature = "model")]
pub(crate) use serving::run;

use crate::http::parse_origin;

#[cfg(feature = "model")]
mod serving {
    use std::net::SocketAddr;

    use anyhow::Context as _;

    use super::Arguments;
    use crate::commands::serve::{listen, local_url};
    use crate::exit::{CommandResult, Completion};
    use crate::http::Origins;
    use crate::model_file::thread_count;
    use crate::server::{ModelHandle, ModelSettings, router, start};
    use crate::source::block_on;
    use crate::style::{FAINT, printable, say};

    pub(crate) fn run(arguments: &Arguments) -> CommandResult {
        block_on(async {
            let listener = listen(&arguments.host, arguments.port).await?;
            let settings = ModelSettings {
                file: arguments.model.clone(),
                threads: thread_count(arguments.threads),
                context: arguments.context as usize,
            };
            let handle = start(settings).await?;
            announce(&handle, listener.local_addr()?);
            let origins = Origins(arguments.allow_origin.clone());
            let server = tokio::spawn(axum::serve(listener, router(handle, origins)).into_future());
            let stopped = tokio::signal::ctrl_c().await.context("waiting for Ctrl-C");
            // A user who presses Ctrl-C does not want to wait for the end of an answer.
            server.abort();
            stopped
        })??;
        Ok(Completion::Success)
    }

    fn announce(handle: &ModelHandle, address: SocketAddr) {
        say!("{}v1", local_url(address));
        anstream::eprintln!(
            "{FAINT}serving {}, with a context of {} tokens; Ctrl-C ends it{FAINT:#}",
            printable(&handle.name),
            handle.context
        );
    }
}

#[cfg(not(feature = "model"))]
pub(crate) fn run(arguments: &Arguments) -> crate::exit::CommandResult {
    Err(crate::unusable_model::UnusableModel::without_models(&arguments.model).into())
}
