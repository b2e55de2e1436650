//! Streams as servers write them, from their bytes to the answer.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Piece, Turn, finish, node, text, write};
use proptest::prelude::*;

/// What comes of a body: the text, or the complaint; and what was shown.
fn read(kind: &'static str, pieces: Vec<Piece>) -> (Result<String, String>, Vec<String>) {
    let headers = if kind.is_empty() { vec![] } else { vec![("content-type", kind)] };
    let (node, transport, _) = node([Turn::Answers(200, headers, pieces)]);
    let (written, shown) = write(&node);
    assert_eq!(transport.open.get(), 0);
    (written.map(|written| written.text).map_err(|error| error.to_string()), shown)
}

#[track_caller]
fn check(body: &str, expected: &str) {
    for kind in [
        "text/event-stream",
        "text/event-stream; charset=utf-8",
        "text/plain",
        "",
        "application/json",
        "application/x-ndjson",
    ] {
        let (written, _) = read(kind, vec![Piece::Bytes(body.to_owned())]);
        assert_eq!(written.as_deref(), Ok(expected), "{kind}: {body:?}");
    }
}

#[test]
fn streams_of_many_servers_are_read() {
    let (tea, end) = (text("Tea."), finish("stop"));
    check(&format!("data: {tea}\n\ndata: {end}\n\ndata: [DONE]\n\n"), "Tea.");
    check(&format!("data:{tea}\n\ndata:{end}\n\ndata:[DONE]\n\n"), "Tea.");
    check(&format!("data: {tea}\r\n\r\ndata: {end}\r\n\r\ndata: [DONE]\r\n\r\n"), "Tea.");
    check(&format!("data: {tea}\r\rdata: {end}\r\r"), "Tea.");
    check(&format!("data: {tea}\n\rdata: {end}\r\n\n"), "Tea.");
    check(&format!("\u{feff}data: {tea}\n\ndata: {end}\n\n"), "Tea.");
    check(&format!(": ping\n\ndata: {tea}\n\n: ping\n\ndata: {end}\n\n"), "Tea.");
    check(
        &format!("event: ping\ndata: {{\"type\": \"ping\"}}\n\nevent: message\nid: 1\ndata: {tea}\n\ndata: {end}\n\n"),
        "Tea.",
    );
    // Nothing in an event, none at its end, no line after it.
    check(&format!("data:\n\ndata: \n\ndata\n\ndata: null\n\ndata: {tea}\n\ndata: {end}\n\ndata: [DONE]\n\n"), "Tea.");
    check(&format!("data: {tea}\n\ndata: {end}"), "Tea.");
    check(&format!("data: {tea}\n\ndata: {end}\n"), "Tea.");
    let (head, tail) = tea.split_once(",\"finish").unwrap();
    check(&format!("data: {head}\ndata: ,\"finish{tail}\n\ndata: {end}\n\n"), "Tea.");
    // Half a surrogate pair, no choices, an end and a count of their own, another name for what is new.
    check(&format!("data: {}\n\ndata: {end}\n\n", text("Tea \\ud83d.")), "Tea \u{fffd}.");
    check(
        &format!(
            "data: {{\"choices\": []}}\n\ndata: {tea}\n\ndata: {end}\n\ndata: {{\"usage\": {{\"prompt_tokens\": 9}}}}\n\n"
        ),
        "Tea.",
    );
    check(&format!("data: {}\n\ndata: {end}\n\n", tea.replace("delta", "message")), "Tea.");
    check(
        "data: {\"choices\":[{\"delta\":null}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"Tea.\"}]},\"finish_reason\":\"stop\"}]}",
        "Tea.",
    );
    // Lines of JSON alone.
    check(&format!("{tea}\n{end}\n"), "Tea.");
    check(
        "{\"message\":{\"role\":\"assistant\",\"content\":\"Tea\"},\"done\":false}\n{\"message\":{\"content\":\".\"},\"done\":false}\n{\"message\":{\"content\":\"\"},\"done\":true}\n",
        "Tea.",
    );
}

