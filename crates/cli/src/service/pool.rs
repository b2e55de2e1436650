//! The threads of a service, and the queue before them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use seealso::{EntryRequest, EntryResponse};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Mutex, oneshot};
use uuid::Uuid;

use crate::answer_json::AnswerJson;
use crate::source::block_on;

use super::engine::Engine;
use super::fault::ServiceFault;
use super::reply::{PageReply, SearchReply};
use super::request::{AskRequest, PageRequest, SearchRequest};

/// How long a thread waits before it tries again to open its packs.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// The longest such wait.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The limits of a pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolLimits {
    /// How many threads there are.
    pub(crate) threads: usize,
    /// How many requests may wait for them.
    pub(crate) queue: usize,
    /// How long a request may take, its wait included.
    pub(crate) time: Duration,
}

/// Where the reply to a job goes.
type ReplySender<T> = oneshot::Sender<Result<T, ServiceFault>>;

/// A request with the way back to who asked.
enum Job {
    Search(SearchRequest, ReplySender<SearchReply>),
    ReadPage(PageRequest, ReplySender<PageReply>),
    Ask(AskRequest, ReplySender<AnswerJson>),
    Retrieve(EntryRequest, String, ReplySender<EntryResponse>),
}

/// The way to the threads of a service, which end when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct ServiceHandle {
    jobs: Sender<Job>,
    time: Duration,
}

/// Starts the threads, each with an engine that `open` opens.
///
/// # Errors
/// What kept an engine from being opened.
pub(crate) async fn start<E: Engine>(
    limits: PoolLimits,
    open: impl AsyncFn() -> anyhow::Result<E> + Send + Sync + 'static,
) -> anyhow::Result<ServiceHandle> {
    let (jobs, queue) = channel(limits.queue);
    let (queue, open) = (Arc::new(Mutex::new(queue)), Arc::new(open));
    let mut opened = Vec::new();
    for number in 0..limits.threads {
        let (ready, is_ready) = oneshot::channel();
        let (queue, open) = (Arc::clone(&queue), Arc::clone(&open));
        let thread = std::thread::Builder::new().name(format!("service {number}"));
        thread.spawn(move || run_thread(&*open, &queue, ready))?;
        opened.push(is_ready);
    }
    for is_ready in opened {
        is_ready.await.context("a thread of the service ended while it opened the packs")??;
    }
    Ok(ServiceHandle { jobs, time: limits.time })
}

/// Works until the queue is closed. An engine that panics is opened anew, until that succeeds; only the request that it worked on
/// is lost.
fn run_thread<E: Engine>(
    open: &impl AsyncFn() -> anyhow::Result<E>,
    queue: &Mutex<Receiver<Job>>,
    ready: oneshot::Sender<anyhow::Result<()>>,
) {
    let mut ready = Some(ready);
    let mut work = || {
        block_on(async {
            let engine = match ready.take() {
                Some(ready) => open_first(open, ready).await,
                None => open_again(open, queue).await,
            };
            if let Some(engine) = engine {
                while let Some(job) = next_job(queue).await {
                    run_job(&engine, job).await;
                }
            }
        })
    };
    while catch_unwind(AssertUnwindSafe(&mut work)).is_err() {
        tracing::error!("a thread of the service failed, and starts again; its request got no reply");
    }
}

/// Opens an engine, and tells the service's start whether that succeeded.
async fn open_first<E>(
    open: &impl AsyncFn() -> anyhow::Result<E>,
    ready: oneshot::Sender<anyhow::Result<()>>,
) -> Option<E> {
    let (engine, opened) = match open().await {
        Ok(engine) => (Some(engine), Ok(())),
        Err(error) => (None, Err(error)),
    };
    drop(ready.send(opened));
    engine
}

/// Opens an engine, after longer and longer waits where that fails; none where the queue was closed meanwhile.
async fn open_again<E>(open: &impl AsyncFn() -> anyhow::Result<E>, queue: &Mutex<Receiver<Job>>) -> Option<E> {
    let mut wait = FIRST_WAIT;
    loop {
        match open().await {
            Ok(engine) => return Some(engine),
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "the packs can't be opened again; that is retried");
            }
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
        // Another thread that waits for jobs holds the queue, and so knows before this one.
        if queue.try_lock().is_ok_and(|queue| queue.is_closed()) {
            return None;
        }
    }
}

