//! What all requests share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::interactions::{InteractionLog, LogLine, Verdict};
use crate::service::{ServiceHandle, SharedOverview};

use super::metrics::Metrics;
use super::rate::RateLimit;
use super::token::Token;

/// What a server's keeper chose.
#[derive(Default)]
pub(crate) struct ApiSettings {
    /// The log of interactions; none where nothing is logged.
    pub(crate) log: Option<InteractionLog>,
    /// The token that requests must have; none where anybody may ask.
    pub(crate) token: Option<Token>,
    /// The limit of requests for each client; none where there is none.
    pub(crate) rate: Option<RateLimit>,
    /// Whether this machine alone reaches the server: the host that a request names must then be this machine.
    pub(crate) is_local: bool,
    /// Whether counts are shown.
    pub(crate) shows_metrics: bool,
    /// Whether the words of questions are logged.
    pub(crate) logs_questions: bool,
}

/// What all requests share.
pub(crate) struct ApiState {
    /// The way to the packs.
    pub(super) service: ServiceHandle,
    /// What is served.
    pub(super) overview: SharedOverview,
    pub(super) log: Option<Arc<InteractionLog>>,
    pub(super) token: Option<Token>,
    pub(super) rate: Option<RateLimit>,
    pub(super) is_local: bool,
    pub(super) shows_metrics: bool,
    pub(super) logs_questions: bool,
    pub(super) metrics: Metrics,
    /// Held by the feedback that reads the log: a day's file may be long, so one at a time reads.
    pub(super) log_search: Arc<Semaphore>,
}

impl ApiState {
    /// The state of a server of `service`.
    pub(crate) fn new(service: ServiceHandle, overview: SharedOverview, settings: ApiSettings) -> ApiState {
        let ApiSettings { log, token, rate, is_local, shows_metrics, logs_questions } = settings;
        let (log, metrics) = (log.map(Arc::new), Metrics::new());
        let log_search = Arc::new(Semaphore::new(1));
        ApiState { service, overview, log, token, rate, is_local, shows_metrics, logs_questions, metrics, log_search }
    }

    /// Writes a question to the log, and counts it. A log that can't be written is told in the server's own log and in its health,
    /// and costs nobody the reply.
    pub(super) async fn log_interaction(&self, record: LogLine, verdict: Verdict) {
        self.metrics.count_verdict(verdict);
        let Some(log) = self.log.clone() else { return };
        let written = tokio::task::spawn_blocking(move || log.write(&record)).await;
        if let Ok(Err(fault)) = written {
            self.metrics.count_log_fault();
            tracing::error!(error = fault.to_string(), "an interaction was not logged");
        }
    }
}
