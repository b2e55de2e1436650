//! Asking a node to write: its answer as it comes, and what comes of one that ends too early.

use std::ops::ControlFlow;

use seealso::{Clock, Writing, Written, Wrote};
use serde_json::Value;

use crate::answer::{Answer, Told, Wrong, whole};
use crate::dialect::Change;
use crate::error::Error;
use crate::events::{Decoder, Event};
use crate::node::Node;
use crate::protocol::{ChatRequest, json};
use crate::request::{Asking, Begun, Failed, Form};
use crate::timeouts::{Deadline, Limits, Waited, wait};
use crate::transport::{Body, Lost, Transport};

/// Hears of all that comes, and may stop it.
pub(crate) type Watch<'w> = &'w mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>;

/// What is told while the node has told nothing.
const NOTHING_READ: Wrote<'static> = Wrote::Read { done: 0, known: 0, total: 0 };

/// What is told of no news, so that a stop is heard.
fn nothing(begun: bool) -> Wrote<'static> {
    if begun { Wrote::Text("") } else { NOTHING_READ }
}

fn show(told: &Told, begun: bool, watch: Watch<'_>) -> ControlFlow<()> {
    match told {
        Told::Text(text) => watch(Wrote::Text(text)),
        Told::Reasoning(text) => watch(Wrote::Reasoning(text)),
        Told::Read(step) => watch(Wrote::Read { done: step.processed, known: step.cache, total: step.total }),
        Told::Aside => watch(nothing(begun)),
        Told::Nothing | Told::Done => ControlFlow::Continue(()),
    }
}

/// How long the counts of its tokens, and the word that no more comes, may follow an answer that is whole.
const END_MS: u32 = 2_000;

/// The most bytes of one event.
const EVENT_BYTES: usize = 1 << 20;

impl<T: Transport, C: Clock> Node<T, C> {
    /// Has the node write, in its dialect.
    pub(crate) async fn ask_to_write(&self, writing: &Writing, watch: Watch<'_>) -> Result<Written, Error> {
        let request = ChatRequest::writing(&self.abilities.name, writing, self.tells_progress);
        let mut attempt = self.dialect.attempt(&request);
        loop {
            match self.write_once(&attempt.order(), writing.max_tokens, watch).await {
                Ok(written) => {
                    attempt.remember();
                    return Ok(written);
                }
                Err(failed) => attempt.change(failed)?,
            }
        }
    }

    async fn write_once(&self, order: &Value, max_tokens: usize, watch: Watch<'_>) -> Result<Written, Failed> {
        let mut beat = || watch(NOTHING_READ);
        let mut begun = self.asking.ask(Some(order), &mut beat).await?;
        let form = self.asking.form(&mut begun, &mut beat).await?;
        if form != Form::Whole {
            return self.stream(begun, form, order, max_tokens, watch).await;
        }
        let body = self.asking.whole(begun, &mut beat).await?;
        let written = match self.json(&body) {
            Ok(response) => whole(&response, max_tokens).map_err(|wrong| self.wrong(wrong, "no end", Some(order)))?,
            // Events, or lines of JSON, under another name.
            Err(error) => return self.whole_stream(&body, order, max_tokens, watch).ok_or(error)?,
        };
        for wrote in [Wrote::Reasoning(&written.reasoning), Wrote::Text(&written.text)] {
            let is_nothing = wrote == Wrote::Reasoning("");
            if !is_nothing && watch(wrote).is_break() {
                return Err(Error::Stopped.into());
            }
        }
        Ok(written)
    }

    /// Reads a streamed answer that came in one piece; none where it is no such thing.
    fn whole_stream(
        &self,
        body: &str,
        order: &Value,
        max_tokens: usize,
        watch: Watch<'_>,
    ) -> Option<Result<Written, Failed>> {
        let (mut decoder, mut answer) = (Decoder::new(EVENT_BYTES), Answer::of_tokens(max_tokens));
        let mut events = decoder.push(body.as_bytes()).ok()?;
        events.extend(decoder.end());
        events.iter().find(|event| json::parse(&event.data).is_ok())?;
        // All of it is there: nothing is waited for.
        let mut deadline: Deadline<'_> = Box::pin(async {});
        let heard = self.hear(events, &mut answer, &mut deadline, order, watch);
        Some(heard.and_then(|_| answer.end().map_err(|wrong| self.wrong(wrong, "it has no end", None))))
    }

