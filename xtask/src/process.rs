//! Running other programs: echoed, checked, with errors that say which command failed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};

use crate::paths;

/// A command that runs in the repository's root and builds into the same target folder as xtask.
pub(crate) fn command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command.current_dir(paths::root()).env("CARGO_TARGET_DIR", paths::target_dir());
    command
}

/// The cargo that runs xtask, or the one on the path.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").map_or_else(|| "cargo".into(), std::path::PathBuf::from))
}

/// Runs `command` and fails where it does. Its standard output goes to ours for errors, since
/// standard output is kept for results.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = line(command);
    eprintln!("  $ {shown}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(io::stderr()))
        .spawn()
        .with_context(|| format!("cannot start `{shown}`"))?;
    running().insert(child.id());
    let status = child.wait();
    running().remove(&child.id());
    let status = status?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// The ids of the programs that [`run`] waits for.
fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends what other threads run, before this program ends.
pub(crate) fn end_running() {
    for id in running().iter() {
        let mut kill = match cfg!(windows) {
            true => Command::new("taskkill"),
            false => Command::new("kill"),
        };
        if cfg!(windows) {
            kill.args(["/T", "/F", "/PID"]);
        }
        let _ = kill.arg(id.to_string()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Runs `command` quietly and returns what it printed, trimmed.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let shown = line(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("`{shown}` failed ({}): {}", output.status, complaint.trim_end());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Runs `command`, shows its standard output as it comes, hands each line to `see`, and tells
/// whether it succeeded.
pub(crate) fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<bool> {
    let shown = line(command);
    eprintln!("  $ {shown}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{shown}`"))?;
    let output = child.stdout.take().expect("standard output is piped");
    let mut lines = BufReader::new(output);
    let mut bytes = Vec::new();
    while lines.read_until(b'\n', &mut bytes)? > 0 {
        io::stderr().write_all(&bytes)?;
        see(String::from_utf8_lossy(&bytes).trim_end());
        bytes.clear();
    }
    Ok(child.wait()?.success())
}

/// The command as one would type it, without its environment.
pub(crate) fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
