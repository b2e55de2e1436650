//! A node with a script: it answers each request for writing with the same words, and keeps what it was asked.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A node on this machine. It ends with the test.
pub struct ScriptedNode {
    /// Its base URL.
    pub url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ScriptedNode {
    /// A node that answers with `answer`, and refuses an optional field of the first request for it.
    pub fn that_answers(answer: &str) -> ScriptedNode {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let event = serde_json::json!({ "choices": [{ "delta": { "content": answer }, "finish_reason": "stop" }] });
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { break };
                let request = read_request(&mut stream);
                let _ = stream.write_all(reply(&request, &event).as_bytes());
                noted.lock().unwrap().push(request);
            }
        });
        ScriptedNode { url, asked }
    }

    /// The requests for writing that it answered, whole.
    pub fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|request| request.starts_with("POST") && !is_refused(request)).cloned().collect()
    }
}

/// A request, with its body.
fn read_request(stream: &mut TcpStream) -> String {
    let (mut asked, mut bytes) = (Vec::new(), [0; 4096]);
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
    String::from_utf8_lossy(&asked).into_owned()
}

fn is_refused(request: &str) -> bool {
    request.contains("stream_options")
}

fn reply(request: &str, event: &serde_json::Value) -> String {
    let refusal = r#"{"error":{"message":"Unknown parameter: 'stream_options'."}}"#;
    let (status, kind, body) = match (request.starts_with("GET"), is_refused(request)) {
        (true, _) => ("404 Not Found", "text/plain", String::new()),
        (false, true) => ("400 Bad Request", "application/json", refusal.to_owned()),
        (false, false) => ("200 OK", "text/event-stream", format!("data:\n\ndata: {event}")),
    };
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}")
}
