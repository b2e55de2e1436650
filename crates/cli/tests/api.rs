//! `serve --api` as a process: answers like those of the command, packs behind an address, packs that are built anew, a log that
//! survives the process, and a clean end.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::Sandbox;
use serde_json::{Value, json};

/// A running server, killed when the test ends.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Server {
        let mut command = sandbox.command(&[&["serve", "--port", "0"], arguments].concat());
        command.env_remove("SEEALSO_TOKEN").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n"));
        Server { address: address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned(), child }
    }

    /// The status and the body of a response.
    fn request(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, text) = self.request("POST", path, &body.to_string());
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    fn ask(&self, question: &str) -> Value {
        self.post("/ask", &json!({ "question": question }))
    }

    fn health(&self) -> Value {
        serde_json::from_str(&self.request("GET", "/health", "").1).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer without what differs from run to run.
fn timeless(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    fields.remove("interaction_id");
    fields.remove("ms");
    for step in fields["trace"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("ms");
    }
    answer
}

#[test]
fn answers_and_searches_are_those_of_the_command() {
    let sandbox = Sandbox::with_packs("api-same");
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log"]);
    for question in ["How is green tea steeped?", "Why does a crust brown, and what is black tea?", "Moons of Jupiter?"]
    {
        let run = sandbox.run(&["ask", question, "--packs", "packs", "--json"]);
        assert_eq!(timeless(server.ask(question)), timeless(run.json()), "{question}");
    }
    let run = sandbox.run(&["search", "green tea", "--packs", "packs", "--json"]);
    assert_eq!(server.post("/search", &json!({ "query": "green tea" })), run.json());
    let page = sandbox.read("packs/tea/wiki/concepts/green-tea.md");
    for path in
        ["/packs/tea/concepts/green-tea", "/packs/tea/concepts/green-tea.md", "/packs/tea/wiki/concepts/green-tea.md"]
    {
        assert_eq!(server.request("GET", path, ""), (200, page.clone()), "{path}");
    }
    for path in ["/packs/catalog.json", "/packs/tea/manifest.yaml", "/packs/tea/raw/articles/notes.md", "/packs/../x"] {
        assert_eq!(server.request("GET", path, "").0, 404, "{path}");
    }
}

#[test]
fn a_filter_holds_for_every_request() {
    let sandbox = Sandbox::with_packs("api-filter");
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log", "--pack", "bread"]);
    assert_eq!(server.ask("How is green tea steeped?")["status"], "empty");
    assert_eq!(server.post("/search", &json!({ "query": "tea" }))["results"], json!([]));
    assert_eq!(server.request("GET", "/packs/tea/concepts/green-tea", "").0, 404);
    let health = server.health();
    let packs: Vec<&Value> = health["packs"].as_array().unwrap().iter().map(|pack| &pack["path"]).collect();
    assert_eq!(packs, ["bread"]);
    let run =
        sandbox.run(&["serve", "--api", "--packs", "packs", "--no-log", "--port", "0", "--pack", "none"]).ends_with(1);
    assert!(run.stderr.contains("none: there is no such pack"), "{}", run.stderr);
}

#[test]
fn packs_may_be_behind_an_address() {
    let sandbox = Sandbox::with_packs("api-web");
    let host = Server::start(&sandbox, &["packs"]);
    let packs = format!("http://{}/", host.address);
    let server = Server::start(&sandbox, &["--api", "--packs", &packs, "--no-log"]);
    let question = "How is green tea steeped?";
    let run = sandbox.run(&["ask", question, "--packs", "packs", "--json"]);
    assert_eq!(timeless(server.ask(question)), timeless(run.json()));
    drop(host);
    let lost = server.ask("How does sourdough rise?");
    assert_eq!((&lost["status"], &lost["notices"][0]["code"]), (&json!("empty"), &json!("page-lost")));
    let run =
        sandbox.run(&["serve", "--api", "--packs", "http://127.0.0.1:1/", "--no-log", "--port", "0"]).ends_with(1);
    assert!(run.stderr.contains("can't be reached"), "{}", run.stderr);
}

#[test]
fn packs_that_are_built_anew_are_opened_again() {
    let sandbox = Sandbox::with_packs("api-anew");
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log", "--threads", "2"]);
    let before = server.health()["index"]["sha256"].clone();
    let page = sandbox.read("packs/tea/wiki/concepts/green-tea.md").replace("70 degrees", "75 degrees, at the most");
    sandbox.write("packs/tea/wiki/concepts/green-tea.md", &page.replace("title: Green tea", "title: Green tea leaves"));
    sandbox.run(&["build", "packs"]).ends_with(0);
    let text = server.ask("How is green tea steeped?")["text"].as_str().unwrap().to_owned();
    assert_eq!(text, "Green tea is steeped at about 75 degrees, at the most. [1]");
    assert_ne!(server.health()["index"]["sha256"], before);
}

#[test]
fn packs_that_cannot_be_opened_again_are_a_fault_of_health() {
    let sandbox = Sandbox::with_packs("api-damaged");
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log"]);
    sandbox.write("packs/catalog.json", "{");
    assert_eq!(server.ask("How is green tea steeped?")["status"], "answered");
    let health = server.health();
    let fault = health["faults"][0].as_str().unwrap();
    assert!(fault.starts_with("the packs were built anew, and can't be opened: "), "{fault}");
    assert_eq!(health["faults"].as_array().unwrap().len(), 1);
}

/// Writes a pack with an entry and a pattern, and builds it.
fn with_entries(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("packs/m/index.md", "# M\n\n- [Small releases](entries/small.md)\n");
    sandbox.write(
        "packs/m/entries/small.md",
        "---\ntopic: Small releases\ntype: framework\npattern: undo\nconfidence: high\nstability: evergreen\n\
         updated: 2026-01-01\n---\n\n## Position\n\nRelease every merged change.\n\n## Reasoning\n\nIt is easy to undo.\n",
    );
    sandbox.write(
        "packs/m/patterns/undo.md",
        "---\nslug: undo\ndescription: What it costs to undo.\ntemplate: If {x}, then {y}.\n---\n\n## Variants\n\n### A plugin\n\nTry it.\n",
    );
    sandbox.run(&["build", "packs"]).ends_with(0);
    sandbox
}

#[test]
fn without_an_encoder_entries_fail_and_the_rest_does_not() {
    let sandbox = with_entries("api-entries");
    sandbox.run(&["setup", "packs"]).ends_with(0);
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log"]);
    let (status, text) = server.request("POST", "/retrieve", r#"{"question": "Small releases", "asker": "ada"}"#);
    assert_eq!(status, 503);
    assert!(
        text.starts_with(
            r#"{"error":{"code":"no_vectors","message":"the entries have no vectors; run `seealso setup`"#
        ),
        "{text}"
    );
    let health = server.health();
    assert_eq!((&health["status"], &health["entries"], &health["encoder"]), (&json!("ok"), &json!(1), &json!(false)));
    assert_eq!(server.post("/search", &json!({ "query": "small releases" }))["results"][0]["page"], "m/entries/small");
    drop(server);
    for (filter, entries) in [(["--pack", "m"], 1), (["--tag", "none"], 0), (["--language", "de"], 0)] {
        let arguments = [&["--api", "--packs", "packs", "--no-log"], &filter[..]].concat();
        assert_eq!(Server::start(&sandbox, &arguments).health()["entries"], entries, "{filter:?}");
    }
}

#[cfg(feature = "model")]
#[test]
fn entries_are_retrieved_as_by_the_command() {
    let sandbox = with_entries("api-retrieve");
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    sandbox.run(&["setup", "packs", "--encoder", "encoder", "--strong-match", "0.5"]).ends_with(0);
    let without_id = |mut reply: Value| {
        assert!(reply.as_object_mut().unwrap().remove("interaction_id").is_some());
        reply
    };
    let command = ["entries", "Small releases", "--asker", "ada", "--top", "1", "--packs", "packs", "--json"];
    let expected = without_id(sandbox.run(&command).ends_with(0).json());
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log"]);
    let body = json!({ "question": "Small releases", "asker": "ada", "top_n": 1 });
    assert_eq!(without_id(server.post("/retrieve", &body)), expected);
    assert_eq!(server.health()["encoder"], true);
}

#[test]
fn the_log_outlives_a_killed_process() {
    let sandbox = Sandbox::with_packs("api-log");
    let arguments = ["--api", "--packs", "packs", "--log", "log"];
    let mut server = Server::start(&sandbox, &arguments);
    let id = server.ask("How is green tea steeped?")["interaction_id"].clone();
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    // What a process leaves that is killed within a line.
    let file = sandbox.files("log").pop().unwrap().0;
    let torn = format!("{}{{\"kind\":\"inter", sandbox.read(&format!("log/{file}")));
    sandbox.write(&format!("log/{file}"), &torn);
    let server = Server::start(&sandbox, &arguments);
    server.ask("How does sourdough rise?");
    server.post("/feedback", &json!({ "interaction_id": id, "thumb": "up" }));
    let day = file.strip_suffix(".jsonl").unwrap();
    let report = sandbox.run(&["report", "--log", "log", "--day", day, "--json"]).ends_with(0).json();
    assert_eq!(
        (&report["questions"], &report["thumbs_up"], &report["unreadable_lines"]),
        (&json!(2), &json!(1), &json!(1))
    );
    let text = sandbox.run(&["report", "--log", "log", "--day", day]).ends_with(0).stdout;
    assert!(text.contains("tea/concepts/green-tea: returned 1, 1 up, 0 down"), "{text}");
    let run = sandbox.run(&["report", "--log", "none"]).ends_with(1);
    assert!(run.stderr.contains("none: there is no log of interactions"), "{}", run.stderr);
}

#[test]
fn a_token_comes_from_a_file() {
    let sandbox = Sandbox::with_packs("api-token");
    sandbox.write("token", "0123456789abcdef\n");
    let server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log", "--token-file", "token"]);
    assert_eq!(server.request("GET", "/packs", "").0, 401);
    assert_eq!(server.request("GET", "/health", "").0, 200);
    sandbox.write("short", "secret");
    let run = sandbox.run(&["serve", "--api", "--packs", "packs", "--no-log", "--port", "0", "--token-file", "short"]);
    assert!(run.ends_with(1).stderr.contains("a token has 16 or more"));
}

#[test]
#[cfg(unix)]
fn a_signal_ends_it_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let sandbox = Sandbox::with_packs(&format!("api-end{signal}"));
        let mut server = Server::start(&sandbox, &["--api", "--packs", "packs", "--no-log"]);
        server.ask("How is green tea steeped?");
        let sent = Command::new("kill").args([signal, &server.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}
