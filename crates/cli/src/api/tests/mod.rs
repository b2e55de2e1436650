//! The API over a scripted engine: literal requests, and the responses that they get.
#![allow(clippy::unwrap_used)]

mod document;
mod feedback;
mod guards;
mod requests;

use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::http::Origins;
use crate::service::scripted::{ScriptedEngine, overview};
use crate::service::{PoolLimits, SharedOverview, start};
use crate::source::block_on;

use super::router;
use super::state::{ApiSettings, ApiState};

/// Limits that no test but those of limits reaches.
const LIMITS: PoolLimits = PoolLimits { threads: 1, queue: 16, time: Duration::from_secs(60) };

/// A response, read whole.
#[derive(Debug)]
struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Reply {
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The status and the code of the error.
    #[track_caller]
    fn error(&self) -> (u16, String) {
        (self.status.as_u16(), self.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
    }
}

/// Runs `work` with the API.
fn with_api(settings: ApiSettings, work: impl AsyncFnOnce(Router)) {
    with_limits(LIMITS, settings, work);
}

fn with_limits(limits: PoolLimits, settings: ApiSettings, work: impl AsyncFnOnce(Router)) {
    block_on(async {
        let service = start(limits, async || ScriptedEngine::open().await).await.unwrap();
        let shown = SharedOverview::default();
        shown.set(overview());
        let origins = Origins(vec!["https://docs.example.org".to_owned()]);
        work(router(ApiState::new(service, shown, settings), origins)).await;
    })
    .unwrap();
}

async fn send(api: &Router, request: Request<Body>) -> Reply {
    let response = api.clone().oneshot(request).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    Reply { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
}

/// A request with JSON; the body is text, so that it can be malformed too.
fn post(path: &str, body: &str) -> Request<Body> {
    let request = Request::post(path).header("content-type", "application/json");
    request.body(Body::from(body.to_owned())).unwrap()
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).body(Body::empty()).unwrap()
}
