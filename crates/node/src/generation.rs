//! Generation by a node: its answer as it comes, and the errors of one that ends too early.

use std::ops::ControlFlow;

use seealso::{Clock, Generation, GenerationEvent, GenerationRequest, OnEvent};
use serde_json::Value;

use crate::answer::{Answer, AnswerEvent, AnswerFault, whole};
use crate::change::Change;
use crate::error::Error;
use crate::events::{Decoder, Event};
use crate::node::Node;
use crate::protocol::{ChatRequest, json};
use crate::request::{OpenResponse, RequestFailure, Requester, ResponseForm};
use crate::timeouts::{Deadline, Limits, WaitOutcome, wait};
use crate::transport::{Body, Transport, TransportError};

/// The event while the node has reported nothing.
const NOTHING_READ: GenerationEvent<'static> = GenerationEvent::Read { done: 0, known: 0, total: 0 };

/// The event while nothing new has come, so that the caller can stop.
fn no_news(begun: bool) -> GenerationEvent<'static> {
    if begun { GenerationEvent::Text("") } else { NOTHING_READ }
}

fn report(brought: &AnswerEvent, begun: bool, on_event: OnEvent<'_>) -> ControlFlow<()> {
    match brought {
        AnswerEvent::Text(text) => on_event(GenerationEvent::Text(text)),
        AnswerEvent::Reasoning(text) => on_event(GenerationEvent::Reasoning(text)),
        AnswerEvent::Read(step) => {
            on_event(GenerationEvent::Read { done: step.processed, known: step.cache, total: step.total })
        }
        AnswerEvent::NonText => on_event(no_news(begun)),
        AnswerEvent::Nothing | AnswerEvent::Done => ControlFlow::Continue(()),
    }
}

/// How long the token counts and the end mark may follow a complete answer.
const END_MS: u32 = 2_000;

/// The most bytes of one event.
const EVENT_BYTES: usize = 1 << 20;

impl<T: Transport, C: Clock> Node<T, C> {
    /// Lets the node generate, in its dialect.
    pub(crate) async fn generate(
        &self,
        writing: &GenerationRequest,
        on_event: OnEvent<'_>,
    ) -> Result<Generation, Error> {
        let request = ChatRequest::writing(&self.abilities.name, writing, self.tells_progress);
        let mut attempt = self.dialect.attempt(&request);
        loop {
            match self.generate_once(&attempt.order(), writing.max_tokens, on_event).await {
                Ok(written) => {
                    attempt.remember();
                    return Ok(written);
                }
                Err(failed) => attempt.change(failed)?,
            }
        }
    }

    async fn generate_once(
        &self,
        order: &Value,
        max_tokens: usize,
        on_event: OnEvent<'_>,
    ) -> Result<Generation, RequestFailure> {
        let mut beat = || on_event(NOTHING_READ);
        let mut begun = self.requester.ask(Some(order), &mut beat).await?;
        let form = self.requester.form(&mut begun, &mut beat).await?;
        if form != ResponseForm::Whole {
            return self.stream(begun, form, order, max_tokens, on_event).await;
        }
        let body = self.requester.whole(begun, &mut beat).await?;
        let written = match self.json(&body) {
            Ok(response) => {
                whole(&response, max_tokens).map_err(|fault| self.answer_error(fault, "no end", Some(order)))?
            }
            // Events or JSON lines under another content type.
            Err(error) => return self.whole_stream(&body, order, max_tokens, on_event).ok_or(error)?,
        };
        for wrote in [GenerationEvent::Reasoning(&written.reasoning), GenerationEvent::Text(&written.text)] {
            let is_nothing = wrote == GenerationEvent::Reasoning("");
            if !is_nothing && on_event(wrote).is_break() {
                return Err(Error::Stopped.into());
            }
        }
        Ok(written)
    }

    /// Reads a streamed answer that came in one piece; `None` if it is none.
    fn whole_stream(
        &self,
        body: &str,
        order: &Value,
        max_tokens: usize,
        on_event: OnEvent<'_>,
    ) -> Option<Result<Generation, RequestFailure>> {
        let (mut decoder, mut answer) = (Decoder::new(EVENT_BYTES), Answer::of_tokens(max_tokens));
        let mut events = decoder.push(body.as_bytes()).ok()?;
        events.extend(decoder.end());
        events.iter().find(|event| json::parse(&event.data).is_ok())?;
        // It is complete, so nothing is waited for.
        let mut deadline: Deadline<'_> = Box::pin(async {});
        let heard = self.take_events(events, &mut answer, &mut deadline, order, on_event);
        Some(heard.and_then(|_| answer.end().map_err(|fault| self.answer_error(fault, "it has no end", None))))
    }

