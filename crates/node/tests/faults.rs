//! Every fault of a node, and the words for it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Piece, Turn, bytes, connect, finish, node, prompt, settings, status, stream, text, write};
use futures_executor::block_on;
use seealso::{Model as _, ModelError};

/// That writing fails with these words, after so many requests with these pauses between them.
#[track_caller]
fn check(turns: Vec<Turn>, says: &str, requests: usize, pauses: &[u32]) {
    let (node, transport, clock) = node(turns);
    let failed = write(&node).0.unwrap_err();
    assert_eq!(failed, ModelError::Failed(says.to_owned()));
    assert_eq!(transport.sent.borrow().len(), requests);
    assert_eq!(*clock.0.borrow(), pauses);
    assert_eq!(transport.open.get(), 0, "a connection stays open");
    let shown = format!("{node:?} {failed:?} {failed}");
    assert!(!shown.contains("sk-secret"), "{shown}");
}

fn well() -> Turn {
    stream(&[&text("Tea."), &finish("stop"), "[DONE]"])
}

#[test]
fn nobody_there() {
    let refused = "the node http://node.example:8080 can't be reached (connection refused); check its address, and that \
                   it is running";
    check(vec![Turn::Refused; 3], refused, 3, &[500, 2000]);
    let distrusted = "the node http://node.example:8080 can't be reached (its certificate is not trusted); check its \
                      address, and that it is running";
    check(vec![Turn::Distrusted], distrusted, 1, &[]);
}

