//! What is sent, and when: nothing before the reader's consent, and then nothing but what was agreed to.
#![allow(clippy::unwrap_used)]

mod common;

use std::ops::ControlFlow;

use common::{
    Noting, Piece, Scripted, Turn, bytes, connect, finish, node, prompt, settings, status, stream, text, write, writing,
};
use futures_executor::block_on;
use seealso::{Generation, GenerationEvent, Model as _, ModelError};
use seealso_node::{Address, Error, Key, Node, Settings, Terms};
use serde_json::{Value, json};

const USAGE: &str =
    r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}"#;

#[test]
fn nothing_is_sent_before_consent() {
    let transport = Scripted::new([status(200, r#"{"data":[{"id":"m"}]}"#)]);
    let terms = Terms::of(&settings().address);
    assert!(terms.to_string().starts_with("To http://node.example:8080 will be sent"));
    // Nothing but `agree` makes a consent, and nothing but a consent a node; one for another origin makes none.
    let other = Terms::of(&Address::parse("http://node.example:8081/v1").unwrap()).agree();
    let node = block_on(Node::connect(settings(), other.clone(), transport.clone(), Noting::default()));
    let error = node.err().unwrap();
    assert_eq!(
        error.to_string(),
        "consent was given for http://node.example:8081, not for http://node.example:8080; ask the reader again"
    );
    assert!(matches!(
        Node::new(settings(), other, transport.clone(), Noting::default()),
        Err(Error::OtherOrigin { .. })
    ));
    let node = Node::new(settings(), terms.clone().agree(), transport.clone(), Noting::default()).unwrap();
    assert_eq!(transport.sent.borrow().len(), 0);
    drop(node);
    block_on(Node::connect(settings(), terms.agree(), transport.clone(), Noting::default())).unwrap();
    assert_eq!(transport.sent.borrow().len(), 1);
}

#[test]
fn what_is_sent_is_the_prompt_and_how_to_answer_it() {
    let scored = status(200, r#"{"choices":[{"logprobs":{"content":[{"token":"Yes","logprob":-0.5}]}}]}"#);
    let (node, transport, _) = node([stream(&[&text("Tea."), &finish("stop"), "[DONE]"]), scored]);
    write(&node).0.unwrap();
    assert_eq!(block_on(node.score(&prompt(), &["Yes"])), Ok(vec![-0.5]));
    let sent = transport.sent.borrow();
    let messages =
        json!([{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Why is tea green?" }]);
    let body = |at: usize| serde_json::from_str::<Value>(&sent[at].body).unwrap();
    assert_eq!(
        body(0),
        json!({
            "model": "m", "messages": messages, "max_tokens": 64, "temperature": 0.0, "stream": true,
            "stream_options": { "include_usage": true },
        })
    );
    assert_eq!(
        body(1),
        json!({
            "model": "m", "messages": messages, "max_tokens": 1, "temperature": 0.0, "stream": false, "logprobs": true,
            "top_logprobs": 20,
        })
    );
    for (sent, accept) in sent.iter().zip(["text/event-stream", "application/json"]) {
        assert_eq!(sent.to, "POST http://node.example:8080/v1/chat/completions");
        let headers: Vec<_> = sent.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let expected =
            [("accept", accept), ("authorization", "Bearer sk-secret"), ("content-type", "application/json")];
        assert_eq!(headers, expected);
    }
}

#[test]
fn an_answer_is_streamed_and_counted() {
    let progress = |done| format!(r#"{{"choices":[],"prompt_progress":{{"total":9,"cache":4,"processed":{done}}}}}"#);
    let role = r#"{"choices":[{"delta":{"role":"assistant","content":null},"finish_reason":null}]}"#;
    let events = [&progress(4), &progress(9), role, &text("Tea "), &text("is."), &finish("length"), USAGE, "[DONE]"];
    let (node, transport, _) = node([stream(&events)]);
    let (written, shown) = write(&node);
    let text = "Tea is.".to_owned();
    let expected =
        Generation { text, tokens: 2, prompt_tokens: 9, known_tokens: 4, cut: true, ..Generation::default() };
    assert_eq!(written, Ok(expected));
    assert_eq!(shown, ["0+0/0", "4+4/9", "4+9/9", "Tea ", "is."]);
    assert_eq!(transport.open.get(), 0);
}

#[test]
fn the_end_may_lack_its_mark() {
    let (node, _, _) = node([stream(&[&text("Tea."), &finish("stop")])]);
    assert_eq!(write(&node).0.unwrap(), Generation { text: "Tea.".to_owned(), ..Generation::default() });
}

#[test]
fn an_answer_in_one_piece_will_do() {
    let body = r#"{"choices":[{"message":{"role":"assistant","content":"Tea."},"finish_reason":"stop"}],
                   "usage":{"prompt_tokens":9,"completion_tokens":2}}"#;
    let (node, _, _) = node([status(200, body)]);
    let (written, shown) = write(&node);
    let expected = Generation { text: "Tea.".to_owned(), tokens: 2, prompt_tokens: 9, ..Generation::default() };
    assert_eq!((written, shown), (Ok(expected), vec!["0+0/0".to_owned(), "Tea.".to_owned()]));
}

#[test]
fn an_answer_that_does_not_say_what_it_is_is_read_as_what_it_is() {
    let whole = r#" {"choices":[{"message":{"content":"Tea."}}]}"#;
    let events: String = [text("Tea."), finish("stop")].map(|event| format!("data: {event}\n\n")).concat();
    for body in [whole, &events] {
        let (first, rest) = body.split_at(1);
        let pieces = || [first, rest].map(|piece| Piece::Bytes(piece.to_owned())).to_vec();
        for headers in
            [vec![], vec![("content-type", "text/plain")], vec![("content-type", "application/octet-stream")]]
        {
            let (node, _, _) = node([Turn::Answers(200, headers, pieces())]);
            assert_eq!(write(&node).0, Ok(Generation { text: "Tea.".to_owned(), ..Generation::default() }));
        }
    }
}

#[test]
fn a_whole_answer_has_ended_though_its_connection_stays() {
    let event_stream = vec![("content-type", "text/event-stream")];
    let counted =
        Generation { text: "Tea.".to_owned(), tokens: 2, prompt_tokens: 9, known_tokens: 4, ..Generation::default() };
    let uncounted = Generation { text: "Tea.".to_owned(), ..Generation::default() };
    let ends = vec![bytes(&[&text("Tea."), &finish("stop")])];
    for (more, expected) in [(vec![bytes(&[USAGE])], counted), (vec![], uncounted)] {
        let pieces = [ends.clone(), more, vec![Piece::Silence]].concat();
        let (node, transport, clock) = node([Turn::Answers(200, event_stream.clone(), pieces)]);
        assert_eq!(write(&node).0, Ok(expected));
        assert_eq!((clock.0.borrow().as_slice(), transport.open.get()), ([2000].as_slice(), 0));
    }
}

#[test]
fn who_stops_it_ends_the_request() {
    let thinks = r#"{"choices":[{"delta":{"reasoning_content":"Let me see"}}]}"#;
    let says = stream(&[&text("a"), &text("b"), &text("c"), &text("d"), &finish("stop")]);
    let turns = [says, stream(&[thinks; 5])];
    for (after, turn) in (0..3).flat_map(|after| turns.iter().map(move |turn| (after, turn.clone()))) {
        let (node, transport, _) = node([turn]);
        let mut seen = 0;
        let mut watch = |_: GenerationEvent<'_>| {
            seen += 1;
            if seen > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(block_on(node.write(&writing(), &mut watch)), Err(ModelError::Stopped));
        assert_eq!((seen, transport.open.get()), (after + 1, 0));
        // Who stops before anything is sent has nothing sent.
        assert_eq!(transport.sent.borrow().len(), usize::from(after > 0));
    }
}

#[test]
fn the_list_of_models_fills_in_what_is_open() {
    let open = || Settings { model: None, key: None, ..settings() };
    let one = r#"{"object":"list","data":[{"id":"tiny","owned_by":"seealso","context_length":2048}]}"#;
    let two = r#"{"data":[{"id":"a"},{"id":"b"}]}"#;
    let node = connect(open(), [status(200, one)]).unwrap();
    assert_eq!((node.abilities().name.as_str(), node.abilities().context), ("tiny", 2048));
    let node = connect(Settings { context: Some(512), ..open() }, [status(200, one)]).unwrap();
    assert_eq!(node.abilities().context, 512);
    let node = connect(Settings { model: Some("b".to_owned()), ..open() }, [status(200, two)]).unwrap();
    assert_eq!((node.abilities().name.as_str(), node.abilities().context), ("b", 0));
    let says = |list: &str| connect(open(), [status(200, list)]).unwrap_err().to_string();
    assert_eq!(says(two), "the node http://node.example:8080 has several models; name one of: a, b");
    assert_eq!(says(r#"{"data":[]}"#), "the node http://node.example:8080 lists no model; name the one to ask");
    assert_eq!(says(r#"{"data":[{"object":"model"},{"id":" "}]}"#), says(r#"{"data":[]}"#));
    // Some nodes have no list.
    for turn in [status(404, ""), status(405, ""), status(200, "{}")] {
        assert_eq!(connect(settings(), [turn]).unwrap().abilities().name, "m");
    }
    assert!(matches!(connect(open(), [status(404, "")]), Err(Error::NotFound { .. })));
    assert!(matches!(connect(settings(), vec![Turn::Refused; 3]), Err(Error::NotReached { .. })));
    assert!(matches!(connect(settings(), [Turn::Silent]), Err(Error::Silent { seconds: 30, .. })));
}

#[test]
fn only_a_node_that_tells_its_progress_is_asked_for_it() {
    for (owner, asked) in [("seealso", Some(true)), ("llamacpp", Some(true)), ("openai", None)] {
        let list = format!(r#"{{"data":[{{"id":"m","owned_by":"{owner}"}}]}}"#);
        let transport = Scripted::new([status(200, &list), stream(&[&text("Tea."), &finish("stop")])]);
        let consent = Terms::of(&settings().address).agree();
        let node = block_on(Node::connect(settings(), consent, transport.clone(), Noting::default())).unwrap();
        write(&node).0.unwrap();
        let body: Value = serde_json::from_str(&transport.sent.borrow()[1].body).unwrap();
        assert_eq!(body.get("return_progress").and_then(Value::as_bool), asked, "{owner}");
    }
}

#[test]
fn the_key_is_nowhere_to_be_seen() {
    let (node, _, _) = node([]);
    let shown = format!("{node:?} {:?} {:?}", settings(), Key::new("sk-secret").unwrap());
    assert!(!shown.contains("secret"), "{shown}");
}
