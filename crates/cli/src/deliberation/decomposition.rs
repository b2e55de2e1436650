//! Splits the question into its subjects: by the rules, or by the model that deliberates afterwards. A model that is loaded to
//! split the question is kept for the deliberation.

use std::path::Path;

use clap::ValueEnum;
use seealso::{Answer, AskError, Manifest};

use super::{AskRequest, LoadedModel, ModelArguments, TerminalView, load};
use crate::node_client::{ConsentedNode, NodeArguments};
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
