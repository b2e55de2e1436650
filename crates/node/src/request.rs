//! One request until its response begins: sent, retried if that may help, its faults classified.

use std::future::pending;

use seealso::Clock;
use serde_json::Value;

use crate::address::Address;
use crate::change::Change;
use crate::error::Error;
use crate::key::Key;
use crate::protocol::Fault;
use crate::timeouts::{Beat, Deadline, Limits, WaitOutcome, wait};
use crate::transport::{Body, Header, Reply, Transport, TransportError};

/// What all requests to a node have in common.
#[derive(Debug)]
pub(crate) struct Requester<T, C> {
    pub(crate) address: Address,
    pub(crate) key: Option<Key>,
    pub(crate) limits: Limits,
    pub(crate) transport: T,
    pub(crate) clock: C,
}

/// A response that has begun successfully, and its deadline.
pub(crate) struct OpenResponse<'c, B> {
    pub(crate) reply: Reply<B>,
    /// The bytes of the body that were read to determine its form.
    pub(crate) read: Vec<u8>,
    pub(crate) deadline: Deadline<'c>,
}

/// The form of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseForm {
    /// One JSON body.
    Whole,
    /// A stream of events.
    Events,
    /// Undeclared: events, if any come.
    Unnamed,
}

/// A request that failed.
#[derive(Debug)]
pub(crate) struct RequestFailure {
    /// The error.
    pub(crate) error: Error,
    /// The change before it is sent again, if the node refused a part of it.
    pub(crate) change: Option<Change>,
    /// Whether to retry the same request, and after how many seconds if the node says.
    again: Option<Option<u32>>,
}

/// Content types of streams of events or of JSON lines.
const LINES: [&str; 4] = ["text/event-stream", "ndjson", "jsonl", "json-lines"];

/// The most bytes of a response that is not streamed.
const MOST_BYTES: usize = 4 << 20;
/// The most blank bytes at the beginning of a body of undeclared form.
const MOST_BLANK_BYTES: usize = 4 << 10;
/// The most bytes of an error body that are read.
const COMPLAINT_BYTES: usize = 64 << 10;

