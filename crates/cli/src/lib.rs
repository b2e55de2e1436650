//! The `seealso` command, as a library that its binary runs. Each subcommand has a file of its own under `commands`.
//!
//! The binary needs [`run`] alone. The other public items are for `seealso-lab`, which fits and measures the parts of
//! `seealso` that judge claims: files of claims, judges with a cache on disk, measures, and what every command does to open
//! packs, print figures and end. The laboratory depends on the command and never the other way round, so none of it is in
//! the binary that people install. These items are not a stable interface.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

mod answer_json;
mod commands;
mod deliberation;
#[cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models nothing is encoded"))]
mod embedding_file;
#[cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models nothing is encoded"))]
mod encode_chunks;
mod encoder;
#[cfg(feature = "model")]
mod local_encoder;
#[cfg(feature = "model")]
mod cross_encoder;
mod exit;
#[cfg(feature = "model")]
mod server;
#[cfg(feature = "model")]
mod judge_record;
#[cfg(feature = "model")]
mod local_model;
#[cfg(feature = "model")]
mod model_file;
mod http;
mod service;
mod interactions;
mod log_lines;
mod api;
mod mcp;
mod node_client;
#[cfg(feature = "model")]
mod published_encoder;
mod shell_quoting;
mod pack_root;
mod search_rows;
mod source;
mod stages;
mod chunk_library;
mod stop_flag;
mod style;
mod utc;
mod unusable_model;
mod vector_library;
mod web_source;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use commands::PackArguments;
#[cfg(feature = "model")]
pub use commands::eval::load_judge;
pub use commands::eval::{
    BoundsArguments, CachedModel, ClaimJudge, ClaimLine, ClaimPair, JudgeArguments, ScoredClaim, cache_key, cache_path,
    cannot_write, cell, fit_judge, hash, parse_bounds, read_claims, read_pairs, share, share_of_words, weigh_claim,
    words,
};
pub use exit::{CommandResult, Completion, exit_code};
#[cfg(feature = "model")]
pub use judge_record::{MAX_WEIGHTS, parse_probe};
#[cfg(feature = "model")]
pub use local_model::LocalModel;
pub use source::{FolderLibrary, FolderSource, SystemClock, block_on, open_library};
pub use style::{FAINT, ProgressLine, STRONG, print_line, printable};

/// Ask curated wikis: build their index, search it, and answer from whole pages with sources.
#[derive(Parser)]
#[command(name = "seealso", version, after_help = exit::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(commands::new::Arguments),
    Site(commands::site::Arguments),
    Build(commands::build::Arguments),
    Check(commands::check::Arguments),
    Search(commands::search::Arguments),
    Explain(commands::explain::Arguments),
    Ask(commands::ask::Arguments),
    Setup(commands::setup::Arguments),
    Retrieve(commands::retrieve::Arguments),
    Entries(commands::entries::Arguments),
    Clean(commands::clean::Arguments),
    Stats(commands::stats::Arguments),
    Eval(commands::eval::Arguments),
    Bench(commands::bench::Arguments),
    Serve(commands::serve::Arguments),
    Report(commands::report::Arguments),
    Mcp(commands::mcp::Arguments),
    Node(commands::node::Arguments),
}

/// Runs the command that the process's arguments name, and gives the exit code.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Site(arguments) => commands::site::run(&arguments),
        Command::Build(arguments) => commands::build::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Search(arguments) => commands::search::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Ask(arguments) => commands::ask::run(&arguments),
        Command::Setup(arguments) => commands::setup::run(&arguments),
        Command::Retrieve(arguments) => commands::retrieve::run(&arguments),
        Command::Entries(arguments) => commands::entries::run(&arguments),
        Command::Clean(arguments) => commands::clean::run(&arguments),
        Command::Stats(arguments) => commands::stats::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Mcp(arguments) => commands::mcp::run(&arguments),
        Command::Node(arguments) => commands::node::run(&arguments),
    };
    exit::exit_code(result)
}
