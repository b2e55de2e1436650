//! The node as a model: it writes and scores by asking.

use std::fmt;
use std::ops::ControlFlow;

use seealso::{Abilities, Clock, Judge, Model, ModelError, Prompt, Writing, Written, Wrote};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::address::Address;
use crate::answer::{Answer, Told, Wrong, whole};
use crate::asking::{Asking, Begun, Failed, Form};
use crate::consent::Consent;
use crate::dialect::{Change, Dialect};
use crate::error::Error;
use crate::events::{Decoder, Event};
use crate::key::Key;
use crate::patience::{Deadline, Limits, Waited, wait};
use crate::protocol::{ChatRequest, Likelihoods, ListedModel, ModelList, json as read};
use crate::score::of_continuations;
use crate::transport::{Body, Lost, Transport};

/// Which model, where.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL.
    pub address: Address,
    /// The model's name; [`Node::connect`] finds it where the node has only one.
    pub model: Option<String>,
    /// The key, where the node asks for one.
    pub key: Option<Key>,
    /// The model's context in tokens, where the node does not tell.
    pub context: Option<usize>,
    /// How well the model judges claims, where that was measured.
    pub judge: Option<Judge>,
    /// How long to wait, and how often to try.
    pub limits: Limits,
    /// What is known of how it wants to be asked.
    pub dialect: Dialect,
}

impl Settings {
    /// The node at `address`, without a key, its model not yet named.
    pub fn at(address: Address) -> Settings {
        Settings {
            address,
            model: None,
            key: None,
            context: None,
            judge: None,
            limits: Limits::default(),
            dialect: Dialect::default(),
        }
    }
}

/// A model behind an endpoint. There is none without the reader's consent.
pub struct Node<T, C> {
    asking: Asking<T, C>,
    abilities: Abilities,
    dialect: Dialect,
    /// Whether it tells how far it has read a prompt.
    tells_progress: bool,
}

/// How long the counts of its tokens, and the word that no more comes, may follow an answer that is whole.
const END_MS: u32 = 2_000;

/// The most bytes of one event.
const EVENT_BYTES: usize = 1 << 20;

impl<T: Transport, C: Clock> Node<T, C> {
    /// A node whose model is named. Nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::OtherOrigin`] where the consent is for another one, [`Error::NameOne`] where no model is named.
    pub fn new(settings: Settings, consent: Consent, transport: T, clock: C) -> Result<Self, Error> {
        let node = Node::unnamed(settings, &consent, transport, clock)?;
        match node.abilities.name.as_str() {
            "" => Err(Error::NameOne { origin: node.asking.origin(), names: Vec::new() }),
            _ => Ok(node),
        }
    }

    /// Asks the node for its models, and takes from the list what the settings leave open: the name, where there is only
    /// one, and the context. A node that has no list will do, if its model is named. A base URL without a version that is no
    /// node's may be meant with `/v1`: then that is the node's.
    ///
    /// # Errors
    /// Those of [`Node::new`] and [`Node::models`].
    pub async fn connect(settings: Settings, consent: Consent, transport: T, clock: C) -> Result<Self, Error> {
        Node::connect_while(settings, consent, transport, clock, &mut || ControlFlow::Continue(())).await
    }

    /// Like [`Node::connect`]; `go_on` is asked several times a second whether to wait any longer.
    ///
    /// # Errors
    /// Those of [`Node::connect`], and [`Error::Stopped`].
    pub async fn connect_while(
        settings: Settings,
        consent: Consent,
        transport: T,
        clock: C,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let mut node = Node::unnamed(settings, &consent, transport, clock)?;
        let listed = match node.listed(go_on).await {
            Err(error) if error.is_of_no_list() => match node.listed_below_version(go_on).await? {
                Some(listed) => listed,
                None if !node.abilities.name.is_empty() => Vec::new(),
                None => return Err(error),
            },
            listed => listed?,
        };
        if node.abilities.name.is_empty() {
            match listed.as_slice() {
                [only] => node.abilities.name.clone_from(&only.id),
                _ => {
                    let names = listed.iter().map(|model| node.asking.hide(&model.id)).collect();
                    return Err(Error::NameOne { origin: node.asking.origin(), names });
                }
            }
        }
        if let Some(model) = listed.iter().find(|model| model.id == node.abilities.name) {
            node.tells_progress = model.tells_progress();
            if node.abilities.context == 0 {
                node.abilities.context = model.context().unwrap_or(0);
            }
        }
        Ok(node)
    }

