//! Who splits the questions that are measured: the rules, or a model.

use std::path::PathBuf;

use clap::Args;
use seealso::{Answer, Config, Manifest, Question, SubQueries, ask_and_keep, decompose};

use crate::source::FolderLibrary;

#[cfg(not(feature = "model"))]
use absent::Splitter;
#[cfg(feature = "model")]
use present::Splitter;

/// Which model splits.
#[derive(Args)]
pub(super) struct SplitArguments {
    /// Let the model in this GGUF file split the questions, instead of the rules.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// What splits.
pub(super) struct Splitting(Option<Splitter>);

/// A question's sub-queries, and whether they are the model's.
pub(super) struct Split {
    pub(super) sub_queries: SubQueries,
    pub(super) by_model: bool,
}

impl SplitArguments {
    /// Makes it ready.
    ///
    /// # Errors
    /// [`crate::unusable::Unusable`].
    pub(super) fn ready(&self) -> anyhow::Result<Splitting> {
        let splitter = self.model.as_deref().map(|path| Splitter::load(path, self.threads));
        Ok(Splitting(splitter.transpose()?))
    }
}

impl Splitting {
    /// Splits `question`.
    pub(super) async fn split(
        &self,
        library: &FolderLibrary,
        question: &Question,
        config: &Config,
    ) -> anyhow::Result<Split> {
        if let Some(splitter) = &self.0 {
            return splitter.split(library, question, config).await;
        }
        let splitting = library.resolve(|index| {
            index.searcher(&library.config.bm25).prefetch(question.text())?;
            decompose(question, index, config)
        });
        Ok(Split { sub_queries: splitting.await?, by_model: false })
    }

    /// Answers `question`, and gives the pages behind the answer.
    pub(super) async fn ask(&self, library: &FolderLibrary, question: &str) -> anyhow::Result<(Answer, Manifest)> {
        match &self.0 {
            Some(splitter) => splitter.ask(library, question).await,
            None => Ok(ask_and_keep(library, question, library.config.filter.clone(), &mut |_| {}).await?),
        }
    }
}

#[cfg(feature = "model")]
mod present {
    use std::cell::RefCell;
    use std::ops::ControlFlow;
    use std::path::Path;

    use seealso::{
        Abilities, Answer, Config, Hear, Manifest, Model, ModelError, Prompt, Question, Writing, Written,
        ask_with_model, decompose_by,
    };

    use super::Split;
    use crate::local_model::{LocalModel, ModelFile};
    use crate::model_file::threads;
    use crate::source::FolderLibrary;

    /// The longest prompt and reply, in tokens.
    const CONTEXT: usize = 4096;

    /// A model that is asked once for a question, though the question is looked at twice.
    pub(super) struct Splitter {
        model: LocalModel,
        last: RefCell<Option<(Writing, Written)>>,
    }

    impl Splitter {
        pub(super) fn load(path: &Path, named: Option<u16>) -> anyhow::Result<Splitter> {
            let file = ModelFile::look(path)?;
            let abilities = Abilities { name: file.name(), ..Abilities::default() };
            let model = file.load(CONTEXT, threads(named), abilities, &mut |_, _| ControlFlow::Continue(()))?;
            Ok(Splitter { model: model.expect("nothing stopped it"), last: RefCell::default() })
        }

        pub(super) async fn split(
            &self,
            library: &FolderLibrary,
            question: &Question,
            config: &Config,
        ) -> anyhow::Result<Split> {
            let mut hear = |_: seealso::Wrote<'_>| ControlFlow::Continue(());
            let done = decompose_by(self, question, library, config, &mut hear).await?;
            Ok(Split { by_model: done.by_rules.is_none(), sub_queries: done.sub_queries })
        }

        pub(super) async fn ask(&self, library: &FolderLibrary, question: &str) -> anyhow::Result<(Answer, Manifest)> {
            let mut hear = |_: seealso::Wrote<'_>| ControlFlow::Continue(());
            let filter = library.config.filter.clone();
            Ok(ask_with_model(library, self, question, filter, &mut |_| {}, &mut hear).await?)
        }
    }

    impl Model for Splitter {
        fn abilities(&self) -> &Abilities {
            self.model.abilities()
        }

        async fn write(&self, writing: &Writing, watch: Hear<'_>) -> Result<Written, ModelError> {
            if let Some((_, written)) = self.last.borrow().as_ref().filter(|(asked, _)| asked == writing) {
                return Ok(written.clone());
            }
            let written = self.model.write(writing, watch).await?;
            *self.last.borrow_mut() = Some((writing.clone(), written.clone()));
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

    use super::Split;
    use crate::source::FolderLibrary;
    use crate::unusable::Unusable;

    /// There is none.
    pub(super) enum Splitter {}

    impl Splitter {
        pub(super) fn load(path: &Path, _: Option<u16>) -> anyhow::Result<Splitter> {
            let reason = "this seealso was built without models; install it again without `--no-default-features`";
            Err(Unusable::new(path, reason).into())
        }

        pub(super) async fn split(&self, _: &FolderLibrary, _: &Question, _: &Config) -> anyhow::Result<Split> {
            match *self {}
        }

        pub(super) async fn ask(&self, _: &FolderLibrary, _: &str) -> anyhow::Result<(Answer, Manifest)> {
            match *self {}
        }
    }
}
