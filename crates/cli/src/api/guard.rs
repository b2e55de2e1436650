//! What a request must pass before its endpoint: the name of the host, the limit of requests, the token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use seealso_node::is_this_machine;

use crate::http::OriginCheck;

use super::endpoint::Endpoint;
use super::error::ApiError;
use super::state::ApiState;

/// The response to web pages of origins that may not ask.
pub(super) fn refuse_origin() -> Response {
    let text = "pages of this origin may not ask this server; its keeper can name the origin with --allow-origin";
    ApiError::new(StatusCode::FORBIDDEN, "origin_not_allowed", text).into_response()
}

/// Refuses names of other hosts where no token protects the server, and where this machine alone reaches it. The owner of a name
/// can make it resolve to this machine; a page of that name would then read what is served here. Hosts of the origins that may
/// ask are known on a server that others reach.
pub(super) async fn check_host(
    State((state, origins)): State<(Arc<ApiState>, Arc<OriginCheck>)>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let text = match (state.is_local, state.token.is_some()) {
        _ if names_this_machine(host) => return next.run(request).await,
        (true, _) => format!("this server answers this machine alone, and not as \"{host}\"; ask it at 127.0.0.1"),
        (false, true) => return next.run(request).await,
        (false, false) if origins.origins.have_host(host_name(host)) => return next.run(request).await,
        (false, false) => format!(
            "this server has no token, so it does not answer as \"{host}\"; ask it by its number, or its keeper can set a token, or \
             name the host with --allow-origin"
        ),
    };
    ApiError::new(StatusCode::FORBIDDEN, "host_not_allowed", text).into_response()
}

/// The host of an authority, without its port.
fn host_name(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

/// Whether the authority of a request is this machine's: its name, or any number. Programs of an older kind name none.
fn names_this_machine(host: &str) -> bool {
    let name = host_name(host);
    name.is_empty() || is_this_machine(name) || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

/// Refuses the requests of a client that sends too many.
pub(super) async fn check_rate(State(state): State<Arc<ApiState>>, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|client| client.0.ip());
    if let (Some(limit), Some(client)) = (&state.rate, client)
        && let Err(seconds) = limit.count(client)
    {
        let text = format!("too many requests from this address; ask again in {seconds} s");
        return ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", text)
            .retry_after(seconds)
            .into_response();
    }
    next.run(request).await
}

/// Refuses requests without the token, where there is one.
pub(super) async fn check_token(State(state): State<Arc<ApiState>>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_open = Endpoint::ALL.iter().any(|endpoint| endpoint.is_open() && path == Some(endpoint.path()));
    if state.token.as_ref().is_some_and(|token| !is_open && !token.is_in(request.headers())) {
        let text = "this server asks for a token; send it in the header `Authorization: Bearer TOKEN`";
        let mut response = ApiError::new(StatusCode::UNAUTHORIZED, "token_missing_or_wrong", text).into_response();
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return response;
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_hosts_are_none_of_this_machine() {
        let check = |host: &str, expected: bool| assert_eq!(names_this_machine(host), expected, "{host}");
        check("localhost:8321", true);
        check("127.0.0.1:8321", true);
        check("[::1]:8321", true);
        check("192.168.1.7:8321", true);
        check("", true);
        check("evil.example:8321", false);
        check("localhost.evil.example", false);
    }
}
