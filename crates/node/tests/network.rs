//! Faults over real connections: a server on this machine that says, byte for byte, what each test tells it to.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::thread::JoinHandle;
use std::time::Duration;

use seealso::{Clock, Generation, GenerationEvent, GenerationRequest, Model as _, ModelError, Prompt};
use seealso_node::native::NativeTransport;
use seealso_node::{Address, Key, Limits, Node, Settings, Terms};

/// What the server does with a connection, once it has read the request.
enum Turn {
    /// Sends these bytes and closes.
    Says(String),
    /// Sends these bytes as soon as anything comes, and closes.
    Blurts(&'static str),
    /// Sends these bytes, and then nothing until the other side closes.
    Stays(String),
}

/// A server, and the requests it got.
struct Server {
    base: String,
    thread: JoinHandle<Vec<String>>,
}

impl Server {
    fn start(turns: Vec<Turn>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || turns.into_iter().map(|turn| serve(&listener, turn)).collect());
        Server { base, thread }
    }

    /// The requests, when all turns are done: where one stays, the other side must have closed.
    fn requests(self) -> Vec<String> {
        self.thread.join().unwrap()
    }
}

fn serve(listener: &TcpListener, turn: Turn) -> String {
    let (mut stream, _) = listener.accept().unwrap();
    let request = match turn {
        Turn::Blurts(_) => format!("{} bytes", stream.read(&mut [0; 4096]).unwrap()),
        _ => request(&mut stream),
    };
    let (said, stays) = match turn {
        Turn::Blurts(said) => (said.to_owned(), false),
        Turn::Says(said) => (said, false),
        Turn::Stays(said) => (said, true),
    };
    stream.write_all(said.as_bytes()).unwrap();
    if stays {
        // Ends when the client has gone, and not before.
        let _ = stream.read(&mut [0]);
    }
    request
}

/// A request, whose body is as long as it says.
fn request(stream: &mut TcpStream) -> String {
    let (mut read, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut piece).unwrap();
        read.extend(&piece[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if count == 0 || body.len() >= length.parse().unwrap() {
                return text;
            }
        }
    }
}

fn answer(status: &str, kind: &str, body: &str) -> Turn {
    let length = body.len();
    Turn::Says(format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ))
}

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// A chunk of a body that is sent in chunks.
fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

