//! The network of a program on tokio: one connection for each request, with hyper, and rustls where it is encrypted.
//!
//! A connection is not kept for the next request: an answer takes seconds, and a closed connection is what tells a node
//! that nobody waits for it any more. Certificates are judged by the system's own roots, so a company's or one's own count
//! too. Proxies are not used, and nothing is followed.

use std::error::Error as _;
use std::io;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Method, Request, Uri, header};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::transport::{Body, Header, Reply, Transport, TransportError};

/// Sends over TCP, within a tokio runtime.
#[derive(Debug, Clone, Copy, Default)]
pub struct NativeTransport;

impl Transport for NativeTransport {
    type Body = NativeBody;

    async fn get(&self, url: &str, headers: &[Header]) -> Result<Reply<NativeBody>, TransportError> {
        send(Method::GET, url, headers, String::new()).await
    }

    async fn post(&self, url: &str, headers: &[Header], body: String) -> Result<Reply<NativeBody>, TransportError> {
        send(Method::POST, url, headers, body).await
    }
}

async fn send(
    method: Method,
    url: &str,
    headers: &[Header],
    body: String,
) -> Result<Reply<NativeBody>, TransportError> {
    let uri: Uri = url.parse().map_err(TransportError::permanent)?;
    let (Some(host), Some(authority)) = (uri.host(), uri.authority()) else {
        return Err(TransportError::permanent("no host"));
    };
    let encrypted = uri.scheme_str() == Some("https");
    let host = host.trim_matches(['[', ']']);
    let port = uri.port_u16().unwrap_or(if encrypted { 443 } else { 80 });
    let mut request = Request::builder().method(method).uri(uri.path()).header(header::HOST, authority.as_str());
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let request = request
        .header(header::USER_AGENT, concat!("seealso/", env!("CARGO_PKG_VERSION")))
        .body(Full::new(Bytes::from(body)))
        .map_err(TransportError::permanent)?;
    let stream =
        TcpStream::connect((host, port)).await.map_err(|error| TransportError::transient(unconnected(&error)))?;
    // An answer's words are small and should not wait for each other.
    stream.set_nodelay(true).map_err(TransportError::transient)?;
    if !encrypted {
        return exchange(stream, request).await;
    }
    let name = ServerName::try_from(host.to_owned()).map_err(TransportError::permanent)?;
    let stream = tls()?.connect(name, stream).await;
    exchange(stream.map_err(|error| TransportError::permanent(format!("no encrypted connection: {error}")))?, request)
        .await
}

async fn exchange<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    request: Request<Full<Bytes>>,
) -> Result<Reply<NativeBody>, TransportError> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let connection = Connection(tokio::spawn(async move { drop(connection.await) }));
    let response = sender.send_request(request).await.map_err(broken)?;
    let value = |value: &header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = response.headers().iter().map(|(name, text)| (name.as_str().to_owned(), value(text))).collect();
    let status = response.status().as_u16();
    Ok(Reply { status, headers, body: NativeBody { incoming: response.into_body(), _connection: connection } })
}

/// An encrypting connector that trusts whom the system trusts.
fn tls() -> Result<TlsConnector, TransportError> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (usable, _) = roots.add_parsable_certificates(found.certs);
    if usable == 0 {
        return Err(TransportError::permanent(
            "this system has no root certificates; install its package `ca-certificates`",
        ));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TransportError::permanent)?;
    Ok(TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
}

/// The body of an answer. Dropped, it closes the connection.
#[derive(Debug)]
pub struct NativeBody {
    incoming: Incoming,
    _connection: Connection,
}

impl Body for NativeBody {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        while let Some(frame) = self.incoming.frame().await {
            // What is no data is a trailer.
            if let Ok(data) = frame.map_err(broken)?.into_data() {
                return Ok(Some(data.to_vec()));
            }
        }
        Ok(None)
    }
}

/// The task that moves a connection's bytes; it ends with its request.
#[derive(Debug)]
struct Connection(JoinHandle<()>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn unconnected(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        _ => error.to_string(),
    }
}

/// hyper's own words name its parts; the cause below them is what happened.
fn broken(error: hyper::Error) -> TransportError {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    if error.is_incomplete_message() || cause.is_some_and(|cause| cause.kind() == io::ErrorKind::UnexpectedEof) {
        return TransportError::transient("the connection was closed");
    }
    match error.source() {
        Some(cause) => TransportError::transient(cause),
        None => TransportError::transient(error),
    }
}
