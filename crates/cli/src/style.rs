//! Colour and progress, where a terminal is there to show them.

use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write as _};

use anstyle::{AnsiColor, Style};

/// For titles and names.
pub const STRONG: Style = Style::new().bold();
/// For what matters less.
pub const FAINT: Style = Style::new().dimmed();
/// For citations and paths.
pub(crate) const LINK: Style = AnsiColor::Cyan.on_default();
/// For what is wrong.
pub(crate) const WRONG: Style = AnsiColor::Red.on_default().bold();
/// For what may be wrong.
pub(crate) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// For what is merely worth knowing.
pub(crate) const REMARK: Style = AnsiColor::Blue.on_default();

/// Prints a line on standard output, styled where that is a terminal. A reader that has gone, as `head` does, ends the
/// program without a complaint.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {
        $crate::line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// What [`say`] does.
pub fn line(text: fmt::Arguments<'_>) {
    match writeln!(anstream::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        // Where a disk is full, there is nobody to tell.
        _ => (),
    }
}

/// A text of several lines fit for a terminal, as [`plain`] makes one line.
pub(crate) fn lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// `1 page`, `2 pages`.
pub(crate) fn counted(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

/// Text of a page or a question, fit for a terminal: what could steer the terminal becomes a space.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Says on standard error what failed.
pub(crate) fn error(error: &anyhow::Error) {
    anstream::eprintln!("{WRONG}error{WRONG:#}: {error:#}");
}

/// Says on standard error what is amiss, where the work goes on all the same.
pub(crate) fn warning(text: &str) {
    anstream::eprintln!("{DOUBTFUL}warning{DOUBTFUL:#}: {}", plain(text));
}

/// A line that shows how far long work is, and goes away when it is done. Silent without a terminal.
pub struct ProgressLine {
    shown: bool,
}

impl ProgressLine {
    /// A line with nothing on it.
    pub fn new() -> Self {
        ProgressLine { shown: std::io::stderr().is_terminal() }
    }

    /// Shows `text` in place of what the line shows.
    pub fn say(&self, text: &str) {
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
