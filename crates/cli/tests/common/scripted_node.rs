//! A node with one answer, for tests of what the command does with it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

/// A node on this machine that answers each request for writing with `answer`, and refuses the first. It ends with the test.
pub fn node_that_answers(answer: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let event = serde_json::json!({ "choices": [{ "delta": { "content": answer }, "finish_reason": "stop" }] });
    let refusal = r#"{"error":{"message":"Unknown parameter: 'stream_options'."}}"#;
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { break };
            let mut asked = Vec::new();
            let mut bytes = [0; 4096];
            while let Ok(1..) = stream.read(&mut bytes).inspect(|&read| asked.extend(&bytes[..read])) {
                let text = String::from_utf8_lossy(&asked);
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let length = head
                    .to_lowercase()
                    .split_once("content-length: ")
                    .map_or(0, |(_, rest)| rest.lines().next().unwrap_or_default().trim().parse().unwrap_or(0));
                if body.len() >= length {
                    break;
                }
            }
            let asked = String::from_utf8_lossy(&asked);
            let (status, kind, body) = match (asked.starts_with("GET"), asked.contains("stream_options")) {
                (true, _) => ("404 Not Found", "text/plain", String::new()),
                (false, true) => ("400 Bad Request", "application/json", refusal.to_owned()),
                (false, false) => ("200 OK", "text/event-stream", format!("data:\n\ndata: {event}")),
            };
            let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}");
        }
    });
    format!("http://{address}")
}
