//! The thread on which the model runs: it loads the model, and then does job after job.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use seealso_gguf::{Header, ModelConfig};
use seealso_model::network::Network as _;
use seealso_model::sample::Sampler;
use seealso_model::{Error, Event, Finish, Language, Prefilled, Request, Session, SessionOptions};
use seealso_node::protocol::{CachedTokens, Progress, Usage};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender, channel};
use tokio::sync::oneshot;

use super::job::{Job, Refusal, Task, Told};
use super::likelihoods::likelihoods;
use crate::model_file::{check_memory, load, look, name, said};
use crate::source::block_on;
use crate::style::ProgressLine;
use crate::unusable_model::Unusable;

/// Which model, and how it runs.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    /// The file.
    pub(crate) file: PathBuf,
    /// Threads to compute on.
    pub(crate) threads: usize,
    /// The most tokens of a prompt and its answer.
    pub(crate) context: usize,
}

/// A model that is ready, and the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    /// The model's name.
    pub(crate) name: String,
    /// Its context, in tokens.
    pub(crate) context: usize,
    /// Where jobs wait.
    pub(super) jobs: Sender<Job>,
}

/// Jobs that may wait while one is done.
pub(super) const WAITING: usize = 4;

/// Loads the model on a thread of its own, which ends when the last [`Host`] has gone.
///
/// # Errors
///
/// [`Unusable`], where the model can't be used.
pub(crate) async fn start(model: Model) -> anyhow::Result<Host> {
    let unusable = |reason: String| Unusable::new(&model.file, reason);
    let (header, config) = look(&model.file).map_err(unusable)?;
    let context = model.context.min(config.context);
    check_memory(&header, &config, context).map_err(unusable)?;
    let host_name = name(&model.file, &config);
    let (jobs, waiting) = channel(WAITING);
    let (ready, loaded) = oneshot::channel();
    let thread = Thread { model: Model { context, ..model.clone() }, header, config };
    std::thread::Builder::new().name("model".to_owned()).spawn(move || thread.run(ready, waiting))?;
    loaded.await.context("the model's thread ended")?.map_err(unusable)?;
    Ok(Host { name: host_name, context, jobs })
}

/// What the thread begins with.
struct Thread {
    model: Model,
    header: Header,
    config: ModelConfig,
}

impl Thread {
    fn run(self, ready: oneshot::Sender<Result<(), String>>, mut waiting: Receiver<Job>) {
        let mut model = match self.load() {
            Ok(model) => model,
            Err(reason) => return drop(ready.send(Err(reason))),
        };
        // Nobody waits any more: the receiver ends the loop below too.
        drop(ready.send(Ok(())));
        let ended = block_on(async {
            while let Some(job) = waiting.recv().await {
                // Of a client that left while its job was waiting, nothing is done.
                if !job.told.is_closed() {
                    do_job(&mut model, &job).await;
                }
            }
        });
        drop(ended);
    }

    fn load(&self) -> Result<seealso_model::Model, String> {
        let language = Language::from_header(&self.header).map_err(|error| said(&error))?;
        let line = ProgressLine::new();
        let mut watch = |progress: seealso_model::Progress| {
            let percent = (100 * progress.done).checked_div(progress.total).unwrap_or(0);
            line.say(&format!("loading {}: {percent} %", name(&self.model.file, &self.config)));
            ControlFlow::Continue(())
        };
        let decoder = load(&self.model.file, self.model.threads, self.model.context, &mut watch);
        let decoder = decoder.map_err(|error| said(&error))?.ok_or("it was stopped")?;
        Ok(seealso_model::Model { language, session: Session::new(decoder, SessionOptions::default()) })
    }
}

/// Does a job, and tells how it ended. Where nobody listens any more, it ends early.
async fn do_job(model: &mut seealso_model::Model, job: &Job) {
    let told = match begin(model, job) {
        Ok((prompt, most)) => match &job.task {
            Task::Write(_, stops) => write(model, job, &prompt, most, stops).await,
            Task::Weigh(top) => weigh(model, job, &prompt, *top).await,
        }
        .unwrap_or_else(|error| Told::Refused(Refusal::Failed(error.to_string()))),
        Err(refusal) => Told::Refused(refusal),
    };
    drop(job.told.send(told));
}

/// The prompt's tokens, and how many may follow.
fn begin(model: &seealso_model::Model, job: &Job) -> Result<(Vec<u32>, usize), Refusal> {
    let prompt = model.language.prompt(&job.messages).map_err(|error| Refusal::Failed(error.to_string()))?;
    let context = model.session.network().context();
    let room = context.saturating_sub(prompt.len());
    let wanted = match &job.task {
        Task::Write(most, _) => most.unwrap_or(room.max(1)),
        Task::Weigh(_) => 1,
    };
    if wanted > room {
        return Err(Refusal::TooLong { tokens: prompt.len(), wanted, context });
    }
    drop(job.told.send(Told::Begun));
    Ok((prompt, wanted))
}

async fn write(
    model: &mut seealso_model::Model,
    job: &Job,
    prompt: &[u32],
    max_tokens: usize,
    stops: &[String],
) -> Result<Told, Error> {
    let request = Request { prompt, max_tokens, sampling: job.sampling.clone(), stops, ..Request::default() };
    let mut watch = async |event: Event<'_>| match event {
        Event::Prefilled(step) => read(&job.told, step),
        Event::Drawn(_) => ControlFlow::Continue(()),
        // A token that only began a character has no text, but a client may have left meanwhile.
        Event::Text("") if job.told.is_closed() => ControlFlow::Break(()),
        Event::Text("") => ControlFlow::Continue(()),
        Event::Text(text) => tell(&job.told, Told::Text(text.to_owned())),
    };
    let written = model.generate(&request, &mut watch).await?;
    let cut = matches!(written.finish, Finish::MaxTokens | Finish::ContextFull);
    Ok(Told::Ended(cut, usage(prompt.len(), written.tokens.len(), written.reused)))
}

/// The likelihoods of the first token. They are what a prompt's last pass gives, so nothing is generated.
async fn weigh(model: &mut seealso_model::Model, job: &Job, prompt: &[u32], top: usize) -> Result<Told, Error> {
    let mut reused = 0;
    let mut watch = async |step: Prefilled| {
        reused = step.reused;
        read(&job.told, step)
    };
    let Some(logits) = model.session.prefill(prompt, &mut watch).await? else {
        return Ok(Told::Ended(true, usage(prompt.len(), 0, reused)));
    };
    let chosen = Sampler::new(job.sampling.clone()).draw(&logits, prompt, None).unwrap_or(0);
    let vocabulary = &model.language.vocabulary;
    let ended = vocabulary.ends().contains(&chosen);
    drop(job.told.send(Told::Text(String::from_utf8_lossy(vocabulary.bytes_of(chosen)).into_owned())));
    drop(job.told.send(Told::Weighed(likelihoods(&logits, chosen, top, vocabulary))));
    Ok(Told::Ended(!ended, usage(prompt.len(), 1, reused)))
}

fn read(told: &UnboundedSender<Told>, step: Prefilled) -> ControlFlow<()> {
    tell(told, Told::Read(Progress { total: step.total, cache: step.reused, processed: step.done }))
}

fn tell(told: &UnboundedSender<Told>, what: Told) -> ControlFlow<()> {
    match told.send(what) {
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
