//! Any bytes as what a node answers: events, whole answers, likelihoods, lists of models, complaints; and as what a
//! client asks of `seealso node`. The first byte says what was asked for, the second the status, the third how large the
//! pieces are in which the rest comes.
#![no_main]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, pending};
use std::ops::ControlFlow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use libfuzzer_sys::fuzz_target;
use seealso::{Clock, Model as _, ModelError, Prompt, GenerationRequest, Generation, GenerationEvent};
use seealso_node::events::{Decoder, Event, TooLarge};
use seealso_node::protocol::ChatRequest;
use seealso_node::{Address, Body, Header, Key, Limits, TransportError, Node, Reply, Settings, Terms, Transport};

/// No answer of a node may tell it.
const KEY: &str = "sk-secret";
const MAX_TOKENS: usize = 4;
/// What so many tokens may have in bytes, and one event more.
const MOST_BYTES: usize = 64 * MAX_TOKENS + 1024 + (1 << 20);
/// The most characters of an error's message; what servers say is cut before.
const MOST_SAID: usize = 1000;

fuzz_target!(|data: &[u8]| {
    let &[asked, status, size, ref body @ ..] = data else { return };
    let pieces: Vec<Vec<u8>> = body.chunks(1 + usize::from(size)).map(<[u8]>::to_vec).collect();
    let status = [200, 200, 200, 500, 400, 429, 401, 302][usize::from(status) % 8];
    match asked % 5 {
        0 => {
            check_events(body, &pieces);
            check_writing("text/event-stream", status, pieces);
        }
        1 => check_writing("application/json", status, pieces),
        2 => check_scores(status, pieces),
        3 => check_models(status, pieces),
        _ => check_request(body),
    }
});

/// However a stream is cut, its events are the same.
fn check_events(body: &[u8], pieces: &[Vec<u8>]) {
    let whole = Decoder::new(512).push(body);
    let mut decoder = Decoder::new(512);
    let parts: Result<Vec<Vec<Event>>, TooLarge> = pieces.iter().map(|piece| decoder.push(piece)).collect();
    match (whole, parts) {
        (Ok(whole), Ok(parts)) => assert_eq!(whole, parts.concat()),
        (whole, parts) => assert_eq!(whole.is_err(), parts.is_err()),
    }
}

fn check_writing(kind: &'static str, status: u16, pieces: Vec<Vec<u8>>) {
    let node = node(kind, status, pieces);
    let prompt = Prompt { user: "Why is tea green?".to_owned(), ..Prompt::default() };
    let writing = GenerationRequest { prompt, max_tokens: MAX_TOKENS, temperature: 0.0, seed: 0, shape: None };
    let mut told = String::new();
    let mut watch = |wrote: GenerationEvent<'_>| {
        if let GenerationEvent::Text(text) = wrote {
            told.push_str(text);
        }
        ControlFlow::Continue(())
    };
    match now(node.write(&writing, &mut watch)) {
        Ok(Generation { text, .. }) => {
            // What is more than was asked for ends the answer, and is not told any more.
            assert!(text.starts_with(&told));
            assert!(kind != "text/event-stream" || text.len() <= MOST_BYTES);
        }
        Err(error) => check_error(&error),
    }
}

fn check_scores(status: u16, pieces: Vec<Vec<u8>>) {
    let prompt = Prompt { user: "Is tea green?".to_owned(), ..Prompt::default() };
    match now(node("application/json", status, pieces).score(&prompt, &["Yes", "No"])) {
        Ok(scores) => assert!(scores.len() == 2 && scores.iter().all(|score| !score.is_nan()), "{scores:?}"),
        Err(error) => check_error(&error),
    }
}

fn check_error(error: &ModelError) {
    check_said(&error.to_string());
}

fn check_said(said: &str) {
    assert!(!said.is_empty() && !said.contains(KEY), "{said}");
    assert!(said.chars().count() <= MOST_SAID, "{said}");
}

fn check_models(status: u16, pieces: Vec<Vec<u8>>) {
    let transport = Answering::new("application/json", status, pieces);
    let settings = Settings { model: None, ..settings() };
    let consent = Terms::of(&settings.address).agree();
    match now(Node::connect(settings, consent, transport, Still)) {
        Ok(node) => assert!(!node.abilities().name.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What a client may ask.
fn check_request(body: &[u8]) {
    let Ok(request) = serde_json::from_slice::<ChatRequest>(body) else { return };
    let again = serde_json::to_string(&request).expect("what was read can be written");
    assert!(serde_json::from_str::<ChatRequest>(&again).is_ok(), "{again}");
    let _ = request.most_tokens();
}

fn settings() -> Settings {
    let address = Address::parse("http://node.example:8080/v1").expect("it is one");
    let limits = Limits { pauses_ms: &[], ..Limits::default() };
    let key = Some(Key::new(KEY).expect("it is one"));
    Settings { model: Some("m".to_owned()), key, limits, ..Settings::at(address) }
}

fn node(kind: &'static str, status: u16, pieces: Vec<Vec<u8>>) -> Node<Answering, Still> {
    let settings = settings();
    let consent = Terms::of(&settings.address).agree();
    Node::new(settings, consent, Answering::new(kind, status, pieces), Still).expect("its model is named")
}

/// What `work` gives. It waits for nothing, since all that it asks for is there.
fn now<T>(work: impl Future<Output = T>) -> T {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits, though all is there"),
    }
}

/// Its time does not go on.
struct Still;

impl Clock for Still {
    fn now_ms(&self) -> f64 {
        0.0
    }

    async fn sleep(&self, _: u32) {
        pending().await
    }
}

/// Answers once.
struct Answering {
    kind: &'static str,
    status: u16,
    pieces: RefCell<VecDeque<Vec<u8>>>,
}

impl Answering {
    fn new(kind: &'static str, status: u16, pieces: Vec<Vec<u8>>) -> Answering {
        Answering { kind, status, pieces: RefCell::new(pieces.into()) }
    }

    fn reply(&self) -> Reply<Pieces> {
        let headers = vec![("content-type".to_owned(), self.kind.to_owned())];
        Reply { status: self.status, headers, body: Pieces(self.pieces.take()) }
    }
}

impl Transport for Answering {
    type Body = Pieces;

    async fn get(&self, _: &str, _: &[Header]) -> Result<Reply<Pieces>, TransportError> {
        Ok(self.reply())
    }

    async fn post(&self, _: &str, _: &[Header], _: String) -> Result<Reply<Pieces>, TransportError> {
        Ok(self.reply())
    }
}

/// A body in its pieces.
struct Pieces(VecDeque<Vec<u8>>);

impl Body for Pieces {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        Ok(self.0.pop_front())
    }
}
