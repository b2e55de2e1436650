//! Splits the questions that are measured into sub-queries: by the rules, or by a model.

use std::path::PathBuf;

use clap::Args;
use seealso::{Answer, AskOptions, Config, Manifest, NoModel, Question, SubQueries, decompose};

use crate::source::FolderLibrary;
use crate::stages::StageSession;

#[cfg(not(feature = "model"))]
use absent::{ModelSplitter, Writer};
#[cfg(feature = "model")]
use present::{ModelSplitter, Writer};

/// The model that splits questions, where one does.
#[derive(Args)]
pub(super) struct SplitterArguments {
    /// Let the model in this GGUF file split the questions, instead of the rules, and say them in other words where --multi-query
    /// is on.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The threads that the model runs on; by default as many as there are processors.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// The rules, or a model.
pub(super) struct QuestionSplitter(Option<ModelSplitter>);

/// The sub-queries of a question, and whether they are the model's.
pub(super) struct SplitQuestion {
    pub(super) sub_queries: SubQueries,
    pub(super) by_model: bool,
}

impl SplitterArguments {
    /// Loads the model, where one is named.
    ///
    /// # Errors
    /// [`crate::unusable_model::UnusableModel`].
    pub(super) fn open(&self) -> anyhow::Result<QuestionSplitter> {
        let splitter = self.model.as_deref().map(|path| ModelSplitter::load(path, self.threads));
        Ok(QuestionSplitter(splitter.transpose()?))
    }
}

impl QuestionSplitter {
    /// Splits `question`.
    pub(super) async fn split(
        &self,
        library: &FolderLibrary,
        question: &Question,
        config: &Config,
    ) -> anyhow::Result<SplitQuestion> {
        if let Some(splitter) = &self.0 {
            return splitter.split(library, question, config).await;
        }
        let splitting = library.resolve(|index| {
            index.searcher(&library.config.bm25).prefetch(question.text())?;
            decompose(question, index, config)
        });
        Ok(SplitQuestion { sub_queries: splitting.await?, by_model: false })
    }

    /// The answer to `question`, and the pages behind it.
    pub(super) async fn ask(
        &self,
        library: &FolderLibrary,
        question: &str,
        stages: &StageSession,
    ) -> anyhow::Result<(Answer, Manifest)> {
        match &self.0 {
            Some(splitter) => splitter.ask(library, question, stages).await,
            None => Ok(stages.ask(library, question, AskOptions::default(), None::<&NoModel>).await?),
        }
    }

    /// The model, which writes questions in other words too where that is asked for.
    pub(super) fn writer(&self) -> Option<&Writer> {
        self.0.as_ref().map(ModelSplitter::writer)
    }
}

#[cfg(feature = "model")]
mod present {
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::ops::ControlFlow;
    use std::path::Path;

    use seealso::{
        Abilities, Answer, AskOptions, ByModel, Config, Generation, GenerationRequest, Manifest, Model, ModelError,
        OnEvent, Prompt, Question, decompose_by,
    };

    use super::SplitQuestion;
    use crate::local_model::{LocalModel, ModelFile};
    use crate::model_file::thread_count;
    use crate::source::FolderLibrary;
    use crate::stages::StageSession;

    /// The longest prompt and reply, in tokens.
    const CONTEXT: usize = 4096;

    /// How many texts are remembered: more than a question needs.
    const REMEMBERED: usize = 8;

    /// A model that splits a question once, and says it in other words once, though both are needed twice: for the ranking and
    /// for the answer.
    pub(in super::super) struct ModelSplitter {
        model: LocalModel,
        recent: RefCell<VecDeque<(GenerationRequest, Generation)>>,
    }

    pub(in super::super) type Writer = ModelSplitter;

    impl ModelSplitter {
        pub(super) fn writer(&self) -> &Writer {
            self
        }

        pub(super) fn load(path: &Path, named: Option<u16>) -> anyhow::Result<ModelSplitter> {
            let file = ModelFile::open(path)?;
            let abilities = Abilities { name: file.name(), ..Abilities::default() };
            let model = file.load(CONTEXT, thread_count(named), abilities, &mut |_, _| ControlFlow::Continue(()))?;
            Ok(ModelSplitter { model: model.expect("nothing stopped it"), recent: RefCell::default() })
        }

        pub(super) async fn split(
            &self,
            library: &FolderLibrary,
            question: &Question,
            config: &Config,
        ) -> anyhow::Result<SplitQuestion> {
            let mut on_event = |_: seealso::GenerationEvent<'_>| ControlFlow::Continue(());
            let done = decompose_by(self, question, library, config, &mut on_event).await?;
            Ok(SplitQuestion { by_model: done.by_rules.is_none(), sub_queries: done.sub_queries })
        }

        pub(super) async fn ask(
            &self,
            library: &FolderLibrary,
            question: &str,
            stages: &StageSession,
        ) -> anyhow::Result<(Answer, Manifest)> {
            let mut on_event = |_: seealso::GenerationEvent<'_>| ControlFlow::Continue(());
            let splitter = ByModel { model: self, on_event: &mut on_event };
            Ok(stages.ask(library, question, AskOptions::default().split_by(splitter), Some(self)).await?)
        }
    }

    impl Model for ModelSplitter {
        fn abilities(&self) -> &Abilities {
            self.model.abilities()
        }

        async fn write(&self, writing: &GenerationRequest, on_event: OnEvent<'_>) -> Result<Generation, ModelError> {
            let known = self.recent.borrow().iter().find(|(known, _)| known == writing).map(|(_, text)| text.clone());
            if let Some(written) = known {
                return Ok(written);
            }
            let written = self.model.write(writing, on_event).await?;
            let mut recent = self.recent.borrow_mut();
            recent.push_back((writing.clone(), written.clone()));
            if recent.len() > REMEMBERED {
                recent.pop_front();
            }
            Ok(written)
        }

        async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
            self.model.score(prompt, continuations).await
        }
    }
}

#[cfg(not(feature = "model"))]
mod absent {
    use std::path::Path;

    use seealso::{Answer, Config, Manifest, Question};

    use super::SplitQuestion;
    use crate::source::FolderLibrary;
    use crate::stages::StageSession;
    use crate::unusable_model::UnusableModel;

    /// No model can be loaded in this build.
    pub(super) enum ModelSplitter {}

    pub(super) type Writer = seealso::NoModel;

    impl ModelSplitter {
        pub(super) fn writer(&self) -> &Writer {
            match *self {}
        }

        pub(super) fn load(path: &Path, _: Option<u16>) -> anyhow::Result<ModelSplitter> {
            Err(UnusableModel::without_models(path).into())
        }

        pub(super) async fn split(&self, _: &FolderLibrary, _: &Question, _: &Config) -> anyhow::Result<SplitQuestion> {
            match *self {}
        }

        pub(super) async fn ask(
            &self,
            _: &FolderLibrary,
            _: &str,
            _: &StageSession,
        ) -> anyhow::Result<(Answer, Manifest)> {
            match *self {}
        }
    }
}
