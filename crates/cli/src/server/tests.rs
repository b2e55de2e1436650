//! A tiny model of random weights behind the endpoint, asked by this project's own node, and by hand.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::path::PathBuf;

use seealso::{Generation, GenerationEvent, GenerationRequest, Model as _, ModelError, Prompt};
use seealso_gguf::Message;
use seealso_gguf::testing::TinyModel;
use seealso_model::ops::flex::FlexStore;
use seealso_model::{LoadOptions, Request, SessionOptions};
use seealso_node::native::NativeTransport;
use seealso_node::protocol::ChatRequest;
use seealso_node::{Address, Limits, Node, Settings, Terms};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{channel, unbounded_channel};

use super::http::enqueue;
use super::job::Job;
use super::worker::QUEUE_LENGTH;
use super::*;
use crate::http::Origins;
use crate::node_client::NativeNode;
use crate::source::{SystemClock, block_on};

const CONTEXT: usize = 4096;

/// A seed whose model does not end its text soon.
fn tiny(context: usize) -> TinyModel {
    TinyModel { context, tied: false, seed: 6, ..TinyModel::default() }
}

/// The model's file, which goes away with it.
struct File(PathBuf);

impl File {
    fn new(name: &str, context: usize) -> File {
        let path = std::env::temp_dir().join(format!("seealso-server-{name}-{}.gguf", std::process::id()));
        std::fs::write(&path, tiny(context).write().unwrap()).unwrap();
        File(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Serves the model while `work` runs, which gets the address.
fn with_server<T>(name: &str, context: usize, work: impl AsyncFnOnce(SocketAddr, ModelHandle) -> T) -> T {
    let file = File::new(name, context);
    block_on(async {
        let settings = ModelSettings { file: file.0.clone(), threads: 1, context };
        let handle = start(settings).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let origins = Origins(vec!["https://docs.example.org".to_owned()]);
        let server = tokio::spawn(axum::serve(listener, router(handle.clone(), origins)).into_future());
        let done = work(address, handle).await;
        server.abort();
        done
    })
    .unwrap()
}

async fn connect(address: SocketAddr) -> NativeNode {
    connect_with(address, Limits::default()).await
}

async fn connect_with(address: SocketAddr, limits: Limits) -> NativeNode {
    let address = Address::parse(&format!("http://{address}/v1")).unwrap();
    let consent = Terms::of(&address).agree();
    let settings = Settings { limits, ..Settings::at(address) };
    Node::connect(settings, consent, NativeTransport, SystemClock::start()).await.unwrap()
}

fn prompt() -> Prompt {
    Prompt { system: "Be brief.".to_owned(), user: "Why is tea green?".to_owned(), ..Prompt::default() }
}

fn writing(max_tokens: usize) -> GenerationRequest {
    GenerationRequest { prompt: prompt(), max_tokens, temperature: 0.0, seed: 0, shape: None }
}

/// The same model in this process.
fn in_process() -> (seealso_model::Model, Vec<u32>) {
    let (bytes, home) = (tiny(CONTEXT).write().unwrap(), Box::new(FlexStore::native_threads(1)));
    let options = LoadOptions { context: CONTEXT };
    let model = seealso_model::Model::load(&bytes[..], home, options, SessionOptions::default(), &mut |_| ()).unwrap();
    let tokens = model.language.prompt(&[Message::system("Be brief."), Message::user("Why is tea green?")]).unwrap();
    (model, tokens)
}

#[test]
fn greedy_text_is_that_of_the_model_in_this_process() {
    let (mut model, tokens) = in_process();
    let request = Request { prompt: &tokens, max_tokens: 24, ..Request::default() };
    let expected = block_on(model.generate(&request, &mut async |_| ControlFlow::Continue(()))).unwrap().unwrap();
    with_server("greedy", CONTEXT, async |address, handle| {
        let node = connect(address).await;
        assert_eq!((&node.abilities().name, node.abilities().context), (&handle.name, CONTEXT));
        let (mut shown, mut read) = (String::new(), Vec::new());
        let mut on_event = |wrote: GenerationEvent<'_>| {
            match wrote {
                GenerationEvent::Text(text) => shown.push_str(text),
                GenerationEvent::Read { done, total, .. } if total > 0 => read.push((done, total)),
                GenerationEvent::Read { .. } | GenerationEvent::Reasoning(_) | GenerationEvent::Revised(_) => (),
            }
            ControlFlow::Continue(())
        };
        let written = node.write(&writing(24), &mut on_event).await.unwrap();
        let total = tokens.len();
        assert_eq!(
            written,
            Generation { text: expected.text, tokens: 24, prompt_tokens: total, cut: true, ..Generation::default() }
        );
        assert_eq!(shown, written.text);
        assert_eq!((read.first(), read.last()), (Some(&(0, total)), Some(&(total, total))));
        // The second time the prompt is known, but for its last token.
        let again = node.write(&writing(1), &mut |_| ControlFlow::Continue(())).await.unwrap();
        assert_eq!(again.known_tokens, total - 1);
    });
}

#[test]
fn likelihoods_are_those_of_the_session_in_this_process() {
    let (mut model, tokens) = in_process();
    let logits = block_on(model.session.prefill(&tokens, &mut async |_| ControlFlow::Continue(())));
    let logits = logits.unwrap().unwrap().unwrap();
    // Two letters among the likeliest twenty.
    let mut likeliest: Vec<u32> = (0..logits.len() as u32).collect();
    likeliest.sort_by(|&a, &b| logits[b as usize].total_cmp(&logits[a as usize]));
    let bytes = |token: u32| model.language.vocabulary.bytes_of(token);
    let letters: Vec<u32> = likeliest[..20]
        .iter()
        .copied()
        .filter(|&token| matches!(bytes(token), [byte] if byte.is_ascii_graphic()))
        .take(2)
        .collect();
    let words: Vec<String> = letters.iter().map(|&token| String::from_utf8(bytes(token).to_vec()).unwrap()).collect();
    let continuations: Vec<Vec<u32>> = letters.iter().map(|&token| vec![token]).collect();
    let expected = block_on(model.session.score(&tokens, &continuations)).unwrap().unwrap();
    assert_eq!(expected.len(), 2, "the likeliest tokens have two letters");
    with_server("likelihoods", CONTEXT, async |address, _| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let scores = connect(address).await.score(&prompt(), &words).await.unwrap();
        for (score, expected) in scores.iter().zip(&expected) {
            assert!((score - expected).abs() < 1e-4, "{scores:?} {expected:?}");
        }
    });
}

#[test]
fn a_client_that_leaves_frees_the_model() {
    with_server("leaving", 1 << 16, async |address, _| {
        let node = connect_with(address, Limits { first_ms: 15_000, ..Limits::default() }).await;
        let mut after_the_first = |wrote: GenerationEvent<'_>| match wrote {
            GenerationEvent::Text(text) if !text.is_empty() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        // If this one did not end, it would go on for minutes, and the next would fail because no word came in time.
        let stopped = node.write(&writing(60_000), &mut after_the_first).await;
        assert_eq!(stopped, Err(ModelError::Stopped));
        let written = node.write(&writing(2), &mut |_| ControlFlow::Continue(())).await.unwrap();
        assert_eq!(written.tokens, 2);
    });
}

#[test]
fn a_prompt_that_is_too_long_is_refused_with_its_numbers() {
    with_server("long", CONTEXT, async |address, _| {
        let node = connect(address).await;
        let user = "tea ".repeat(CONTEXT);
        let long = GenerationRequest { prompt: Prompt { user, ..Prompt::default() }, ..writing(100) };
        let error = node.write(&long, &mut |_| ControlFlow::Continue(())).await.unwrap_err();
        assert!(
            matches!(error, ModelError::TooLong { tokens, room } if tokens > CONTEXT && room == CONTEXT - 100),
            "{error:?}"
        );
    });
}

#[test]
fn a_client_is_asked_to_come_back_when_the_queue_is_full() {
    let (jobs, _waiting) = channel(QUEUE_LENGTH);
    let handle = ModelHandle { name: "m".to_owned(), context: CONTEXT, jobs };
    let come = || {
        let request: ChatRequest = serde_json::from_value(json!({ "messages": [{ "role": "user" }] })).unwrap();
        enqueue(&handle, Job::of(request, unbounded_channel().0).unwrap())
    };
    for _ in 0..QUEUE_LENGTH {
        come().unwrap();
    }
    let refused = come().unwrap_err();
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers()["retry-after"], "5");
}

