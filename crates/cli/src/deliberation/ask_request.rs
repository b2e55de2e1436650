//! A question to be answered, by whichever of rules and models splits it and says it in other words.

use std::ops::ControlFlow;

use seealso::{
    Answer, AskError, AskOptions, ByModel, ByRules, Filter, GenerationEvent, Manifest, Model, NoModel, Progress,
    Splitter,
};

use super::decomposer::Decomposer;
use crate::source::FolderLibrary;
use crate::stages::StageSession;
use crate::stop_flag::StopFlag;

/// A question to be answered, and what is called on the way.
pub(crate) struct AskRequest<'a> {
    pub(crate) library: &'a FolderLibrary,
    pub(crate) question: &'a str,
    pub(crate) filter: Filter,
    pub(crate) on_progress: &'a mut dyn FnMut(Progress),
    pub(crate) stop: &'a StopFlag,
    pub(crate) stages: &'a StageSession,
}

impl AskRequest<'_> {
    /// Answers the question, which the rules split.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    pub(crate) async fn answer(self) -> Result<(Answer, Manifest), AskError> {
        self.answer_with(ByRules, None::<&NoModel>).await
    }

    /// Answers the question with the help of `model`: it splits the question where the `decomposer` is a model, and writes it in
    /// other words where that is asked for.
    ///
    /// # Errors
    /// Those of [`seealso::ask`].
    pub(super) async fn answer_by<M: Model>(
        self,
        model: &M,
        decomposer: Decomposer,
    ) -> Result<(Answer, Manifest), AskError> {
        let stop = self.stop;
        let mut on_event =
            |_: GenerationEvent<'_>| if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match decomposer {
            Decomposer::Rules => self.answer_with(ByRules, Some(model)).await,
            Decomposer::Model => self.answer_with(ByModel { model, on_event: &mut on_event }, Some(model)).await,
        }
    }

    async fn answer_with<M: Model>(
        self,
        splitter: impl Splitter,
        writer: Option<&M>,
    ) -> Result<(Answer, Manifest), AskError> {
        let options = AskOptions { filter: Some(self.filter), watch: Some(self.on_progress), ..AskOptions::default() };
        self.stages.ask(self.library, self.question, options.split_by(splitter), writer).await
    }
}
