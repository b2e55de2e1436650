//! The model that deliberates, at work before it does: it splits the question into its subjects, or says it in other words. A
//! model that is loaded for that is kept for the deliberation.

use std::path::Path;

use seealso::{Answer, AskError, Manifest};

use super::{AskRequest, Decomposer, LoadedModel, ModelArguments, TerminalView, load};
use crate::node_client::{ConsentedNode, NodeArguments};
use crate::stop_flag::StopFlag;
use crate::style::{FAINT, printable};

/// The models that were prepared to split the question, or to say it in other words; none where rules and index do.
#[derive(Default)]
pub(crate) struct PreparedModels {
    /// What splits the question.
    decomposer: Decomposer,
    /// The node, or why it may not be asked.
    pub(crate) node: Option<anyhow::Result<Option<ConsentedNode>>>,
    /// The local model; none inside where Ctrl-C stopped its loading.
    pub(super) local: Option<anyhow::Result<Option<LoadedModel>>>,
}

impl PreparedModels {
    /// Prepares the model that works on the question: the node's where one is named, else the local one.
    pub(crate) fn of(
        with: &ModelArguments,
        node: &NodeArguments,
        tier: seealso::Tier,
        stop: &StopFlag,
        quiet: bool,
    ) -> PreparedModels {
        let decomposer = with.decompose;
        match (&node.node, with.model.as_deref()) {
            (None, None) => PreparedModels::default(),
            (Some(_), _) => PreparedModels { decomposer, node: Some(node.consented()), local: None },
            (None, Some(path)) => {
                let local = Some(load_quietly(path, with, tier, stop, quiet));
                PreparedModels { decomposer, node: None, local }
            }
        }
    }

    /// Answers a question with the help of the model that was prepared. Where none can be used, the rules split it, and the index
    /// says it in other words.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    pub(crate) async fn ask(&self, request: AskRequest<'_>) -> Result<(Answer, Manifest), AskError> {
        if let Some(Ok(Some(local))) = &self.local {
            return local.ask(request, self.decomposer).await;
        }
        if let Some(Ok(Some(node))) = &self.node {
            match node.connect().await {
                Ok(model) => return request.answer_by(&model, self.decomposer).await,
                Err(error) => {
                    let instead = match self.decomposer {
                        Decomposer::Rules => "No model says the question in other words",
                        Decomposer::Model => "The rules split the question",
                    };
                    anstream::eprintln!("{FAINT}{instead}: {}{FAINT:#}", printable(&error.to_string()));
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
