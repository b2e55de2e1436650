//! Who splits the question into its subjects: the rules, or the model that works on the answer afterwards. What is made
//! ready for the one is kept for the other.

use std::ops::ControlFlow;
use std::path::Path;

use clap::ValueEnum;
use seealso::{Answer, AskError, Filter, Manifest, Progress, Wrote, ask_and_keep, ask_with_model};

use super::{Loaded, ModelArguments, Show, load};
use crate::node_client::{Agreed, NodeArguments};
use crate::source::FolderLibrary;
use crate::stop_flag::Stop;
use crate::style::{FAINT, plain};

/// Who splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Decomposer {
    /// The rules, which ask the index.
    Rules,
    /// The model that works on the answer.
    Model,
}

/// What was made ready before the question was asked; nothing where the rules split it.
#[derive(Default)]
pub(crate) struct Ready {
    /// The node that may be asked, or why none may.
    pub(crate) node: Option<anyhow::Result<Option<Agreed>>>,
    /// The local model; none inside where Ctrl-C stopped its loading.
    pub(super) local: Option<anyhow::Result<Option<Loaded>>>,
}

/// Whose question it is, and who hears of it.
pub(crate) struct Asking<'a> {
    pub(crate) library: &'a FolderLibrary,
    pub(crate) question: &'a str,
    pub(crate) filter: Filter,
    pub(crate) watch: &'a mut dyn FnMut(Progress),
    pub(crate) stop: &'a Stop,
}

impl Ready {
    /// Makes the model ready that splits: the node's where one is named, else the local one.
    pub(crate) fn of(
        with: &ModelArguments,
        node: &NodeArguments,
        tier: seealso::Tier,
        stop: &Stop,
        quiet: bool,
    ) -> Ready {
        match (with.decompose, &node.node, with.model.as_deref()) {
            (Decomposer::Rules, ..) | (_, None, None) => Ready::default(),
            (_, Some(_), _) => Ready { node: Some(node.agreed()), local: None },
            (_, None, Some(path)) => Ready { node: None, local: Some(loaded(path, with, tier, stop, quiet)) },
        }
    }

    /// Asks, with the question split by what is ready. A model that can't be had leaves it to the rules.
    ///
    /// # Errors
    /// Those of [`ask_and_keep`].
    pub(crate) async fn ask(&self, asking: Asking<'_>) -> Result<(Answer, Manifest), AskError> {
        let Asking { library, question, filter, watch, stop } = asking;
        let mut hear = |_: Wrote<'_>| if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        if let Some(Ok(Some(local))) = &self.local {
            return local.ask(library, question, filter, watch, &mut hear).await;
        }
        if let Some(Ok(Some(node))) = &self.node {
            match node.connect().await {
                Ok(model) => return ask_with_model(library, &model, question, filter, watch, &mut hear).await,
                Err(error) => {
                    anstream::eprintln!("{FAINT}The rules split the question: {}{FAINT:#}", plain(&error.to_string()));
                }
            }
        }
        ask_and_keep(library, question, filter, watch).await
    }
}

fn loaded(
    path: &Path,
    with: &ModelArguments,
    tier: seealso::Tier,
    stop: &Stop,
    quiet: bool,
) -> anyhow::Result<Option<Loaded>> {
    load(path, with, tier, stop, &Show::new(quiet))
}
