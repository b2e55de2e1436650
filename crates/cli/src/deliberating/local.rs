//! A model in this process deliberates.

use std::ops::ControlFlow;
use std::time::Instant;

use seealso::{Abilities, ModelError, Roles, Step};

use super::{Brief, Outcome, Show};
use crate::local_model::{ModelFile, judge_of};
use crate::model_file::threads;
use crate::source::SystemClock;
use crate::unusable::Unusable;

/// Characters of a prompt that stand for a token, at the fewest that are seen as a rule.
const CHARS_A_TOKEN: usize = 3;
/// Tokens of a prompt that are not sources: rules, question, review.
const OTHER_TOKENS: usize = 1_024;

/// Loads the model and lets it deliberate.
pub(super) async fn run(brief: &Brief<'_>, show: &Show) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let file = ModelFile::look(brief.file)?;
    let name = file.name();
    let (arguments, threads) = (brief.arguments, threads(brief.arguments.threads));
    let config = arguments.config(brief.tier);
    let context = brief.tier.retrieval_chars() / CHARS_A_TOKEN + config.max_tokens + OTHER_TOKENS;
    let abilities = Abilities { name: name.clone(), judge: judge_of(brief.file), ..Abilities::default() };
    let flow = || if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let mut loading = |done, total| {
        show.loading(done, total);
        flow()
    };
    let loaded = file.load(context, threads, abilities, &mut loading)?;
    let load_seconds = begun.elapsed().as_secs_f64();
    let outcome = |done, failed| Outcome { model: name.clone(), done, failed, threads, load_seconds };
    let Some(model) = loaded else { return Ok(outcome(None, None)) };
    let mut watch = |step: Step<'_>| {
        show.step(step);
        flow()
    };
    let clock = SystemClock::new();
    let done =
        seealso::deliberate(&Roles::all(&model), brief.answer, brief.manifest, &config, &clock, &mut watch).await;
    match done {
        Ok(done) => Ok(outcome(Some(done), None)),
        Err(ModelError::Stopped) => Ok(outcome(None, None)),
        Err(error @ ModelError::TooLong { .. }) => {
            let advice = "give a smaller number of --tokens, or a model with a longer context";
            Err(Unusable::new(brief.file, format!("{error}; {advice}")).into())
        }
        Err(error) => Ok(outcome(None, Some(error.to_string()))),
    }
}