    /// Reads a streamed answer to its end. Whatever ends it, the body is dropped here, which aborts the request.
    async fn stream(
        &self,
        begun: Begun<'_, T::Body>,
        form: Form,
        order: &Value,
        max_tokens: usize,
        watch: Watch<'_>,
    ) -> Result<Written, Failed> {
        let Asking { limits, clock, .. } = &self.asking;
        let Begun { mut reply, read: mut chunk, mut deadline } = begun;
        let (mut decoder, mut answer) = (Decoder::new(EVENT_BYTES), Answer::of_tokens(max_tokens));
        let mut told_any = form == Form::Events;
        loop {
            let events = decoder.push(&chunk).map_err(|large| self.asking.not_understood(&large.to_string(), ""))?;
            told_any |= !events.is_empty();
            let finished = answer.is_finished();
            if self.hear(events, &mut answer, &mut deadline, order, watch)?.is_break() {
                return answer.end().map_err(|wrong| self.wrong(wrong, "it has no end", None));
            }
            if answer.is_finished() && !finished {
                deadline = Box::pin(clock.sleep(END_MS));
            }
            let begun = answer.is_begun();
            let mut beat = || watch(nothing(begun));
            chunk = match wait(clock, reply.body.next(), &mut deadline, limits.beat_ms, &mut beat).await {
                Waited::Came(Ok(Some(chunk))) => chunk,
                Waited::Came(Ok(None)) => {
                    // The last event may lack its end. One that is cut in the middle tells nothing.
                    let mut last = decoder.end();
                    last.retain(|event| event.is_done() || json::parse(&event.data).is_ok());
                    told_any |= !last.is_empty();
                    let _ends = self.hear(last, &mut answer, &mut deadline, order, watch)?;
                    return self.ended(Waited::Came(Ok(None)), answer, told_any);
                }
                ended => return self.ended(ended, answer, told_any),
            };
        }
    }

    /// Takes events, and shows what they bring; breaks where no more will come.
    fn hear<'n>(
        &'n self,
        events: Vec<Event>,
        answer: &mut Answer,
        deadline: &mut Deadline<'n>,
        order: &Value,
        watch: Watch<'_>,
    ) -> Result<ControlFlow<()>, Failed> {
        for event in events {
            let first = answer.is_empty().then_some(order);
            let told = answer.take(&event).map_err(|wrong| self.wrong(wrong, "", first))?;
            if told == Told::Done {
                return Ok(ControlFlow::Break(()));
            }
            if show(&told, answer.is_begun(), watch).is_break() {
                return Err(Error::Stopped.into());
            }
            if let Some(next) = self.next_deadline(&told, answer.is_begun()) {
                *deadline = next;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What comes of an answer of which no more comes.
    fn ended(
        &self,
        waited: Waited<Result<Option<Vec<u8>>, Lost>>,
        answer: Answer,
        told_any: bool,
    ) -> Result<Written, Failed> {
        let Limits { first_ms, idle_ms, .. } = self.asking.limits;
        let reason = match waited {
            Waited::Stopped => return Err(Error::Stopped.into()),
            Waited::Came(Ok(_)) if !told_any => {
                return Err(Error::NoChat { base: self.asking.address.base().to_owned() }.into());
            }
            Waited::Came(Ok(_)) => "it has no end".to_owned(),
            Waited::Came(Err(lost)) => lost.reason,
            Waited::Late if answer.is_finished() => String::new(),
            Waited::Late if answer.is_begun() => return Err(self.asking.silent(idle_ms, true).into()),
            Waited::Late => return Err(self.asking.silent(first_ms, false).into()),
        };
        answer.end().map_err(|wrong| self.wrong(wrong, &reason, None))
    }

    /// A word gives the next one its time; a telling of how far the prompt is read, or of how the model reasons before its
    /// first word, gives that one its time anew.
    fn next_deadline(&self, told: &Told, begun: bool) -> Option<Deadline<'_>> {
        let Limits { first_ms, idle_ms, .. } = self.asking.limits;
        let ms = match told {
            Told::Text(_) => idle_ms,
            Told::Reasoning(_) | Told::Aside if begun => idle_ms,
            Told::Read(_) | Told::Reasoning(_) | Told::Aside => first_ms,
            Told::Nothing | Told::Done => return None,
        };
        Some(Box::pin(self.asking.clock.sleep(ms)))
    }

    /// What an answer that is wrong means. Where nothing of it had come, what was ordered may be what the node refuses.
    fn wrong(&self, wrong: Wrong, reason: &str, order: Option<&Value>) -> Failed {
        let origin = self.asking.origin();
        let error = match wrong {
            Wrong::Form(what, came) => self.asking.not_understood(&what, &came),
            Wrong::Gave(fault) => {
                let change = order.and_then(|order| Change::of(&fault.message, 500, order));
                return Failed::new(Error::Gave { origin, said: self.asking.said(&fault) }, change);
            }
            Wrong::Withheld => Error::Withheld { origin },
            Wrong::Unfinished => self.asking.cut(reason),
            Wrong::NoText(instead) => Error::NoText { origin, instead },
        };
        error.into()
    }
}
