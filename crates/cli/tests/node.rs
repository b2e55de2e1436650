//! `seealso node` as a command: its output, and its errors.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use seealso_gguf::testing::TinyModel;

fn sandbox(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    std::fs::write(sandbox.path("tiny.gguf"), TinyModel::default().write().unwrap()).unwrap();
    sandbox
}

#[cfg(feature = "model")]
mod with_models {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn it_prints_its_address_and_ends_on_ctrl_c() {
        use std::io::{BufRead as _, BufReader, Read as _, Write as _};
        use std::net::TcpStream;
        use std::process::{Command, Stdio};

        let sandbox = sandbox("node-runs");
        let mut command = sandbox.command(&["node", "--model", "tiny.gguf", "--port", "0", "--threads", "1"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/v1\n")).unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /v1/models HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert!(said.contains("\"context_length\":128"), "{said}");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }

    #[test]
    fn a_model_that_cannot_be_used_is_an_error() {
        let sandbox = sandbox("node-unusable");
        sandbox.write("page.gguf", "<!doctype html>");
        let check = |file: &str, says: &str| {
            let run = sandbox.run(&["node", "--model", file, "--port", "0"]).ends_with(11);
            assert_eq!(run.stderr, format!("error: {file}: {says}\n"));
        };
        check("none.gguf", "there is no such file; give the path of a model in GGUF");
        check("page.gguf", "not a GGUF file (it begins with \"<!doctype html>\"); give a model in GGUF");
    }

    #[test]
    fn only_origins_can_be_allowed() {
        let sandbox = sandbox("node-origin");
        let run = sandbox.run(&["node", "--model", "tiny.gguf", "--allow-origin", "*"]).ends_with(2);
        assert!(run.stderr.contains("give an origin, such as https://docs.example.org"), "{run:?}");
    }
}

#[cfg(not(feature = "model"))]
#[test]
fn a_build_without_models_refuses_them() {
    let sandbox = sandbox("node-absent");
    let run = sandbox.run(&["node", "--model", "tiny.gguf", "--port", "0"]).ends_with(11);
    assert!(run.stderr.contains("built without models"), "{run:?}");
}
