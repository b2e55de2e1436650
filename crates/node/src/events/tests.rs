//! Streams and their events, as literal tables; and that no cut of the bytes makes a difference.

use proptest::prelude::*;

use super::*;

fn events(stream: &[u8]) -> Vec<(String, String)> {
    let events = Decoder::new(1000).push(stream).unwrap();
    events.into_iter().map(|event| (event.name, event.data)).collect()
}

#[test]
fn streams_are_read() {
    let check = |stream: &str, expected: &[&str]| {
        let data: Vec<String> = events(stream.as_bytes()).into_iter().map(|(_, data)| data).collect();
        assert_eq!(data, expected, "{stream:?}");
    };
    check("data: one\n\ndata: two\n\n", &["one", "two"]);
    check("data: one\r\n\r\ndata: two\r\n\r\n", &["one", "two"]);
    check("data: one\r\rdata: two\r\r", &["one", "two"]);
    check("data: one\r\n\rdata: two\n\r\n", &["one", "two"]);
    check("data:one\n\n", &["one"]);
    check("data:  two spaces\n\n", &[" two spaces"]);
    check("data: first\ndata: second\n\n", &["first\nsecond"]);
    check("data\n\n", &[""]);
    check("data:\ndata:\n\n", &["\n"]);
    check(": keep-alive\n\ndata: x\n\n", &["x"]);
    check(":\n:\ndata: x\n: y\n\n", &["x"]);
    check("id: 7\nretry: 100\nunknown: z\ndata: x\n\n", &["x"]);
    check("event: ping\n\ndata: x\n\n", &["x"]);
    check("\n\n\n\n", &[]);
    check("data: cut off\n", &[]);
    check("data: cut off", &[]);
    check("\u{feff}data: x\n\n", &["x"]);
    check("data: \u{feff}x\n\n\u{feff}data: no field\n\n", &["\u{feff}x"]);
    check("data: {\"a\": \"b: c\"}\n\n", &["{\"a\": \"b: c\"}"]);
    check("data: größe 🫖\n\n", &["größe 🫖"]);
}

/// The events of a whole stream, its end included.
fn ended(stream: &str) -> Vec<String> {
    let mut decoder = Decoder::new(1000);
    let mut events = decoder.push(stream.as_bytes()).unwrap();
    events.extend(decoder.end());
    events.into_iter().map(|event| event.data).collect()
}

#[test]
fn the_last_event_may_lack_its_empty_line() {
    let check = |stream: &str, expected: &[&str]| assert_eq!(ended(stream), expected, "{stream:?}");
    check("data: one\n\ndata: two\n", &["one", "two"]);
    check("data: one\n\ndata: two", &["one", "two"]);
    check("data: one\r\n\r\ndata: two\r\n", &["one", "two"]);
    check("data: one\rdata: two\r", &["one\ntwo"]);
    check("data:[DONE]", &["[DONE]"]);
    check("data: {\"a\"", &["{\"a\""]);
    check(": alive", &[]);
    check("event: ping\n", &[]);
    check("It works!", &[]);
    check("", &[]);
    check("\u{feff}", &[]);
}

#[test]
fn json_may_stand_alone() {
    let check = |stream: &str, expected: &[&str]| assert_eq!(ended(stream), expected, "{stream:?}");
    check("{\"error\": \"no\"}\n", &["{\"error\": \"no\"}"]);
    check("data: one\n\n{\"error\": \"no\"}", &["one", "{\"error\": \"no\"}"]);
    check("{\"a\": 1}\n{\"a\": 2}\r\n{\"a\": 3} \n", &["{\"a\": 1}", "{\"a\": 2}", "{\"a\": 3} "]);
    check(
        "{\n  \"error\": {\n    \"code\": 7\n  }\n}\ndata: x\n\n",
        &["{\n  \"error\": {\n    \"code\": 7\n  }\n}", "x"],
    );
    check("[{\n  \"error\": {}\n}\n]\n", &["[{\n  \"error\": {}\n}\n]"]);
    check("[DONE]\n", &["[DONE]"]);
    check("{\"cut", &["{\"cut"]);
    check("data: {\ndata: }\n\n", &["{\n}"]);
}

#[test]
fn events_of_json_may_lack_the_empty_line_between_them() {
    let check = |stream: &str, expected: &[&str]| assert_eq!(ended(stream), expected, "{stream:?}");
    check("data: {\"a\": 1}\ndata: {\"a\": 2}\n", &["{\"a\": 1}", "{\"a\": 2}"]);
    check("data: {\"a\": 1}\r\ndata: {\"a\": 2}", &["{\"a\": 1}", "{\"a\": 2}"]);
    check("data: {}\ndata: {}\n\ndata: {\"a\"", &["{}", "{}", "{\"a\""]);
    check("data: {}\ndata: [DONE]\n", &["{}", "[DONE]"]);
    check("data: {}\n: alive\nid: 7\ndata: {} \n\n", &["{}", "{} "]);
    check("data: [\ndata: {}\ndata: ]\n\n", &["[\n{}\n]"]);
    check("data: {}\ndata: }\n\n", &["{}\n}"]);
    check("data: {\ndata: {}\n\n", &["{\n{}"]);
    check("data: 1\ndata: 2\n\n", &["1\n2"]);
    let named = events(b"event: a\ndata: {}\nevent: b\ndata: {}\nevent: c\n\ndata: {}\n\n");
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "c", ""]);
    // Two are bounded together, not the stream.
    let mut decoder = Decoder::new(20);
    let events = decoder.push(&b"data: {}\n".repeat(100)).unwrap();
    assert_eq!((events.len(), decoder.end().len()), (99, 1));
}

