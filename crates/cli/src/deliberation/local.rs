//! A model in this process: loaded, it splits questions and deliberates.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use seealso::{Abilities, Answer, AskError, Filter, Hear, Manifest, ModelError, Progress, Tier, ask_with_model};

use super::{Brief, ModelArguments, Outcome, Show, context_tokens, with};
use crate::judge_record::Record;
use crate::local_model::{LocalModel, ModelFile};
use crate::model_file::threads;
use crate::source::FolderLibrary;
use crate::stop_flag::Stop;
use crate::unusable_model::Unusable;

/// A model that is loaded.
pub(crate) struct Loaded {
    model: LocalModel,
    name: String,
    threads: usize,
    seconds: f64,
}

/// Loads the model at `path`; none where Ctrl-C stopped it.
///
/// # Errors
/// [`Unusable`].
pub(super) fn load(
    path: &Path,
    arguments: &ModelArguments,
    tier: Tier,
    stop: &Stop,
    show: &Show,
) -> anyhow::Result<Option<Loaded>> {
    let begun = Instant::now();
    let file = ModelFile::look(path)?;
    let (name, threads) = (file.name(), threads(arguments.threads));
    let context = context_tokens(&arguments.config(tier));
    let (judge, reading) =
        Record::of_file(path, Some(file.config())).map(|record| (record.judge, record.reading)).unzip();
    let abilities = Abilities { name: name.clone(), judge, tools: true, ..Abilities::default() };
    let mut loading = |done, total| {
        show.loading(done, total);
        if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let loaded = file.load(context, threads, abilities, &mut loading)?;
    let loaded = loaded.map(|model| model.reading(reading.flatten()));
    Ok(loaded.map(|model| Loaded { model, name, threads, seconds: begun.elapsed().as_secs_f64() }))
}

impl Loaded {
    /// Asks, with the question split by this model.
    ///
    /// # Errors
    /// Those of [`ask_with_model`].
    pub(super) async fn ask(
        &self,
        library: &FolderLibrary,
        question: &str,
        filter: Filter,
        watch: &mut dyn FnMut(Progress),
        hear: Hear<'_>,
    ) -> Result<(Answer, Manifest), AskError> {
        ask_with_model(library, &self.model, question, filter, watch, hear).await
    }
}

/// Lets the model at `path` deliberate: the one that is `ready`, else loads it.
pub(super) async fn run(
    brief: &Brief<'_>,
    path: &Path,
    ready: Option<anyhow::Result<Option<Loaded>>>,
    show: &Show,
) -> anyhow::Result<Outcome> {
    let ready = ready.unwrap_or_else(|| load(path, brief.arguments, brief.tier, brief.stop, show));
    let Some(Loaded { model, name, threads, seconds }) = ready? else { return Ok(Outcome::stopped()) };
    let outcome = |done, failed| Outcome { model: name, done, failed, threads, load_seconds: seconds };
    match with(&model, brief, show).await {
        Ok(done) => Ok(outcome(Some(done), None)),
        Err(ModelError::Stopped) => Ok(outcome(None, None)),
        Err(error @ ModelError::TooLong { .. }) => {
            let advice = "give a smaller number of --tokens, or a model with a longer context";
            Err(Unusable::new(path, format!("{error}; {advice}")).into())
        }
        Err(error) => Ok(outcome(None, Some(error.to_string()))),
    }
}
