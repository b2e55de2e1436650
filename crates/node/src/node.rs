//! The node as a model: it writes and scores by asking.

use std::fmt;
use std::ops::ControlFlow;

use seealso::{Abilities, Clock, Judge, Model, ModelError, Prompt, Writing, Written, Wrote};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::address::Address;
use crate::answer::{Answer, Told, Wrong, whole};
use crate::asking::{Asking, Begun, Form};
use crate::consent::Consent;
use crate::error::Error;
use crate::events::Decoder;
use crate::key::Key;
use crate::patience::{Deadline, Limits, Waited, wait};
use crate::protocol::{ChatRequest, ChatResponse, ListedModel, ModelList};
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
}

impl Settings {
    /// The node at `address`, without a key, its model not yet named.
    pub fn at(address: Address) -> Settings {
        Settings { address, model: None, key: None, context: None, judge: None, limits: Limits::default() }
    }
}

/// A model behind an endpoint. There is none without the reader's consent.
pub struct Node<T, C> {
    asking: Asking<T, C>,
    abilities: Abilities,
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
    /// one, and the context. A node that has no list will do, if its model is named.
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
            Ok(listed) => listed,
            Err(
                Error::NotFound { .. } | Error::Rejected { .. } | Error::NotUnderstood { .. } | Error::WebPage { .. },
            ) if !node.abilities.name.is_empty() => Vec::new(),
            Err(error) => return Err(error),
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
        let Settings { address, model, key, context, judge, limits } = settings;
        if consent.terms().origin() != address.origin() {
            let agreed = consent.terms().origin().to_owned();
            return Err(Error::OtherOrigin { agreed, origin: address.origin().to_owned() });
        }
        let abilities =
            Abilities { name: model.unwrap_or_default(), context: context.unwrap_or(0), judge, tools: true };
        let asking = Asking { address, key, limits, transport, clock };
        Ok(Node { asking, abilities, tells_progress: false })
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
        let mut list: ModelList = self.parse(&self.asking.whole(begun, go_on).await?)?;
        // What has no name can't be asked for.
        list.data.retain(|model| !model.id.trim().is_empty());
        Ok(list.data)
    }

    /// JSON of a known form, or what it is instead.
    fn parse<R: DeserializeOwned>(&self, body: &str) -> Result<R, Error> {
        R::deserialize(&self.json(body)?).map_err(|error| self.asking.not_understood(&error.to_string(), body))
    }

    fn json(&self, body: &str) -> Result<Value, Error> {
        serde_json::from_str(body).map_err(|error| match body.trim_start().starts_with('<') {
            true => Error::WebPage { base: self.asking.address.base().to_owned() },
            false => self.asking.not_understood(&error.to_string(), body),
        })
    }

    async fn ask_to_write(&self, writing: &Writing, watch: Watch<'_>) -> Result<Written, Error> {
        let request = ChatRequest::writing(&self.abilities.name, writing, self.tells_progress);
        let mut beat = || watch(NOTHING_READ);
        let mut begun = self.asking.ask(Some(&request), &mut beat).await?;
        let form = self.asking.form(&mut begun, &mut beat).await?;
        if form != Form::Whole {
            return self.stream(begun, form, writing, watch).await;
        }
        let response = self.json(&self.asking.whole(begun, &mut beat).await?)?;
        let written = whole(&response, writing.max_tokens).map_err(|wrong| self.wrong(wrong, "no end"))?;
        match watch(Wrote::Text(&written.text)) {
            ControlFlow::Continue(()) => Ok(written),
            ControlFlow::Break(()) => Err(Error::Stopped),
        }
    }

    /// Reads a streamed answer to its end. Whatever ends it, the body is dropped here, which aborts the request.
    async fn stream(
        &self,
        begun: Begun<'_, T::Body>,
        form: Form,
        writing: &Writing,
        watch: Watch<'_>,
    ) -> Result<Written, Error> {
        let Asking { limits, clock, .. } = &self.asking;
        let Begun { mut reply, read: mut chunk, mut deadline } = begun;
        let (mut decoder, mut answer) = (Decoder::new(EVENT_BYTES), Answer::of_tokens(writing.max_tokens));
        let mut told_any = form == Form::Events;
        loop {
            let events = decoder.push(&chunk).map_err(|large| self.asking.not_understood(&large.to_string(), ""))?;
            told_any |= !events.is_empty();
            let finished = answer.is_finished();
            for event in events {
                let told = answer.take(&event).map_err(|wrong| self.wrong(wrong, ""))?;
                if told == Told::Done {
                    return answer.end().map_err(|wrong| self.wrong(wrong, "it has no end"));
                }
                if show(&told, answer.is_begun(), watch).is_break() {
                    return Err(Error::Stopped);
                }
                deadline = self.next_deadline(&told, answer.is_begun(), deadline);
            }
            if answer.is_finished() && !finished {
                deadline = Box::pin(clock.sleep(END_MS));
            }
            let begun = answer.is_begun();
            let mut beat = || watch(nothing(begun));
            chunk = match wait(clock, reply.body.next(), &mut deadline, limits.beat_ms, &mut beat).await {
                Waited::Came(Ok(Some(chunk))) => chunk,
                ended => return self.ended(ended, answer, told_any),
            };
        }
    }

    /// What comes of an answer of which no more comes.
    fn ended(
        &self,
        waited: Waited<Result<Option<Vec<u8>>, Lost>>,
        answer: Answer,
        told_any: bool,
    ) -> Result<Written, Error> {
        let Limits { first_ms, idle_ms, .. } = self.asking.limits;
        let reason = match waited {
            Waited::Stopped => return Err(Error::Stopped),
            Waited::Came(Ok(_)) if !told_any => {
                return Err(Error::NoChat { base: self.asking.address.base().to_owned() });
            }
            Waited::Came(Ok(_)) => "it has no end".to_owned(),
            Waited::Came(Err(lost)) => lost.reason,
            Waited::Late if answer.is_finished() => String::new(),
            Waited::Late if answer.is_begun() => return Err(self.asking.silent(idle_ms, true)),
            Waited::Late => return Err(self.asking.silent(first_ms, false)),
        };
        answer.end().map_err(|wrong| self.wrong(wrong, &reason))
    }

    /// A word gives the next one its time; a telling of how far the prompt is read, or of how the model reasons before its
    /// first word, gives that one its time anew.
    fn next_deadline<'n>(&'n self, told: &Told, begun: bool, old: Deadline<'n>) -> Deadline<'n> {
        let Limits { first_ms, idle_ms, .. } = self.asking.limits;
        match told {
            Told::Text(_) => Box::pin(self.asking.clock.sleep(idle_ms)),
            Told::Aside if begun => Box::pin(self.asking.clock.sleep(idle_ms)),
            Told::Read(_) | Told::Aside => Box::pin(self.asking.clock.sleep(first_ms)),
            Told::Nothing | Told::Done => old,
        }
    }

    fn wrong(&self, wrong: Wrong, reason: &str) -> Error {
        let origin = self.asking.origin();
        match wrong {
            Wrong::Form(what, came) => self.asking.not_understood(&what, &came),
            Wrong::Gave(fault) => Error::Gave { origin, said: self.asking.said(&fault) },
            Wrong::Withheld => Error::Withheld { origin },
            Wrong::Unfinished => self.asking.cut(reason),
            Wrong::NoText(instead) => Error::NoText { origin, instead },
        }
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
        let request = ChatRequest::scoring(&self.abilities.name, prompt);
        let begun = self.asking.ask(Some(&request), &mut go_on).await?;
        let response: ChatResponse = self.parse(&self.asking.whole(begun, &mut go_on).await?)?;
        of_continuations(&response, continuations).ok_or(ModelError::CannotScore)
    }
}

/// Without the transport, and without the key.
impl<T, C> fmt::Debug for Node<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("base", &self.asking.address.base()).field("abilities", &self.abilities).finish()
    }
}
