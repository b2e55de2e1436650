//! The one way in which a node touches the network. Everything above it is pure, and runs alike natively, in a
//! browser, and in tests.

use std::fmt;

/// A header's name, in lower case, and its value.
pub type Header = (&'static str, String);

/// Sends requests. Dropping a request, or the answer's body, must abort it. Redirects are answers like others and must not
/// be followed: consent is for one origin.
#[allow(async_fn_in_trait)]
pub trait Transport {
    /// What the bytes of an answer come through.
    type Body: Body;

    /// Asks for `url`.
    ///
    /// # Errors
    /// [`TransportError`], where no answer begins.
    async fn get(&self, url: &str, headers: &[Header]) -> Result<Reply<Self::Body>, TransportError>;

    /// Sends `body` to `url`.
    ///
    /// # Errors
    /// [`TransportError`], where no answer begins.
    async fn post(&self, url: &str, headers: &[Header], body: String) -> Result<Reply<Self::Body>, TransportError>;
}

/// The bytes of an answer, as they come.
#[allow(async_fn_in_trait)]
pub trait Body {
    /// The next bytes; none at the end.
    ///
    /// # Errors
    /// [`TransportError`], where the connection breaks.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError>;
}

/// The head of an answer, and the way to the rest.
#[derive(Debug)]
pub struct Reply<B> {
    /// The status, such as 200; 0 where a browser hides a redirect.
    pub status: u16,
    /// Names, in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The rest.
    pub body: B,
}

impl<B> Reply<B> {
    /// The first header of a name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no answer, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportError {
    /// In a few words.
    pub reason: String,
    /// Whether the same request may succeed a moment later, as where a server is just starting.
    pub passing: bool,
}

impl TransportError {
    /// One that may pass.
    pub fn passing(reason: impl fmt::Display) -> TransportError {
        TransportError { reason: reason.to_string(), passing: true }
    }

    /// One that stays until somebody changes something.
    pub fn lasting(reason: impl fmt::Display) -> TransportError {
        TransportError { reason: reason.to_string(), passing: false }
    }
}
