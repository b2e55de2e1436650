//! Output: styles and progress, which are left out where there is no terminal, and text that is safe to print.

use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write as _};

use anstyle::{AnsiColor, Style};

/// The style of titles and names.
pub const STRONG: Style = Style::new().bold();
/// The style of less important text.
pub const FAINT: Style = Style::new().dimmed();
/// The style of citations and paths.
pub(crate) const LINK: Style = AnsiColor::Cyan.on_default();
/// The style of errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
/// The style of notes.
pub(crate) const NOTE: Style = AnsiColor::Blue.on_default();

/// Prints a line on standard output, styled where that is a terminal. If the reader closed the pipe, as `head` does, the program
/// ends silently.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {
        $crate::print_line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Prints a line, as [`say`] does.
pub fn print_line(text: fmt::Arguments<'_>) {
    match writeln!(anstream::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        // Other errors, such as a full disk, can be reported nowhere.
        _ => (),
    }
}

/// A text of several lines that is safe to print: [`printable`] for each line.
pub(crate) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// `1 page`, `2 pages`.
pub(crate) fn pluralize(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

/// A line of text from a page or a question that is safe to print: control characters, which could steer the terminal,
/// become spaces.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Prints an error on standard error.
pub(crate) fn print_error(error: &anyhow::Error) {
    anstream::eprintln!("{ERROR}error{ERROR:#}: {error:#}");
}

/// Prints a warning on standard error.
pub(crate) fn print_warning(text: &str) {
    anstream::eprintln!("{WARNING}warning{WARNING:#}: {}", printable(text));
}

/// A line that shows the progress of long work, and is cleared when it is dropped. Silent without a terminal.
pub struct ProgressLine {
    shown: bool,
}

impl ProgressLine {
    /// An empty line on standard error.
    pub fn on_stderr() -> ProgressLine {
        ProgressLine { shown: std::io::stderr().is_terminal() }
    }

    /// Shows `text` in place of what the line shows.
    pub fn show(&self, text: &str) {
        if self.shown {
            anstream::eprint!("\r\x1b[2K{FAINT}{text}{FAINT:#}");
            let _ = std::io::stderr().flush();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown {
            anstream::eprint!("\r\x1b[2K");
        }
    }
}
