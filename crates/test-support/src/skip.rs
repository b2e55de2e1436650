//! How a test says that it was skipped: a line of a fixed form on standard output.

use std::fmt::Display;
use std::io::Write as _;
use std::panic::Location;

/// Says that the running test is skipped, and why: `return skip("there is no sh");`.
///
/// The line is `skipped: FILE TEST: REASON`. It is written past the test runner's capture, which hides what a test prints
/// that passes.
#[track_caller]
pub fn skip(reason: impl Display) {
    let thread = std::thread::current();
    let line = line(Location::caller(), thread.name(), &reason.to_string());
    // Printing macros are captured. Where nobody listens, nobody is told.
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}

/// The line. The test runner names a test's thread after it, unless it runs one test at a time, in its own thread.
fn line(place: &Location<'_>, thread: Option<&str>, reason: &str) -> String {
    let file = place.file().replace('\\', "/");
    let test = thread.filter(|name| *name != "main");
    let test = test.map_or_else(|| format!("line {}", place.line()), str::to_owned);
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    // One test at a time stands behind its name on a line that has not ended.
    format!("\nskipped: {file} {test}: {reason}\n")
}

/// The value of a `Result`; ends the test with [`skip`](crate::skip()) where there is none, for the reason that it has.
#[macro_export]
macro_rules! or_skip {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(reason) => return $crate::skip(reason),
        }
    };
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use super::line;

    #[test]
    fn lines_name_file_test_and_reason() {
        let here = Location::caller();
        let check = |thread: Option<&str>, reason: &str, expected: &str| {
            assert_eq!(line(here, thread, reason), expected);
        };
        let file = "crates/test-support/src/skip.rs";
        check(Some("a::b"), "no data", &format!("\nskipped: {file} a::b: no data\n"));
        check(Some("a::b"), "two\n lines", &format!("\nskipped: {file} a::b: two lines\n"));
        check(Some("main"), "no data", &format!("\nskipped: {file} line {}: no data\n", here.line()));
        check(None, "no data", &format!("\nskipped: {file} line {}: no data\n", here.line()));
    }
}
