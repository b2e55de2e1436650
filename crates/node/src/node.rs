//! The node as a model: it generates and scores by requests.

use std::fmt;
use std::ops::ControlFlow;

use seealso::{Abilities, Clock, Generation, GenerationRequest, Judge, Model, ModelError, OnEvent, Prompt};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::address::Address;
use crate::consent::Consent;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::key::Key;
use crate::protocol::{ChatRequest, Likelihoods, ListedModel, ModelList, json as read};
use crate::request::Requester;
use crate::score::of_continuations;
use crate::timeouts::Limits;
use crate::transport::Transport;

/// The settings of a node.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The base URL.
    pub address: Address,
    /// The model's name; [`Node::connect`] finds it if the node has only one.
    pub model: Option<String>,
    /// The key, if the node requires one.
    pub key: Option<Key>,
    /// The model's context in tokens, if the node does not report it.
    pub context: Option<usize>,
    /// How well the model judges claims, if that was measured.
    pub judge: Option<Judge>,
    /// Time limits and retries.
    pub limits: Limits,
    /// What is known of the dialect of its server.
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

/// A model behind an endpoint. It cannot be made without the reader's consent.
pub struct Node<T, C> {
    pub(crate) requester: Requester<T, C>,
    pub(crate) abilities: Abilities,
    pub(crate) dialect: Dialect,
    /// Whether it reports its progress through a prompt.
    pub(crate) tells_progress: bool,
}

impl<T: Transport, C: Clock> Node<T, C> {
    /// A node whose model is named. Nothing is sent yet.
    ///
    /// # Errors
    /// [`Error::OtherOrigin`] where the consent is for another one, [`Error::NameOne`] where no model is named.
    pub fn new(settings: Settings, consent: Consent, transport: T, clock: C) -> Result<Self, Error> {
        let node = Node::unnamed(settings, &consent, transport, clock)?;
        match node.abilities.name.as_str() {
            "" => Err(Error::NameOne { origin: node.requester.origin(), names: Vec::new() }),
            _ => Ok(node),
        }
    }

    /// Requests the node's models, and takes from the list what the settings leave open: the name, if there is only
    /// one, and the context. A node without a list is accepted if its model is named. If a base URL without a version
    /// is not a node's, `/v1` is appended and tried.
    ///
    /// # Errors
    /// Those of [`Node::new`] and [`Node::models`].
    pub async fn connect(settings: Settings, consent: Consent, transport: T, clock: C) -> Result<Self, Error> {
        Node::connect_while(settings, consent, transport, clock, &mut || ControlFlow::Continue(())).await
    }

    /// Like [`Node::connect`]; `go_on` is asked several times a second whether to continue waiting.
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
        let listed = match node.list_models(go_on).await {
            Err(error) if error.is_of_no_list() => match node.list_models_below_version(go_on).await? {
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
                    let names = listed.iter().map(|model| node.requester.hide(&model.id)).collect();
                    return Err(Error::NameOne { origin: node.requester.origin(), names });
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
        let requester = Requester { address, key, limits, transport, clock };
        Ok(Node { requester, abilities, dialect, tells_progress: false })
    }

    /// The node's origin: its address without path and key.
    pub fn origin(&self) -> String {
        self.requester.origin()
    }

    /// The node's models.
    ///
    /// # Errors
    /// Those of a request; see [`Error`].
    pub async fn models(&self) -> Result<Vec<ListedModel>, Error> {
        self.list_models(&mut || ControlFlow::Continue(())).await
    }

    async fn list_models(&self, go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Result<Vec<ListedModel>, Error> {
        let begun = self.requester.ask(None, go_on).await?;
        let body = self.requester.whole(begun, go_on).await?;
        let list = match self.json(&body)? {
            // Some servers send the list alone.
            list @ Value::Array(_) => json!({ "data": list }),
            other => other,
        };
        let mut list =
            ModelList::deserialize(&list).map_err(|error| self.requester.malformed_error(&error.to_string(), &body))?;
        // A model without a name cannot be requested.
        list.data.retain(|model| !model.id.trim().is_empty());
        Ok(list.data)
    }

    /// The models of the node at `/v1` below the base URL, which becomes the base URL; `None` if there is no node.
    async fn list_models_below_version(
        &mut self,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Vec<ListedModel>>, Error> {
        let Some(versioned) = self.requester.address.versioned() else { return Ok(None) };
        let given = std::mem::replace(&mut self.requester.address, versioned);
        match self.list_models(go_on).await {
            Ok(listed) => Ok(Some(listed)),
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(_) => {
                self.requester.address = given;
                Ok(None)
            }
        }
    }

    /// Parses JSON; a web page is an error of its own.
    pub(crate) fn json(&self, body: &str) -> Result<Value, Error> {
        read::parse(body).map_err(|error| match body.trim_start().starts_with('<') {
            true => Error::WebPage { base: self.requester.address.base().to_owned() },
            false => self.requester.malformed_error(&error.to_string(), body),
        })
    }
}

impl<T: Transport, C: Clock> Model for Node<T, C> {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, writing: &GenerationRequest, on_event: OnEvent<'_>) -> Result<Generation, ModelError> {
        Ok(self.generate(writing, on_event).await?)
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        if continuations.is_empty() {
            return Ok(Vec::new());
        }
        let mut go_on = || ControlFlow::Continue(());
        let mut attempt = self.dialect.attempt(&ChatRequest::scoring(&self.abilities.name, prompt));
        let body = loop {
            match self.requester.ask(Some(&attempt.order()), &mut go_on).await {
                Ok(begun) => break self.requester.whole(begun, &mut go_on).await?,
                Err(failed) => attempt.change(failed)?,
            }
        };
        attempt.remember();
        let response = self.json(&body)?;
        let first =
            response.pointer("/choices/0").ok_or_else(|| self.requester.malformed_error("no choices", &body))?;
        let likelihoods = Likelihoods::deserialize(&first["logprobs"]).ok();
        likelihoods.and_then(|known| of_continuations(&known, continuations)).ok_or(ModelError::CannotScore)
    }
}

/// Shows neither the transport nor the key.
impl<T, C> fmt::Debug for Node<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("base", &self.requester.address.base())
            .field("abilities", &self.abilities)
            .finish()
    }
}
