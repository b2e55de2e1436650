//! `cargo xtask demo`: from a fresh clone to a page that answers.

use std::env;
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{build, model, paths, process, setup};

/// Options of `demo`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The port to serve at
    #[arg(long, default_value_t = 8321)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Do not fetch the model that answers in the browser
    #[arg(long)]
    no_model: bool,
}

/// Sets up, builds, and serves until it is stopped.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::for_build()?;
    if !options.no_model
        && let Err(error) = model::fetch_for_demo()
    {
        eprintln!("warning: {error:#}\n  the demo goes on without a model: answers are sentences of the pages");
    }
    build::run()?;
    if answers(options.port) {
        bail!("port {} is in use; choose another with --port", options.port);
    }
    let mut server = serve(options.port)?;
    wait_until_ready(&mut server, options.port)?;
    let url = format!("http://127.0.0.1:{}/", options.port);
    println!("seealso answers at {url} (Ctrl-C stops it)");
    if !options.no_open && env::var_os("CI").is_none() {
        open(&url);
    }
    let status = server.wait()?;
    if !status.success() {
        bail!("the server stopped ({status})");
    }
    Ok(())
}

fn serve(port: u16) -> Result<Child> {
    let mut command = process::command(paths::seealso_command());
    command.arg("serve").arg(paths::site()).args(["--host", "127.0.0.1", "--port", &port.to_string()]);
    eprintln!("  $ {}", process::line(&command));
    command.spawn().context("cannot start the server")
}

/// Waits some seconds for the server to accept connections.
fn wait_until_ready(server: &mut Child, port: u16) -> Result<()> {
    for _ in 0..100 {
        if let Some(status) = server.try_wait()? {
            bail!("the server stopped before it answered ({status})");
        }
        if answers(port) {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(100));
    }
    server.kill()?;
    bail!("the server did not answer at port {port} within 10 seconds")
}

fn answers(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// Opens the page where the system has a way to; the address is printed in any case.
fn open(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = process::command(opener).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
