//! `cargo xtask`: what a developer and CI run, one command a file.
//!
//! Nothing here is shipped. Progress goes to standard error and results to standard output, so that
//! `cargo xtask bench NAME --json` can be piped.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool talks to its user")]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod build;
mod ci;
mod demo;
mod first_load;
mod model;
mod setup;
mod test;

mod debian_wasm;
mod gpu;
mod imports;
mod kernels;
mod npm;
mod order;
mod packages;
mod paths;
mod process;
mod settings;
mod site;
mod sites;
mod sizes;
mod split;
mod stamp;
mod steps;
mod tally;
mod tidy;
mod toolchain;
mod wasm;

/// Sets up, builds, shows, tests and measures seealso.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Installs what is missing: the wasm32 target, Chromium, the npm tools of tests and build
    Setup(setup::Options),
    /// Builds the wasm package into pkg/, the demo packs' index, and the static site into site/
    Build,
    /// Sets up, builds, and serves the chat page at a local address
    Demo(demo::Options),
    /// Builds small sites with real generators, and checks what `seealso site` makes of them
    Sites(sites::Options),
    /// Fetches a model into www/models/ and checks it; without a name, lists what there is
    Model(model::Options),
    /// Sets up, builds, and runs all tests: Rust's, then the browser's
    Test,
    /// Builds the CPU kernels' side modules and checks them in Node
    Kernels,
    /// Builds what a page loads first, and holds its size against the budget
    Sizes,
    /// Builds what is measured, and runs a benchmark of bench/
    Bench(bench::Options),
    /// Runs everything that must pass: format, tidy, lints, docs, size budgets and all tests
    Ci,
}

fn main() -> ExitCode {
    let done = |()| ExitCode::SUCCESS;
    let outcome = match Cli::parse().command {
        Command::Setup(options) => setup::run(&options).map(done),
        Command::Build => build::run().map(done),
        Command::Demo(options) => demo::run(&options).map(done),
        Command::Sites(options) => sites::run(&options).map(done),
        Command::Model(options) => model::run(&options).map(done),
        Command::Test => Ok(test::run()),
        Command::Kernels => kernels::run().map(done),
        Command::Sizes => first_load::run().map(done),
        Command::Bench(options) => bench::run(&options).map(done),
        Command::Ci => Ok(ci::run()),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