    fn unnamed(settings: Settings, consent: &Consent, transport: T, clock: C) -> Result<Self, Error> {
        let Settings { address, model, key, context, judge, limits, dialect } = settings;
        if consent.terms().origin() != address.origin() {
            let agreed = consent.terms().origin().to_owned();
            return Err(Error::OtherOrigin { agreed, origin: address.origin().to_owned() });
        }
        let abilities =
            Abilities { name: model.unwrap_or_default(), context: context.unwrap_or(0), judge, tools: true };
        let asking = Asking { address, key, limits, transport, clock };
        Ok(Node { asking, abilities, dialect, tells_progress: false })
    }

    /// Where the node is: its address without path and key.
    pub fn origin(&self) -> String {
        self.asking.origin()
    }

    /// The node's models.
    ///
    /// # Errors
    /// What a node can meet with; see [`Error`].
    pub async fn models(&self) -> Result<Vec<ListedModel>, Error> {
        self.listed(&mut || ControlFlow::Continue(())).await
    }

    async fn listed(&self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<Vec<ListedModel>, Error> {
        let begun = self.asking.ask(None, go_on).await?;
        let body = self.asking.whole(begun, go_on).await?;
        let list = match self.json(&body)? {
            // Some have the list alone.
            list @ Value::Array(_) => json!({ "data": list }),
            other => other,
        };
        let mut list =
            ModelList::deserialize(&list).map_err(|error| self.asking.not_understood(&error.to_string(), &body))?;
        // What has no name can't be asked for.
        list.data.retain(|model| !model.id.trim().is_empty());
        Ok(list.data)
    }

    /// The models of the node at `/v1` below the base URL, which is its base URL then; none where there is no node.
    async fn listed_below_version(
        &mut self,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Vec<ListedModel>>, Error> {
        let Some(versioned) = self.asking.address.versioned() else { return Ok(None) };
        let given = std::mem::replace(&mut self.asking.address, versioned);
        match self.listed(go_on).await {
            Ok(listed) => Ok(Some(listed)),
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(_) => {
                self.asking.address = given;
                Ok(None)
            }
        }
    }

    fn json(&self, body: &str) -> Result<Value, Error> {
        read::parse(body).map_err(|error| match body.trim_start().starts_with('<') {
            true => Error::WebPage { base: self.asking.address.base().to_owned() },
            false => self.asking.not_understood(&error.to_string(), body),
        })
    }

    async fn ask_to_write(&self, writing: &Writing, watch: Watch<'_>) -> Result<Written, Error> {
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
        events.iter().find(|event| read::parse(&event.data).is_ok())?;
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
                    let last = decoder.end().filter(|event| event.is_done() || read::parse(&event.data).is_ok());
                    told_any |= last.is_some();
                    let _ends = self.hear(last.into_iter().collect(), &mut answer, &mut deadline, order, watch)?;
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

type Watch<'w> = &'w mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>;

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

impl<T: Transport, C: Clock> Model for Node<T, C> {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, writing: &Writing, watch: Watch<'_>) -> Result<Written, ModelError> {
        Ok(self.ask_to_write(writing, watch).await?)
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        if continuations.is_empty() {
            return Ok(Vec::new());
        }
        let mut go_on = || ControlFlow::Continue(());
        let mut attempt = self.dialect.attempt(&ChatRequest::scoring(&self.abilities.name, prompt));
        let body = loop {
            match self.asking.ask(Some(&attempt.order()), &mut go_on).await {
                Ok(begun) => break self.asking.whole(begun, &mut go_on).await?,
                Err(failed) => attempt.change(failed)?,
            }
        };
        attempt.remember();
        let response = self.json(&body)?;
        let first = response.pointer("/choices/0").ok_or_else(|| self.asking.not_understood("no choices", &body))?;
        let likelihoods = Likelihoods::deserialize(&first["logprobs"]).ok();
        likelihoods.and_then(|known| of_continuations(&known, continuations)).ok_or(ModelError::CannotScore)
    }
}

/// Without the transport, and without the key.
impl<T, C> fmt::Debug for Node<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("base", &self.asking.address.base()).field("abilities", &self.abilities).finish()
    }
}
