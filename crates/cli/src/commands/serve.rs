//! `seealso serve`: serves a folder of static files over HTTP, with the headers that a careful host sends; or, with `--api`, the
//! packs to programs, as [`api`] does.
//!
//! The folder is for trying out a site. Every response has the content security policy that `seealso` promises to work under, so that
//! a page that needs more fails here first. Hidden files are not served, and folders are not listed.

mod api;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use clap::Args;
use tokio::net::TcpListener;
use tower_http::services::ServeDir;

use crate::exit::{CommandResult, Completion};
use crate::source::block_on;
use crate::style::{FAINT, say};

/// Serve a folder of static files, with right MIME types and a strict content security policy, or packs to programs with --api;
/// until Ctrl-C.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder.
    #[arg(required_unless_present = "api", conflicts_with = "api")]
    dir: Option<PathBuf>,
    /// The address to listen at; 0.0.0.0 lets other machines in.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// The port to listen at; 0 takes any free one.
    #[arg(long, short, default_value_t = 8321)]
    port: u16,
    #[command(flatten)]
    api: api::ApiArguments,
}

/// The headers of every response.
const SECURITY_HEADERS: [(HeaderName, &str); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; object-src 'none'; \
         base-uri 'none'; frame-ancestors 'self'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// The caching of files whose names hold their hash.
const CACHE_IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// The caching of all other files: they are kept, and revalidated each time.
const CACHE_REVALIDATE: &str = "no-cache";

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    match &arguments.dir {
        Some(dir) => serve_folder(dir, arguments),
        None => api::run(&arguments.api, &arguments.host, arguments.port),
    }
}

fn serve_folder(dir: &Path, arguments: &Arguments) -> CommandResult {
    ensure!(dir.is_dir(), "{}: there is no such folder", dir.display());
    block_on(async {
        let listener = listen(&arguments.host, arguments.port).await?;
        announce(dir, listener.local_addr()?);
        let server = tokio::spawn(axum::serve(listener, site(dir)).into_future());
        let stopped = tokio::signal::ctrl_c().await.context("waiting for Ctrl-C");
        // A user who presses Ctrl-C does not want to wait for a download.
        server.abort();
        stopped
    })??;
    Ok(Completion::Success)
}

pub(super) async fn listen(host: &str, port: u16) -> anyhow::Result<TcpListener> {
    TcpListener::bind((host, port)).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow!(
                "port {port} of {host} is taken by another program; name another with --port, or 0 for any free one"
            )
        }
        ErrorKind::PermissionDenied => {
            anyhow!("port {port} of {host} may not be used ({error}); name one above 1023 with --port")
        }
        _ => anyhow!("can't listen at {host}, port {port}: {error}"),
    })
}

fn announce(dir: &Path, address: SocketAddr) {
    say!("{}", local_url(address));
    anstream::eprintln!("{FAINT}serving {}; Ctrl-C ends it{FAINT:#}", dir.display());
}

/// The URL of a server that listens at `address`, for a browser of this machine.
pub(super) fn local_url(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://127.0.0.1:{}/", address.port()),
        false => format!("http://{address}/"),
    }
}

fn site(dir: &Path) -> Router {
    Router::new().fallback_service(ServeDir::new(dir)).layer(middleware::from_fn(with_headers))
}

async fn with_headers(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = match is_hidden(&path) {
        true => StatusCode::NOT_FOUND.into_response(),
        false => next.run(request).await,
    };
    match response.status() {
        StatusCode::NOT_FOUND => response = not_found(&path),
        status if status.is_success() => set_type(&mut response, &path),
        _ => (),
    }
    let is_immutable =
        is_hashed(&path) && (response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED);
    let headers = response.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(if is_immutable { CACHE_IMMUTABLE } else { CACHE_REVALIDATE }),
    );
    for (name, value) in SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a file or folder of the path is hidden, as `.git` is.
fn is_hidden(path: &str) -> bool {
    path.split('/').any(|step| step.starts_with('.') || step.to_ascii_lowercase().starts_with("%2e"))
}

/// Whether the file's name holds its hash: an index file or a list of packs, as `seealso build` names them.
fn is_hashed(path: &str) -> bool {
    (path.ends_with(".idx") || path.ends_with(".json")) && path.rsplit('/').nth(1) == Some("index")
}

fn not_found(path: &str) -> Response {
    let text = format!("404: there is no file {path}\n");
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

fn set_type(response: &mut Response, path: &str) {
    if let Some(mime) = mime_type(path) {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(mime));
    }
}

/// The types of a site of packs; others are left to the file server's own table.
fn mime_type(path: &str) -> Option<&'static str> {
    if path.ends_with('/') {
        return Some("text/html; charset=utf-8");
    }
    let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "md" => "text/markdown; charset=utf-8",
        "txt" | "yaml" | "yml" | "ts" | "files" => "text/plain; charset=utf-8",
        "tsv" => "text/tab-separated-values; charset=utf-8",
        "svg" => "image/svg+xml",
        "idx" => "application/octet-stream",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_the_ending() {
        let check = |path: &str, expected: Option<&str>| assert_eq!(mime_type(path), expected, "{path}");
        check("/", Some("text/html; charset=utf-8"));
        check("/a.b/", Some("text/html; charset=utf-8"));
        check("/x/APP.MJS", Some("text/javascript; charset=utf-8"));
        check("/x/seealso_bg.wasm", Some("application/wasm"));
        check("/p/wiki/concepts/a.md", Some("text/markdown; charset=utf-8"));
        check("/packs/index/0123.files", Some("text/plain; charset=utf-8"));
        check("/picture.png", None);
        check("/a.b/none", None);
    }

    #[test]
    fn only_index_files_are_immutable() {
        for (path, expected) in [
            ("/packs/index/0123.idx", true),
            ("/index/0123.idx", true),
            ("/packs/index/0123.json", true),
            ("/packs/index/0123.files", false),
            ("/packs/0123.idx", false),
            ("/packs/index/pages.tsv", false),
            ("/packs/catalog.json", false),
        ] {
            assert_eq!(is_hashed(path), expected, "{path}");
        }
    }

    #[test]
    fn hidden_files_stay_hidden() {
        for hidden in ["/.git/config", "/a/.env", "/%2Egit/config", "/../etc"] {
            assert!(is_hidden(hidden), "{hidden}");
        }
        assert!(!is_hidden("/a.b/c.md") && !is_hidden("/"));
    }
}
