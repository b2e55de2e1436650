//! The thread on which the model runs: it loads the model, and then runs one job after the other.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use seealso_gguf::{Header, ModelConfig};
use seealso_model::network::Network as _;
use seealso_model::sample::Sampler;
use seealso_model::{Error, Event, Finish, Language, PrefillProgress, Request, Session, SessionOptions};
use seealso_node::protocol::{CachedTokens, Progress, Usage};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender, channel};
use tokio::sync::oneshot;

use super::job::{Job, Refusal, StreamEvent, Task};
use super::likelihoods::likelihoods;
use crate::model_file::{check_memory, describe_error, load_decoder, model_name, read_header};
use crate::source::block_on;
use crate::style::ProgressLine;
use crate::unusable_model::UnusableModel;

/// The model's file, and how it runs.
#[derive(Debug, Clone)]
pub(crate) struct ModelSettings {
    /// The file.
    pub(crate) file: PathBuf,
    /// Threads to compute on.
    pub(crate) threads: usize,
    /// The most tokens of a prompt and its answer.
    pub(crate) context: usize,
}

/// A handle to the model on its thread.
#[derive(Debug, Clone)]
pub(crate) struct ModelHandle {
    /// The model's name.
    pub(crate) name: String,
    /// Its context, in tokens.
    pub(crate) context: usize,
    /// The queue of jobs.
    pub(super) jobs: Sender<Job>,
}

/// How many jobs may wait while one runs.
pub(super) const QUEUE_LENGTH: usize = 4;

/// Loads the model on a thread of its own, which ends when the last [`ModelHandle`] is dropped.
///
/// # Errors
///
/// [`UnusableModel`], where the model can't be used.
pub(crate) async fn start(settings: ModelSettings) -> anyhow::Result<ModelHandle> {
    let unusable = |reason: String| UnusableModel::new(&settings.file, reason);
    let (header, config) = read_header(&settings.file).map_err(unusable)?;
    let context = settings.context.min(config.context);
    check_memory(&header, &config, context).map_err(unusable)?;
    let name = model_name(&settings.file, &config);
    let (jobs, queue) = channel(QUEUE_LENGTH);
    let (ready, loaded) = oneshot::channel();
    let worker = Worker { settings: ModelSettings { context, ..settings.clone() }, header, config };
    std::thread::Builder::new().name("model".to_owned()).spawn(move || worker.run(ready, queue))?;
    loaded.await.context("the model's thread ended")?.map_err(unusable)?;
    Ok(ModelHandle { name, context, jobs })
}

/// The thread's settings, and the header of the model's file.
struct Worker {
    settings: ModelSettings,
    header: Header,
    config: ModelConfig,
}

impl Worker {
    fn run(self, ready: oneshot::Sender<Result<(), String>>, mut queue: Receiver<Job>) {
        let mut model = match self.load() {
            Ok(model) => model,
            Err(reason) => return drop(ready.send(Err(reason))),
        };
        // If nobody waits for it any more, the receiver ends the loop below too.
        drop(ready.send(Ok(())));
        let ended = block_on(async {
            while let Some(job) = queue.recv().await {
                // The job of a client that left while it was waiting is skipped.
                if !job.events.is_closed() {
                    run_job(&mut model, &job).await;
                }
            }
        });
        drop(ended);
    }

    fn load(&self) -> Result<seealso_model::Model, String> {
        let language = Language::from_header(&self.header).map_err(|error| describe_error(&error))?;
        let line = ProgressLine::on_stderr();
        let mut on_progress = |progress: seealso_model::Progress| {
            let percent = (100 * progress.done).checked_div(progress.total).unwrap_or(0);
            line.show(&format!("loading {}: {percent} %", model_name(&self.settings.file, &self.config)));
            ControlFlow::Continue(())
        };
        let decoder = load_decoder(&self.settings.file, self.settings.threads, self.settings.context, &mut on_progress);
        let decoder = decoder.map_err(|error| describe_error(&error))?.ok_or("it was stopped")?;
        Ok(seealso_model::Model { language, session: Session::new(decoder, SessionOptions::default()) })
    }
}

