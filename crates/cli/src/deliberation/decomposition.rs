//! Splits the question into its subjects: by the rules, or by the model that deliberates afterwards. A model that is loaded to
//! split the question is kept for the deliberation.

use std::ops::ControlFlow;
use std::path::Path;

use clap::ValueEnum;
use seealso::{
    Answer, AskError, AskOptions, ByModel, ByRules, Filter, GenerationEvent, Manifest, Model, Progress, Splitter,
};

use super::{LoadedModel, ModelArguments, TerminalView, load};
use crate::node_client::{ConsentedNode, NodeArguments};
use crate::source::FolderLibrary;
use crate::stages::OpenedStages;
use crate::stop_flag::StopFlag;
use crate::style::{FAINT, printable};

/// What splits a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Decomposer {
    /// The rules, which ask the index.
    Rules,
    /// The model that deliberates.
    Model,
}

/// The models that were prepared to split the question; none where the rules do.
#[derive(Default)]
pub(crate) struct PreparedModels {
    /// The node, or why it may not be asked.
    pub(crate) node: Option<anyhow::Result<Option<ConsentedNode>>>,
    /// The local model; none inside where Ctrl-C stopped its loading.
    pub(super) local: Option<anyhow::Result<Option<LoadedModel>>>,
}

/// A question to be answered, and what is called on the way.
pub(crate) struct AskRequest<'a> {
    pub(crate) library: &'a FolderLibrary,
    pub(crate) question: &'a str,
    pub(crate) filter: Filter,
    pub(crate) on_progress: &'a mut dyn FnMut(Progress),
    pub(crate) stop: &'a StopFlag,
    pub(crate) stages: &'a OpenedStages,
}

impl AskRequest<'_> {
    /// Answers the question, which the rules split.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    async fn answer(self) -> Result<(Answer, Manifest), AskError> {
        self.answer_with(ByRules).await
    }

    /// Answers the question, which `model` splits.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    pub(super) async fn answer_by<M: Model>(self, model: &M) -> Result<(Answer, Manifest), AskError> {
        let stop = self.stop;
        let mut on_event =
            |_: GenerationEvent<'_>| if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.answer_with(ByModel { model, on_event: &mut on_event }).await
    }

    async fn answer_with(self, splitter: impl Splitter) -> Result<(Answer, Manifest), AskError> {
        let options = AskOptions { filter: Some(self.filter), watch: Some(self.on_progress), ..AskOptions::default() };
        self.stages.ask(self.library, self.question, options.split_by(splitter)).await
    }
}

impl PreparedModels {
    /// Prepares the model that splits: the node's where one is named, else the local one.
    pub(crate) fn of(
        with: &ModelArguments,
        node: &NodeArguments,
        tier: seealso::Tier,
        stop: &StopFlag,
        quiet: bool,
    ) -> PreparedModels {
        match (with.decompose, &node.node, with.model.as_deref()) {
            (Decomposer::Rules, ..) | (_, None, None) => PreparedModels::default(),
            (_, Some(_), _) => PreparedModels { node: Some(node.consented()), local: None },
            (_, None, Some(path)) => {
                PreparedModels { node: None, local: Some(load_quietly(path, with, tier, stop, quiet)) }
            }
        }
    }

    /// Answers a question, which is split by the model that was prepared. Where none can be used, the rules split it.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    pub(crate) async fn ask(&self, request: AskRequest<'_>) -> Result<(Answer, Manifest), AskError> {
        if let Some(Ok(Some(local))) = &self.local {
            return local.ask(request).await;
        }
        if let Some(Ok(Some(node))) = &self.node {
            match node.connect().await {
                Ok(model) => return request.answer_by(&model).await,
                Err(error) => {
                    anstream::eprintln!(
                        "{FAINT}The rules split the question: {}{FAINT:#}",
                        printable(&error.to_string())
                    );
                }
            }
        }
        request.answer().await
    }
}

fn load_quietly(
    path: &Path,
    with: &ModelArguments,
    tier: seealso::Tier,
    stop: &StopFlag,
    quiet: bool,
) -> anyhow::Result<Option<LoadedModel>> {
    load(path, with, tier, stop, &TerminalView::new(quiet))
}
