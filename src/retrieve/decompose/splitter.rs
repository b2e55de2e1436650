//! Who splits a question: the rules, or a model. It is a type, not a value, so that a program whose rules split every question
//! holds no code that asks a model.

use super::SubQueries;
use super::by_model::decompose_by;
use super::by_rules::decompose_by_rules;
use crate::config::Config;
use crate::library::{IndexFault, Library};
use crate::model::{Model, OnEvent};
use crate::question::Question;
use crate::trace::Describe;
use crate::world::{Clock, PackSource};

/// Splits a question into its sub-queries.
#[allow(async_fn_in_trait)]
pub trait Splitter {
    /// What it gives: the sub-queries, and how it came to them.
    #[allow(private_bounds)]
    type Split: Describe + Into<SubQueries>;

    /// Splits `question`, with the index of `library` as evidence.
    ///
    /// # Errors
    /// [`IndexFault`].
    async fn split<S: PackSource, C: Clock>(
        self,
        question: &Question,
        library: &Library<S, C>,
        config: &Config,
    ) -> Result<Self::Split, IndexFault>;
}

/// The rules of [`decompose`](super::decompose).
#[derive(Debug, Clone, Copy, Default)]
pub struct ByRules;

impl Splitter for ByRules {
    type Split = SubQueries;

    async fn split<S: PackSource, C: Clock>(
        self,
        question: &Question,
        library: &Library<S, C>,
        config: &Config,
    ) -> Result<SubQueries, IndexFault> {
        decompose_by_rules(question, library, config).await
    }
}

/// A model, as [`decompose_by`] asks it. If it fails or is stopped, the rules' split stands, as the trace records.
pub struct ByModel<'o, M> {
    /// The model.
    pub model: &'o M,
    /// Receives its events, and may stop it.
    pub on_event: OnEvent<'o>,
}

impl<M: Model> Splitter for ByModel<'_, M> {
    type Split = super::by_model::Decomposition;

    async fn split<S: PackSource, C: Clock>(
        self,
        question: &Question,
        library: &Library<S, C>,
        config: &Config,
    ) -> Result<Self::Split, IndexFault> {
        decompose_by(self.model, question, library, config, self.on_event).await
    }
}