/// A request by hand: the status, the headers in lower case, and the body.
fn ask(address: SocketAddr, request: &str, headers: &str, body: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{request} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), head.to_lowercase(), body.to_owned())
}

/// As [`ask`], off the thread that serves.
async fn by_hand(address: SocketAddr, request: &str, headers: &str, body: &str) -> (u16, String, String) {
    let (request, headers, body) = (request.to_owned(), headers.to_owned(), body.to_owned());
    tokio::task::spawn_blocking(move || ask(address, &request, &headers, &body)).await.unwrap()
}

const CHAT: &str = "POST /v1/chat/completions";
const JSON: &str = "content-type: application/json\r\n";

#[test]
fn requests_are_refused_as_json() {
    with_server("refused", CONTEXT, async |address, handle| {
        let user = r#""messages": [{"role": "user", "content": "x"}]"#;
        let cases = [
            (
                CHAT,
                "content-type: text/plain\r\n",
                "{}".to_owned(),
                415,
                "the request must be of the type application/json".to_owned(),
            ),
            (
                CHAT,
                JSON,
                "{".to_owned(),
                400,
                "the request is not understood: EOF while parsing an object at line 1 column 1".to_owned(),
            ),
            (CHAT, JSON, "{}".to_owned(), 400, "`messages` is empty".to_owned()),
            (
                CHAT,
                JSON,
                format!(r#"{{"model": "gpt", {user}}}"#),
                404,
                format!("there is no model \"gpt\" here; there is \"{}\"", handle.name),
            ),
            (CHAT, JSON, format!(r#"{{{user}, "max_tokens": 5000}}"#), 400, String::new()),
            (
                "GET /v1/chat/completions",
                "",
                String::new(),
                405,
                "POST asks for an answer, GET for the models".to_owned(),
            ),
            (
                "GET /",
                "",
                String::new(),
                404,
                "there is no such path here; there are /v1/chat/completions and /v1/models".to_owned(),
            ),
        ];
        for (request, headers, body, status, message) in cases {
            let (found, head, reply) = by_hand(address, request, headers, &body).await;
            assert_eq!(found, status, "{body} {reply}");
            assert!(head.contains("content-type: application/json"), "{head}");
            let reply: Value = serde_json::from_str(&reply).unwrap();
            assert_eq!(reply["error"]["type"], "invalid_request_error");
            if message.is_empty() {
                assert_eq!(
                    (&reply["error"]["code"], &reply["error"]["n_ctx"]),
                    (&json!("context_length_exceeded"), &json!(CONTEXT))
                );
            } else {
                assert_eq!(reply["error"]["message"], message);
            }
        }
        let large = format!(r#"{{"messages": [{{"role": "user", "content": "{}"}}]}}"#, "x".repeat(2 << 20));
        assert_eq!(by_hand(address, CHAT, JSON, &large).await.0, 413);
    });
}

#[test]
fn an_answer_may_come_whole() {
    with_server("whole", CONTEXT, async |address, handle| {
        let user = r#""messages": [{"role": "user", "content": "x"}], "max_tokens": 3"#;
        let (status, _, body) = by_hand(address, CHAT, JSON, &format!("{{{user}, \"temperature\": 0}}")).await;
        let reply: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &reply["object"], &reply["model"]), (200, &json!("chat.completion"), &json!(handle.name)));
        assert_eq!(
            (&reply["choices"][0]["finish_reason"], &reply["usage"]["completion_tokens"]),
            (&json!("length"), &json!(3))
        );
        let seeded = |seed: i64| format!(r#"{{{user}, "temperature": 1.5, "top_p": 0.9, "seed": {seed}}}"#);
        let text = async |seed: i64| {
            let (_, _, body) = by_hand(address, CHAT, JSON, &seeded(seed)).await;
            serde_json::from_str::<Value>(&body).unwrap()["choices"][0]["message"]["content"].clone()
        };
        assert_eq!(text(7).await, text(7).await);
        let (status, _, body) = by_hand(address, "GET /v1/models", "", "").await;
        let reply: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, &reply["data"][0]["id"], &reply["data"][0]["context_length"]),
            (200, &json!(handle.name), &json!(CONTEXT))
        );
    });
}

#[test]
fn pages_of_other_origins_may_not_ask() {
    with_server("origins", CONTEXT, async |address, _| {
        let origin = |origin: &str| format!("origin: {origin}\r\n");
        for page in ["http://localhost:8321", "https://docs.example.org"] {
            let (status, head, _) = by_hand(address, "GET /v1/models", &origin(page), "").await;
            assert_eq!(status, 200);
            assert!(head.contains(&format!("access-control-allow-origin: {page}\r\n")), "{head}");
            assert!(head.contains("vary: origin"), "{head}");
            let (status, head, _) = by_hand(address, "OPTIONS /v1/chat/completions", &origin(page), "").await;
            assert_eq!(status, 204);
            assert!(head.contains("access-control-allow-headers: accept, authorization, content-type"), "{head}");
        }
        for page in ["https://evil.example", "null"] {
            for request in ["GET /v1/models", "OPTIONS /v1/chat/completions", CHAT] {
                let (status, head, body) = by_hand(address, request, &(origin(page) + JSON), "{}").await;
                assert_eq!(status, 403, "{request} {body}");
                assert!(!head.contains("access-control"), "{head}");
            }
        }
    });
}
