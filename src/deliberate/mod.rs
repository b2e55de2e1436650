//! What a model is told: the sources as data, and the prompt around them. Asking one is up to the caller.

pub(crate) mod sources;
pub(crate) mod prompt;