#[test]
fn the_key_is_refused() {
    let says = "the node http://node.example:8080 refuses the key (status 401); check the key and what it is for";
    check(vec![status(401, r#"{"error":{"message":"Incorrect API key provided: sk-secret"}}"#)], says, 1, &[]);
    check(vec![status(403, "")], &says.replace("401", "403"), 1, &[]);
    let mut settings = settings();
    settings.key = None;
    let error = connect(settings, [status(401, "")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the node http://node.example:8080 asks for a key (status 401), and none was given; give one"
    );
}

#[test]
fn a_wrong_model_or_base_url() {
    let says = "http://node.example:8080/v1 has no model \"m\", or is not the base URL of a node (status 404); check the \
                model's name, and the URL, which often ends in /v1";
    check(vec![status(404, r#"{"error":{"message":"model 'm' not found"}}"#)], says, 1, &[]);
}

#[test]
fn too_much_to_do_for_ever() {
    let says = "the node http://node.example:8080 has too much to do (status 429); ask again later";
    check(vec![status(429, "{}"); 3], says, 3, &[500, 2000]);
    let after = |seconds| Turn::Answers(429, vec![("retry-after", seconds)], vec![]);
    let says = "the node http://node.example:8080 has too much to do (status 429) and asks to wait 7 s; ask again then";
    check(vec![after("7"); 3], says, 3, &[7000, 7000]);
    check(vec![after("3600")], &says.replace("7 s", "3600 s"), 1, &[]);
    let says = "the node http://node.example:8080 has too much to do (status 429); ask again later";
    check(vec![after("Sun, 22 Nov 2026 12:00:00 GMT"); 3], says, 3, &[500, 2000]);
}

#[test]
fn too_much_to_do_and_then_well() {
    for busy in
        [status(429, "{}"), status(500, "oops"), status(503, r#"{"error":{"message":"Loading model"}}"#), Turn::Refused]
    {
        let (node, transport, clock) = node([busy, well()]);
        assert_eq!(write(&node).0.unwrap().text, "Tea.");
        assert_eq!((transport.sent.borrow().len(), clock.0.borrow().clone()), (2, vec![500]));
    }
    let (node, _, clock) = node([Turn::Answers(503, vec![("retry-after", "2")], vec![]), well()]);
    assert_eq!(write(&node).0.unwrap().text, "Tea.");
    assert_eq!(*clock.0.borrow(), [2000]);
}

#[test]
fn it_fails_for_ever() {
    let says =
        "the node http://node.example:8080 failed (status 500: out of memory); look at its log, or ask again later";
    check(vec![status(500, r#"{"error":{"message":"out of memory"}}"#); 3], says, 3, &[500, 2000]);
    let says = "the node http://node.example:8080 failed (status 502); look at its log, or ask again later";
    check(vec![status(502, "<html>Bad gateway</html>"); 3], says, 3, &[500, 2000]);
}

#[test]
fn the_request_is_rejected() {
    let says = "the node http://node.example:8080 rejects the request (status 400: no seed, please); check the model and \
                its settings";
    check(vec![status(400, r#"{"error":"no seed, please"}"#)], says, 1, &[]);
}

#[test]
fn a_redirect_is_not_followed() {
    let says = "the node http://node.example:8080 points to https://elsewhere.example/, which is not followed; give that \
                as the base URL if you trust it";
    check(vec![Turn::Answers(307, vec![("location", "https://elsewhere.example/")], vec![])], says, 1, &[]);
    let hidden =
        "the node http://node.example:8080 points to another address, which is not followed; check the base URL";
    check(vec![Turn::Answers(0, vec![], vec![])], hidden, 1, &[]);
}

#[test]
fn half_an_answer() {
    let event_stream = vec![("content-type", "text/event-stream")];
    let turn = |pieces| vec![Turn::Answers(200, event_stream.clone(), pieces)];
    let says = |reason: &str| {
        format!("the answer of the node http://node.example:8080 ended in the middle ({reason}); ask again")
    };
    let half = bytes(&[&text("Tea ")]);
    // After the first word it is not asked again.
    check(turn(vec![half.clone(), Piece::Breaks]), &says("connection reset"), 1, &[]);
    check(turn(vec![half.clone()]), &says("it has no end"), 1, &[]);
    check(turn(vec![half, Piece::Bytes("data: {\"choices\"".to_owned())]), &says("it has no end"), 1, &[]);
    check(turn(vec![]), &says("it has no end"), 1, &[]);
    check(vec![stream(&["[DONE]"])], &says("it has no end"), 1, &[]);
}

#[test]
fn silence() {
    let before = "the node http://node.example:8080 gave no word within 180 s; try a smaller model there, or allow it more \
                  time";
    check(vec![Turn::Silent], before, 1, &[180_000]);
    let event_stream = vec![("content-type", "text/event-stream")];
    let turn = |pieces| vec![Turn::Answers(200, event_stream.clone(), pieces)];
    let alive = Piece::Bytes(": still alive\n\n".to_owned());
    check(turn(vec![alive.clone(), Piece::Silence]), before, 1, &[180_000]);
    let after = "the node http://node.example:8080 fell silent in its answer for 30 s; it may be overloaded, so ask again \
                 later";
    check(turn(vec![bytes(&[&text("Tea ")]), alive, Piece::Silence]), after, 1, &[30_000]);
}

#[test]
fn other_forms() {
    let says = |what: &str| {
        format!(
            "the node http://node.example:8080 answers in a form that is not understood ({what}); check that it is \
             compatible with OpenAI's chat completions"
        )
    };
    check(vec![stream(&["{\"choices\": [sk-secret"])], &says("an event that is no JSON: `{\"choices\": […`"), 1, &[]);
    let large = format!("data: {}", "x".repeat(1 << 20));
    let turn = Turn::Answers(200, vec![], vec![Piece::Bytes(large)]);
    check(vec![turn], &says("an event of more than 1048576 bytes"), 1, &[]);
    let invalid = "expected value at line 1 column 2: `{!`";
    let turn = Turn::Answers(200, vec![("content-type", "application/json")], vec![Piece::Bytes("{!".to_owned())]);
    check(vec![turn], &says(invalid).replace("expected value", "key must be a string"), 1, &[]);
    let page = "http://node.example:8080/v1 answers with a web page, not as a node; check the base URL, which often ends in \
                /v1";
    let html =
        |kind| Turn::Answers(200, vec![("content-type", kind)], vec![Piece::Bytes("<!doctype html>".to_owned())]);
    check(vec![html("text/html; charset=utf-8")], page, 1, &[]);
    check(vec![html("application/json")], page, 1, &[]);
}

#[test]
fn an_address_that_is_no_chat_endpoint() {
    let says =
        "http://node.example:8080/v1 answers, but not as a chat endpoint; check the base URL, which often ends in /v1";
    for body in ["It works!", "", " \n", "Ollama is running\n\n"] {
        let body = || vec![Piece::Bytes(body.to_owned())];
        check(vec![Turn::Answers(200, vec![("content-type", "text/plain")], body())], says, 1, &[]);
        check(vec![Turn::Answers(200, vec![], body())], says, 1, &[]);
    }
}

#[test]
fn it_gives_up_in_the_middle() {
    let error = r#"{"error":{"message":"CUDA error: out of memory for sk-secret"}}"#;
    let says = "the node http://node.example:8080 gave up in the middle: CUDA error: out of memory for …; look at its log, \
                or ask again";
    check(vec![stream(&[&text("Tea "), error])], says, 1, &[]);
    let says = "the node http://node.example:8080 withheld its answer by its own filter; ask in other words, or another \
                model";
    check(vec![stream(&[&finish("content_filter"), "[DONE]"])], says, 1, &[]);
}

#[test]
fn an_answer_without_text() {
    let thinks = r#"{"choices":[{"delta":{"reasoning_content":"Let me see"}}]}"#;
    let says =
        "the node http://node.example:8080 gave no answer but reasoning; turn that off there, or name another model";
    check(vec![stream(&[thinks, &finish("length"), "[DONE]"])], says, 1, &[]);
    let says = "the node http://node.example:8080 gave an empty answer; ask again, or name another model";
    check(vec![stream(&[&finish("stop"), "[DONE]"])], says, 1, &[]);
    let refuses = r#"{"choices":[{"message":{"content":null,"refusal":"I can't."},"finish_reason":"stop"}]}"#;
    let says =
        "the node http://node.example:8080 gave no answer, for its model refused; ask in other words, or another model";
    check(vec![status(200, refuses)], says, 1, &[]);
    let calls = r#"{"choices":[{"message":{"tool_calls":[{"id":"1"}]},"finish_reason":"tool_calls"}]}"#;
    let says =
        "the node http://node.example:8080 gave no answer, for its model called a tool instead; name another model";
    check(vec![status(200, calls)], says, 1, &[]);
    // Each word of it renews the time to the first word of the answer.
    let event_stream = vec![("content-type", "text/event-stream")];
    let says = "the node http://node.example:8080 gave no word within 180 s; try a smaller model there, or allow it more \
                time";
    let pieces = vec![bytes(&[thinks]), bytes(&[thinks]), Piece::Silence];
    check(vec![Turn::Answers(200, event_stream, pieces)], says, 1, &[180_000]);
}

#[test]
fn no_part_of_a_key_that_is_cut_is_shown() {
    let (first, second) = ("x".repeat(290), "y".repeat(50));
    let complaint = format!(r#"{{"error":{{"message":"{first} sk-secret {second}"}}}}"#);
    let says = format!(
        "the node http://node.example:8080 rejects the request (status 400: {first} … {}…); check the model and its settings",
        "y".repeat(7)
    );
    check(vec![status(400, &complaint)], &says, 1, &[]);
    let says = format!(
        "the node http://node.example:8080 gave up in the middle: {first} … {}…; look at its log, or ask again",
        "y".repeat(7)
    );
    check(vec![stream(&[&complaint])], &says, 1, &[]);
    let says = format!(
        "the node http://node.example:8080 answers in a form that is not understood (an event that is no JSON: `{}…{}`); \
         check that it is compatible with OpenAI's chat completions",
        "x".repeat(55),
        "y".repeat(4)
    );
    check(vec![stream(&[&format!("{}sk-secret{second}", "x".repeat(55))])], &says, 1, &[]);
}

#[test]
fn a_prompt_that_is_too_long() {
    let body = r#"{"error":{"message":"too long","code":"context_length_exceeded","n_prompt_tokens":900,"n_ctx":512}}"#;
    let (node, _, _) = node([
        status(400, body),
        status(400, body),
        status(400, r#"{"error":{"message":"too long","code":"context_length_exceeded"}}"#),
    ]);
    assert_eq!(write(&node).0, Err(ModelError::TooLong { tokens: 900, room: 448 }));
    assert_eq!(block_on(node.score(&prompt(), &["Yes"])), Err(ModelError::TooLong { tokens: 900, room: 511 }));
    let failed = write(&node).0.unwrap_err().to_string();
    assert!(failed.contains("status 400: too long"), "{failed}");
    let vllm = r#"{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 64. This model's maximum context length is 4096 tokens and your request has 4090 input tokens (64 > 4096 - 4090).","type":"BadRequestError","code":400}}"#;
    assert_eq!(write(&common::node([status(400, vllm)]).0).0, Err(ModelError::TooLong { tokens: 4090, room: 4032 }));
}

#[test]
fn a_node_without_likelihoods_cannot_score() {
    let complaint = r#"{"error":{"message":"logprobs is not supported for models created with logits_all=False"}}"#;
    let without = r#"{"choices":[{"message":{"content":"Yes"},"finish_reason":"length"}]}"#;
    let null = r#"{"choices":[{"message":{"content":"Yes"},"logprobs":null}]}"#;
    for turn in [status(500, complaint), status(400, complaint), status(200, without), status(200, null)] {
        let (node, transport, _) = node([turn]);
        assert_eq!(block_on(node.score(&prompt(), &["Yes", "No"])), Err(ModelError::CannotScore));
        assert_eq!(transport.sent.borrow().len(), 1);
    }
}
