//! Exit codes. An error is printed as one line: what failed, where, and what to do.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use seealso::OpenError;

use crate::shell_quoting::quote_path;
use crate::stop_flag::EXIT_INTERRUPTED;
use crate::style;
use crate::unusable_model::UnusableModel;

/// The list of codes for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
   0  done
   1  something failed; the message says what
   2  the arguments are wrong
   3  `check` found errors, or `site` could not change every page
   4  the packs do not answer the question
  10  there is no index yet: run `seealso build`; for `retrieve`, no chunks: run `seealso setup`
  11  the model of `--model`, or an encoder that is named, can't be used; the message says why
 130  stopped by Ctrl-C";

/// The result of a command.
pub type CommandResult = anyhow::Result<Completion>;

/// How a command completed that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// It did all that it should.
    Success,
    /// `check` found errors, or `site` could not change every page.
    FindingsFound,
    /// The packs do not answer the question.
    NoAnswer,
    /// Ctrl-C stopped the model; the output until then was printed.
    Interrupted,
}

/// A folder of packs without an index.
#[derive(Debug)]
pub(crate) struct NoIndex {
    /// The folder.
    pub(crate) packs: String,
}

impl fmt::Display for NoIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = quote_path(Path::new(&self.packs));
        write!(f, "{} has no index yet; run `seealso build {quoted}` first", self.packs)
    }
}

impl std::error::Error for NoIndex {}

/// Packs whose chunks can't be searched: `setup` was not run, or what it left is damaged.
#[derive(Debug)]
pub(crate) struct NoChunks {
    /// The folder.
    pub(crate) packs: String,
    /// What is wrong, where there was a setup.
    pub(crate) damage: Option<String>,
}

impl fmt::Display for NoChunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = quote_path(Path::new(&self.packs));
        match &self.damage {
            None => write!(f, "{} has no chunks yet; run `seealso setup {quoted}` first", self.packs),
            Some(why) => {
                write!(f, "the chunks of {} can't be searched ({why}); run `seealso setup {quoted}` again", self.packs)
            }
        }
    }
}

impl std::error::Error for NoChunks {}

/// Prints an error, and gives the exit code of the process.
pub fn exit_code(result: CommandResult) -> ExitCode {
    match result {
        Ok(Completion::Success) => ExitCode::SUCCESS,
        Ok(Completion::FindingsFound) => ExitCode::from(3),
        Ok(Completion::NoAnswer) => ExitCode::from(4),
        Ok(Completion::Interrupted) => ExitCode::from(EXIT_INTERRUPTED),
        Err(error) => {
            style::print_error(&error);
            let no_index = error.is::<NoIndex>()
                || error.is::<NoChunks>()
                || matches!(error.downcast_ref(), Some(OpenError::NoCatalog(_) | OpenError::NoIndex(_)));
            ExitCode::from(match () {
                () if no_index => 10,
                () if error.is::<UnusableModel>() => 11,
                () => 1,
            })
        }
    }
}
