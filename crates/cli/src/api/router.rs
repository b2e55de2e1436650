//! The router: the endpoints, and what every request passes before them.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{Method as HttpMethod, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get, post};

use crate::http::{OriginCheck, Origins, check_origin};

use super::endpoint::Endpoint;
use super::endpoints;
use super::error::ApiError;
use super::guard::{check_host, check_rate, check_token, refuse_origin};
use super::request_log::log_request;
use super::state::ApiState;

/// The API, for pages of `origins`.
pub(crate) fn router(state: ApiState, origins: Origins) -> Router {
    let state = Arc::new(state);
    let origins = Arc::new(OriginCheck { origins, refusal: refuse_origin });
    let mut router = Router::new();
    for endpoint in Endpoint::ALL {
        router = router.route(endpoint.path(), handler(endpoint));
    }
    // The layer that is named last is the first that a request passes.
    router
        .fallback(async || not_found())
        .method_not_allowed_fallback(async |request: Request| wrong_method(request.method()))
        .with_state(Arc::clone(&state))
        .layer(from_fn_with_state(Arc::clone(&state), check_token))
        .layer(from_fn_with_state(Arc::clone(&state), check_rate))
        .layer(from_fn_with_state(Arc::clone(&origins), check_origin))
        .layer(from_fn_with_state((Arc::clone(&state), origins), check_host))
        .layer(from_fn_with_state(state, log_request))
}

/// What answers an endpoint.
fn handler(endpoint: Endpoint) -> MethodRouter<Arc<ApiState>> {
    match endpoint {
        Endpoint::Retrieve => post(endpoints::retrieve),
        Endpoint::Ask => post(endpoints::ask),
        Endpoint::Search => post(endpoints::search),
        Endpoint::Packs => get(endpoints::packs),
        Endpoint::Page => get(endpoints::page),
        Endpoint::Feedback => post(endpoints::feedback),
        Endpoint::Health => get(endpoints::health),
        Endpoint::Metrics => get(endpoints::metrics),
        Endpoint::OpenApi => get(endpoints::open_api),
    }
}

fn not_found() -> Response {
    let paths: Vec<&str> = Endpoint::ALL.into_iter().map(Endpoint::path).collect();
    let text = format!("there is no such path here; there are {}", paths.join(", "));
    ApiError::new(StatusCode::NOT_FOUND, "not_found", text).into_response()
}

fn wrong_method(method: &HttpMethod) -> Response {
    let text = format!("{method} is not allowed here; POST asks, GET reads, as /openapi.json says");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", text).into_response()
}
