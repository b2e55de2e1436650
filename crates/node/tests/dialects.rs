//! Nodes that refuse a part of a request: they are asked again without it, and from then on.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Noting, Scripted, Turn, connect, finish, node, prompt, settings, status, stream, text, write};
use futures_executor::block_on;
use seealso::{Model as _, ModelError};
use seealso_node::{Address, Dialect, Error, Node, Settings, Terms};
use serde_json::{Value, json};

fn well() -> Turn {
    stream(&[&text("Tea."), &finish("stop"), "[DONE]"])
}

fn bodies(transport: &Scripted) -> Vec<Value> {
    transport.sent.borrow().iter().map(|sent| serde_json::from_str(&sent.body).unwrap()).collect()
}

/// That a node which refuses once with `refusals`, one after the other, answers in the end, and what it was sent then and at the
/// next request.
#[track_caller]
fn check(refusals: &[(u16, &str)], expected: &Value) {
    let turns = refusals.iter().map(|(code, body)| status(*code, body)).chain([well(), well()]);
    let (node, transport, clock) = node(turns);
    assert_eq!(write(&node).0.unwrap().text, "Tea.");
    assert_eq!(write(&node).0.unwrap().text, "Tea.");
    let sent = bodies(&transport);
    assert_eq!(sent.len(), refusals.len() + 2, "{sent:?}");
    for body in &sent[refusals.len()..] {
        assert_eq!(body, expected);
    }
    assert_eq!((clock.0.borrow().len(), transport.open.get()), (0, 0));
}

fn usual() -> Value {
    json!({
        "model": "m",
        "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Why is tea green?" }],
        "max_tokens": 64, "temperature": 0.0, "stream": true, "stream_options": { "include_usage": true },
    })
}

fn without(names: &[&str]) -> Value {
    let mut body = usual();
    names.iter().for_each(|name| drop(body.as_object_mut().unwrap().remove(*name)));
    body
}

