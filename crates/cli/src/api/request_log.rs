//! The request log: one line of JSON on standard error for each request, and the counts. It has no words of questions, unless
//! the server's keeper wants them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::state::ApiState;

/// The route of requests that no endpoint answers. Their paths are not logged: they are whatever a client sends.
const UNKNOWN_ROUTE: &str = "unknown";

/// A question that the log may have, on its way through the response.
#[derive(Debug, Clone)]
pub(super) struct LoggedQuestion(pub(super) String);

/// Logs and counts a request.
pub(super) async fn log_request(State(state): State<Arc<ApiState>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or(UNKNOWN_ROUTE, MatchedPath::as_str).to_owned();
    let client = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|client| client.0.ip().to_string());
    let method = request.method().clone();
    let response = next.run(request).await;
    let (status, time) = (response.status().as_u16(), start.elapsed());
    let question = response.extensions().get::<LoggedQuestion>().map(|question| question.0.as_str());
    let ms = (time.as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(method = method.as_str(), route, status, ms, client, question, "request");
    state.metrics.count_request(&route, status, time);
    response
}
