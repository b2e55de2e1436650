//! Counts and times of requests, as Prometheus reads them.

use std::time::Duration;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::interactions::Verdict;

/// The bounds of the histogram of times, in seconds: an answer takes milliseconds, a fetched pack some seconds.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];
/// The type of the text.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VerdictLabel {
    verdict: &'static str,
}

/// The counts of one server.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabel, Histogram, fn() -> Histogram>,
    verdicts: Family<VerdictLabel, Counter>,
    log_faults: Counter,
    waiting: Gauge,
}

impl Metrics {
    pub(super) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("seealso");
        let (requests, verdicts) = (Family::default(), Family::default());
        let seconds: Family<RouteLabel, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BOUNDS));
        let (log_faults, waiting) = (Counter::default(), Gauge::default());
        registry.register("requests", "Requests, by route and status", requests.clone());
        registry.register("request_seconds", "Time from a request to its response, in seconds", seconds.clone());
        registry.register("questions", "Questions, by what came of them", verdicts.clone());
        registry.register("log_faults", "Lines of the log of interactions that were not written", log_faults.clone());
        registry.register("waiting", "Requests that wait for a thread", waiting.clone());
        Metrics { registry, requests, seconds, verdicts, log_faults, waiting }
    }

    /// Counts a request.
    pub(super) fn count_request(&self, route: &str, status: u16, time: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), status }).inc();
        self.seconds.get_or_create(&RouteLabel { route: route.to_owned() }).observe(time.as_secs_f64());
    }

    /// Counts a question.
    pub(super) fn count_verdict(&self, verdict: Verdict) {
        self.verdicts.get_or_create(&VerdictLabel { verdict: verdict.name() }).inc();
    }

    /// Counts a line of the log that was not written.
    pub(super) fn count_log_fault(&self) {
        self.log_faults.inc();
    }

    /// The text for Prometheus, while so many requests wait.
    pub(super) fn response(&self, waiting: usize) -> Response {
        self.waiting.set(waiting as i64);
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => ([(header::CONTENT_TYPE, HeaderValue::from_static(CONTENT_TYPE))], text).into_response(),
            Err(error) => {
                let message = format!("the counts can't be written: {error}");
                super::error::ApiError::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
                    .into_response()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_text_for_prometheus() {
        let metrics = Metrics::new();
        metrics.count_request("/ask", 200, Duration::from_millis(3));
        metrics.count_request("/ask", 200, Duration::from_millis(300));
        metrics.count_verdict(Verdict::Answered);
        metrics.count_log_fault();
        metrics.waiting.set(2);
        let mut text = String::new();
        assert!(encode(&mut text, &metrics.registry).is_ok());
        for expected in [
            "seealso_requests_total{route=\"/ask\",status=\"200\"} 2\n",
            "seealso_request_seconds_bucket{le=\"0.005\",route=\"/ask\"} 1\n",
            "seealso_request_seconds_count{route=\"/ask\"} 2\n",
            "seealso_questions_total{verdict=\"answered\"} 1\n",
            "seealso_log_faults_total 1\n",
            "seealso_waiting 2\n",
        ] {
            assert!(text.contains(expected), "{expected} is not in {text}");
        }
    }
}