/// Runs a job and sends its events. It ends early where the client has left.
async fn run_job(model: &mut seealso_model::Model, job: &Job) {
    let last = match prepare(model, job) {
        Ok((prompt, most)) => match &job.task {
            Task::Generate(_, stops) => generate(model, job, &prompt, most, stops).await,
            Task::TopTokens(top) => top_tokens(model, job, &prompt, *top).await,
        }
        .unwrap_or_else(|error| StreamEvent::Refused(Refusal::Failed(error.to_string()))),
        Err(refusal) => StreamEvent::Refused(refusal),
    };
    drop(job.events.send(last));
}

/// Encodes the prompt, and gives its tokens and how many may follow.
fn prepare(model: &seealso_model::Model, job: &Job) -> Result<(Vec<u32>, usize), Refusal> {
    let prompt = model.language.prompt(&job.messages).map_err(|error| Refusal::Failed(error.to_string()))?;
    let context = model.session.network().context();
    let room = context.saturating_sub(prompt.len());
    let wanted = match &job.task {
        Task::Generate(most, _) => most.unwrap_or(room.max(1)),
        Task::TopTokens(_) => 1,
    };
    if wanted > room {
        return Err(Refusal::TooLong { tokens: prompt.len(), wanted, context });
    }
    drop(job.events.send(StreamEvent::Started));
    Ok((prompt, wanted))
}

async fn generate(
    model: &mut seealso_model::Model,
    job: &Job,
    prompt: &[u32],
    max_tokens: usize,
    stops: &[String],
) -> Result<StreamEvent, Error> {
    let request = Request { prompt, max_tokens, sampling: job.sampling.clone(), stops, ..Request::default() };
    let mut on_event = async |event: Event<'_>| match event {
        Event::PrefillProgress(step) => send_progress(&job.events, step),
        Event::Drawn(_) => ControlFlow::Continue(()),
        // A token that is only the beginning of a character has no text, but the client may have left meanwhile.
        Event::Text("") if job.events.is_closed() => ControlFlow::Break(()),
        Event::Text("") => ControlFlow::Continue(()),
        Event::Text(text) => send(&job.events, StreamEvent::Text(text.to_owned())),
    };
    let written = model.generate(&request, &mut on_event).await?;
    let cut = matches!(written.finish, Finish::MaxTokens | Finish::ContextFull);
    Ok(StreamEvent::Finished { cut, usage: usage(prompt.len(), written.tokens.len(), written.reused) })
}

/// The likelihoods of the first token, which the last pass over the prompt gives without generating.
async fn top_tokens(
    model: &mut seealso_model::Model,
    job: &Job,
    prompt: &[u32],
    top: usize,
) -> Result<StreamEvent, Error> {
    let mut reused = 0;
    let mut on_event = async |step: PrefillProgress| {
        reused = step.reused;
        send_progress(&job.events, step)
    };
    let Some(logits) = model.session.prefill(prompt, &mut on_event).await? else {
        return Ok(StreamEvent::Finished { cut: true, usage: usage(prompt.len(), 0, reused) });
    };
    let chosen = Sampler::new(job.sampling.clone()).draw(&logits, prompt, None).unwrap_or(0);
    let vocabulary = &model.language.vocabulary;
    let ended = vocabulary.ends().contains(&chosen);
    drop(job.events.send(StreamEvent::Text(String::from_utf8_lossy(vocabulary.bytes_of(chosen)).into_owned())));
    drop(job.events.send(StreamEvent::Likelihoods(likelihoods(&logits, chosen, top, vocabulary))));
    Ok(StreamEvent::Finished { cut: !ended, usage: usage(prompt.len(), 1, reused) })
}

fn send_progress(events: &UnboundedSender<StreamEvent>, step: PrefillProgress) -> ControlFlow<()> {
    send(events, StreamEvent::PromptRead(Progress { total: step.total, cache: step.reused, processed: step.done }))
}

/// Sends an event; breaks where the client has left.
fn send(events: &UnboundedSender<StreamEvent>, event: StreamEvent) -> ControlFlow<()> {
    match events.send(event) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

fn usage(prompt_tokens: usize, completion_tokens: usize, cached_tokens: usize) -> Usage {
    Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        prompt_tokens_details: Some(CachedTokens { cached_tokens }),
    }
}
