//! Errors of the API, as JSON: `{"error": {"code": …, "message": …}}`.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::{BodyFault, json};
use crate::interactions::LogFault;
use crate::service::ServiceFault;

/// Seconds after which a client may ask again where the queue was full.
const BUSY_SECONDS: u64 = 1;

/// An error of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    /// The status of the response.
    pub(super) status: StatusCode,
    /// The kind, for programs.
    pub(super) code: &'static str,
    /// What failed, and what to do.
    pub(super) message: String,
    /// After how many seconds the same request may succeed.
    pub(super) retry_after: Option<u64>,
}

/// The body of every response that is an error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(super) struct ErrorBody {
    /// The error.
    error: ErrorDetail,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ErrorDetail {
    /// The kind, a short word for programs.
    code: &'static str,
    /// What failed, and what to do.
    message: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into(), retry_after: None }
    }

    /// The same, with the seconds after which the request may succeed.
    pub(super) fn retry_after(self, seconds: u64) -> ApiError {
        ApiError { retry_after: Some(seconds), ..self }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response =
            json(self.status, &ErrorBody { error: ErrorDetail { code: self.code, message: self.message } });
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<ServiceFault> for ApiError {
    fn from(fault: ServiceFault) -> ApiError {
        let status = match fault {
            ServiceFault::InvalidRequest(_) => StatusCode::BAD_REQUEST,
            ServiceFault::UnknownPage(_) => StatusCode::NOT_FOUND,
            ServiceFault::PageLost(_) => StatusCode::BAD_GATEWAY,
            ServiceFault::Entries(_) | ServiceFault::Busy => StatusCode::SERVICE_UNAVAILABLE,
            ServiceFault::TimedOut(_) => StatusCode::GATEWAY_TIMEOUT,
            ServiceFault::Index(_) | ServiceFault::Stopped => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let error = ApiError::new(status, fault.code(), fault.to_string());
        if fault == ServiceFault::Busy { error.retry_after(BUSY_SECONDS) } else { error }
    }
}

impl From<BodyFault> for ApiError {
    fn from(fault: BodyFault) -> ApiError {
        ApiError::new(fault.status(), fault.code(), fault.to_string())
    }
}

impl From<LogFault> for ApiError {
    fn from(fault: LogFault) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "log_unavailable", fault.to_string())
    }
}
