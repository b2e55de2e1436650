//! JSON bodies: read within a limit, and written.

use std::fmt;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How long a client may take to send a body.
const BODY_TIME: Duration = Duration::from_secs(10);

/// Why the body of a request can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BodyFault {
    /// It is not declared as JSON.
    NotJson,
    /// It has more bytes than this, or did not come whole.
    TooLarge(usize),
    /// It did not come in time.
    Late,
    /// It is no JSON, or not of the expected shape.
    Invalid(String),
}

impl BodyFault {
    /// The status of the response.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            BodyFault::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            BodyFault::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            BodyFault::Late => StatusCode::REQUEST_TIMEOUT,
            BodyFault::Invalid(_) => StatusCode::BAD_REQUEST,
        }
    }

    /// A short word for the kind.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            BodyFault::NotJson => "unsupported_media_type",
            BodyFault::TooLarge(_) => "request_too_large",
            BodyFault::Late => "request_timeout",
            BodyFault::Invalid(_) => "invalid_json",
        }
    }
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyFault::NotJson => f.write_str("the request must be of the type application/json"),
            BodyFault::TooLarge(limit) => {
                write!(f, "the request has more than {limit} bytes, or did not come whole")
            }
            BodyFault::Late => {
                write!(f, "the request's body did not come within {} s; send it again", BODY_TIME.as_secs())
            }
            BodyFault::Invalid(why) => write!(f, "the request is not understood: {why}"),
        }
    }
}

/// Reads the body of a request, of at most `limit` bytes. It must be declared as JSON, since a browser sends other types to any
/// server, for any page.
///
/// # Errors
/// [`BodyFault`].
pub(crate) async fn read_json<T: DeserializeOwned>(request: Request, limit: usize) -> Result<T, BodyFault> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(BodyFault::NotJson);
    }
    let body = tokio::time::timeout(BODY_TIME, to_bytes(request.into_body(), limit));
    let bytes = body.await.map_err(|_| BodyFault::Late)?.map_err(|_| BodyFault::TooLarge(limit))?;
    serde_json::from_slice(&bytes).map_err(|error| BodyFault::Invalid(error.to_string()))
}

/// A response of JSON, which no cache keeps.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_string(value) {
        Ok(text) => (status, headers, text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