#[test]
fn an_answer_in_one_piece_may_be_called_a_stream() {
    let whole = r#"{"choices":[{"message":{"content":"Tea."},"finish_reason":"stop"}]}"#;
    check(whole, "Tea.");
    check(&format!("data: {whole}\n\n"), "Tea.");
    check(r#"{"message":{"role":"assistant","content":"Tea."},"done":true,"done_reason":"stop"}"#, "Tea.");
}

#[test]
fn a_complaint_may_come_in_many_forms() {
    let gave = |said: &str| {
        format!("the node http://node.example:8080 gave up in the middle{said}; look at its log, or ask again")
    };
    let tea = text("Tea ");
    for (complaint, said) in [
        ("data: {\"error\":{\"message\":\"overloaded\"}}\n\n", ": overloaded"),
        ("{\"error\":{\"message\":\"overloaded\"}}\n", ": overloaded"),
        ("{\"error\":\"overloaded\"}", ": overloaded"),
        ("{\n  \"error\": {\n    \"message\": \"overloaded\"\n  }\n}\n", ": overloaded"),
        ("[{\"error\":{\"message\":\"overloaded\"}}]\n", ": overloaded"),
        ("event: error\ndata: overloaded\n\n", ": overloaded"),
        ("event: error\ndata:\n\n", ""),
        ("data: {\"object\":\"error\",\"message\":\"overloaded\",\"code\":503}\n\n", ": overloaded"),
        ("data: {\"message\":\"overloaded\"}\n\n", ": overloaded"),
        ("data: {\"detail\":[{\"msg\":\"overloaded\"}]}\n\n", ": overloaded"),
    ] {
        let body = format!("data: {tea}\n\n{complaint}");
        let (written, _) = read("text/event-stream", vec![Piece::Bytes(body)]);
        assert_eq!(written, Err(gave(said)), "{complaint:?}");
    }
}

#[test]
fn reasoning_that_comes_apart_is_told_apart() {
    let thinks = r#"{"choices":[{"delta":{"reasoning_content":"Cold?"}}]}"#;
    let body = format!("data: {thinks}\n\ndata: {}\n\ndata: {}\n\n", text("Tea."), finish("stop"));
    let (written, shown) = read("text/event-stream", vec![Piece::Bytes(body)]);
    assert_eq!((written.as_deref(), shown), (Ok("Tea."), ["0+0/0", "(Cold?)", "Tea."].map(str::to_owned).to_vec()));
    let whole = r#"{"choices":[{"message":{"reasoning":"Cold?","content":"Tea."}}]}"#;
    let (written, shown) = read("application/json", vec![Piece::Bytes(whole.to_owned())]);
    assert_eq!((written.as_deref(), shown), (Ok("Tea."), ["0+0/0", "(Cold?)", "Tea."].map(str::to_owned).to_vec()));
}

proptest! {
    /// The same events give the same text: cut at any byte, with any line ends, with comments and empty events between them.
    #[test]
    fn any_cut_and_any_line_ends_give_the_same_answer(
        words in prop::collection::vec("[a-zß茶🫖 ]{1,6}", 1..6),
        ends in prop::sample::select(vec!["\n", "\r", "\r\n"]),
        between in prop::collection::vec(prop::sample::select(vec!["", ": ping", "data:", "event: ping", "id: 7", "retry: 9"]), 8),
        done in any::<bool>(),
        step in 1usize..12,
    ) {
        let expected = words.concat();
        prop_assume!(!expected.trim().is_empty());
        let mut body = String::new();
        let events = words.iter().map(|word| text(word)).chain([finish("stop")]);
        for (event, between) in events.zip(&between) {
            if !between.is_empty() {
                body += &format!("{between}{ends}{ends}");
            }
            body += &format!("data: {event}{ends}{ends}");
        }
        if done {
            body += "data: [DONE]";
        }
        let pieces = body.as_bytes().chunks(step).map(|piece| Piece::Raw(piece.to_vec())).collect();
        let (written, shown) = read("text/event-stream", pieces);
        prop_assert_eq!(written.as_deref(), Ok(expected.as_str()));
        // On the way the beats have nothing to tell.
        let shown: String = shown.into_iter().filter(|told| told != "0+0/0").collect();
        prop_assert_eq!(shown, expected);
    }
}
