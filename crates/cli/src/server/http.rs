//! The endpoint: routes, and errors as JSON.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use seealso_node::protocol::{ChatRequest, Fault, FaultBody, ListedModel, ModelList};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::events::EventBody;
use super::job::{Job, Refusal, StreamEvent};
use super::response::{CompleteAnswer, ResponseFormat, error_body};
use super::worker::ModelHandle;
use crate::http::{OriginCheck, Origins, check_origin, json, read_json};

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
        .layer(middleware::from_fn_with_state(Arc::new(OriginCheck { origins, refusal: refuse_origin }), check_origin))
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
    let request: ChatRequest = match read_json(request, REQUEST_BYTES).await {
        Ok(request) => request,
        Err(fault) => return error_response(fault.status(), fault.code(), &fault.to_string()),
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

fn refuse_origin() -> Response {
    let text = "pages of this origin may not ask this node; its keeper can name the origin with --allow-origin";
    error_response(StatusCode::FORBIDDEN, "origin_not_allowed", text)
}

fn error_response(status: StatusCode, code: &str, message: &str) -> Response {
    let kind = "invalid_request_error".to_owned();
    let error = Fault { message: message.to_owned(), kind, code: code.into(), ..Fault::default() };
    json(status, &FaultBody { error })
}