#[test]
fn what_is_refused_is_left_out_from_then_on() {
    check(
        &[(400, r#"{"error":{"message":"Unknown parameter: 'stream_options'.","param":"stream_options"}}"#)],
        &without(&["stream_options"]),
    );
    check(
        &[(
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","temperature"],"msg":"Extra inputs are not permitted"}]}"#,
        )],
        &without(&["temperature"]),
    );
    check(
        &[(422, r#"{"error":"Input validation error: `temperature` must be strictly positive"}"#)],
        &without(&["temperature"]),
    );
    check(&[(400, "unknown field `max_tokens`, expected one of `model`, `messages`")], &without(&["max_tokens"]));
    check(
        &[(500, "litellm.UnsupportedParamsError: m does not support parameters: ['temperature']")],
        &without(&["temperature"]),
    );
    check(
        &[(400, r#"{"error":{"message":"Unsupported value: 'stream' does not support true with this model."}}"#)],
        &without(&["stream", "stream_options"]),
    );
    // One after the other.
    let both = [
        (400, r#"{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model."}}"#),
        (400, r#"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#),
    ];
    check(&both, &without(&["temperature", "stream_options"]));
}

#[test]
fn what_is_named_in_its_place_is_sent() {
    let mut renamed = without(&["max_tokens"]);
    renamed["max_completion_tokens"] = json!(64);
    check(
        &[(
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}"#,
        )],
        &renamed,
    );
    let mut fewer = usual();
    fewer["max_tokens"] = json!(32);
    check(
        &[(
            400,
            r#"{"error":{"message":"max_tokens is too large: 64. This model supports at most 32 completion tokens"}}"#,
        )],
        &fewer,
    );
    let mut folded = usual();
    folded["messages"] = json!([{ "role": "user", "content": "Be brief.\n\nWhy is tea green?" }]);
    check(&[(400, r#"{"object":"error","message":"System role not supported","code":400}"#)], &folded);
    check(&[(500, r#"{"error":{"message":"Only user and assistant roles are supported!"}}"#)], &folded);
}

#[test]
fn an_answer_that_begins_with_the_refusal_is_asked_for_again() {
    let refusal = stream(&[
        r#"{"error":{"message":"Error rendering prompt with jinja template: \"System role not supported\""}}"#,
    ]);
    let (node, transport, _) = node([refusal, well()]);
    assert_eq!(write(&node).0.unwrap().text, "Tea.");
    assert_eq!(bodies(&transport)[1]["messages"][0]["role"], "user");
    let whole = status(200, r#"{"error":"Unsupported parameter: temperature"}"#);
    let (node, transport, _) = common::node([whole, well()]);
    assert_eq!(write(&node).0.unwrap().text, "Tea.");
    assert_eq!(bodies(&transport)[1].get("temperature"), None);
    // After the first word, what was asked for was understood.
    let (node, transport, _) = common::node([stream(&[&text("Tea "), r#"{"error":"temperature: invalid"}"#])]);
    assert!(write(&node).0.is_err());
    assert_eq!(bodies(&transport).len(), 1);
}

#[test]
fn who_refuses_all_the_same_is_not_asked_for_ever() {
    let refusal = || status(400, r#"{"error":{"message":"temperature is not supported"}}"#);
    let (node, transport, _) = node([refusal(), refusal()]);
    let says = "the node http://node.example:8080 rejects the request (status 400: temperature is not supported); check the \
                model and its settings";
    assert_eq!(write(&node).0, Err(ModelError::Failed(says.to_owned())));
    assert_eq!(bodies(&transport).len(), 2);
    // What did not help is not remembered.
    let (node, transport, _) = common::node([refusal(), refusal(), well()]);
    assert!(write(&node).0.is_err() && write(&node).0.is_ok());
    assert_eq!(bodies(&transport)[2], usual());
}

#[test]
fn a_dialect_outlives_its_node() {
    let dialect = Dialect::default();
    let refusal = status(400, r#"{"error":{"message":"Unknown parameter: 'stream_options'."}}"#);
    for turns in [vec![refusal, well()], vec![well()]] {
        let transport = Scripted::new(turns);
        let settings = Settings { dialect: dialect.clone(), ..settings() };
        let consent = Terms::of(&settings.address).agree();
        let node = Node::new(settings, consent, transport.clone(), Noting::default()).unwrap();
        assert_eq!(write(&node).0.unwrap().text, "Tea.");
        assert_eq!(bodies(&transport).last(), Some(&without(&["stream_options"])));
    }
}

#[test]
fn likelihoods_may_be_fewer() {
    let scored = status(200, r#"{"choices":[{"logprobs":{"content":[{"token":"Yes","logprob":-0.5}]}}]}"#);
    let refusal =
        status(400, r#"{"error":{"message":"Invalid value for 'top_logprobs': must be less than or equal to 5."}}"#);
    let (node, transport, _) = node([refusal, scored]);
    assert_eq!(block_on(node.score(&prompt(), &["Yes"])), Ok(vec![-0.5]));
    assert_eq!(bodies(&transport)[1]["top_logprobs"], 5);
}

#[test]
fn an_answer_takes_no_more_than_a_quarter_of_a_small_context() {
    let body = r#"{"error":{"message":"requested 130, maximum 128","code":"context_length_exceeded"}}"#;
    let (node, transport, _) = node([status(400, body), well()]);
    assert_eq!(write(&node).0.unwrap().text, "Tea.");
    assert_eq!(bodies(&transport)[1]["max_tokens"], 32);
    let body = r#"{"error":{"message":"requested 900, maximum 64","code":"context_length_exceeded"}}"#;
    let (node, transport, _) = common::node([status(400, body)]);
    let error = write(&node).0.unwrap_err();
    assert_eq!(error.to_string(), "the prompt of 900 tokens exceeds the 48 that the model has room for");
    assert_eq!(bodies(&transport).len(), 1);
}

#[test]
fn a_base_url_may_lack_its_version() {
    let open = |url: &str| Settings { model: None, ..Settings::at(Address::parse(url).unwrap()) };
    let list = || status(200, r#"{"data":[{"id":"tiny"}]}"#);
    let page = Turn::Answers(200, vec![("content-type", "text/html")], vec![]);
    for first in [
        status(404, ""),
        page,
        status(200, r#"{"error":"Unexpected endpoint or method. (GET /models)"}"#),
        status(405, ""),
    ] {
        let transport = Scripted::new([first, list(), well()]);
        let settings = open("http://localhost:1234");
        let consent = Terms::of(&settings.address).agree();
        let node = block_on(Node::connect(settings, consent, transport.clone(), Noting::default())).unwrap();
        assert_eq!(node.abilities().name, "tiny");
        write(&node).0.unwrap();
        let sent: Vec<String> = transport.sent.borrow().iter().map(|sent| sent.to.clone()).collect();
        let expected = [
            "GET http://localhost:1234/models",
            "GET http://localhost:1234/v1/models",
            "POST http://localhost:1234/v1/chat/completions",
        ];
        assert_eq!(sent, expected);
    }
    let error = connect(open("http://localhost:1234"), [status(404, ""), status(404, "")]).unwrap_err();
    let says = "http://localhost:1234 has no list of models, so it is not the base URL of a node (status 404); check the URL, \
                which often ends in /v1";
    assert_eq!(error.to_string(), says);
    // A node without a list keeps the address that it was given.
    let named = Settings { model: Some("m".to_owned()), ..open("http://localhost:1234") };
    assert_eq!(connect(named, [status(404, ""), status(404, "")]).unwrap().abilities().name, "m");
    assert!(matches!(connect(open("http://localhost:1234/v1"), [status(404, "")]), Err(Error::NotFound { .. })));
    // The list may stand alone.
    let node =
        connect(open("http://localhost:1234/v1"), [status(200, r#"[{"id":"tiny","context_length":"4096"}]"#)]).unwrap();
    assert_eq!((node.abilities().name.as_str(), node.abilities().context), ("tiny", 4096));
}
