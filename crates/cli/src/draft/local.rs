//! A model in this process drafts: its file is looked at, the prompt is fitted, the weights are loaded, and it writes.

use std::ops::ControlFlow;
use std::time::Instant;

use seealso_gguf::ModelConfig;
use seealso_model::sample::Sampling;
use seealso_model::{Error, Event, Finish, Language, Model, Request, Session, SessionOptions};

use super::prompt::{Fitted, Room, fit};
use super::{Brief, Draft, End, Step, Unusable};
use crate::model_file::{check_memory, load, look, name, said, threads};

/// Lets the model of `brief` draft, telling `watch` of each step.
///
/// # Errors
///
/// [`Unusable`], where the model can't be used.
pub(crate) async fn write(brief: &Brief<'_>, watch: &mut dyn FnMut(Step<'_>)) -> anyhow::Result<Draft> {
    let begun = Instant::now();
    let unusable = |error| Unusable::new(brief.file, said(&error));
    let (header, config) = look(brief.file).map_err(|error| Unusable::new(brief.file, error))?;
    let language = Language::from_header(&header).map_err(unusable)?;
    let fitted = fitted(brief, &language, &config)?;
    let mut draft = begin(brief, &config, &fitted);
    let context = fitted.tokens.len() + draft_tokens(brief);
    check_memory(&header, &config, context).map_err(|reason| Unusable::new(brief.file, reason))?;
    let mut loading = |progress: seealso_model::Progress| {
        watch(Step::Loading(progress.done, progress.total));
        if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let Some(decoder) = load(brief.file, draft.threads, context, &mut loading).map_err(unusable)? else {
        return Ok(draft);
    };
    let session = Session::new(decoder, SessionOptions::default());
    draft.seconds[0] = begun.elapsed().as_secs_f64();
    watch(Step::Begins(&draft.model));
    let mut model = Model { language, session };
    generate(&mut model, brief, &fitted.tokens, &mut draft, watch).await.map_err(unusable)?;
    Ok(draft)
}

/// A draft without a word, as it is where it was stopped while the model was loaded.
fn begin(brief: &Brief<'_>, config: &ModelConfig, fitted: &Fitted) -> Draft {
    Draft {
        model: name(brief.file, config),
        text: String::new(),
        end: End::Stopped,
        tokens: 0,
        prompt_tokens: fitted.tokens.len(),
        sources: fitted.sources.parts.iter().map(|part| (part.number, part.whole)).collect(),
        threads: threads(brief.arguments.threads),
        seconds: [0.0; 3],
    }
}

fn draft_tokens(brief: &Brief<'_>) -> usize {
    brief.arguments.tokens as usize
}

/// The prompt that the model has room for.
fn fitted(brief: &Brief<'_>, language: &Language, config: &ModelConfig) -> Result<Fitted, Unusable> {
    let room = Room { chars: brief.tier.retrieval_chars(), context: config.context, draft: draft_tokens(brief) };
    let fitted = fit(language, brief.question, brief.manifest, &room);
    fitted.map_err(|error| Unusable::new(brief.file, said(&error)))?.ok_or_else(|| {
        let reason = format!(
            "the model's context of {} tokens has no room for the question, the beginning of one page and a draft of \
             {} tokens; give a smaller number of --tokens, or a model with a longer context",
            room.context, room.draft
        );
        Unusable::new(brief.file, reason)
    })
}

/// Lets the model write, and notes in `draft` what came.
async fn generate(
    model: &mut Model,
    brief: &Brief<'_>,
    prompt: &[u32],
    draft: &mut Draft,
    watch: &mut dyn FnMut(Step<'_>),
) -> Result<(), Error> {
    let arguments = brief.arguments;
    let sampling = Sampling { temperature: arguments.temperature, seed: arguments.seed, ..Sampling::default() };
    let request = Request { prompt, max_tokens: draft_tokens(brief), sampling, ..Request::default() };
    let begun = Instant::now();
    let mut read = 0.0;
    let mut each = async |event: Event<'_>| {
        match event {
            Event::Prefilled(step) => {
                read = begun.elapsed().as_secs_f64();
                watch(Step::Reading(step.done, step.total));
            }
            Event::Text(text) => watch(Step::Text(text)),
        }
        if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let generated = model.generate(&request, &mut each).await?;
    (draft.seconds[1], draft.seconds[2]) = (read, begun.elapsed().as_secs_f64() - read);
    (draft.text, draft.tokens) = (generated.text, generated.tokens.len());
    draft.end = match generated.finish {
        Finish::Stopped => End::Stopped,
        Finish::MaxTokens | Finish::ContextFull => End::Tokens,
        Finish::Ended | Finish::StopString => End::Done,
    };
    Ok(())
}
