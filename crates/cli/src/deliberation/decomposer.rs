//! What splits a question into its subjects.

use clap::ValueEnum;

/// What splits a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Decomposer {
    /// The rules, which ask the index.
    #[default]
    Rules,
    /// The model that deliberates.
    Model,
}
