//! The endpoint: routes, the check of origins, and errors as JSON.

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
use super::job::{Job, Refusal, StreamEvent};
use super::origins::Origins;
use super::response::{CompleteAnswer, ResponseFormat, error_body};
use super::worker::ModelHandle;

/// The most bytes of a request: more than any context holds as text.
const REQUEST_BYTES: usize = 2 << 20;
/// Seconds after which a client may ask again when the queue is full.
const RETRY_AFTER_SECONDS: &str = "5";

/// The endpoint of a model, for pages of `origins`.
pub(crate) fn router(model: ModelHandle, origins: Origins) -> Router {
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/chat/completions", post(chat))
        .fallback(async || not_found("there is no such path here; there are /v1/chat/completions and /v1/models"))
        .method_not_allowed_fallback(async || {
            error_response(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "POST asks for an answer, GET for the models",
            )
        })
        .with_state(Arc::new(model))
        .layer(middleware::from_fn_with_state(Arc::new(origins), check_origin))
}

async fn models(State(handle): State<Arc<ModelHandle>>) -> Response {
    let model = ListedModel {
        id: handle.name.clone(),
        object: "model".to_owned(),
        owned_by: "seealso".to_owned(),
        context_length: Some(handle.context),
        ..ListedModel::default()
    };
    json(StatusCode::OK, &ModelList { object: "list".to_owned(), data: vec![model] })
}

async fn chat(State(handle): State<Arc<ModelHandle>>, request: Request) -> Response {
    let request = match read(request).await {
        Ok(request) => request,
        Err(refused) => return *refused,
    };
    if !request.model.is_empty() && request.model != handle.name {
        return not_found(&format!("there is no model \"{}\" here; there is \"{}\"", request.model, handle.name));
    }
    let (format, stream) = (ResponseFormat::of(&handle.name, &request), request.stream);
    let (sender, mut events) = unbounded_channel();
    let job = match Job::of(request, sender) {
        Ok(job) => job,
        Err(reason) => return error_response(StatusCode::BAD_REQUEST, "invalid_request", &reason),
    };
    if let Err(refused) = enqueue(&handle, job) {
        return *refused;
    }
    // A prompt that is too long is refused before the first word, so that the status can say so.
    match events.recv().await {
        Some(StreamEvent::Refused(refusal)) => refusal_response(&refusal),
        Some(first) if stream => as_events(EventBody { first: Some(first), events, format }),
        Some(first) => complete_answer(first, events, format).await,
        None => refusal_response(&Refusal::Failed("its thread has ended; start the node again".to_owned())),
    }
}

/// Reads the body of a request. It must be declared as JSON, since a browser sends other types to any server, for any page.
async fn read(request: Request) -> Result<ChatRequest, Box<Response>> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    let refuse = |status, code, text: &str| Box::new(error_response(status, code, text));
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

/// Adds a job to the queue, unless it is full.
pub(super) fn enqueue(model: &ModelHandle, job: Job) -> Result<(), Box<Response>> {
    match model.jobs.try_send(job) {
        Ok(()) => Ok(()),
        Err(TrySendError::Full(_)) => {
            let text = "too many questions wait for this model; ask again in some seconds";
            let mut response = error_response(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", text);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER_SECONDS));
            Err(Box::new(response))
        }
        Err(TrySendError::Closed(_)) => {
            Err(Box::new(refusal_response(&Refusal::Failed("its thread has ended; start the node again".to_owned()))))
        }
    }
}

fn as_events(body: EventBody) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::new(body)).into_response()
}

async fn complete_answer(
    first: StreamEvent,
    mut events: UnboundedReceiver<StreamEvent>,
    format: ResponseFormat,
) -> Response {
    let mut whole = CompleteAnswer::default();
    let mut next = Some(first);
    while let Some(event) = next {
        if let Err(refusal) = whole.add(event) {
            return refusal_response(&refusal);
        }
        next = events.recv().await;
    }
    json(StatusCode::OK, &format.response(whole))
}

fn refusal_response(refusal: &Refusal) -> Response {
    let status = match refusal {
        Refusal::TooLong { .. } => StatusCode::BAD_REQUEST,
        Refusal::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    json(status, &error_body(refusal))
}

fn not_found(message: &str) -> Response {
    error_response(StatusCode::NOT_FOUND, "not_found", message)
}

fn error_response(status: StatusCode, code: &str, message: &str) -> Response {
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

/// Refuses requests of web pages whose origin may not ask. Clients other than web pages name no origin.
async fn check_origin(State(origins): State<Arc<Origins>>, request: Request, next: Next) -> Response {
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else { return next.run(request).await };
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !origins.allows(origin.to_str().unwrap_or_default(), host) {
        let text = "pages of this origin may not ask this node; its keeper can name the origin with --allow-origin";
        return error_response(StatusCode::FORBIDDEN, "origin_not_allowed", text);
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
