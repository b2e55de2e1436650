//! The transport: the only access of a node to the network. Everything above it is pure, and runs alike natively, in a
//! browser, and in tests.

use std::fmt;

/// A header's name, in lower case, and its value.
pub type Header = (&'static str, String);

/// Sends requests. Dropping a request or the body of its response must abort it. Redirects are ordinary responses and
/// must not be followed, because consent is for one origin.
#[allow(async_fn_in_trait)]
pub trait Transport {
    /// The body of a response.
    type Body: Body;

    /// Sends a GET request to `url`.
    ///
    /// # Errors
    /// [`TransportError`], where no answer begins.
    async fn get(&self, url: &str, headers: &[Header]) -> Result<Reply<Self::Body>, TransportError>;

    /// Sends a POST request with `body` to `url`.
    ///
    /// # Errors
    /// [`TransportError`], where no answer begins.
    async fn post(&self, url: &str, headers: &[Header], body: String) -> Result<Reply<Self::Body>, TransportError>;
}

/// The bytes of a response, as they come.
#[allow(async_fn_in_trait)]
pub trait Body {
    /// The next bytes; `None` at the end.
    ///
    /// # Errors
    /// [`TransportError`], where the connection breaks.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError>;
}

/// The head of a response, and its body.
#[derive(Debug)]
pub struct Reply<B> {
    /// The status, such as 200; 0 if a browser hides a redirect.
    pub status: u16,
    /// Names, in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: B,
}

impl<B> Reply<B> {
    /// The first header of a name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no response, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportError {
    /// The reason in a few words.
    pub reason: String,
    /// Whether the same request may succeed a moment later, as when a server is just starting.
    pub transient: bool,
}

impl TransportError {
    /// A transient error.
    pub fn transient(reason: impl fmt::Display) -> TransportError {
        TransportError { reason: reason.to_string(), transient: true }
    }

    /// A permanent error.
    pub fn permanent(reason: impl fmt::Display) -> TransportError {
        TransportError { reason: reason.to_string(), transient: false }
    }
}
