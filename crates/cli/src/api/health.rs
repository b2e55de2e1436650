//! The health of a server: what it serves, and what it can't do at the moment.

use schemars::JsonSchema;
use serde::Serialize;

use crate::interactions::InteractionLog;
use crate::service::Overview;

/// The health of a server.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Health")]
pub(super) struct HealthReply {
    /// `ok`, or `degraded` where something below can't be used.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
    /// What is served; absent where the server has a token and the request does not.
    #[serde(flatten)]
    detail: Option<HealthDetail>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct HealthDetail {
    #[serde(flatten)]
    overview: Overview,
    /// The log of interactions.
    log: LogHealth,
    /// How many requests wait for a thread.
    waiting: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LogHealth {
    /// `on`, `off`, or `failing`.
    state: &'static str,
    /// Why the last line was not written; null where it was.
    reason: Option<String>,
}

impl HealthReply {
    /// The health, in short for who has no token.
    pub(super) fn of(overview: Overview, log: Option<&InteractionLog>, waiting: usize, in_short: bool) -> HealthReply {
        let reason = log.and_then(InteractionLog::fault).map(|fault| fault.to_string());
        let state = match (log, &reason) {
            (None, _) => "off",
            (Some(_), None) => "on",
            (Some(_), Some(_)) => "failing",
        };
        let is_whole = overview.faults.is_empty() && reason.is_none();
        let detail = HealthDetail { overview, log: LogHealth { state, reason }, waiting };
        HealthReply {
            status: if is_whole { "ok" } else { "degraded" },
            version: env!("CARGO_PKG_VERSION"),
            detail: (!in_short).then_some(detail),
        }
    }
}