#[test]
fn an_event_may_have_a_name() {
    let named = events(b"event: error\ndata: {}\n\ndata: x\n\n");
    assert_eq!(named, [("error".to_owned(), "{}".to_owned()), (String::new(), "x".to_owned())]);
}

#[test]
fn the_end_is_said_in_one_way() {
    let done = |data: &str| Event { name: String::new(), data: data.to_owned() }.is_done();
    assert!(done("[DONE]") && done("[DONE] ") && !done("") && !done("\"[DONE]\""));
}

#[test]
fn characters_may_be_cut_between_chunks() {
    let mut decoder = Decoder::new(100);
    let bytes = "data: 🫖\n\n".as_bytes();
    assert_eq!(decoder.push(&bytes[..8]).unwrap(), []);
    assert_eq!(decoder.push(&bytes[8..]).unwrap()[0].data, "🫖");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(events(b"data: a\xffb\n\n"), [(String::new(), "a\u{fffd}b".to_owned())]);
}

#[test]
fn one_event_is_bounded_and_the_stream_is_not() {
    let mut decoder = Decoder::new(10);
    assert_eq!(decoder.push(b"data: 1234\n\ndata: 5678\n\n").unwrap().len(), 2);
    assert_eq!(decoder.push(b"data: 12345"), Err(TooLarge { limit: 10 }));
    let mut decoder = Decoder::new(10);
    assert_eq!(decoder.push(b"data: 1\ndata: 2"), Err(TooLarge { limit: 10 }));
    let mut decoder = Decoder::new(10);
    assert_eq!(decoder.push(b"id: 123\nid: 4"), Err(TooLarge { limit: 10 }));
    let mut decoder = Decoder::new(10);
    assert_eq!(decoder.push(&b": alive\n".repeat(100)).unwrap(), []);
    assert_eq!(TooLarge { limit: 10 }.to_string(), "an event of more than 10 bytes");
}

/// Bytes like those of streams, so that fields, line ends and cut characters come often.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        Just(b"data: ".to_vec()),
        Just(b"data".to_vec()),
        Just(b"event:".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n\n".to_vec()),
        Just(b":".to_vec()),
        Just(b"{\"a\": 1}".to_vec()),
        Just(b"{".to_vec()),
        Just(b"]".to_vec()),
        Just("\u{feff}".as_bytes().to_vec()),
        Just("🫖ß".as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..8),
    ];
    proptest::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_cut_gives_the_same_events(bytes in stream(), cuts in proptest::collection::vec(0usize..200, 0..20), limit in 1usize..60) {
        let whole = run(Decoder::new(limit), &[&bytes]);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let parts: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
        prop_assert_eq!(run(Decoder::new(limit), &parts), whole);
    }

    /// The same events, whatever ends their lines and wherever they are cut.
    #[test]
    fn any_line_ends_give_the_same_events(
        events in prop::collection::vec(prop::collection::vec("[a-z{ß🫖 :]{0,6}", 1..3), 0..6),
        ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r", "\r\n"]), 40),
        comments in prop::collection::vec(any::<bool>(), 40),
        step in 1usize..9,
    ) {
        let mut ends = ends.iter();
        let mut stream = String::new();
        let mut line = |text: &str, stream: &mut String| {
            *stream += text;
            *stream += ends.next().unwrap();
        };
        for (lines, comment) in events.iter().zip(&comments) {
            if *comment {
                line(": ping", &mut stream);
            }
            lines.iter().for_each(|text| line(&format!("data: {text}"), &mut stream));
            // A carriage return and a line feed would be one end.
            stream += "\n\n";
        }
        let data: Vec<String> = events.iter().map(|lines| lines.join("\n")).collect();
        let pieces: Vec<&[u8]> = stream.as_bytes().chunks(step).collect();
        let read = run(Decoder::new(1000), &pieces).unwrap();
        prop_assert_eq!(read.into_iter().map(|event| event.data).collect::<Vec<_>>(), data);
    }
}

fn run(mut decoder: Decoder, pieces: &[&[u8]]) -> Result<Vec<Event>, TooLarge> {
    let mut events = Vec::new();
    for piece in pieces {
        events.extend(decoder.push(piece)?);
    }
    events.extend(decoder.end());
    Ok(events)
}
