//! Packs behind a web address, as a static host serves them.
//!
//! Every file is checked like one of a folder: its size while it comes, its hash where the catalog names one. Redirects are
//! followed a few times, and connections are kept for the next file. The variables `HTTP_PROXY` and `HTTPS_PROXY` count.

use std::fmt;
use std::time::Duration;

use seealso::{Fault, FetchedFile, PackSource, Request, SourceError};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::answer_json::encode_path;

/// How long one file may take. The engine gives up sooner; this ends the request too.
const FILE_TIME: Duration = Duration::from_secs(30);
/// How often a host may send the request elsewhere.
const REDIRECTS: u32 = 3;

/// The address of a packs root, such as `https://docs.example.org/packs/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WebAddress(String);

impl WebAddress {
    /// Whether `text` is meant as a web address, and not as a folder.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.starts_with("http://") || text.starts_with("https://")
    }

    /// Parses an address.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<WebAddress, String> {
        let uri: axum::http::Uri = text.parse().map_err(|error| format!("{text}: no web address ({error})"))?;
        if uri.host().is_none_or(str::is_empty) || uri.query().is_some() || text.contains('#') {
            return Err(format!(
                "{text}: give the address of the folder that holds catalog.json, and nothing behind it"
            ));
        }
        Ok(WebAddress(format!("{}/", text.trim_end_matches('/'))))
    }
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Packs behind a web address.
#[derive(Debug, Clone)]
pub(crate) struct WebSource {
    root: WebAddress,
    agent: Agent,
}

impl WebSource {
    /// The packs at `root`.
    pub(crate) fn new(root: WebAddress) -> WebSource {
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .timeout_global(Some(FILE_TIME))
            .max_redirects(REDIRECTS)
            .http_status_as_error(false)
            .user_agent(concat!("seealso/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        WebSource { root, agent: config.new_agent() }
    }
}

impl PackSource for WebSource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        let fault = |fault| SourceError::new(&request.path, fault);
        if !seealso_pack::is_safe_path(&request.path) {
            return Err(fault(Fault::Refused));
        }
        let (agent, limit) = (self.agent.clone(), request.max_bytes);
        let url = format!("{}{}", self.root, encode_path(&request.path));
        // The client waits on its thread; those of a round wait beside each other.
        let fetched = tokio::task::spawn_blocking(move || fetch(&agent, &url, limit)).await;
        let bytes = fetched.map_err(|error| fault(Fault::Unreachable(error.to_string())))?.map_err(fault)?;
        request.check(bytes)
    }
}

/// The bytes at `url`, of which there are at most `limit`.
fn fetch(agent: &Agent, url: &str, limit: usize) -> Result<Vec<u8>, Fault> {
    let unreachable = |error: ureq::Error| match error {
        ureq::Error::BodyExceedsLimit(_) => Fault::TooLarge(limit),
        ureq::Error::Timeout(_) => Fault::TimedOut(u32::try_from(FILE_TIME.as_millis()).unwrap_or(u32::MAX)),
        other => Fault::Unreachable(other.to_string()),
    };
    let mut response = agent.get(url).call().map_err(unreachable)?;
    match response.status().as_u16() {
        200 => response.body_mut().with_config().limit(limit as u64).read_to_vec().map_err(unreachable),
        404 | 410 => Err(Fault::NotFound),
        status => Err(Fault::Status(status)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use seealso::Expected;

    use super::*;
    use crate::source::block_on;

    #[test]
    fn an_address_names_a_folder() {
        let check = |text: &str, expected: Option<&str>| {
            let address = WebAddress::parse(text).map(|address| address.to_string());
            assert_eq!(address.ok().as_deref(), expected, "{text}");
        };
        check("https://docs.example.org/packs", Some("https://docs.example.org/packs/"));
        check("http://127.0.0.1:8321/", Some("http://127.0.0.1:8321/"));
        check("https://docs.example.org/packs?v=1", None);
        check("https://docs.example.org/packs#x", None);
        check("https://", None);
        check("http:///packs", None);
    }

    /// A host that answers each path with a status and a body.
    fn serve(files: &'static [(&str, u16, &str)]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut line = String::new();
                BufReader::new(&stream).read_line(&mut line).unwrap();
                let path = line.split(' ').nth(1).unwrap_or_default();
                let (_, status, body) =
                    files.iter().find(|(name, ..)| *name == path).copied().unwrap_or(("", 404, "none"));
                let length = body.len();
                write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
                    .unwrap();
            }
        });
        address
    }

    #[test]
    fn files_are_fetched_within_their_limits() {
        let root = serve(&[("/tea/gr%C3%BCn.md", 200, "Green."), ("/long", 200, "0123456789"), ("/broken", 500, "no")]);
        let source = WebSource::new(WebAddress::parse(&root).unwrap());
        let check = |path: &str, expected: Result<&str, Fault>| {
            let request =
                Request { path: path.into(), max_bytes: 9, expected: Expected::Anything, allows_cached_copy: false };
            let fetched = block_on(source.fetch(&request)).unwrap();
            let text = fetched.map(|file| String::from_utf8(file.bytes).unwrap()).map_err(|error| error.fault);
            assert_eq!(text, expected.map(str::to_owned), "{path}");
        };
        check("tea/grün.md", Ok("Green."));
        check("long", Err(Fault::TooLarge(9)));
        check("broken", Err(Fault::Status(500)));
        check("gone", Err(Fault::NotFound));
        check("../secret", Err(Fault::Refused));
    }
}
