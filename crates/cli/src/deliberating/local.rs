//! A model in this process deliberates.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use seealso::{Abilities, ModelError};

use super::{Brief, Outcome, Show, context_tokens, with};
use crate::local_model::{ModelFile, judge_of};
use crate::model_file::threads;
use crate::unusable::Unusable;

/// Loads the model and lets it deliberate.
pub(super) async fn run(brief: &Brief<'_>, path: &Path, show: &Show) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let file = ModelFile::look(path)?;
    let name = file.name();
    let (arguments, threads) = (brief.arguments, threads(brief.arguments.threads));
    let context = context_tokens(&arguments.config(brief.tier));
    let abilities = Abilities { name: name.clone(), judge: judge_of(path), ..Abilities::default() };
    let mut loading = |done, total| {
        show.loading(done, total);
        if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let loaded = file.load(context, threads, abilities, &mut loading)?;
    let load_seconds = begun.elapsed().as_secs_f64();
    let outcome = |done, failed| Outcome { model: name.clone(), done, failed, threads, load_seconds };
    let Some(model) = loaded else { return Ok(outcome(None, None)) };
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
