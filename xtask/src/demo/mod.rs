//! `cargo xtask demo`: from a fresh clone to a page that answers, and then to one with all parts.
//!
//! Search and quoted answers are up within minutes: the retrieval wasm and the command are compiled without the long
//! optimisation, and the command without models. What runs models in the browser is built while the page is served, and
//! joins it (`parts`). All of that lies in cargo's target folder: `pkg/` and `site/` stay what `build` made of them.

use std::env;
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::{build, paths, process, settings, setup, site, wasm};

mod own_site;
mod parts;

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
    /// A built documentation site to serve in place of the chat page: a copy of it, with the element on every page
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
}

/// Sets up, builds what searches and quotes, and serves it until it is stopped; the other parts are built meanwhile.
pub(crate) fn run(options: &Options) -> Result<()> {
    if answers(options.port) {
        bail!("port {} is in use; choose another with --port", options.port);
    }
    setup::for_build()?;
    // The chat's few packs are built in a second even without optimisation, which takes a minute of compiling.
    let profile = if options.site.is_some() { settings::QUICK_PROFILE } else { settings::UNOPTIMISED_PROFILE };
    let command = command(profile)?;
    let site = match &options.site {
        Some(dir) => own_site::prepare(dir, &search_package()?, &command)?,
        None => first_site(&command)?,
    };
    let mut server = serve(&command, &site, options.port)?;
    wait_until_ready(&mut server, options.port)?;
    let url = format!("http://127.0.0.1:{}/", options.port);
    println!("seealso answers at {url} (Ctrl-C stops it)");
    if !options.no_open && env::var_os("CI").is_none() {
        open(&url);
    }
    if options.site.is_none() {
        let with_model = !options.no_model;
        thread::spawn(move || parts::join(&site, with_model));
    }
    let status = server.wait()?;
    process::end_running();
    if !status.success() {
        bail!("the server stopped ({status})");
    }
    Ok(())
}

/// Builds what searches and quotes in a page; gives the folder of its scripts.
pub(crate) fn search_package() -> Result<PathBuf> {
    let settings = settings::read()?;
    let search = settings.build.get("search").context("wasm-pack.toml has no [build.search]")?;
    let package = demo_folder().join("package");
    site::fill_package(&package, &[wasm::build("search-quick", &search.quick())?])?;
    site::deflate_engine_quickly(&package, &search.stem())?;
    Ok(package)
}

/// Builds the command without models in that profile; gives its path.
pub(crate) fn command(profile: &str) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--package", "seealso-cli", "--no-default-features", "--profile", profile]);
    process::run(&mut cargo)?;
    Ok(paths::target_dir().join(profile).join(paths::SEEALSO))
}

fn demo_folder() -> PathBuf {
    paths::target_dir().join("demo")
}

/// Builds the site of the demo without what runs models, and says so in it.
fn first_site(command: &Path) -> Result<PathBuf> {
    let package = search_package()?;
    let folder = demo_folder();
    let site = folder.join("site");
    build::publish_packs(command)?;
    site::assemble(&package, &site, &folder)?;
    parts::announce(&site, parts::State::Building)?;
    Ok(site)
}

fn serve(command: &Path, site: &Path, port: u16) -> Result<Child> {
    let mut command = process::command(command);
    command.arg("serve").arg(site).args(["--host", "127.0.0.1", "--port", &port.to_string()]);
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
