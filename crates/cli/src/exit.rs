//! Exit codes, and how an error is told: one line of what failed, where, and what to do.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use seealso::OpenError;

use crate::shell_quoting::quoted;
use crate::stop_flag::INTERRUPTED;
use crate::style;
use crate::unusable_model::Unusable;

/// The codes, as `--help` lists them.
pub(crate) const HELP: &str = "\
Exit codes:
   0  done
   1  something failed; the message says what
   2  the arguments are wrong
   3  `check` found errors
   4  the packs do not answer the question
  10  there is no index yet: run `seealso build`
  11  the model of `--model` can't be used; the message says why
 130  stopped by Ctrl-C";

/// What a command ends with.
pub type Outcome = anyhow::Result<Done>;

/// How a command ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// As it should.
    Well,
    /// `check` found errors.
    WithErrors,
    /// No page answers the question.
    Unanswered,
    /// Ctrl-C stopped a draft; what was there was printed.
    Stopped,
}

/// There is nothing to search in.
#[derive(Debug)]
pub(crate) struct NoIndex {
    /// The folder that was looked in.
    pub(crate) packs: String,
}

impl fmt::Display for NoIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = quoted(Path::new(&self.packs));
        write!(f, "{} has no index yet; run `seealso build {quoted}` first", self.packs)
    }
}

impl std::error::Error for NoIndex {}

/// Tells of an error, and answers with the process's exit code.
pub fn code(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::WithErrors) => ExitCode::from(3),
        Ok(Done::Unanswered) => ExitCode::from(4),
        Ok(Done::Stopped) => ExitCode::from(INTERRUPTED),
        Err(error) => {
            style::error(&error);
            let no_index = error.is::<NoIndex>()
                || matches!(error.downcast_ref(), Some(OpenError::NoCatalog(_) | OpenError::NoIndex(_)));
            ExitCode::from(match () {
                () if no_index => 10,
                () if error.is::<Unusable>() => 11,
                () => 1,
            })
        }
    }
}
