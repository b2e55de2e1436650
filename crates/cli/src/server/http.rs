//! The endpoint: routes, what may be asked and by whom, and errors as JSON.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use seealso_node::protocol::{ChatRequest, Fault, FaultBody, ListedModel, ModelList};
use serde::Serialize;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::events::EventBody;
use super::job::{Job, Refusal, Told};
use super::origins::Origins;
use super::response::{Whole, Wording, fault};
use super::worker::Host;

/// The most bytes of a request: more than any context holds as text.
const REQUEST_BYTES: usize = 2 << 20;
/// Seconds after which a client may ask again when too many wait.
const COME_BACK: &str = "5";

/// The endpoint of a model, for pages of `origins`.
pub(crate) fn router(host: Host, origins: Origins) -> Router {
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/chat/completions", post(chat))
        .fallback(async || unknown("there is no such path here; there are /v1/chat/completions and /v1/models"))
        .method_not_allowed_fallback(async || {
            refuse(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "POST asks for an answer, GET for the models")
        })
        .with_state(Arc::new(host))
        .layer(middleware::from_fn_with_state(Arc::new(origins), for_pages))
}

async fn models(State(host): State<Arc<Host>>) -> Response {
    let model = ListedModel {
        id: host.name.clone(),
        object: "model".to_owned(),
        owned_by: "seealso".to_owned(),
        context_length: Some(host.context),
        ..ListedModel::default()
    };
    json(StatusCode::OK, &ModelList { object: "list".to_owned(), data: vec![model] })
}

async fn chat(State(host): State<Arc<Host>>, request: Request) -> Response {
    let request = match read(request).await {
        Ok(request) => request,
        Err(refused) => return *refused,
    };
    if !request.model.is_empty() && request.model != host.name {
        return unknown(&format!("there is no model \"{}\" here; there is \"{}\"", request.model, host.name));
    }
    let (wording, stream) = (Wording::of(&host.name, &request), request.stream);
    let (tell, mut told) = unbounded_channel();
    let job = match Job::of(request, tell) {
        Ok(job) => job,
        Err(reason) => return refuse(StatusCode::BAD_REQUEST, "invalid_request", &reason),
    };
    if let Err(refused) = enqueue(&host, job) {
        return *refused;
    }
    // A prompt that is too long is known before the first word, and must still be told by the status.
    match told.recv().await {
        Some(Told::Refused(refusal)) => refused(&refusal),
        Some(first) if stream => as_events(EventBody { first: Some(first), told, wording }),
        Some(first) => whole(first, told, wording).await,
        None => refused(&Refusal::Failed("its thread has ended; start the node again".to_owned())),
    }
}

/// The body of a request. What is not said to be JSON is not read: of that a browser would ask any server, for any page.
async fn read(request: Request) -> Result<ChatRequest, Box<Response>> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    let refuse = |status, code, text: &str| Box::new(refuse(status, code, text));
    if !is_json {
        let text = "the request must be of the type application/json";
        return Err(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", text));
    }
    let Ok(bytes) = to_bytes(request.into_body(), REQUEST_BYTES).await else {
        let text = format!("the request has more than {REQUEST_BYTES} bytes, or did not come whole");
        return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, "request_too_large", &text));
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        refuse(StatusCode::BAD_REQUEST, "invalid_json", &format!("the request is not understood: {error}"))
    })
}

/// Lets a job wait, if not too many do.
pub(super) fn enqueue(host: &Host, job: Job) -> Result<(), Box<Response>> {
    match host.jobs.try_send(job) {
        Ok(()) => Ok(()),
        Err(TrySendError::Full(_)) => {
            let text = "too many questions wait for this model; ask again in some seconds";
            let mut response = refuse(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", text);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(COME_BACK));
            Err(Box::new(response))
        }
        Err(TrySendError::Closed(_)) => {
            Err(Box::new(refused(&Refusal::Failed("its thread has ended; start the node again".to_owned()))))
        }
    }
}

fn as_events(body: EventBody) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::new(body)).into_response()
}

async fn whole(first: Told, mut told: UnboundedReceiver<Told>, wording: Wording) -> Response {
    let mut whole = Whole::default();
    let mut next = Some(first);
    while let Some(told_now) = next {
        if let Err(refusal) = whole.take(told_now) {
            return refused(&refusal);
        }
        next = told.recv().await;
    }
    json(StatusCode::OK, &wording.response(whole))
}

fn refused(refusal: &Refusal) -> Response {
    let status = match refusal {
        Refusal::TooLong { .. } => StatusCode::BAD_REQUEST,
        Refusal::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    json(status, &fault(refusal))
}

fn unknown(message: &str) -> Response {
    refuse(StatusCode::NOT_FOUND, "not_found", message)
}

fn refuse(status: StatusCode, code: &str, message: &str) -> Response {
    let kind = "invalid_request_error".to_owned();
    let error = Fault { message: message.to_owned(), kind, code: code.into(), ..Fault::default() };
    json(status, &FaultBody { error })
}

fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_string(value) {
        Ok(text) => (status, headers, text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// Lets pages ask that may, and no others; clients that are no pages name no origin.
async fn for_pages(State(origins): State<Arc<Origins>>, request: Request, next: Next) -> Response {
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else { return next.run(request).await };
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !origins.admit(origin.to_str().unwrap_or_default(), host) {
        let text = "pages of this origin may not ask this node; its keeper can name the origin with --allow-origin";
        return refuse(StatusCode::FORBIDDEN, "origin_not_allowed", text);
    }
    let asks_first = request.method() == Method::OPTIONS;
    let mut response = if asks_first { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    allow(response.headers_mut(), origin, asks_first);
    response
}

fn allow(headers: &mut HeaderMap, origin: HeaderValue, asks_first: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    if asks_first {
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