    /// Reads a streamed answer to its end. However it ends, the body is dropped here, which aborts the request.
    async fn stream(
        &self,
        begun: OpenResponse<'_, T::Body>,
        form: ResponseForm,
        order: &Value,
        max_tokens: usize,
        on_event: OnEvent<'_>,
    ) -> Result<Generation, RequestFailure> {
        let Requester { limits, clock, .. } = &self.requester;
        let OpenResponse { mut reply, read: mut chunk, mut deadline } = begun;
        let (mut decoder, mut answer) = (Decoder::new(EVENT_BYTES), Answer::of_tokens(max_tokens));
        let mut any_event = form == ResponseForm::Events;
        loop {
            let events =
                decoder.push(&chunk).map_err(|large| self.requester.malformed_error(&large.to_string(), ""))?;
            any_event |= !events.is_empty();
            let finished = answer.is_finished();
            if self.take_events(events, &mut answer, &mut deadline, order, on_event)?.is_break() {
                return answer.end().map_err(|fault| self.answer_error(fault, "it has no end", None));
            }
            if answer.is_finished() && !finished {
                deadline = Box::pin(clock.sleep(END_MS));
            }
            let begun = answer.is_begun();
            let mut beat = || on_event(no_news(begun));
            chunk = match wait(clock, reply.body.next(), &mut deadline, limits.beat_ms, &mut beat).await {
                WaitOutcome::Ready(Ok(Some(chunk))) => chunk,
                WaitOutcome::Ready(Ok(None)) => {
                    // The last event may lack its end. One that is cut in the middle is ignored.
                    let mut last = decoder.end();
                    last.retain(|event| event.is_done() || json::parse(&event.data).is_ok());
                    any_event |= !last.is_empty();
                    let _ends = self.take_events(last, &mut answer, &mut deadline, order, on_event)?;
                    return self.finish(WaitOutcome::Ready(Ok(None)), answer, any_event);
                }
                finish => return self.finish(finish, answer, any_event),
            };
        }
    }

    /// Adds events to the answer and reports them; breaks at the end of the answer.
    fn take_events<'n>(
        &'n self,
        events: Vec<Event>,
        answer: &mut Answer,
        deadline: &mut Deadline<'n>,
        order: &Value,
        on_event: OnEvent<'_>,
    ) -> Result<ControlFlow<()>, RequestFailure> {
        for event in events {
            let first = answer.is_empty().then_some(order);
            let brought = answer.take(&event).map_err(|fault| self.answer_error(fault, "", first))?;
            if brought == AnswerEvent::Done {
                return Ok(ControlFlow::Break(()));
            }
            if report(&brought, answer.is_begun(), on_event).is_break() {
                return Err(Error::Stopped.into());
            }
            if let Some(next) = self.next_deadline(&brought, answer.is_begun()) {
                *deadline = next;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The result of an answer of which no more comes.
    fn finish(
        &self,
        waited: WaitOutcome<Result<Option<Vec<u8>>, TransportError>>,
        answer: Answer,
        any_event: bool,
    ) -> Result<Generation, RequestFailure> {
        let Limits { first_ms, idle_ms, .. } = self.requester.limits;
        let reason = match waited {
            WaitOutcome::Stopped => return Err(Error::Stopped.into()),
            WaitOutcome::Ready(Ok(_)) if !any_event => {
                return Err(Error::NoChat { base: self.requester.address.base().to_owned() }.into());
            }
            WaitOutcome::Ready(Ok(_)) => "it has no end".to_owned(),
            WaitOutcome::Ready(Err(lost)) => lost.reason,
            WaitOutcome::TimedOut if answer.is_finished() => String::new(),
            WaitOutcome::TimedOut if answer.is_begun() => {
                return Err(self.requester.timeout_error(idle_ms, true).into());
            }
            WaitOutcome::TimedOut => return Err(self.requester.timeout_error(first_ms, false).into()),
        };
        answer.end().map_err(|fault| self.answer_error(fault, &reason, None))
    }

    /// The deadline after an event. A word starts the time limit between words; progress of reading the prompt, or
    /// reasoning before the first word, restarts the time limit up to that word.
    fn next_deadline(&self, brought: &AnswerEvent, begun: bool) -> Option<Deadline<'_>> {
        let Limits { first_ms, idle_ms, .. } = self.requester.limits;
        let ms = match brought {
            AnswerEvent::Text(_) => idle_ms,
            AnswerEvent::Reasoning(_) | AnswerEvent::NonText if begun => idle_ms,
            AnswerEvent::Read(_) | AnswerEvent::Reasoning(_) | AnswerEvent::NonText => first_ms,
            AnswerEvent::Nothing | AnswerEvent::Done => return None,
        };
        Some(Box::pin(self.requester.clock.sleep(ms)))
    }

    /// The failure of a faulty answer. If nothing of it had come, the node may have refused a part of `order`.
    fn answer_error(&self, fault: AnswerFault, reason: &str, order: Option<&Value>) -> RequestFailure {
        let origin = self.requester.origin();
        let error = match fault {
            AnswerFault::Form(what, came) => self.requester.malformed_error(&what, &came),
            AnswerFault::Gave(fault) => {
                let change = order.and_then(|order| Change::of(&fault.message, 500, order));
                return RequestFailure::new(Error::Gave { origin, said: self.requester.error_text(&fault) }, change);
            }
            AnswerFault::Withheld => Error::Withheld { origin },
            AnswerFault::Unfinished => self.requester.cut_error(reason),
            AnswerFault::NoText(instead) => Error::NoText { origin, instead },
        };
        error.into()
    }
}
