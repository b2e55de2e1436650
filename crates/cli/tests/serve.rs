//! `serve`: MIME types, the content security policy, missing files, a taken port, and a clean end.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::Sandbox;

/// A running server, stopped when the test ends.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(sandbox: &Sandbox) -> Server {
        let mut command = sandbox.command(&["serve", "site", "--port", "0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n"));
        Server { address: address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned(), child }
    }

    /// The status line and headers, in lower case, and the body.
    fn request(&self, method: &str, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_lowercase(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn site(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    for path in
        ["index.html", "app.js", "x.mjs", "x.css", "seealso_bg.wasm", "packs/catalog.json", "packs/index/0f.idx"]
    {
        sandbox.write(&format!("site/{path}"), "x");
    }
    sandbox.write("site/packs/tea/wiki/concepts/größe.md", "# Größe\n");
    sandbox.write("site/.git/config", "secret");
    sandbox.write("secret.txt", "secret");
    sandbox
}

#[test]
fn files_come_with_their_type_and_the_policy() {
    let sandbox = site("types");
    let server = Server::start(&sandbox);
    let check = |path: &str, mime: &str, cache: &str| {
        let (head, _) = server.request("GET", path);
        assert!(head.starts_with("http/1.1 200 ok\r\n"), "{path}: {head}");
        for expected in [
            format!("\r\ncontent-type: {mime}\r\n"),
            format!("\r\ncache-control: {cache}"),
            "\r\ncontent-security-policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
             object-src 'none'; base-uri 'none'; frame-ancestors 'self'"
                .to_owned(),
            "\r\nx-content-type-options: nosniff".to_owned(),
            "\r\nreferrer-policy: no-referrer".to_owned(),
        ] {
            assert!(format!("{head}\r\n").contains(&expected), "{path}: no {expected:?} in {head}");
        }
    };
    check("/", "text/html; charset=utf-8", "no-cache");
    check("/app.js?v=1", "text/javascript; charset=utf-8", "no-cache");
    check("/x.mjs", "text/javascript; charset=utf-8", "no-cache");
    check("/x.css", "text/css; charset=utf-8", "no-cache");
    check("/seealso_bg.wasm", "application/wasm", "no-cache");
    check("/packs/catalog.json", "application/json", "no-cache");
    check("/packs/index/0f.idx", "application/octet-stream", "public, max-age=31536000, immutable");
    check("/packs/tea/wiki/concepts/gr%C3%B6%C3%9Fe.md", "text/markdown; charset=utf-8", "no-cache");
    assert_eq!(server.request("GET", "/packs/tea/wiki/concepts/gr%C3%B6%C3%9Fe.md").1, "# Größe\n");
    assert_eq!(server.request("HEAD", "/app.js").1, "");
}

#[test]
fn missing_files_are_404_and_hidden_ones_stay_hidden() {
    let sandbox = site("missing");
    let server = Server::start(&sandbox);
    for path in [
        "/none.md",
        "/packs/index/none.idx",
        "/packs/",
        "/.git/config",
        "/%2egit/config",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
    ] {
        let (head, body) = server.request("GET", path);
        assert!(head.starts_with("http/1.1 404 "), "{path}: {head}");
        assert!(
            head.contains("cache-control: no-cache") && head.contains("content-security-policy: "),
            "{path}: {head}"
        );
        assert_eq!(body, format!("404: there is no file {path}\n"));
    }
    let (head, _) = server.request("POST", "/");
    assert!(head.starts_with("http/1.1 405 "), "{head}");
    let (head, _) = server.request("GET", "/packs");
    assert!(head.starts_with("http/1.1 307 ") && head.contains("\r\nlocation: /packs/\r\n"), "{head}");
}

#[test]
fn a_taken_port_is_an_error() {
    let sandbox = site("taken");
    let server = Server::start(&sandbox);
    let port = server.address.rsplit(':').next().unwrap();
    let run = sandbox.run(&["serve", "site", "--port", port]).ends_with(1);
    assert_eq!(
        run.stderr,
        format!(
            "error: port {port} of 127.0.0.1 is taken by another program; name another with --port, or 0 for any free one\n"
        )
    );
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_cleanly() {
    let sandbox = site("end");
    let mut server = Server::start(&sandbox);
    // A visitor who keeps the connection open does not hold the server up.
    let _idle = TcpStream::connect(&server.address).unwrap();
    server.request("GET", "/");
    let sent = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
