//! A transport with a script, and a clock that writes down how long it was asked to wait.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used)]

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::pending;
use std::ops::ControlFlow;
use std::rc::Rc;

use futures_executor::block_on;
use seealso::{Clock, Generation, GenerationEvent, GenerationRequest, Model as _, ModelError, Prompt};
use seealso_node::{Address, Body, Error, Header, Key, Node, Reply, Settings, Terms, Transport, TransportError};

/// What happens to a request.
#[derive(Debug, Clone)]
pub enum Turn {
    /// Nobody answers.
    Refused,
    /// No connection, for a reason that stays.
    Distrusted,
    /// The head never comes.
    Silent,
    /// A status, headers, and a body.
    Answers(u16, Vec<(&'static str, &'static str)>, Vec<Piece>),
}

/// A piece of a body.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Bytes that are text.
    Bytes(String),
    /// Bytes that may end within a character.
    Raw(Vec<u8>),
    /// The connection breaks.
    Breaks,
    /// Nothing more comes, and the connection stays.
    Silence,
}

/// A stream of events, whole.
pub fn stream(events: &[&str]) -> Turn {
    Turn::Answers(200, vec![("content-type", "text/event-stream")], vec![bytes(events)])
}

/// Events as bytes.
pub fn bytes(events: &[&str]) -> Piece {
    Piece::Bytes(events.iter().map(|event| format!("data: {event}\n\n")).collect())
}

/// A status with a JSON body.
pub fn status(status: u16, body: &str) -> Turn {
    Turn::Answers(status, vec![("content-type", "application/json")], vec![Piece::Bytes(body.to_owned())])
}

/// The event of a piece of text.
pub fn text(text: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{text}"}},"finish_reason":null}}]}}"#)
}

/// The event that ends an answer.
pub fn finish(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}

/// What was sent: the method and URL, the headers, the body.
#[derive(Debug, Clone)]
pub struct Sent {
    pub to: String,
    pub headers: Vec<Header>,
    pub body: String,
}

/// A transport with a script.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    turns: Rc<RefCell<VecDeque<Turn>>>,
    pub sent: Rc<RefCell<Vec<Sent>>>,
    /// Bodies that are being read.
    pub open: Rc<Cell<usize>>,
}

impl Scripted {
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Scripted {
        let turns = Rc::new(RefCell::new(turns.into_iter().collect()));
        Scripted { turns, ..Scripted::default() }
    }

    async fn answer(&self, sent: Sent) -> Result<Reply<ScriptedBody>, TransportError> {
        self.sent.borrow_mut().push(sent);
        let turn = self.turns.borrow_mut().pop_front().expect("the script goes on");
        match turn {
            Turn::Refused => Err(TransportError::transient("connection refused")),
            Turn::Distrusted => Err(TransportError::permanent("its certificate is not trusted")),
            Turn::Silent => pending().await,
            Turn::Answers(status, headers, pieces) => {
                self.open.set(self.open.get() + 1);
                let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                Ok(Reply { status, headers, body: ScriptedBody { pieces: pieces.into(), open: self.open.clone() } })
            }
        }
    }
}

impl Transport for Scripted {
    type Body = ScriptedBody;

    async fn get(&self, url: &str, headers: &[Header]) -> Result<Reply<ScriptedBody>, TransportError> {
        self.answer(Sent { to: format!("GET {url}"), headers: headers.to_vec(), body: String::new() }).await
    }

    async fn post(&self, url: &str, headers: &[Header], body: String) -> Result<Reply<ScriptedBody>, TransportError> {
        self.answer(Sent { to: format!("POST {url}"), headers: headers.to_vec(), body }).await
    }
}

/// The body of a scripted answer.
pub struct ScriptedBody {
    pieces: VecDeque<Piece>,
    open: Rc<Cell<usize>>,
}

impl Drop for ScriptedBody {
    fn drop(&mut self) {
        self.open.set(self.open.get() - 1);
    }
}

impl Body for ScriptedBody {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        match self.pieces.pop_front() {
            None => Ok(None),
            Some(Piece::Bytes(text)) => Ok(Some(text.into_bytes())),
            Some(Piece::Raw(bytes)) => Ok(Some(bytes)),
            Some(Piece::Breaks) => Err(TransportError::transient("connection reset")),
            Some(Piece::Silence) => pending().await,
        }
    }
}

/// Its waits end at once, and are written down.
#[derive(Debug, Clone, Default)]
pub struct Noting(pub Rc<RefCell<Vec<u32>>>);

impl Clock for Noting {
    fn now_ms(&self) -> f64 {
        0.0
    }

    async fn sleep(&self, ms: u32) {
        self.0.borrow_mut().push(ms);
    }
}

/// A node's settings: a model named `m`, and the key `sk-secret`.
pub fn settings() -> Settings {
    let address = Address::parse("http://node.example:8080/v1").unwrap();
    Settings { model: Some("m".to_owned()), key: Some(Key::new("sk-secret").unwrap()), ..Settings::at(address) }
}

/// A node that answers as `turns` say.
pub fn node(turns: impl IntoIterator<Item = Turn>) -> (Node<Scripted, Noting>, Scripted, Noting) {
    let (transport, clock, settings) = (Scripted::new(turns), Noting::default(), settings());
    let consent = Terms::of(&settings.address).agree();
    (Node::new(settings, consent, transport.clone(), clock.clone()).unwrap(), transport, clock)
}

/// A node that was connected.
pub fn connect(settings: Settings, turns: impl IntoIterator<Item = Turn>) -> Result<Node<Scripted, Noting>, Error> {
    let consent = Terms::of(&settings.address).agree();
    block_on(Node::connect(settings, consent, Scripted::new(turns), Noting::default()))
}

pub fn prompt() -> Prompt {
    Prompt { system: "Be brief.".to_owned(), user: "Why is tea green?".to_owned(), ..Prompt::default() }
}

pub fn writing() -> GenerationRequest {
    GenerationRequest { prompt: prompt(), max_tokens: 64, temperature: 0.0, seed: 0, shape: None }
}

/// What comes of writing, and what was shown on the way.
pub fn write(node: &Node<Scripted, Noting>) -> (Result<Generation, ModelError>, Vec<String>) {
    let mut shown = Vec::new();
    let mut watch = |wrote: GenerationEvent<'_>| {
        shown.push(match wrote {
            GenerationEvent::Read { done, known, total } => format!("{known}+{done}/{total}"),
            GenerationEvent::Text(text) | GenerationEvent::Revised(text) => text.to_owned(),
            GenerationEvent::Reasoning(text) => format!("({text})"),
        });
        ControlFlow::Continue(())
    };
    let written = block_on(node.write(&writing(), &mut watch));
    (written, shown)
}