impl<T: Transport, C: Clock> Requester<T, C> {
    /// Sends the request body `order`, or requests the list of models if there is none.
    pub(crate) async fn ask(
        &self,
        order: Option<&Value>,
        beat: Beat<'_>,
    ) -> Result<OpenResponse<'_, T::Body>, RequestFailure> {
        let mut pauses = self.limits.pauses_ms.iter();
        loop {
            let failed = match self.ask_once(order, beat).await {
                Ok(begun) => return Ok(begun),
                Err(failed) => failed,
            };
            let (Some(asked), Some(&pause)) = (failed.again, pauses.next()) else { return Err(failed) };
            let asked_ms = asked.unwrap_or(0).saturating_mul(1000);
            if asked_ms > self.limits.longest_pause_ms {
                return Err(failed);
            }
            let mut end: Deadline<'_> = Box::pin(self.clock.sleep(pause.max(asked_ms)));
            if let WaitOutcome::Stopped = wait(&self.clock, pending::<()>(), &mut end, self.limits.beat_ms, beat).await
            {
                return Err(Error::Stopped.into());
            }
        }
    }

    async fn ask_once(
        &self,
        order: Option<&Value>,
        beat: Beat<'_>,
    ) -> Result<OpenResponse<'_, T::Body>, RequestFailure> {
        // A reader who stopped, or withdrew consent, sends nothing more.
        if beat().is_break() {
            return Err(Error::Stopped.into());
        }
        let mut deadline = self.deadline(order);
        let sent = wait(&self.clock, self.send(order), &mut deadline, self.limits.beat_ms, beat).await;
        let reply = match sent {
            WaitOutcome::Ready(Ok(reply)) => reply,
            WaitOutcome::Ready(Err(TransportError { reason, transient })) => {
                let error = Error::NotReached { origin: self.origin(), reason: self.hide(&reason) };
                return Err(RequestFailure { again: transient.then_some(None), ..error.into() });
            }
            WaitOutcome::TimedOut => return Err(self.timeout_error(self.first_ms(order), false).into()),
            WaitOutcome::Stopped => return Err(Error::Stopped.into()),
        };
        match reply.status {
            200..=299 if is_web_page(&reply) => Err(Error::WebPage { base: self.address.base().to_owned() }.into()),
            200..=299 => Ok(OpenResponse { reply, read: Vec::new(), deadline }),
            _ => Err(self.status_failure(order, reply, deadline, beat).await),
        }
    }

    /// The time up to the first word. A list of models needs no computation, so it comes soon or never.
    fn first_ms(&self, order: Option<&Value>) -> u32 {
        if order.is_some() { self.limits.first_ms } else { self.limits.idle_ms.min(self.limits.first_ms) }
    }

    fn deadline(&self, order: Option<&Value>) -> Deadline<'_> {
        Box::pin(self.clock.sleep(self.first_ms(order)))
    }

    async fn send(&self, order: Option<&Value>) -> Result<Reply<T::Body>, TransportError> {
        let streams = order.is_some_and(|order| order["stream"] == true);
        let accept = if streams { "text/event-stream" } else { "application/json" };
        let mut headers: Vec<Header> = vec![("accept", accept.to_owned())];
        headers.extend(self.key.as_ref().map(|key| ("authorization", key.bearer())));
        let Some(order) = order else { return self.transport.get(&self.address.models(), &headers).await };
        headers.push(("content-type", "application/json".to_owned()));
        self.transport.post(&self.address.chat(), &headers, order.to_string()).await
    }

    /// The failure that a status other than success means.
    async fn status_failure(
        &self,
        order: Option<&Value>,
        reply: Reply<T::Body>,
        deadline: Deadline<'_>,
        beat: Beat<'_>,
    ) -> RequestFailure {
        let (origin, status) = (self.origin(), reply.status);
        let wait = reply.header("retry-after").and_then(|seconds| seconds.trim().parse().ok());
        match status {
            0 | 300..=399 => {
                let to = reply.header("location").map(|to| self.hide(to));
                return Error::Redirected { origin, to }.into();
            }
            401 | 403 => return Error::KeyRefused { origin, status, sent: self.key.is_some() }.into(),
            404 => {
                let model = order.and_then(|order| order["model"].as_str()).unwrap_or_default().to_owned();
                return Error::NotFound { base: self.address.base().to_owned(), model }.into();
            }
            429 => return RequestFailure { again: Some(wait), ..Error::Busy { origin, wait }.into() },
            _ => (),
        }
        // The error body, as far as it comes.
        let complaint = self.read(Vec::new(), reply.body, deadline, COMPLAINT_BYTES, beat).await.unwrap_or_default();
        let fault = Fault::parse(&complaint).unwrap_or_default();
        let said = self.error_text(&fault);
        if let Some((tokens, context)) = fault.too_long().filter(|(tokens, _)| *tokens > 0) {
            return too_long(order, tokens, context);
        }
        // A gateway wraps the server's own text, so the whole body is searched.
        let change = order.and_then(|order| Change::of(&complaint, status, order));
        let error = match status {
            _ if order.is_some_and(|order| order["logprobs"] == true) && fault.is_about_logprobs() => {
                Error::CannotScore
            }
            500.. if change.is_none() => {
                return RequestFailure { again: Some(wait), ..Error::Failing { origin, status, said }.into() };
            }
            500.. => Error::Failing { origin, status, said },
            _ => Error::Rejected { origin, status, said },
        };
        RequestFailure::new(error, change)
    }

    /// The form of a response: its content type determines it, or else the first byte of its body.
    pub(crate) async fn form(
        &self,
        begun: &mut OpenResponse<'_, T::Body>,
        beat: Beat<'_>,
    ) -> Result<ResponseForm, Error> {
        match begun.reply.header("content-type").unwrap_or_default().trim_start().to_ascii_lowercase() {
            kind if LINES.iter().any(|lines| kind.contains(lines)) => return Ok(ResponseForm::Events),
            kind if kind.starts_with("application/json") => return Ok(ResponseForm::Whole),
            _ => (),
        }
        loop {
            match begun.read.iter().find(|byte| !byte.is_ascii_whitespace()) {
                Some(b'{' | b'[' | b'<') => return Ok(ResponseForm::Whole),
                Some(_) => return Ok(ResponseForm::Unnamed),
                None if begun.read.len() > MOST_BLANK_BYTES => return Ok(ResponseForm::Unnamed),
                None => (),
            }
            let next = begun.reply.body.next();
            match wait(&self.clock, next, &mut begun.deadline, self.limits.beat_ms, beat).await {
                WaitOutcome::Ready(Ok(Some(more))) => begun.read.extend(more),
                WaitOutcome::Ready(Ok(None)) => return Ok(ResponseForm::Unnamed),
                WaitOutcome::Ready(Err(lost)) => return Err(self.cut_error(&lost.reason)),
                WaitOutcome::TimedOut => return Err(self.timeout_error(self.limits.first_ms, false)),
                WaitOutcome::Stopped => return Err(Error::Stopped),
            }
        }
    }

    /// The whole body of a response that is not streamed.
    pub(crate) async fn whole(&self, begun: OpenResponse<'_, T::Body>, beat: Beat<'_>) -> Result<String, Error> {
        let OpenResponse { reply, read, deadline } = begun;
        self.read(read, reply.body, deadline, MOST_BYTES, beat).await
    }

    async fn read(
        &self,
        mut bytes: Vec<u8>,
        mut body: T::Body,
        mut by: Deadline<'_>,
        most: usize,
        beat: Beat<'_>,
    ) -> Result<String, Error> {
        loop {
            match wait(&self.clock, body.next(), &mut by, self.limits.beat_ms, beat).await {
                WaitOutcome::Ready(Ok(Some(more))) if bytes.len() + more.len() > most => {
                    return Err(self.malformed_error(&format!("more than {most} bytes"), ""));
                }
                WaitOutcome::Ready(Ok(Some(more))) => bytes.extend(more),
                WaitOutcome::Ready(Ok(None)) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                WaitOutcome::Ready(Err(lost)) => return Err(self.cut_error(&lost.reason)),
                WaitOutcome::TimedOut => return Err(self.timeout_error(self.limits.first_ms, false)),
                WaitOutcome::Stopped => return Err(Error::Stopped),
            }
        }
    }

    pub(crate) fn origin(&self) -> String {
        self.address.origin().to_owned()
    }

    /// A server's text without the key.
    pub(crate) fn hide(&self, said: &str) -> String {
        self.key.as_ref().map_or_else(|| said.to_owned(), |key| key.hide(said))
    }

    /// A server's error text, cut to fit a message. The key is hidden first: if it were cut, a part of it would remain.
    pub(crate) fn error_text(&self, fault: &Fault) -> String {
        Fault { message: self.hide(&fault.message), ..fault.clone() }.words()
    }

    pub(crate) fn timeout_error(&self, ms: u32, begun: bool) -> Error {
        Error::Silent { origin: self.origin(), seconds: ms.div_ceil(1000), begun }
    }

    pub(crate) fn cut_error(&self, reason: &str) -> Error {
        Error::Cut { origin: self.origin(), reason: self.hide(reason) }
    }

    /// The error for a malformed response; `came` is the received text and may be empty.
    pub(crate) fn malformed_error(&self, what: &str, came: &str) -> Error {
        let came = if came.is_empty() { String::new() } else { format!(": {}", beginning(&self.hide(came))) };
        Error::NotUnderstood { origin: self.origin(), what: format!("{}{came}", self.hide(what)) }
    }
}

