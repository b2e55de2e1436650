//! Requests of web pages: refused unless the page's origin may ask, and answered with the headers that let the page read on.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::origins::Origins;

/// Which origins may ask, and what the others are answered.
#[derive(Debug, Clone)]
pub(crate) struct OriginCheck {
    /// The origins that may.
    pub(crate) origins: Origins,
    /// The response to all others.
    pub(crate) refusal: fn() -> Response,
}

/// Refuses requests of web pages whose origin may not ask. Clients other than web pages name no origin.
pub(crate) async fn check_origin(State(check): State<Arc<OriginCheck>>, request: Request, next: Next) -> Response {
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else { return next.run(request).await };
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !check.origins.allows(origin.to_str().unwrap_or_default(), host) {
        return (check.refusal)();
    }
    let is_preflight = request.method() == Method::OPTIONS;
    let mut response = if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    allow(response.headers_mut(), origin, is_preflight);
    response
}

fn allow(headers: &mut HeaderMap, origin: HeaderValue, is_preflight: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    if is_preflight {
        for (name, value) in [
            ("access-control-allow-methods", "GET, POST"),
            ("access-control-allow-headers", "accept, authorization, content-type"),
            ("access-control-allow-private-network", "true"),
            ("access-control-max-age", "600"),
        ] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
    }
}
