//! The functions and the class for JavaScript: the terms of a node, and the node.

mod clock;
mod input;
mod refusal;

use std::cell::RefCell;
use std::ops::ControlFlow;

use js_sys::Function;
use seealso::{GenerationEvent, GenerationRequest, Model as _, Prompt};
use seealso_boundary::bad_call;
use seealso_node::browser::BrowserTransport;
use seealso_node::{Address, Dialect, Node, Settings, Terms};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use clock::WebClock;
use input::{GenerationInput, NodeInput, PromptInput};
use refusal::{Refusal, failure};

/// What would be sent to the node at `base`: `{ base, origin, private, sent, kept, remarks }`. Nothing is sent here.
///
/// # Errors
///
/// An `Error` with the code `bad-node`.
#[wasm_bindgen(js_name = nodeTerms)]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
pub fn node_terms(base: &str) -> Result<JsValue, JsValue> {
    let address = Address::parse(base).map_err(Refusal::from)?;
    let terms = Terms::of(&address);
    to_js(&TermsOutput {
        base: address.base(),
        origin: terms.origin(),
        private: address.is_private(),
        sent: terms.sent(),
        kept: terms.kept(),
        remarks: terms.remarks(),
    })
}

/// The terms of a node.
#[derive(Serialize)]
struct TermsOutput<'t> {
    base: &'t str,
    origin: &'t str,
    /// Whether nobody on the way can read what is sent.
    private: bool,
    sent: [&'static str; 4],
    kept: &'static str,
    remarks: Vec<&'static str>,
}

/// The dialects of the nodes that were asked since the wasm was loaded, by base URL and model.
type Dialects = RefCell<Vec<([String; 2], Dialect)>>;

thread_local! {
    static DIALECTS: Dialects = const { RefCell::new(Vec::new()) };
}

/// The dialect of a node's model. It outlives the node, because each answer connects anew.
fn dialect_of(settings: &Settings) -> Dialect {
    let key = [settings.address.base().to_owned(), settings.model.clone().unwrap_or_default()];
    DIALECTS.with_borrow_mut(|known| match known.iter().find(|(of, _)| *of == key) {
        Some((_, dialect)) => dialect.clone(),
        None => {
            known.push((key, Dialect::default()));
            known[known.len() - 1].1.clone()
        }
    })
}

/// A node that the reader agreed to, as a model.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
pub struct WebNode(Node<BrowserTransport, WebClock>);

#[wasm_bindgen]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
impl WebNode {
    /// Connects to a node: `{ base, agreed, model, key, context, wait }`, of which `base` is required, and `agreed`,
    /// the origin that the reader agreed to send to. `go_on` is called several times a second, and returns `false` to
    /// stop.
    ///
    /// # Errors
    ///
    /// An `Error` with a `code`: `no-consent`, `bad-node`, `stopped`, or `node`; with `names` where one of several models
    /// must be named.
    pub async fn connect(node: JsValue, go_on: Function) -> Result<WebNode, JsValue> {
        let input: NodeInput = from_js(node)?;
        let (settings, consent) = input.agreed()?;
        let settings = Settings { dialect: dialect_of(&settings), ..settings };
        let mut goes_on = || control_flow(go_on.call0(&JsValue::UNDEFINED));
        let node = Node::connect_while(settings, consent, BrowserTransport, WebClock, &mut goes_on).await;
        Ok(WebNode(node.map_err(Refusal::from)?))
    }

    /// `{ name, context, tools }` of the model that would write.
    ///
    /// # Errors
    ///
    /// None that a caller could handle.
    pub fn abilities(&self) -> Result<JsValue, JsValue> {
        let abilities = self.0.abilities();
        to_js(&AbilitiesOutput { name: &abilities.name, context: abilities.context, tools: abilities.tools })
    }

    /// Generates text; `on_event` receives `{ text }`, `{ reasoning }` or `{ read: { done, known, total } }`, and
    /// returns `false` to stop. Resolves to `{ text, reasoning, tokens, prompt_tokens, known_tokens, cut }`.
    ///
    /// # Errors
    ///
    /// An `Error` with a `code`: `stopped`, `prompt-too-long`, or `node`.
    pub async fn write(&self, writing: JsValue, on_event: Function) -> Result<JsValue, JsValue> {
        let writing: GenerationRequest = from_js::<GenerationInput>(writing)?.into();
        let mut forward = |event: GenerationEvent<'_>| match to_js(&Event::of(event)) {
            Ok(event) => control_flow(on_event.call1(&JsValue::UNDEFINED, &event)),
            Err(_) => ControlFlow::Continue(()),
        };
        let written = self.0.write(&writing, &mut forward).await.map_err(failure)?;
        to_js(&GenerationOutput {
            text: &written.text,
            reasoning: &written.reasoning,
            tokens: written.tokens,
            prompt_tokens: written.prompt_tokens,
            known_tokens: written.known_tokens,
            cut: written.cut,
        })
    }

    /// Resolves to the log-likelihood of each continuation.
    ///
    /// # Errors
    ///
    /// Those of [`WebNode::write`], and `cannot-score`.
    pub async fn score(&self, prompt: JsValue, continuations: Vec<String>) -> Result<JsValue, JsValue> {
        let prompt: Prompt = from_js::<PromptInput>(prompt)?.into();
        let continuations: Vec<&str> = continuations.iter().map(String::as_str).collect();
        to_js(&self.0.score(&prompt, &continuations).await.map_err(failure)?)
    }
}

#[derive(Serialize)]
struct AbilitiesOutput<'a> {
    name: &'a str,
    /// In tokens; 0 if unknown.
    context: usize,
    tools: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Event<'t> {
    Text(&'t str),
    Reasoning(&'t str),
    Read { done: usize, known: usize, total: usize },
}

impl Event<'_> {
    fn of(event: GenerationEvent<'_>) -> Event<'_> {
        match event {
            // A node's text is split where it is checked, so nothing of it is revised here.
            GenerationEvent::Text(text) | GenerationEvent::Revised(text) => Event::Text(text),
            GenerationEvent::Reasoning(text) => Event::Reasoning(text),
            GenerationEvent::Read { done, known, total } => Event::Read { done, known, total },
        }
    }
}

#[derive(Serialize)]
struct GenerationOutput<'w> {
    text: &'w str,
    reasoning: &'w str,
    tokens: usize,
    prompt_tokens: usize,
    known_tokens: usize,
    cut: bool,
}

/// The reply of a callback; one that throws does not stop anything.
fn control_flow(answer: Result<JsValue, JsValue>) -> ControlFlow<()> {
    match answer.is_ok_and(|answer| answer.as_bool() == Some(false)) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn from_js<T: serde::de::DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(bad_call)
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let value = value.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
    value.map_err(bad_call)
}
