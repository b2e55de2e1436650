//! The `seealso` command. Each subcommand has a file of its own under `commands`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

mod commands;
mod deliberating;
mod exit;
#[cfg(feature = "model")]
mod host;
#[cfg(feature = "model")]
mod judge_record;
#[cfg(feature = "model")]
mod local_model;
#[cfg(feature = "model")]
mod model_file;
mod node;
mod quoting;
mod source;
mod stop;
mod style;
mod unusable;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Build(commands::build::Arguments),
    Check(commands::check::Arguments),
    Search(commands::search::Arguments),
    Explain(commands::explain::Arguments),
    Ask(commands::ask::Arguments),
    Stats(commands::stats::Arguments),
    Eval(commands::eval::Arguments),
    Bench(commands::bench::Arguments),
    Serve(commands::serve::Arguments),
    Node(commands::node::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Build(arguments) => commands::build::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Search(arguments) => commands::search::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Ask(arguments) => commands::ask::run(&arguments),
        Command::Stats(arguments) => commands::stats::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Node(arguments) => commands::node::run(&arguments),
    };
    exit::code(result)
}