async fn next_job(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().await.recv().await
}

async fn run_job(engine: &impl Engine, job: Job) {
    match job {
        Job::Search(request, reply) => send_reply(reply, engine.search(&request)).await,
        Job::ReadPage(request, reply) => send_reply(reply, engine.read_page(&request)).await,
        Job::Ask(request, reply) => send_reply(reply, engine.ask(&request)).await,
        Job::Retrieve(request, id, reply) => send_reply(reply, engine.retrieve(&request, &id)).await,
    }
}

/// Sends what `work` gives. Nothing is done for a client that left, and no more for one that leaves meanwhile.
async fn send_reply<T>(mut reply: ReplySender<T>, work: impl Future<Output = Result<T, ServiceFault>>) {
    tokio::select! {
        biased;
        () = reply.closed() => (),
        done = work => drop(reply.send(done)),
    }
}

impl ServiceHandle {
    /// The pages with the words of a query.
    ///
    /// # Errors
    /// [`ServiceFault`].
    pub(crate) async fn search(&self, request: SearchRequest) -> Result<SearchReply, ServiceFault> {
        let request = request.check()?;
        self.call(|reply| Job::Search(request, reply)).await
    }

    /// A page.
    ///
    /// # Errors
    /// [`ServiceFault`].
    pub(crate) async fn read_page(&self, request: PageRequest) -> Result<PageReply, ServiceFault> {
        let request = request.check()?;
        self.call(|reply| Job::ReadPage(request, reply)).await
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// [`ServiceFault`].
    pub(crate) async fn ask(&self, request: AskRequest) -> Result<AnswerJson, ServiceFault> {
        let request = request.check()?;
        self.call(|reply| Job::Ask(request, reply)).await
    }

    /// The entries nearest to a question; `id` is that of the interaction.
    ///
    /// # Errors
    /// [`ServiceFault`].
    pub(crate) async fn retrieve(&self, request: EntryRequest, id: Uuid) -> Result<EntryResponse, ServiceFault> {
        self.call(|reply| Job::Retrieve(request, id.to_string(), reply)).await
    }

    /// How many requests wait.
    pub(crate) fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    async fn call<T>(&self, job: impl FnOnce(ReplySender<T>) -> Job) -> Result<T, ServiceFault> {
        let (reply, done) = oneshot::channel();
        self.jobs.try_send(job(reply)).map_err(|error| match error {
            TrySendError::Full(_) => ServiceFault::Busy,
            TrySendError::Closed(_) => ServiceFault::Stopped,
        })?;
        match tokio::time::timeout(self.time, done).await {
            Ok(Ok(replied)) => replied,
            Ok(Err(_)) => Err(ServiceFault::Stopped),
            Err(_) => Err(ServiceFault::TimedOut(self.time.as_secs())),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::service::scripted::ScriptedEngine;

    #[test]
    fn a_thread_whose_packs_cannot_be_opened_again_tries_once_more() {
        let opened = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&opened);
        let open = async move || match counter.fetch_add(1, Ordering::Relaxed) {
            1 => Err(anyhow::anyhow!("the disk is away")),
            _ => ScriptedEngine::open().await,
        };
        block_on(async {
            let limits = PoolLimits { threads: 1, queue: 4, time: Duration::from_secs(60) };
            let service = start(limits, open).await.unwrap();
            let ask = async |question: &str| {
                let request = EntryRequest::new(question, "ada", None).unwrap();
                service.retrieve(request, Uuid::nil()).await.map(|reply| reply.strong_match)
            };
            assert_eq!(ask("panic").await, Err(ServiceFault::Stopped));
            assert_eq!(ask("strong").await, Ok(true));
        })
        .unwrap();
        assert_eq!(opened.load(Ordering::Relaxed), 3);
    }
}
