//! The log of a server: lines of JSON on standard error, for programs that collect logs.

use tracing::Level;

/// Writes what happens from `level` up to standard error, one object a line.
pub(crate) fn log_to_stderr(level: Level) {
    let lines = tracing_subscriber::fmt().json().flatten_event(true).with_target(false).with_current_span(false);
    let lines = lines.with_span_list(false).with_max_level(level).with_writer(std::io::stderr);
    // A line that can't be written, as on a full disk, is lost: to tell of that on the same stream would end the thread.
    let lines = lines.log_internal_errors(false);
    // A second start in one process keeps the first.
    let _: Result<(), _> = lines.try_init();
}