impl RequestFailure {
    /// A failure after which the request may be changed.
    pub(crate) fn new(error: Error, change: Option<Change>) -> RequestFailure {
        RequestFailure { error, change, again: None }
    }
}

impl From<RequestFailure> for Error {
    fn from(failed: RequestFailure) -> Error {
        failed.error
    }
}

impl From<Error> for RequestFailure {
    fn from(error: Error) -> RequestFailure {
        RequestFailure::new(error, None)
    }
}

/// The failure of a prompt that is too long. At most a quarter of the context is reserved for the answer; if more was
/// requested, the prompt may fit after a change.
fn too_long(order: Option<&Value>, tokens: usize, context: usize) -> RequestFailure {
    let asked = |name: &str| order.and_then(|order| order[name].as_u64()).map(|most| most as usize);
    let wanted = asked("max_tokens").or_else(|| asked("max_completion_tokens")).unwrap_or(0);
    let most = wanted.min((context / 4).max(1));
    let room = context.saturating_sub(most);
    // Some servers include the requested tokens in their count.
    let may_fit = most < wanted && tokens.saturating_sub(wanted) <= room;
    let change = may_fit.then(|| Change::at_most_tokens(most as u64));
    RequestFailure::new(Error::TooLong { tokens, room }, change)
}

fn is_web_page<B>(reply: &Reply<B>) -> bool {
    reply.header("content-type").is_some_and(|kind| kind.trim_start().starts_with("text/html"))
}

/// The beginning of a server's text, made fit for a message.
fn beginning(text: &str) -> String {
    let shown: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{}`", shown.trim())
}