fn word(text: &str) -> String {
    chunk(&format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n"))
}

fn well() -> Turn {
    let end = chunk("data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    Turn::Says(format!("{STREAM}{}{end}0\r\n\r\n", word("Tea.")))
}

struct TokioClock;

impl Clock for TokioClock {
    fn now_ms(&self) -> f64 {
        0.0
    }

    async fn sleep(&self, ms: u32) {
        tokio::time::sleep(Duration::from_millis(ms.into())).await;
    }
}

/// Long where something is to come, so that a busy machine makes no difference.
const PATIENT: Limits =
    Limits { first_ms: 60_000, idle_ms: 60_000, pauses_ms: &[1, 1], longest_pause_ms: 2_000, beat_ms: 5 };

fn node(base: &str, limits: Limits) -> Node<NativeTransport, TokioClock> {
    let address = Address::parse(base).unwrap();
    let consent = Terms::of(&address).agree();
    let settings = Settings {
        model: Some("m".to_owned()),
        key: Some(Key::new("sk-secret").unwrap()),
        limits,
        ..Settings::at(address)
    };
    Node::new(settings, consent, NativeTransport, TokioClock).unwrap()
}

fn write(
    base: &str,
    limits: Limits,
    watch: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
) -> Result<Generation, ModelError> {
    let prompt = Prompt { user: "Why is tea green?".to_owned(), ..Prompt::default() };
    let writing = GenerationRequest { prompt, max_tokens: 8, temperature: 0.0, seed: 0, shape: None };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(node(base, limits).write(&writing, watch))
}

/// That these turns end in this error, `{}` standing for the node's origin, with all turns taken.
#[track_caller]
fn check(turns: Vec<Turn>, limits: Limits, says: &str) {
    let count = turns.len();
    let server = Server::start(turns);
    let error = write(&server.base, limits, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.to_string(), says.replace("{}", server.base.trim_end_matches("/v1")));
    assert_eq!(server.requests().len(), count);
}

#[test]
fn a_good_answer_and_its_request() {
    let server = Server::start(vec![well()]);
    let written = write(&server.base, PATIENT, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(written.text, "Tea.");
    let host = server.base.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let body = r#"{"max_tokens":8,"messages":[{"content":"Why is tea green?","role":"user"}],"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0.0}"#;
    let expected = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\naccept: text/event-stream\r\n\
         authorization: Bearer sk-secret\r\ncontent-type: application/json\r\nuser-agent: seealso/{}\r\n\
         content-length: {}\r\n\r\n{body}",
        env!("CARGO_PKG_VERSION"),
        body.len()
    );
    assert_eq!(server.requests(), [expected]);
}

#[test]
fn nobody_listens() {
    // A port that was free a moment ago, and is closed now.
    let base = format!("http://{}/v1", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let error = write(&base, PATIENT, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    let origin = base.trim_end_matches("/v1");
    assert_eq!(
        error,
        format!("the node {origin} can't be reached (connection refused); check its address, and that it is running")
    );
}

#[test]
fn statuses() {
    let json = "application/json";
    let refused = "the node {} refuses the key (status 401); check the key and what it is for";
    check(vec![answer("401 Unauthorized", json, r#"{"error":{"message":"sk-secret is wrong"}}"#)], PATIENT, refused);
    let model = "{}/v1 has no model \"m\", or is not the base URL of a node (status 404); check the model's name, and the \
                 URL, which often ends in /v1";
    check(vec![answer("404 Not Found", json, r#"{"error":"model not found"}"#)], PATIENT, model);
    let busy = || answer("429 Too Many Requests", json, "{}");
    let for_ever = "the node {} has too much to do (status 429); ask again later";
    check(vec![busy(), busy(), busy()], PATIENT, for_ever);
    let page = "{}/v1 answers with a web page, not as a node; check the base URL, which often ends in /v1";
    check(vec![answer("200 OK", "text/html", "<!doctype html>")], PATIENT, page);
    let elsewhere = "the node {} points to http://127.0.0.1:1/, which is not followed; give that as the base URL if you \
                     trust it";
    check(
        vec![Turn::Says("HTTP/1.1 308 Moved\r\nlocation: http://127.0.0.1:1/\r\n\r\n".to_owned())],
        PATIENT,
        elsewhere,
    );
}

#[test]
fn passing_faults_pass() {
    let json = "application/json";
    let asks_to_wait = "HTTP/1.1 429 Too Many\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n".to_owned();
    let slammed = Turn::Says(String::new());
    for fault in [Turn::Says(asks_to_wait), answer("500 Internal", json, "{}"), answer("503 Busy", json, ""), slammed] {
        let server = Server::start(vec![fault, well()]);
        let written = write(&server.base, PATIENT, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((written.text.as_str(), server.requests().len()), ("Tea.", 2));
    }
}

#[test]
fn streams_that_break() {
    let says = "the answer of the node {} ended in the middle (the connection was closed); ask again";
    check(vec![Turn::Says(format!("{STREAM}{}", word("Tea ")))], PATIENT, says);
    let ended = says.replace("the connection was closed", "it has no end");
    check(vec![Turn::Says(format!("{STREAM}{}0\r\n\r\n", word("Tea ")))], PATIENT, &ended);
    let invalid = "the node {} answers in a form that is not understood (an event that is no JSON: `{\"choices`); check \
                   that it is compatible with OpenAI's chat completions";
    check(vec![Turn::Says(format!("{STREAM}{}0\r\n\r\n", chunk("data: {\"choices\n\n")))], PATIENT, invalid);
}

#[test]
fn silence_ends_with_a_message_and_the_connection() {
    let soon = Limits { first_ms: 100, ..PATIENT };
    let before = "the node {} gave no word within 1 s; try a smaller model there, or allow it more time";
    check(vec![Turn::Stays(String::new())], soon, before);
    check(vec![Turn::Stays(format!("{STREAM}{}", chunk(": alive\n\n")))], soon, before);
    let idle = Limits { idle_ms: 100, ..PATIENT };
    let after = "the node {} fell silent in its answer for 1 s; it may be overloaded, so ask again later";
    check(vec![Turn::Stays(format!("{STREAM}{}", word("Tea ")))], idle, after);
}

#[test]
fn who_stops_it_closes_the_connection() {
    // After the first word, and while nothing comes at all.
    for said in [format!("{STREAM}{}", word("Tea ")), String::new()] {
        let server = Server::start(vec![Turn::Stays(said)]);
        let beats = Cell::new(0);
        let mut watch = |wrote: GenerationEvent<'_>| {
            beats.set(beats.get() + 1);
            if wrote == GenerationEvent::Text("Tea ") || beats.get() > 20 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        assert_eq!(write(&server.base, PATIENT, &mut watch), Err(ModelError::Stopped));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_server_that_does_not_encrypt_is_told_apart() {
    let server = Server::start(vec![Turn::Blurts("HTTP/1.1 400 Bad Request\r\n\r\n")]);
    let base = server.base.replace("http://", "https://");
    let error = write(&base, PATIENT, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(error.contains("can't be reached (no encrypted connection: "), "{error}");
}
